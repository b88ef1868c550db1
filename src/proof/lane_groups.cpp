#include "proof/lane_groups.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "field/tape.h"

namespace vf {

void group_lanes(std::uint64_t lanes, const Trace& trace, std::vector<std::uint64_t>& groups) {
  groups.assign(1, lanes);
  const auto refine = [&](std::uint64_t word) {
    if ((word & lanes) == 0 || (word & lanes) == lanes) return;
    for (std::size_t g = 0, n = groups.size(); g < n; ++g) {
      const std::uint64_t in = groups[g] & word, out = groups[g] & ~word;
      if (in == 0 || out == 0) continue;
      groups[g] = in;
      groups.push_back(out);
    }
  };
  for (const std::uint64_t w : trace.only_a) refine(w);
  for (const std::uint64_t w : trace.only_b) refine(w);
  for (const auto& set : trace.used)
    for (const std::uint64_t w : set) refine(w);
}

bool decides(const Trace& trace, int lane) {
  const std::uint64_t bit = std::uint64_t{1} << lane;
  for (const std::uint64_t w : trace.only_a)
    if ((w & bit) != 0) return true;
  for (const std::uint64_t w : trace.only_b)
    if ((w & bit) != 0) return true;
  for (const auto& set : trace.used)
    for (const std::uint64_t w : set)
      if ((w & bit) == 0) return true;
  return false;
}

bool decides_shapes(const Trace& trace, int lane) {
  const std::uint64_t bit = std::uint64_t{1} << lane;
  for (const auto& set : trace.shape_choices)
    for (const std::uint64_t w : set)
      if ((w & bit) != 0) return true;
  return false;
}

}  // namespace vf
