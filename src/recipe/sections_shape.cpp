// Sections that make the geometry: [params], [field], [features.NAME].
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "recipe/language.h"
#include "recipe/recipe.h"
#include "recipe/sections.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

constexpr double kLargest = 1e30;

void read_parameter(Section& root, const Entry& entry, Recipe& recipe) {
  const std::string name = entry.name();
  const Place place = root.file().place(*entry.key);
  const auto inherited = std::find_if(recipe.params.begin(), recipe.params.end(),
                                      [&name](const Parameter& p) { return p.name == name; });
  if (entry.value->is_number() && inherited != recipe.params.end()) {
    const Place at = root.file().place(*entry.value);
    const double number = entry.value->value<double>().value_or(0);
    if (!(number >= inherited->min && number <= inherited->max)) {
      root.fail(at, fmt::format("the default {} of \"{}\" is out of range; expected {} .. {}", number, name,
                                inherited->min, inherited->max));
      return;
    }
    inherited->place = place;
    inherited->value = inherited->default_value = number;
    return;
  }
  if (!entry.value->is_table()) {
    root.fail(place,
              entry.value->is_number()
                  ? fmt::format("\"{}\" is a number, but no parameter of that name is inherited; expected "
                                "{{ default = ..., min = ..., max = ... }}",
                                name)
                  : fmt::format(
                        "parameter \"{}\" is not a table; expected {{ default = ..., min = ..., max = ... }}",
                        name));
    return;
  }
  Section section(root.file(), *entry.value->as_table(), fmt::format("parameter \"{}\"", name), place,
                  root.errors());
  Parameter parameter{name, place, 0, 0, 0, 0, "", ""};
  for (const std::string_view key : {"default", "min", "max"}) section.require(key, "a number");
  const bool has_default = section.number("default", -kLargest, kLargest, parameter.default_value);
  const bool has_min = section.number("min", -kLargest, kLargest, parameter.min);
  const bool has_max = section.number("max", -kLargest, kLargest, parameter.max);
  const auto place_of = [&](std::string_view key) { return section.file().place(*section.find(key)); };
  if (has_min && has_max && parameter.min > parameter.max) {
    section.fail(place_of("min"),
                 fmt::format("the min {} of \"{}\" is above its max {}", parameter.min, name, parameter.max));
  } else if (has_default && has_min && has_max &&
             (parameter.default_value < parameter.min || parameter.default_value > parameter.max)) {
    section.fail(place_of("default"),
                 fmt::format("the default {} of \"{}\" is out of range; expected {} .. {}",
                             parameter.default_value, name, parameter.min, parameter.max));
  }
  parameter.value = parameter.default_value;
  if (section.text("unit", parameter.unit) &&
      std::find(units().begin(), units().end(), parameter.unit) == units().end()) {
    const std::vector<std::string> known(units().begin() + 1, units().end());
    section.fail(place_of("unit"), fmt::format("unknown unit \"{}\"; expected one of {}, or none{}",
                                               parameter.unit.substr(0, 40), fmt::join(known, ", "),
                                               did_you_mean(parameter.unit, known)));
  }
  section.text("help", parameter.help);
  section.finish();
  if (inherited != recipe.params.end()) {
    *inherited = std::move(parameter);
  } else {
    recipe.params.push_back(std::move(parameter));
  }
}

// ---------------------------------------------------------------- base.NAME

void for_each_name(const Expr& expr, const std::function<void(const std::string&)>& visit) {
  if (expr.kind == ExprKind::kName) visit(expr.name);
  for (const ExprPtr& arg : expr.args) for_each_name(*arg, visit);
  for (const NamedArgument& option : expr.options) for_each_name(*option.value, visit);
}

constexpr std::string_view kBase = "base.";

/// The same tree with one more `base.` before every name that has one.
ExprPtr with_deeper_base(const ExprPtr& expr) {
  auto copy = std::make_shared<Expr>(*expr);
  if (copy->kind == ExprKind::kName && copy->name.starts_with(kBase)) copy->name.insert(0, kBase);
  for (ExprPtr& arg : copy->args) arg = with_deeper_base(arg);
  for (NamedArgument& option : copy->options) option.value = with_deeper_base(option.value);
  return copy;
}

/// Keeps each replaced formula that `own` still names as `base.NAME`, right before its replacement.
void keep_bases(const std::vector<NamedExpr>& own, std::vector<NamedExpr>& inherited) {
  std::vector<std::string> wanted;
  for (const NamedExpr& e : own)
    for_each_name(*e.expr, [&wanted](const std::string& name) {
      if (name.starts_with(kBase)) wanted.push_back(name.substr(kBase.size()));
    });
  if (wanted.empty()) return;
  for (NamedExpr& e : inherited) {
    if (e.name.starts_with(kBase)) e.name.insert(0, kBase);
    e.expr = with_deeper_base(e.expr);
  }
  std::vector<NamedExpr> kept;
  for (NamedExpr& e : inherited) {
    const bool replaced =
        std::any_of(own.begin(), own.end(), [&e](const NamedExpr& o) { return o.name == e.name; });
    if (replaced && std::find(wanted.begin(), wanted.end(), e.name) != wanted.end())
      kept.push_back({std::string(kBase) + e.name, e.place, e.expr});
    kept.push_back(std::move(e));
  }
  inherited = std::move(kept);
}

// ---------------------------------------------------------------- features

constexpr std::array<std::string_view, 5> kKinds{"scatter", "lattice", "list", "graph", "modules"};

void read_kind(Section& section, FeatureSet& set) {
  const std::optional<std::size_t> kind = section.choice("kind", std::span(kKinds).first(3));
  if (!kind) return;
  set.kind = static_cast<FeatureKind>(*kind);
}

/// Feature kinds of the design that have no engine yet get a message of their own.
bool is_later_kind(Section& section) {
  const toml::node* kind = section.find("kind");
  if (kind == nullptr || !kind->is_string()) return false;
  const std::string& name = kind->as_string()->get();
  if (name != kKinds[3] && name != kKinds[4]) return false;
  section.fail(
      section.file().place(*kind),
      fmt::format("the feature kind \"{}\" is not supported yet; expected scatter, lattice or list", name));
  return true;
}

void read_points(Section& section, FeatureSet& set) {
  const toml::node* value = section.find("points");
  if (value == nullptr) return;
  const Place place = section.file().place(*value);
  if (!value->is_array()) return section.fail(place, "\"points\" is not a list; expected [[x, y, z], ...]");
  const toml::array& list = *value->as_array();
  if (list.size() > static_cast<std::size_t>(kRecipeLimits.points))
    return section.fail(place, fmt::format("\"points\" has {} entries; expected at most {}", list.size(),
                                           kRecipeLimits.points));
  set.points.clear();
  for (const toml::node& item : list) {
    if (!item.is_array() || item.as_array()->size() != 3)
      return section.fail(section.file().place(item), "a point is not [x, y, z]");
    std::array<ExprPtr, 3> point;
    for (std::size_t i = 0; i < 3; ++i) point[i] = section.formula_of((*item.as_array())[i], "points");
    set.points.push_back(std::move(point));
  }
}

void read_values(Section& section, FeatureSet& set) {
  const std::optional<Section> values = find_section(section, "values");
  if (!values) return;
  std::vector<NamedExpr> own;
  for (const Entry& entry : entries_in_order(*section.find("values")->as_table()))
    own.push_back(
        {entry.name(), section.file().place(*entry.key), section.formula_of(*entry.value, entry.name())});
  merge_in_order(set.values, std::move(own));
  if (set.values.size() > static_cast<std::size_t>(kMaxFeatureValues))
    section.fail(values->place(), fmt::format("{} has {} values; expected at most {}", section.label(),
                                              set.values.size(), kMaxFeatureValues));
}

void refuse_for_kind(Section& section, std::string_view key, bool allowed, std::string_view kind) {
  if (!allowed && section.has(key))
    section.fail(section.key_place(key), fmt::format("\"{}\" has no meaning for kind \"{}\"", key, kind));
  section.find(key);
}

void set_feature_defaults(FeatureSet& set) {
  const auto default_to = [&set](ExprPtr& expr, double value) {
    if (!expr) expr = number_formula(value, set.place);
  };
  const bool scatter = set.kind == FeatureKind::kScatter;
  default_to(set.pitch, 1024);  // a list: one period a sector
  default_to(set.offset_x, 0);
  default_to(set.offset_y, 0);
  if (!scatter) set.jitter = nullptr;
  default_to(set.jitter, scatter ? 1 : 0);
  default_to(set.probability, 1);
  default_to(set.shape, 1);
  for (ExprPtr* extent : {&set.extent_x, &set.extent_y, &set.extent_z_min, &set.extent_z_max})
    default_to(*extent, 0);
  default_to(set.blend, 0);
  default_to(set.far, 4);
}

void read_feature_set(Section& section, FeatureSet& set) {
  if (is_later_kind(section)) return set_feature_defaults(set);
  read_kind(section, set);
  const std::string_view kind = kKinds[static_cast<std::size_t>(set.kind)];
  const bool list = set.kind == FeatureKind::kList;
  if (!list && !set.pitch) section.require("pitch", "the edge of a cell in metres");
  if (list && set.points.empty()) section.require("points", "[[x, y, z], ...]");
  if (!set.shape) section.require("shape", "the distance to the surface, negative inside");
  if (!set.extent_x) section.require("extent", "[x, y] or one number: half the size of the shape in metres");
  if (!set.extent_z_min)
    section.require("extent_z", "[low, high]: from and to which height the shape reaches, in metres");
  refuse_for_kind(section, "pitch", !list, kind);
  refuse_for_kind(section, "offset", !list, kind);
  refuse_for_kind(section, "jitter", set.kind == FeatureKind::kScatter, kind);
  refuse_for_kind(section, "points", list, kind);
  section.formula("pitch", set.pitch);
  std::array<ExprPtr, 2> pair;
  if (section.formulas("offset", pair)) std::tie(set.offset_x, set.offset_y) = std::pair(pair[0], pair[1]);
  section.formula("jitter", set.jitter);
  section.formula("probability", set.probability);
  section.formula("accept", set.accept);
  section.formula("ground", set.ground);
  section.formula("yaw", set.yaw);
  read_points(section, set);
  read_values(section, set);
  section.formula("shape", set.shape);
  if (section.formulas("extent", pair, true))
    std::tie(set.extent_x, set.extent_y) = std::pair(pair[0], pair[1]);
  if (section.formulas("extent_z", pair))
    std::tie(set.extent_z_min, set.extent_z_max) = std::pair(pair[0], pair[1]);
  section.formula("blend", set.blend);
  section.formula("far", set.far);
  section.formula("off_paths", set.off_paths);
  section.finish();
  set_feature_defaults(set);
}

}  // namespace

void read_params(Section& root, Recipe& recipe) {
  if (!find_section(root, "params")) return;
  for (const Entry& entry : entries_in_order(*root.find("params")->as_table()))
    read_parameter(root, entry, recipe);
  const auto most = static_cast<std::size_t>(kRecipeLimits.params);
  if (recipe.params.size() <= most) return;
  root.fail(root.key_place("params"),
            fmt::format("there are {} parameters; expected at most {}", recipe.params.size(), most));
  recipe.params.resize(most);  // what is refused must not cost time later
}

void read_field(Section& root, Recipe& recipe) {
  if (!find_section(root, "field")) return;
  const auto most = static_cast<std::size_t>(kRecipeLimits.fields);
  const std::vector<Entry> entries = entries_in_order(*root.find("field")->as_table());
  if (entries.size() > most)
    root.fail(root.key_place("field"),
              fmt::format("[field] has {} names; expected at most {}", entries.size(), most));
  std::vector<NamedExpr> own;
  for (const Entry& entry : entries)
    if (own.size() < most || entry.name() == "phi")
      own.push_back(
          {entry.name(), root.file().place(*entry.key), root.formula_of(*entry.value, entry.name())});
  keep_bases(own, recipe.field);
  merge_in_order(recipe.field, std::move(own));
  if (recipe.field.size() > most && entries.size() <= most)
    root.fail(root.key_place("field"),
              fmt::format("[field] has {} names with the inherited ones; expected at most {}",
                          recipe.field.size(), most));
}

void read_features(Section& root, Recipe& recipe) {
  if (!find_section(root, "features")) return;
  for (const Entry& entry : entries_in_order(*root.find("features")->as_table())) {
    const std::string name = entry.name();
    const Place place = root.file().place(*entry.key);
    if (!is_plain_name(name)) {
      root.fail(
          place,
          fmt::format("\"{}\" is not a plain name; expected a letter a-z, then a-z, 0-9 and _, at most {}",
                      name.substr(0, 60), kRecipeLimits.name_bytes));
      continue;
    }
    if (!entry.value->is_table()) {
      root.fail(place, fmt::format("\"{0}\" is not a feature set; write [features.{0}]", name));
      continue;
    }
    Section section(root.file(), *entry.value->as_table(), fmt::format("[features.{}]", name), place,
                    root.errors());
    read_feature_set(section, part_named(recipe.features, name, place));
  }
  const auto most = static_cast<std::size_t>(kRecipeLimits.features);
  if (recipe.features.size() <= most) return;
  root.fail(root.key_place("features"),
            fmt::format("there are {} feature sets; expected at most {}", recipe.features.size(), most));
  recipe.features.resize(most);
}

}  // namespace vf
