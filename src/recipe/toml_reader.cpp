#include "recipe/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "base/result.h"
#include "recipe/formula.h"
#include "recipe/language.h"
#include "recipe/recipe.h"
#include "recipe/source_text.h"

namespace vf {

namespace {

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "text";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    case toml::node_type::none:
      break;
  }
  return "nothing";
}

/// What toml++ says, with the most common mistake in plain words.
std::string syntax_message(std::string_view description) {
  const std::size_t again = description.find("cannot redefine existing");
  const std::size_t open = description.find('\'', again);
  const std::size_t close = description.rfind('\'');
  if (again != std::string_view::npos && open != std::string_view::npos && close > open)
    return fmt::format("\"{}\" is defined twice", description.substr(open + 1, close - open - 1));
  return fmt::format("not valid TOML: {}", description);
}

std::string range_text(double low, double high) {
  if (std::isinf(high)) return std::isinf(low) ? "any number" : fmt::format("at least {}", low);
  return fmt::format("{} .. {}", low, high);
}

}  // namespace

void ErrorList::add(Place place, std::string message, ErrorCode code) {
  if (!full()) errors_.push_back({code, std::move(place), std::move(message)});
}

std::vector<Error> ErrorList::sorted() const {
  std::vector<std::string_view> files;
  const auto rank = [&files](const Error& e) {
    return std::find(files.begin(), files.end(), e.place.file) - files.begin();
  };
  for (const Error& e : errors_)
    if (std::find(files.begin(), files.end(), e.place.file) == files.end()) files.push_back(e.place.file);
  std::vector<Error> result = errors_;
  std::stable_sort(result.begin(), result.end(), [&rank](const Error& a, const Error& b) {
    if (a.place.file != b.place.file) return rank(a) < rank(b);
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  return result;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  const std::string near = nearest_name(name.substr(0, 2 * kRecipeLimits.name_bytes), known);
  // Of one or two letters anything is near: at least one of them must be right.
  const bool close = name.size() > 2 || near.find_first_of(name) != std::string::npos;
  return near.empty() || !close ? "" : fmt::format("; did you mean \"{}\"?", near);
}

bool is_type_id(std::string_view name) {
  const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= kRecipeLimits.name_bytes &&
         std::all_of(name.begin(), name.end(), good);
}

bool is_plain_name(std::string_view name) {
  return is_type_id(name) && name[0] >= 'a' && name[0] <= 'z';
}

Result<TomlFile> TomlFile::parse(const std::string& file, std::string_view text) {
  if (const Status status = check_raw_text(file, text); !status) return status.error();
  // The only place where a library of this layer throws: turned into a value at once.
  try {
    return TomlFile(toml::parse(text), SourceText(file, text));
  } catch (const toml::parse_error& e) {
    return Error{ErrorCode::kBadInput,
                 {file, e.source().begin.line, e.source().begin.column},
                 syntax_message(e.description())};
  }
}

Place TomlFile::place(const toml::source_region& region) const {
  return {source_.file(), region.begin.line, region.begin.column};
}

std::vector<Entry> entries_in_order(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, value] : table) entries.push_back({&key, &value});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const toml::source_position& p = a.key->source().begin;
    const toml::source_position& q = b.key->source().begin;
    return std::pair(p.line, p.column) < std::pair(q.line, q.column);
  });
  return entries;
}

Section::Section(const TomlFile& file, const toml::table& table, std::string label, Place place,
                 ErrorList& errors)
    : file_(file), table_(table), label_(std::move(label)), place_(std::move(place)), errors_(errors) {}

const toml::node* Section::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_.get(key);
}

Place Section::key_place(std::string_view key) const {
  const auto it = table_.find(key);
  return it == table_.end() ? place_ : file_.place(it->first);
}

bool Section::wrong_type(std::string_view key, const toml::node& value, std::string_view expected) {
  fail(file_.place(value), fmt::format("\"{}\" is {}; expected {}", key, type_name(value), expected));
  return false;
}

bool Section::text(std::string_view key, std::string& out) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_string()) return wrong_type(key, *value, "text");
  out = value->as_string()->get();
  return true;
}

bool Section::texts(std::string_view key, std::vector<std::string>& out) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_array()) return wrong_type(key, *value, "a list of text");
  std::vector<std::string> result;
  for (const toml::node& item : *value->as_array()) {
    if (!item.is_string()) return wrong_type(key, item, "text in the list");
    result.push_back(item.as_string()->get());
  }
  out = std::move(result);
  return true;
}

bool Section::boolean(std::string_view key, bool& out) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) return wrong_type(key, *value, "true or false");
  out = value->as_boolean()->get();
  return true;
}

bool Section::integer(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t& out) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_integer())
    return wrong_type(key, *value, value->is_floating_point() ? "a whole number" : "a whole number");
  const std::int64_t number = value->as_integer()->get();
  if (number < low || number > high) {
    fail(file_.place(*value), high == std::numeric_limits<std::int64_t>::max()
                                  ? fmt::format("\"{}\" is {}; expected at least {}", key, number, low)
                                  : fmt::format("\"{}\" is {}; expected {} .. {}", key, number, low, high));
    return false;
  }
  out = number;
  return true;
}

bool Section::read_number(std::string_view key, const toml::node& value, double low, double high,
                          double& out) {
  double number = 0;
  if (value.is_integer()) {
    number = static_cast<double>(value.as_integer()->get());
  } else if (value.is_floating_point()) {
    number = value.as_floating_point()->get();
  } else {
    return wrong_type(key, value, "a number");
  }
  if (!std::isfinite(number) || number < low || number > high) {
    fail(file_.place(value), fmt::format("\"{}\" is {}; expected {}", key, number, range_text(low, high)));
    return false;
  }
  out = number;
  return true;
}

bool Section::number(std::string_view key, double low, double high, double& out) {
  const toml::node* value = find(key);
  return value != nullptr && read_number(key, *value, low, high, out);
}

bool Section::number(std::string_view key, double low, double high, float& out) {
  double wide = 0;
  if (!number(key, low, high, wide)) return false;
  out = static_cast<float>(wide);
  return true;
}

bool Section::numbers(std::string_view key, double low, double high, std::span<float> out) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  const std::string expected = fmt::format("a list of {} numbers", out.size());
  if (!value->is_array()) return wrong_type(key, *value, expected);
  const toml::array& list = *value->as_array();
  if (list.size() != out.size()) {
    fail(file_.place(*value), fmt::format("\"{}\" has {} entries; expected {}", key, list.size(), expected));
    return false;
  }
  std::vector<float> result;
  for (const toml::node& item : list) {
    double wide = 0;
    if (!read_number(key, item, low, high, wide)) return false;
    result.push_back(static_cast<float>(wide));
  }
  std::copy(result.begin(), result.end(), out.begin());
  return true;
}

bool Section::color(std::string_view key, Color& out) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_string()) return wrong_type(key, *value, "a colour such as \"#6CBF5B\"");
  const std::string& text = value->as_string()->get();
  const std::optional<Color> color = parse_color(text);
  if (!color) {
    fail(file_.place(*value),
         fmt::format("\"{}\" is \"{}\"; expected a colour such as \"#6CBF5B\"", key, text.substr(0, 40)));
    return false;
  }
  out = *color;
  return true;
}

std::optional<std::size_t> Section::choice(std::string_view key, std::span<const std::string_view> choices) {
  std::string chosen;
  if (!text(key, chosen)) return std::nullopt;
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i] == chosen) return i;
  const std::vector<std::string> names(choices.begin(), choices.end());
  fail(file_.place(*find(key)), fmt::format("unknown {} \"{}\"; expected {}{}", key, chosen.substr(0, 40),
                                            fmt::join(choices, ", "), did_you_mean(chosen, names)));
  return std::nullopt;
}

ExprPtr number_formula(double value, Place place) {
  auto expr = std::make_shared<Expr>();
  expr->place = std::move(place);
  expr->number = value;
  return expr;
}

ExprPtr Section::formula_of(const toml::node& value, std::string_view key) {
  const Place at = file_.place(value);
  if (value.is_number()) {
    double number = 0;
    constexpr double kLargest = 1e30;
    if (!read_number(key, value, -kLargest, kLargest, number)) number = 0;
    return number_formula(number, at);
  }
  if (!value.is_string()) {
    wrong_type(key, value, "a formula: text or a number");
    return number_formula(0, at);
  }
  const std::string& text = value.as_string()->get();
  if (text.size() > kRecipeLimits.formula_bytes) {
    fail(at, fmt::format("the formula has {} bytes; expected at most {}", text.size(),
                         kRecipeLimits.formula_bytes));
    return number_formula(0, at);
  }
  const std::vector<TextPosition> positions = file_.source().string_positions({at.line, at.column}, text);
  Result<ExprPtr> expr = parse_formula_at(text, file_.file(), positions);
  if (expr) return *expr;
  errors_.add(expr.error().place, expr.error().message);
  return number_formula(0, at);
}

bool Section::formula(std::string_view key, ExprPtr& out) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  out = formula_of(*value, key);
  return true;
}

bool Section::formulas(std::string_view key, std::span<ExprPtr> out, bool spread) {
  const toml::node* value = find(key);
  if (value == nullptr) return false;
  if (spread && !value->is_array()) {
    const ExprPtr expr = formula_of(*value, key);
    std::fill(out.begin(), out.end(), expr);
    return true;
  }
  const std::string expected = fmt::format("a list of {} formulas", out.size());
  if (!value->is_array()) return wrong_type(key, *value, expected);
  const toml::array& list = *value->as_array();
  if (list.size() != out.size()) {
    fail(file_.place(*value), fmt::format("\"{}\" has {} entries; expected {}", key, list.size(), expected));
    return false;
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = formula_of(list[i], key);
  return true;
}

void Section::require(std::string_view key, std::string_view expected) {
  if (!has(key)) missing_.emplace_back(key, expected);
}

void Section::finish() {
  for (const auto& [key, value] : table_) {
    if (errors_.full() || std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    fail(file_.place(key), fmt::format("unknown key \"{}\" in {}{}", key.str().substr(0, 60), label_,
                                       did_you_mean(key.str(), known_)));
    // A key that is only misspelt is one mistake, not two.
    const std::string meant = nearest_name(key.str().substr(0, 60), known_);
    std::erase_if(missing_, [&meant](const auto& m) { return m.first == meant; });
  }
  for (const auto& [key, expected] : missing_)
    fail(place_, fmt::format("{} has no \"{}\"; expected {}", label_, key, expected));
  missing_.clear();
}

}  // namespace vf
