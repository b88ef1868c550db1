#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "base/result.h"
#include "field/simd_level.h"

namespace vf::cli {

namespace {

Error bad(std::string message) {
  return {ErrorCode::kBadInput, {}, std::move(message)};
}

template <class T>
Result<T> parse_in_range(std::string_view name, std::string_view text, T min, T max, std::string_view kind) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = end == text.data() + text.size() && !text.empty();
  if (error == std::errc::invalid_argument || !whole_text) {
    return bad(fmt::format("{}: '{}' is not {}; expected {} to {}", name, text, kind, min, max));
  }
  if (error == std::errc::result_out_of_range || value < min || value > max) {
    return bad(fmt::format("{}: {} is out of range; expected {} to {}", name, text, min, max));
  }
  return value;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Result<std::uint64_t> parse_count(std::string_view name, std::string_view text, std::uint64_t min,
                                  std::uint64_t max) {
  // from_chars knows no minus for unsigned numbers and would call "-1" no number at all.
  if (text.size() > 1 && text.front() == '-' && std::all_of(text.begin() + 1, text.end(), is_digit)) {
    return bad(fmt::format("{}: {} is out of range; expected {} to {}", name, text, min, max));
  }
  return parse_in_range<std::uint64_t>(name, text, min, max, "a whole number");
}

Result<std::int64_t> parse_whole(std::string_view name, std::string_view text, std::int64_t min,
                                 std::int64_t max) {
  return parse_in_range<std::int64_t>(name, text, min, max, "a whole number");
}

Result<double> parse_number(std::string_view name, std::string_view text, double min, double max) {
  Result<double> value = parse_in_range<double>(name, text, min, max, "a number");
  if (value && !std::isfinite(*value)) {
    return bad(fmt::format("{}: {} is out of range; expected {} to {}", name, text, min, max));
  }
  return value;
}

Result<std::int64_t> parse_metres_1024(std::string_view name, std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  std::size_t point = std::min(rest.find('.'), rest.size());
  const std::string_view whole = rest.substr(0, point);
  const std::string_view fraction = point < rest.size() ? rest.substr(point + 1) : std::string_view();
  if (whole.empty() && fraction.empty()) {
    return bad(
        fmt::format("{}: '{}' is not a length in metres; expected a number such as -12.5", name, text));
  }
  if (!std::all_of(whole.begin(), whole.end(), is_digit) ||
      !std::all_of(fraction.begin(), fraction.end(), is_digit)) {
    return bad(
        fmt::format("{}: '{}' is not a length in metres; expected a number such as -12.5", name, text));
  }
  std::int64_t metres = 0;
  for (const char c : whole) {
    metres = metres * 10 + (c - '0');
    if (metres > kMaxCoordinateM) {
      return bad(fmt::format("{}: {} is out of range; expected -{} to {} metres", name, text, kMaxCoordinateM,
                             kMaxCoordinateM));
    }
  }
  // 1/1024 = 5^10 / 10^10: eleven digits decide the rounding of any fraction but for ties, which need all of
  // them.
  constexpr std::size_t kDigits = 13;
  std::int64_t parts = 0;
  bool more = false;
  for (std::size_t i = 0; i < std::max(kDigits, fraction.size()); ++i) {
    const int digit = i < fraction.size() ? fraction[i] - '0' : 0;
    if (i < kDigits) {
      parts = parts * 10 + digit;
    } else {
      more = more || digit != 0;
    }
  }
  constexpr std::int64_t kOne = 10'000'000'000'000;  // 10^kDigits; times 1024 it fits in 64 bits
  const std::int64_t scaled = parts * 1024;
  std::int64_t grid = scaled / kOne;
  const std::int64_t left = scaled % kOne;
  const bool half = left == kOne / 2 && !more;
  // Halves go upward, also below zero, where upward is towards it.
  if (left > kOne / 2 || (left == kOne / 2 && more) || (half && !negative)) ++grid;
  const std::int64_t magnitude = metres * 1024 + grid;
  return negative ? -magnitude : magnitude;
}

Result<std::vector<std::string>> split_list(std::string_view name, std::string_view text, std::size_t least,
                                            std::size_t most, std::string_view form) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  if (parts.size() < least || parts.size() > most) {
    return bad(fmt::format("{}: '{}' has {} part{}; expected {}", name, text, parts.size(),
                           parts.size() == 1 ? "" : "s", form));
  }
  return parts;
}

Result<Place1024> parse_place(std::string_view name, std::string_view text) {
  const Result<std::vector<std::string>> parts = split_list(name, text, 3, 3, "x,y,z in metres");
  if (!parts) return parts.error();
  Place1024 place{};
  for (std::size_t i = 0; i < place.size(); ++i) {
    const Result<std::int64_t> value = parse_metres_1024(name, (*parts)[i]);
    if (!value) return value.error();
    place[i] = *value;
  }
  return place;
}

Result<PictureSize> parse_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) {
    return bad(fmt::format("--size: '{}' is not a size; expected WIDTHxHEIGHT such as 1280x720", text));
  }
  const Result<std::uint64_t> width = parse_count("--size", text.substr(0, cross), 1, kMaxPictureEdge);
  if (!width) return width.error();
  const Result<std::uint64_t> height = parse_count("--size", text.substr(cross + 1), 1, kMaxPictureEdge);
  if (!height) return height.error();
  if (*width * *height > kMaxPicturePixels) {
    return bad(fmt::format("--size: {} has {} pixels; at most {} are allowed", text, *width * *height,
                           kMaxPicturePixels));
  }
  return PictureSize{static_cast<int>(*width), static_cast<int>(*height)};
}

Result<std::pair<std::string, std::string>> parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return bad(fmt::format("--set: '{}' is not a setting; expected name=value such as amplitude=3", text));
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

Result<SimdLevel> parse_simd(std::string_view text) {
  const std::optional<SimdLevel> level = simd_level_from(text);
  if (!level) {
    const std::vector<std::string> known{"scalar", "sse4", "avx2", "avx512", "best"};
    const std::string nearest = nearest_name(text, known);
    return bad(fmt::format("--simd: '{}' is not known; expected scalar, sse4, avx2, avx512 or best{}", text,
                           nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
  }
  const std::vector<SimdLevel> supported = supported_simd_levels();
  if (std::find(supported.begin(), supported.end(), *level) == supported.end()) {
    return Error{ErrorCode::kResource,
                 {},
                 fmt::format("--simd: this machine cannot run {}; its best is {}", text,
                             to_string(best_simd_level()))};
  }
  return *level;
}

}  // namespace vf::cli
