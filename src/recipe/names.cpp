#include "recipe/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "recipe/language.h"
#include "recipe/measure.h"
#include "recipe/name_scope.h"
#include "recipe/recipe.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "a,b" -> "a, b"
std::string spaced(std::string_view list) {
  std::string out;
  for (const char c : list) {
    out += c;
    if (c == ',') out += ' ';
  }
  return out;
}

std::string_view kind_text(std::size_t kind) {
  constexpr std::array<std::string_view, 4> kTexts{"a parameter", "a function", "a formula of [field]",
                                                   "a value"};
  return kTexts[kind];
}

class NameChecker {
 public:
  NameChecker(const Recipe& recipe, ErrorList& errors, Notes& notes)
      : recipe_(recipe), errors_(errors), notes_(notes) {}

  void run() {
    check_definitions();
    check_functions();
    check_field();
    for (const FeatureSet& set : recipe_.features) check_feature_set(set);
    for (const Light& light : recipe_.lights) check_light(light);
    check_look();
    report_unused();
  }

 private:
  // ------------------------------------------------------------ definitions

  void fail(const Place& place, std::string message) { errors_.add(place, std::move(message)); }

  void check_definitions() {
    std::map<std::string, std::pair<std::size_t, Place>> seen;
    const auto define = [&](const std::string& name, const Place& place, std::size_t kind) {
      check_new_name(name, place, kind);
      const auto [at, is_new] = seen.try_emplace(name, kind, place);
      if (!is_new)
        fail(place, fmt::format("\"{}\" is {} already, at {}", name, kind_text(at->second.first),
                                to_string(at->second.second)));
    };
    for (const Parameter& p : recipe_.params) define(p.name, p.place, 0);
    for (const Function& f : recipe_.functions) define(f.name, f.place, 1);
    for (const NamedExpr& e : recipe_.field)
      if (!e.name.starts_with("base.")) define(e.name, e.place, 2);
    const auto shared = seen;
    for (const FeatureSet& set : recipe_.features) {
      for (const NamedExpr& e : set.values) define(e.name, e.place, 3);
      seen = shared;
    }
    if (recipe_.functions.size() > static_cast<std::size_t>(kRecipeLimits.functions))
      fail(recipe_.functions.back().place, fmt::format("there are {} functions; expected at most {}",
                                                       recipe_.functions.size(), kRecipeLimits.functions));
  }

  void check_new_name(const std::string& name, const Place& place, std::size_t kind) {
    if (!is_plain_name(name))
      return fail(
          place,
          fmt::format("\"{}\" is not a plain name; expected a letter a-z, then a-z, 0-9 and _, at most {}",
                      name.substr(0, 60), kRecipeLimits.name_bytes));
    const bool field_ground = kind == 2 && name == "ground";
    const auto names = context_names();
    const bool context =
        std::any_of(names.begin(), names.end(), [&](const ContextName& c) { return c.name == name; });
    if (find_word(name) != nullptr || (context && !field_ground))
      fail(place, fmt::format("\"{}\" belongs to the language and cannot name {}; choose another name", name,
                              kind_text(kind)));
  }

  // ------------------------------------------------------------ sections

  void check_functions() {
    for (std::size_t i = 0; i < recipe_.functions.size(); ++i) {
      const Function& f = recipe_.functions[i];
      if (f.arguments.size() > kMostArguments)
        fail(f.place, fmt::format("function \"{}\" has {} arguments; expected at most {}", f.name,
                                  f.arguments.size(), kMostArguments));
      NameScope scope;
      scope.where = Where::kFunction;
      scope.functions = i;
      scope.arguments = &f.arguments;
      function_on_[f.name] = check(*f.body, scope);
      measures_[f.name] = measure_formula(*f.body, f.arguments, measures_);
    }
  }

  void check_field() {
    for (std::size_t i = 0; i < recipe_.field.size(); ++i) {
      const NamedExpr& e = recipe_.field[i];
      NameScope scope = scope_of(Where::kField);
      scope.fields = i;
      field_on_.push_back(formula(e.expr, scope));
    }
    if (recipe_.find_field("phi") != nullptr) return;
    std::vector<std::string> names;
    names.reserve(recipe_.field.size());
    for (const NamedExpr& e : recipe_.field) names.push_back(e.name);
    const Place place = recipe_.field.empty() ? Place{recipe_.file, 1, 1} : recipe_.field.back().place;
    fail(place, "there is no \"phi\" in [field]; expected the density: negative in rock, positive in air" +
                    did_you_mean("phi", names));
  }

  [[nodiscard]] NameScope scope_of(Where where) const { return name_scope(where, recipe_); }

  void check_feature_set(const FeatureSet& set) {
    NameScope constant = scope_of(Where::kConstant);
    for (const ExprPtr& e : {set.pitch, set.offset_x, set.offset_y, set.jitter, set.blend, set.far})
      formula(e, constant);
    for (const auto& point : set.points)
      for (const ExprPtr& e : point) formula(e, constant);
    formula(set.ground, scope_of(Where::kPlaceColumn));
    NameScope place = scope_of(Where::kPlace);
    for (const ExprPtr& e : {set.probability, set.accept, set.yaw}) formula(e, place);
    place.set = &set;
    for (const NamedExpr& value : set.values) {
      formula(value.expr, place);
      ++place.values;
    }
    for (const ExprPtr& e : {set.extent_x, set.extent_y, set.extent_z_min, set.extent_z_max})
      formula(e, place);
    NameScope shape = scope_of(Where::kShape);
    shape.set = &set;
    shape.values = set.values.size();
    formula(set.shape, shape);
  }

  void check_light(const Light& light) {
    formula(light.pitch, scope_of(Where::kConstant));
    formula(light.jitter, scope_of(Where::kConstant));
    formula(light.ground, scope_of(Where::kPlaceColumn));
    NameScope place = scope_of(Where::kPlace);
    if (light.placement == LightPlacement::kPoint) place = scope_of(Where::kConstant);
    if (light.placement == LightPlacement::kFeatures) {
      place.set = find_set(light.features);
      if (place.set != nullptr) {
        place.values = place.set->values.size();
        used_.insert("features." + light.features);
      } else {
        fail(light.place, fmt::format("light \"{}\" stands on unknown feature set \"{}\"{}", light.name,
                                      light.features, did_you_mean(light.features, set_names(""))));
      }
    }
    formula(light.probability, place);
    for (const ExprPtr& e : light.offset) formula(e, place);
  }

  void check_look() {
    const NameScope surface = scope_of(Where::kSurface);
    for (const Material& m : recipe_.materials) {
      formula(m.weight, surface);
      formula(m.emission_mask, surface);
    }
    for (const Decor& d : recipe_.decor) {
      formula(d.density, surface);
      formula(d.accept, surface);
    }
    formula(recipe_.water.level, scope_of(Where::kConstant));
    NameScope anchor = scope_of(Where::kColumn);
    anchor.allowed = kOnPlan;
    formula(recipe_.route.anchor, anchor);
    for (const Viewpoint& v : recipe_.viewpoints)
      for (const std::array<ExprPtr, 3>* point : {&v.eye, &v.target}) {
        formula((*point)[0], scope_of(Where::kConstant));
        formula((*point)[1], scope_of(Where::kConstant));
        formula((*point)[2], scope_of(Where::kColumn));
      }
    if (recipe_.route.material.empty()) return;
    std::vector<std::string> names;
    names.reserve(recipe_.materials.size());
    for (const Material& m : recipe_.materials) names.push_back(m.name);
    if (std::find(names.begin(), names.end(), recipe_.route.material) == names.end())
      fail(recipe_.route.place,
           fmt::format("the route's material \"{}\" is unknown{}", recipe_.route.material,
                       did_you_mean(recipe_.route.material, names)));
  }

  void report_unused() {
    if (!errors_.empty()) return;
    const auto tell = [this](const Place& place, std::string message) {
      notes_.push_back({Severity::kWarning, place, std::move(message)});
    };
    for (const Parameter& p : recipe_.params)
      if (!used_.contains(p.name)) tell(p.place, fmt::format("parameter \"{}\" is not used", p.name));
    for (const NamedExpr& e : recipe_.field)
      if (e.name != "phi" && !used_.contains(e.name))
        tell(e.place, fmt::format("\"{}\" of [field] is not used", e.name));
    for (const FeatureSet& s : recipe_.features)
      if (!used_.contains("features." + s.name))
        tell(s.place, fmt::format("\"features.{}\" is not used in [field]", s.name));
  }

  // ------------------------------------------------------------ formulas

  /// Checks a whole formula; null is fine. What its value depends on.
  unsigned formula(const ExprPtr& expr, const NameScope& scope) {
    if (!expr) return kOnNothing;
    const unsigned on = check(*expr, scope);
    const Measure measure = measure_formula(*expr, {}, measures_);
    if (measure.depth > kRecipeLimits.nesting)
      fail(expr->place,
           fmt::format("the formula is more than {} operations deep with its functions written out",
                       kRecipeLimits.nesting));
    if (measure.size > kRecipeLimits.expanded_nodes)
      fail(expr->place, fmt::format("the formula has more than {} operations with its functions written out",
                                    kRecipeLimits.expanded_nodes));
    return on;
  }

  unsigned check(const Expr& expr, const NameScope& scope) {
    switch (expr.kind) {
      case ExprKind::kNumber:
        return kOnNothing;
      case ExprKind::kName:
        return check_name(expr, scope);
      case ExprKind::kCall:
        return check_call(expr, scope);
      case ExprKind::kNegate:
      case ExprKind::kAdd:
      case ExprKind::kSubtract:
      case ExprKind::kMultiply:
      case ExprKind::kDivide:
      case ExprKind::kList:
        break;
    }
    unsigned on = kOnNothing;
    for (const ExprPtr& arg : expr.args) on |= check(*arg, scope);
    return on;
  }

  /// Reports when something known may not be used here; hands back what it depends on.
  unsigned depend(const Expr& expr, unsigned on, const NameScope& scope) {
    const unsigned refused = on & ~scope.allowed;
    if (refused != 0)
      fail(expr.place, fmt::format("\"{}\" depends on {}, {}", expr.name, dependence_text(refused),
                                   refusal_text(scope.where, refused)));
    return on;
  }

  unsigned check_name(const Expr& expr, const NameScope& scope) {
    const std::string& name = expr.name;
    if (scope.arguments != nullptr &&
        std::find(scope.arguments->begin(), scope.arguments->end(), name) != scope.arguments->end())
      return kOnNothing;
    for (std::size_t i = 0; i < scope.values; ++i)
      if (scope.set->values[i].name == name) return kOnNothing;
    if (is_context(name, scope)) {
      if (name == "water.level" && !recipe_.water.level)
        fail(expr.place, "\"water.level\" has no value: there is no \"level\" in [water]");
      return is_one_of(name, {"x", "y"})                          ? kOnPlan
             : name == "z"                                        ? kOnZ
             : is_one_of(name, {"route.d", "route.s", "route.h"}) ? kOnRoute
                                                                  : kOnNothing;
    }
    for (const Parameter& p : recipe_.params)
      if (p.name == name) return used_.insert(name), kOnNothing;
    for (std::size_t i = scope.fields; i-- > 0;)
      if (recipe_.field[i].name == name) {
        used_.insert(name);
        return depend(expr, i < field_on_.size() ? field_on_[i] : 0U, scope);
      }
    if (name.starts_with("features.") && find_set(name.substr(9)) != nullptr &&
        scope.where != Where::kFunction) {
      used_.insert(name);
      if (scope.where == Where::kField || scope.where == Where::kSurface) return kOnFeatures | kOnPlan | kOnZ;
      fail(expr.place,
           fmt::format("\"{}\" is not known here; only [field], materials and decor can use feature sets",
                       name));
      return kOnNothing;
    }
    if (!errors_.full()) fail(expr.place, unknown_name(name, scope));
    return kOnNothing;
  }

  std::string unknown_name(const std::string& name, const NameScope& scope) const {
    if (const WordInfo* word = find_word(name))
      return fmt::format("\"{0}\" is a word without its arguments; write {0}({1})", name,
                         spaced(word->arguments));
    for (std::size_t i = 0; i < recipe_.functions.size(); ++i)
      if (recipe_.functions[i].name == name)
        return fmt::format("\"{0}\" is a function without its arguments; write {0}({1})", name,
                           fmt::join(recipe_.functions[i].arguments, ", "));
    if (scope.where == Where::kFunction && is_known_elsewhere(name))
      return fmt::format("\"{}\" is not known in a function; hand it over as an argument", name);
    if (is_random_name(name) ||
        (name == "ground" && scope.where == Where::kShape && recipe_.find_field("ground") == nullptr))
      if (scope.where == Where::kShape)
        return fmt::format("\"{}\" is not known in a shape; make a value of it in [features.{}.values]", name,
                           scope.set == nullptr ? "NAME" : scope.set->name);
    if (is_random_name(name))
      return fmt::format("\"{}\" is known only in the formulas of a feature set or a light", name);
    if (is_local_name(name)) return fmt::format("\"{}\" is known only in the shape of a feature set", name);
    if (is_surface_name(name)) return fmt::format("\"{}\" is known only in materials and decor", name);
    if (is_one_of(name, {"x", "y", "z", "water.level"}))
      return scope.where == Where::kConstant
                 ? fmt::format(
                       "\"{}\" is not known here; expected a constant: numbers, parameters, H and tau", name)
                 : fmt::format("\"{}\" is not known here; this is about a place in plan: x and y", name);
    if (scope.where == Where::kConstant && recipe_.find_field(name) != nullptr)
      return fmt::format(
          "\"{}\" of [field] is not known here; expected a constant: numbers, parameters, H and tau", name);
    for (std::size_t i = scope.fields; i < recipe_.field.size(); ++i)
      if (recipe_.field[i].name == name)
        return i == scope.fields
                   ? fmt::format("\"{}\" uses itself", name)
                   : fmt::format("\"{}\" stands further down; a formula of [field] knows only those above it",
                                 name);
    if (scope.set != nullptr)
      for (std::size_t i = scope.values; i < scope.set->values.size(); ++i)
        if (scope.set->values[i].name == name)
          return i == scope.values
                     ? fmt::format("\"{}\" uses itself", name)
                     : fmt::format("\"{}\" stands further down; a value knows only those above it", name);
    if (name.starts_with("base."))
      return fmt::format("\"{}\" is not an inherited formula that is replaced here", name);
    if (name.starts_with("features."))
      return fmt::format("unknown feature set \"{}\"{}", name.substr(0, 60),
                         recipe_.features.empty() ? "; there is no [features.NAME]"
                                                  : did_you_mean(name, set_names("features.")));
    return fmt::format("unknown name \"{}\"{}", name.substr(0, 60), did_you_mean(name, known_names(scope)));
  }

  [[nodiscard]] bool is_known_elsewhere(const std::string& name) const {
    const auto names = context_names();
    return recipe_.find_field(name) != nullptr || name.starts_with("features.") ||
           std::any_of(names.begin(), names.end(), [&](const ContextName& c) { return c.name == name; });
  }

  [[nodiscard]] std::vector<std::string> known_names(const NameScope& scope) const {
    std::vector<std::string> names;
    if (scope.arguments != nullptr) names = *scope.arguments;
    for (std::size_t i = 0; i < scope.values; ++i) names.push_back(scope.set->values[i].name);
    for (const Parameter& p : recipe_.params) names.push_back(p.name);
    for (std::size_t i = 0; i < scope.fields; ++i) names.push_back(recipe_.field[i].name);
    for (const ContextName& c : context_names())
      if (c.name.size() > 2 && is_context(c.name, scope)) names.emplace_back(c.name);
    if (scope.where == Where::kField || scope.where == Where::kSurface)
      for (std::string& name : set_names("features.")) names.push_back(std::move(name));
    return names;
  }

  // ------------------------------------------------------------ calls

  unsigned check_call(const Expr& call, const NameScope& scope) {
    unsigned on = kOnNothing;
    for (const ExprPtr& arg : call.args) on |= check(*arg, scope);
    for (std::size_t i = 0; i < scope.functions; ++i)
      if (recipe_.functions[i].name == call.name)
        return on | check_function_call(call, recipe_.functions[i], scope);
    const WordInfo* word = find_word(call.name);
    if (word == nullptr) {
      if (!errors_.full()) fail(call.place, unknown_word(call, scope));
      return on;
    }
    check_argument_count(call, *word);
    for (const NamedArgument& option : call.options) check_option(call, *word, option, scope);
    if (word->word == Word::kSpline1d) check_spline(call);
    return on | depend(call, word_dependence(word->word), scope);
  }

  static unsigned word_dependence(Word word) {
    switch (word) {
      case Word::kPerlin2:
      case Word::kRidged2:
      case Word::kBillow2:
      case Word::kValue2:
      case Word::kCellular2:
        return kOnPlan;
      case Word::kPerlin3:
      case Word::kRidged3:
      case Word::kBillow3:
      case Word::kValue3:
      case Word::kCellular3:
        return kOnPlan | kOnZ;
      case Word::kHeightfield:
      case Word::kCeiling:
        return kOnZ;
      default:
        return kOnNothing;
    }
  }

  unsigned check_function_call(const Expr& call, const Function& function, const NameScope& scope) {
    if (call.args.size() != function.arguments.size())
      fail(call.place,
           count_message(call, fmt::format("{}", function.arguments.size()), function.arguments.size() == 1,
                         fmt::format("{}", fmt::join(function.arguments, ", "))));
    for (const NamedArgument& option : call.options)
      fail(option.place, fmt::format("\"{}\" is a function and takes no options", call.name));
    const auto on = function_on_.find(function.name);
    return depend(call, on == function_on_.end() ? 0U : on->second, scope);
  }

  static std::string count_message(const Expr& call, const std::string& expected, bool one,
                                   std::string_view names) {
    return fmt::format("\"{}\" takes {} argument{}{}, but there {} {}", call.name, expected, one ? "" : "s",
                       names.empty() ? std::string() : fmt::format(" ({})", names),
                       call.args.size() == 1 ? "is" : "are", call.args.size());
  }

  std::string unknown_word(const Expr& call, const NameScope& scope) const {
    for (std::size_t i = scope.functions; i < recipe_.functions.size(); ++i)
      if (recipe_.functions[i].name == call.name)
        return i == scope.functions
                   ? fmt::format("function \"{}\" calls itself", call.name)
                   : fmt::format("function \"{}\" stands further down; a function knows only those above it",
                                 call.name);
    std::vector<std::string> names;
    for (const WordInfo& word : words()) names.emplace_back(word.name);
    for (std::size_t i = 0; i < scope.functions; ++i) names.push_back(recipe_.functions[i].name);
    const std::vector<std::string> values = known_names(scope);
    if (std::find(values.begin(), values.end(), call.name) != values.end() || is_context(call.name, scope))
      return fmt::format("\"{0}\" is not a function; write {0} * (...) to multiply", call.name);
    return fmt::format("unknown word \"{}\"{}", call.name.substr(0, 60), did_you_mean(call.name, names));
  }

  void check_argument_count(const Expr& call, const WordInfo& word) {
    std::size_t least = 0;
    std::size_t most = 0;
    std::string_view rest = word.arguments;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view argument = rest.substr(0, comma);
      if (argument == "...") {
        most = kRecipeLimits.formula_bytes;
      } else {
        ++most;
        if (!argument.ends_with('?')) ++least;
      }
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    const std::size_t count = call.args.size();
    if (count >= least && count <= most) return;
    const std::string expected = most == kRecipeLimits.formula_bytes ? fmt::format("at least {}", least)
                                 : least == most                     ? fmt::format("{}", least)
                                                                     : fmt::format("{} or {}", least, most);
    fail(call.place, count_message(call, expected, most == 1, spaced(word.arguments)));
  }

  // ------------------------------------------------------------ options

  void check_option(const Expr& call, const WordInfo& word, const NamedArgument& option,
                    const NameScope& scope) {
    std::vector<std::string> known;
    std::string_view rest = word.options;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      known.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (known.empty()) return fail(option.place, fmt::format("\"{}\" takes no options", call.name));
    if (std::find(known.begin(), known.end(), option.name) == known.end())
      return fail(option.place,
                  fmt::format("unknown option \"{}\" of \"{}\"; expected {}{}", option.name.substr(0, 60),
                              call.name, fmt::join(known, ", "), did_you_mean(option.name, known)));
    const bool list = is_one_of(option.name, {"at", "to", "slope"});
    if (list != (option.value->kind == ExprKind::kList))
      return fail(option.value->place,
                  list ? fmt::format("\"{}\" is not a list; expected one such as [0, 1, 4]", option.name)
                       : fmt::format("\"{}\" is a list; expected one number", option.name));
    NameScope constant = scope;
    constant.allowed = kOnNothing;
    if (scope.where != Where::kFunction) {
      constant.where = Where::kConstant;
      constant.set = nullptr;
      constant.values = 0;
    }
    check(*option.value, constant);
    check_option_number(option);
  }

  void check_option_number(const NamedArgument& option) {
    const Expr& value = *option.value;
    const bool negative = value.kind == ExprKind::kNegate && value.args[0]->kind == ExprKind::kNumber;
    if (value.kind != ExprKind::kNumber && !negative) return;
    const double number = negative ? -value.args[0]->number : value.number;
    const auto out_of = [&](double low, double high, bool whole) {
      return number < low || number > high || (whole && std::floor(number) != number);
    };
    std::string expected;
    if (option.name == "octaves" && out_of(1, kRecipeLimits.octaves, true))
      expected = fmt::format("a whole number 1 .. {}", kRecipeLimits.octaves);
    if (option.name == "persistence" && out_of(0, 1, false)) expected = "0 .. 1";
    if (option.name == "lacunarity" && out_of(1.5, 4, false)) expected = "1.5 .. 4";
    if (option.name == "seed" && out_of(0, 4294967295.0, true)) expected = "a whole number 0 .. 4294967295";
    if (!expected.empty())
      fail(value.place, fmt::format("\"{}\" is {}; expected {}", option.name, number, expected));
  }

  void check_spline(const Expr& call) {
    const NamedArgument* at = nullptr;
    for (const NamedArgument& option : call.options)
      if (option.name == "at") at = &option;
    for (const std::string_view name : {"at", "to"}) {
      const bool given = std::any_of(call.options.begin(), call.options.end(),
                                     [&](const NamedArgument& o) { return o.name == name; });
      if (!given)
        fail(call.place,
             fmt::format("\"spline1d\" has no option \"{}\"; expected a list such as {} = [0, 1, 4]", name,
                         name));
    }
    for (const NamedArgument& option : call.options) {
      if (option.value->kind != ExprKind::kList) continue;
      const std::size_t count = option.value->args.size();
      if (count < 2 || count > kMostSplinePoints) {
        fail(option.value->place,
             fmt::format("\"{}\" has {} entries; expected 2 .. {}", option.name, count, kMostSplinePoints));
      } else if (at != nullptr && at->value->kind == ExprKind::kList && count != at->value->args.size()) {
        fail(option.value->place, fmt::format("\"{}\" has {} entries, but \"at\" has {}", option.name, count,
                                              at->value->args.size()));
      }
    }
  }

  // ------------------------------------------------------------ look-up

  [[nodiscard]] const FeatureSet* find_set(std::string_view name) const {
    for (const FeatureSet& set : recipe_.features)
      if (set.name == name) return &set;
    return nullptr;
  }

  [[nodiscard]] std::vector<std::string> set_names(std::string_view prefix) const {
    std::vector<std::string> names;
    names.reserve(recipe_.features.size());
    for (const FeatureSet& set : recipe_.features) names.push_back(std::string(prefix) + set.name);
    return names;
  }

  static constexpr std::size_t kMostArguments = 16;
  static constexpr std::size_t kMostSplinePoints = 64;

  const Recipe& recipe_;
  ErrorList& errors_;
  Notes& notes_;
  std::vector<unsigned> field_on_;
  std::map<std::string, unsigned> function_on_;
  FunctionMeasures measures_;
  std::set<std::string> used_;
};

}  // namespace

void check_names(const Recipe& recipe, ErrorList& errors, Notes& notes) {
  NameChecker(recipe, errors, notes).run();
}

}  // namespace vf
