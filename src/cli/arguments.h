// What people type after a verb, checked and turned into values. Every function names the limit it holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "field/simd_level.h"

namespace vf::cli {

inline constexpr std::uint64_t kMaxWorkers = 256;
inline constexpr std::uint64_t kMaxRuns = 1000;
inline constexpr std::uint64_t kMaxPictureEdge = 8192;          ///< [pixels]
inline constexpr std::uint64_t kMaxPicturePixels = 33'554'432;  ///< 8192 x 4096
inline constexpr std::int64_t kMaxCoordinateM =
    1'000'000'000'000;  ///< so that 1/1024 m stays exact in 64 bits
inline constexpr std::int64_t kMaxStratum = 1'000'000'000'000;
inline constexpr std::uint64_t kMaxRadiusM = 1024;

/// A whole number in [min, max]. `name` is what the message calls it ("--runs").
[[nodiscard]] Result<std::uint64_t> parse_count(std::string_view name, std::string_view text,
                                                std::uint64_t min, std::uint64_t max);
[[nodiscard]] Result<std::int64_t> parse_whole(std::string_view name, std::string_view text, std::int64_t min,
                                               std::int64_t max);
/// A decimal number in [min, max].
[[nodiscard]] Result<double> parse_number(std::string_view name, std::string_view text, double min,
                                          double max);

/// A length in metres as whole 1/1024 m: read digit by digit, so that it is exact at any distance; what lies
/// between two grid points goes to the nearer one, halves upward. |value| <= kMaxCoordinateM.
[[nodiscard]] Result<std::int64_t> parse_metres_1024(std::string_view name, std::string_view text);

/// "a,b,c" -> exactly `count` parts.
[[nodiscard]] Result<std::vector<std::string>> split_list(std::string_view name, std::string_view text,
                                                          std::size_t least, std::size_t most,
                                                          std::string_view form);

/// A world place in 1/1024 m.
using Place1024 = std::array<std::int64_t, 3>;
[[nodiscard]] Result<Place1024> parse_place(std::string_view name, std::string_view text);

struct PictureSize {
  int width = 1280, height = 720;
};
/// "1280x720".
[[nodiscard]] Result<PictureSize> parse_size(std::string_view text);

/// "name=value".
[[nodiscard]] Result<std::pair<std::string, std::string>> parse_setting(std::string_view text);

[[nodiscard]] Result<SimdLevel> parse_simd(std::string_view text);

}  // namespace vf::cli
