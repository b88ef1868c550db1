// In: the raw text of a file. Out: where the characters of a quoted string stand in it.
//
// toml++ tells where a string starts, and hands its contents with the escapes resolved; an error in a formula
// needs the place of each character of those contents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recipe/formula.h"

namespace vf {

class SourceText {
 public:
  SourceText(std::string file, std::string_view text);

  [[nodiscard]] const std::string& file() const { return file_; }

  /// The places of every byte of `contents`, the value of the string whose opening quote stands at `start`,
  /// and of its end. Where the text does not fit the contents, places count on from `start`.
  [[nodiscard]] std::vector<TextPosition> string_positions(TextPosition start,
                                                           std::string_view contents) const;

 private:
  [[nodiscard]] std::size_t offset_of(TextPosition position) const;

  std::string file_;
  std::string_view text_;
  std::vector<std::size_t> line_starts_;
};

/// Refuses text that would make a TOML parser recurse without bound or take absurd time: too large, or with
/// absurdly long dotted keys. Brackets are bounded by toml++ itself.
[[nodiscard]] Status check_raw_text(const std::string& file, std::string_view text);

}  // namespace vf
