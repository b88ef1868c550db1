// Where the random choices of a plan come from.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "compose/world.h"
#include "recipe/recipe.h"

namespace vf {

/// Ids of things of the plan before they are resolved: their places in the world's numbering. An id is the
/// same whoever asks, for it holds only what owns the thing: hash_words of all that is given here and of its
/// key.
class PlanIds {
 public:
  PlanIds(const Stratum& stratum, std::int64_t sx, std::int64_t sy, std::string_view kind,
          std::string_view name)
      : owner_(hash_words({stratum.world_seed.value, word(stratum.index), word(sx), word(sy),
                           hash_text(stratum.recipe->id), stratum.recipe->layout_version, hash_text(kind),
                           hash_text(name)})) {}

  /// `a`, `b`: the local key (global cell, or index).
  [[nodiscard]] std::uint64_t id(std::int64_t a, std::int64_t b) const {
    return mix64(mix64(owner_ ^ mix64(word(a))) ^ mix64(word(b)));  // as hash_words goes on
  }

 private:
  static std::uint64_t word(std::int64_t v) { return static_cast<std::uint64_t>(v); }
  std::uint64_t owner_;
};

/// One id.
[[nodiscard]] inline std::uint64_t plan_id(const Stratum& stratum, std::int64_t sx, std::int64_t sy,
                                           std::string_view kind, std::string_view name, std::int64_t a,
                                           std::int64_t b) {
  return PlanIds(stratum, sx, sy, kind, name).id(a, b);
}

/// Streams of random values of one id; u1...u8 are 0...7.
enum class Draw : std::uint64_t { kU1 = 0, kJitterX = 8, kJitterY = 9, kKeep = 10 };

[[nodiscard]] inline float draw(std::uint64_t id, Draw stream) {
  return unit_float(hash_words({id, static_cast<std::uint64_t>(stream)}));
}

[[nodiscard]] inline std::array<float, kFeatureRandoms> draw_randoms(std::uint64_t id) {
  const std::uint64_t own = hash_words({id});
  std::array<float, kFeatureRandoms> u{};
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = unit_float(mix64(own ^ mix64(i)));  // hash_words({id, i})
  return u;
}

}  // namespace vf
