// In: a TOML file. Out: typed values with their places, and errors collected as they are met.
//
// Used inside recipe/ and by compose/ for world files.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "recipe/recipe.h"
#include "recipe/source_text.h"

namespace vf {

/// Errors of all files of one recipe, in the order in which they were found. Not thread-safe.
class ErrorList {
 public:
  void add(Place place, std::string message, ErrorCode code = ErrorCode::kBadInput);
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::size_t size() const { return errors_.size(); }
  /// No further error is kept: whoever would search long for a good message need not.
  [[nodiscard]] bool full() const { return errors_.size() >= kMostErrors; }
  /// In the order of the text; files in the order in which they first had an error.
  [[nodiscard]] std::vector<Error> sorted() const;

 private:
  static constexpr std::size_t kMostErrors = 100;
  std::vector<Error> errors_;
};

/// "; did you mean "roof"?", or "" when no known name is near.
[[nodiscard]] std::string did_you_mean(std::string_view name, std::span<const std::string> known);

/// What an author may call a parameter, a field, a feature set, ...
[[nodiscard]] bool is_plain_name(std::string_view name);
/// What may be the id of a type: 1 .. 48 of a-z, 0-9 and _.
[[nodiscard]] bool is_type_id(std::string_view name);

/// A TOML file that parsed. The tree, its text and the errors outlive every Section.
class TomlFile {
 public:
  /// `text` must outlive the object.
  [[nodiscard]] static Result<TomlFile> parse(const std::string& file, std::string_view text);

  [[nodiscard]] const toml::table& root() const { return root_; }
  [[nodiscard]] const std::string& file() const { return source_.file(); }
  [[nodiscard]] const SourceText& source() const { return source_; }
  [[nodiscard]] Place place(const toml::source_region& region) const;
  [[nodiscard]] Place place(const toml::node& node) const { return place(node.source()); }
  [[nodiscard]] Place place(const toml::key& key) const { return place(key.source()); }

 private:
  TomlFile(toml::table root, SourceText source) : root_(std::move(root)), source_(std::move(source)) {}
  toml::table root_;
  SourceText source_;
};

struct Entry {
  const toml::key* key = nullptr;
  const toml::node* value = nullptr;
  [[nodiscard]] std::string name() const { return std::string(key->str()); }
};

/// The entries of a table in the order in which the author wrote them.
[[nodiscard]] std::vector<Entry> entries_in_order(const toml::table& table);

/// Reads one table: each getter leaves its target alone when the key is absent or wrong, and reports what is
/// wrong.
class Section {
 public:
  /// `label` is how messages call it: "[type]".
  Section(const TomlFile& file, const toml::table& table, std::string label, Place place, ErrorList& errors);

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const Place& place() const { return place_; }
  [[nodiscard]] const TomlFile& file() const { return file_; }
  [[nodiscard]] ErrorList& errors() { return errors_; }

  /// The value of a key, or null. The key counts as known.
  const toml::node* find(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }
  /// Where the key stands; the section's own place when it is absent.
  [[nodiscard]] Place key_place(std::string_view key) const;

  bool text(std::string_view key, std::string& out);
  bool texts(std::string_view key, std::vector<std::string>& out);
  bool boolean(std::string_view key, bool& out);
  bool integer(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t& out);
  bool number(std::string_view key, double low, double high, double& out);
  bool number(std::string_view key, double low, double high, float& out);
  /// A list of as many numbers as `out` is long.
  bool numbers(std::string_view key, double low, double high, std::span<float> out);
  bool color(std::string_view key, Color& out);
  /// One of `choices`; the index, or nothing.
  std::optional<std::size_t> choice(std::string_view key, std::span<const std::string_view> choices);
  bool formula(std::string_view key, ExprPtr& out);
  /// A list of as many formulas as `out` is long; one formula alone stands for all when `spread` is set.
  bool formulas(std::string_view key, std::span<ExprPtr> out, bool spread = false);
  /// A formula from any value; a plain 0 after an error.
  ExprPtr formula_of(const toml::node& value, std::string_view key);

  /// Has finish() report that `key` is missing when it is, with what it should be.
  void require(std::string_view key, std::string_view expected);
  void fail(const Place& place, std::string message) { errors_.add(place, std::move(message)); }
  /// Reports every key that no getter asked for.
  void finish();

 private:
  bool wrong_type(std::string_view key, const toml::node& value, std::string_view expected);
  bool read_number(std::string_view key, const toml::node& value, double low, double high, double& out);

  const TomlFile& file_;
  const toml::table& table_;
  std::string label_;
  Place place_;
  ErrorList& errors_;
  std::vector<std::string> known_;
  std::vector<std::pair<std::string, std::string>> missing_;  ///< key, what it should be
};

/// A formula that is a number.
[[nodiscard]] ExprPtr number_formula(double value, Place place);

/// sRGB "#RRGGBB" -> linear.
[[nodiscard]] std::optional<Color> parse_color(std::string_view text);
/// The colour of a black body, brightest channel 1 (Krystek 1985). [kelvin] [1000..15000]
[[nodiscard]] Color kelvin_color(double kelvin);

}  // namespace vf
