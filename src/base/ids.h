// Identities that cannot be mixed up, and the one hash that all random choices come from.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace vf {

/// A 64-bit identity of one kind of thing. Stable over runs and machines.
template <class Tag>
struct Id {
  std::uint64_t value = 0;
  friend auto operator<=>(const Id&, const Id&) = default;
};

/// The seed of a world. A type of its own, so that it never gets mixed up with a count or an index.
struct Seed {
  std::uint64_t value = 0;
  friend auto operator<=>(const Seed&, const Seed&) = default;
};

/// SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection with full avalanche.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// Order-sensitive hash of a list of words; the source of every random choice of a plan.
[[nodiscard]] constexpr std::uint64_t hash_words(std::initializer_list<std::uint64_t> words) {
  std::uint64_t h = 0x243F6A8885A308D3ULL;
  for (const std::uint64_t w : words) h = mix64(h ^ mix64(w));
  return h;
}

/// FNV-1a of a text; turns stable names into words for hash_words.
[[nodiscard]] constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325ULL;
  for (const char c : text) h = (h ^ static_cast<std::uint8_t>(c)) * 0x100000001B3ULL;
  return h;
}

/// The top 24 bits as a float in [0, 1); exact.
[[nodiscard]] constexpr float unit_float(std::uint64_t hash) {
  return static_cast<float>(hash >> 40) * (1.0F / 16777216.0F);
}

}  // namespace vf
