// Buffers that are used again from tile to tile.
#pragma once

#include <cstddef>
#include <vector>

namespace vf {

/// At least `n` elements. Only grows: shrinking would set everything anew at the next tile.
template <class T>
void need(std::vector<T>& v, std::size_t n) {
  if (v.size() < n) v.resize(n + n / 2);
}

}  // namespace vf
