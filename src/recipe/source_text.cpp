#include "recipe/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "recipe/formula.h"
#include "recipe/language.h"

namespace vf {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}
bool is_space(char c) {
  return c == ' ' || c == '\t';
}

/// Walks over raw text and keeps line and column.
struct Cursor {
  std::string_view text;
  std::size_t at;
  TextPosition position;

  [[nodiscard]] bool done() const { return at >= text.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }
  [[nodiscard]] bool starts_with(std::string_view s) const { return text.substr(at).starts_with(s); }
  void step() {
    const char c = text[at++];
    if (c == '\n') {
      position = {position.line + 1, 1};
    } else if (c != '\r' && !is_continuation(peek())) {
      ++position.column;
    }
  }
  void step(std::size_t count) {
    for (std::size_t i = 0; i < count && !done(); ++i) step();
  }
};

std::uint32_t hex_value(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 0;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return value;
}

std::size_t utf8_length(std::uint32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/// Bytes of the value that the escape at the cursor makes; steps over it. 0 for a line continuation.
std::size_t step_over_escape(Cursor& cursor) {
  const char c = cursor.peek(1);
  if (c == 'u' || c == 'U' || c == 'x') {
    const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 2;
    const std::uint32_t code =
        hex_value(cursor.text.substr(std::min(cursor.at + 2, cursor.text.size()), digits));
    cursor.step(2 + digits);
    return utf8_length(code);
  }
  std::size_t blanks = 1;
  while (is_space(cursor.peek(blanks))) ++blanks;
  if (cursor.peek(blanks) == '\n' || (cursor.peek(blanks) == '\r' && cursor.peek(blanks + 1) == '\n')) {
    cursor.step(1);
    while (!cursor.done() && (is_space(cursor.peek()) || cursor.peek() == '\n' || cursor.peek() == '\r'))
      cursor.step();
    return 0;
  }
  cursor.step(2);
  return 1;
}

/// Steps over the string whose opening quote is at the cursor; a one-line string ends at the end of its line.
void skip_string(Cursor& cursor) {
  const char quote = cursor.peek();
  const bool multiline = cursor.peek(1) == quote && cursor.peek(2) == quote;
  if (!multiline && cursor.peek(1) == quote) return cursor.step(2);
  cursor.step(multiline ? 3 : 1);
  while (!cursor.done()) {
    const char c = cursor.peek();
    if (c == '\\' && quote == '"') {
      cursor.step(2);
    } else if (c == quote && !multiline) {
      return cursor.step();
    } else if (c == quote && cursor.peek(1) == quote && cursor.peek(2) == quote) {
      return cursor.step(3);
    } else if (c == '\n' && !multiline) {
      return;
    } else {
      cursor.step();
    }
  }
}

}  // namespace

SourceText::SourceText(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
}

std::size_t SourceText::offset_of(TextPosition position) const {
  if (position.line == 0 || position.line > line_starts_.size()) return text_.size();
  std::size_t at = line_starts_[position.line - 1];
  for (std::uint32_t column = 1; column < position.column && at < text_.size() && text_[at] != '\n';
       ++column) {
    ++at;
    while (at < text_.size() && is_continuation(text_[at])) ++at;
  }
  return at;
}

std::vector<TextPosition> SourceText::string_positions(TextPosition start, std::string_view contents) const {
  std::vector<TextPosition> positions;
  positions.reserve(contents.size() + 1);
  Cursor cursor{text_, offset_of(start), start};
  const char quote = cursor.peek();
  if (quote == '"' || quote == '\'') {
    const bool literal = quote == '\'';
    const bool multiline = cursor.peek(1) == quote && cursor.peek(2) == quote;
    cursor.step(multiline ? 3 : 1);
    if (multiline && cursor.peek() == '\r' && cursor.peek(1) == '\n') cursor.step();
    if (multiline && cursor.peek() == '\n') cursor.step();
    while (positions.size() < contents.size() && !cursor.done()) {
      const TextPosition here = cursor.position;
      std::size_t bytes = 1;
      if (!literal && cursor.peek() == '\\') {
        bytes = step_over_escape(cursor);
      } else if (cursor.peek() == '\r' && contents[positions.size()] != '\r') {
        bytes = 0;
        cursor.step();
      } else {
        cursor.step();
      }
      positions.insert(positions.end(), std::min(bytes, contents.size() - positions.size()), here);
    }
  }
  while (positions.size() < contents.size()) positions.push_back(cursor.position);
  positions.push_back(cursor.position);
  return positions;
}

Status check_raw_text(const std::string& file, std::string_view text) {
  if (text.size() > kRecipeLimits.file_bytes)
    return Error{
        ErrorCode::kBadInput,
        {file, 0, 0},
        fmt::format("the file has {} bytes; expected at most {}", text.size(), kRecipeLimits.file_bytes)};
  // Dotted keys nest a table a dot, and toml++ walks nested tables by recursion.
  constexpr int kMostDots = 8;
  int dots = 0;
  Cursor cursor{text, 0, {1, 1}};
  while (!cursor.done()) {
    const char c = cursor.peek();
    if (c == '#') {
      while (!cursor.done() && cursor.peek() != '\n') cursor.step();
    } else if (c == '"' || c == '\'') {
      skip_string(cursor);
    } else {
      if (c == '\n' || c == '=' || c == '[' || c == ',' || c == '{') dots = 0;
      if (c == '.' && ++dots > kMostDots)
        return Error{
            ErrorCode::kBadInput,
            {file, cursor.position.line, cursor.position.column},
            fmt::format("a key of more than {} names joined by dots; expected at most 3", kMostDots + 1)};
      cursor.step();
    }
  }
  return Unit{};
}

}  // namespace vf
