#include "field/builder_formula.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "base/result.h"
#include "field/builder_graph.h"
#include "field/opcode.h"
#include "field/program.h"
#include "math/trig.h"
#include "recipe/language.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr auto kSteps = static_cast<std::size_t>(kRecipeLimits.expanded_nodes);  // for one program
constexpr int kTotalDepth = 1000;  // of named fields within named fields
constexpr std::string_view kFeaturePrefix = "features.";

struct ArgumentCount {
  std::size_t least = 0, most = 0;
};

ArgumentCount count_arguments(std::string_view arguments) {
  ArgumentCount c;
  while (!arguments.empty()) {
    const std::size_t comma = arguments.find(',');
    const std::string_view name = arguments.substr(0, comma);
    if (name == "...") {
      c.most = 10000;
    } else {
      ++c.most;
      if (name.back() != '?') ++c.least;
    }
    arguments = comma == std::string_view::npos ? std::string_view{} : arguments.substr(comma + 1);
  }
  return c;
}

std::string spaced(std::string_view list) {
  std::string out;
  for (const char c : list) {
    out += c;
    if (c == ',') out += ' ';
  }
  return out;
}

bool has_option(std::string_view options, std::string_view name) {
  while (!options.empty()) {
    const std::size_t comma = options.find(',');
    if (options.substr(0, comma) == name) return true;
    options = comma == std::string_view::npos ? std::string_view{} : options.substr(comma + 1);
  }
  return false;
}

}  // namespace

FormulaBuilder::FormulaBuilder(const Recipe& recipe, Graph& graph, NoiseNumbers& numbers)
    : recipe_(recipe), graph_(graph), numbers_(numbers), visible_fields_(recipe.field.size()) {
  Domain whole;
  whole.x = graph_.leaf(Opcode::kX, {});
  whole.y = graph_.leaf(Opcode::kY, {});
  domains_.push_back(whole);
}

NodeId FormulaBuilder::compile(const ExprPtr& expr) {
  return compile(*expr, nullptr, 0);
}

NodeId FormulaBuilder::compile_or(const ExprPtr& expr, float fallback) {
  return expr ? compile(expr) : graph_.constant(fallback, {});
}

void FormulaBuilder::compile_all_fields() {
  for (std::size_t i = 0; i < recipe_.field.size(); ++i) field(i);
}

NodeId FormulaBuilder::field(std::size_t index) {
  return named_field(index, 0);
}

std::optional<float> FormulaBuilder::constant(const ExprPtr& expr, std::string_view what) {
  return constant_of(*expr, nullptr, 0, what);
}

std::optional<float> FormulaBuilder::constant_of(const Expr& e, const Scope* scope, int domain,
                                                 std::string_view what) {
  const NodeId node = compile(e, scope, domain);
  if (graph_.failed()) return std::nullopt;
  const std::optional<float> v = graph_.constant_value(node);
  if (!v)
    graph_.fail(e.place,
                fmt::format("{} must be a constant: a formula of numbers, parameters, H and tau", what));
  return v;
}

bool FormulaBuilder::step(const Place& place) {
  if (graph_.failed()) return false;
  if (++steps_ <= kSteps) return true;
  graph_.fail(place,
              fmt::format("the formulas grow beyond {} operations when functions are expanded", kSteps));
  return false;
}

NodeId FormulaBuilder::compile(const Expr& e, const Scope* scope, int domain) {
  if (!step(e.place)) return 0;
  if (depth_ >= kRecipeLimits.nesting)
    return graph_.fail(e.place,
                       fmt::format("the formula is more than {} operations deep after functions are expanded",
                                   kRecipeLimits.nesting));
  ++depth_;
  NodeId node = 0;
  const auto part = [&](std::size_t i) { return compile(*e.args[i], scope, domain); };
  const auto pair = [&](Opcode op) {
    const NodeId a = part(0), b = part(1);
    node = graph_.binary(op, a, b, e.place);
  };
  switch (e.kind) {
    case ExprKind::kNumber:
      node = graph_.constant(static_cast<float>(e.number), e.place);
      break;
    case ExprKind::kName:
      node = compile_name(e, scope, domain);
      break;
    case ExprKind::kCall:
      node = compile_call(e, scope, domain);
      break;
    case ExprKind::kNegate:
      node = graph_.unary(Opcode::kNegate, part(0), e.place);
      break;
    case ExprKind::kAdd:
      pair(Opcode::kAdd);
      break;
    case ExprKind::kSubtract:
      pair(Opcode::kSubtract);
      break;
    case ExprKind::kMultiply:
      pair(Opcode::kMultiply);
      break;
    case ExprKind::kDivide:
      pair(Opcode::kDivide);
      break;
    case ExprKind::kList:
      node = graph_.fail(e.place, "a list cannot stand here");
      break;
  }
  --depth_;
  return node;
}

const Argument* FormulaBuilder::find_argument(const Scope* scope, std::string_view name) const {
  if (scope == nullptr) return nullptr;
  for (const Argument& a : scope->arguments)
    if (a.name == name) return &a;
  return nullptr;
}

NodeId FormulaBuilder::argument(const Argument& a, int domain) {
  const auto known = a.nodes.find(domain);
  if (known != a.nodes.end()) return known->second;
  const NodeId node = compile(*a.expr, a.scope, domain);
  if (!graph_.failed()) a.nodes.emplace(domain, node);
  return node;
}

NodeId FormulaBuilder::compile_name(const Expr& e, const Scope* scope, int domain) {
  if (const Argument* a = find_argument(scope, e.name)) return argument(*a, domain);
  for (const Parameter& p : recipe_.params)
    if (p.name == e.name) return graph_.constant(static_cast<float>(p.value), e.place);
  if (e.name == "H") return graph_.constant(static_cast<float>(recipe_.height_m), e.place);
  if (e.name == "tau") return graph_.constant(static_cast<float>(kTau), e.place);
  if (kind_ == FormulaKind::kConstant)
    return graph_.fail(
        e.place, fmt::format("\"{}\" cannot stand here: a constant is a formula of numbers, parameters, "
                             "H and tau",
                             e.name));
  if (!inside_field_) {
    const auto local = locals_.find(e.name);
    if (local != locals_.end()) return local->second;
  }
  for (std::size_t i = 0; i < visible_fields_; ++i)
    if (recipe_.field[i].name == e.name) return named_field(i, domain);
  bool known = false;
  const NodeId node = context_name(e, domain, known);
  if (known) return node;
  if (e.name.starts_with(kFeaturePrefix)) return feature_set(e);
  return unknown_name(e, scope);
}

NodeId FormulaBuilder::context_name(const Expr& e, int domain, bool& known) {
  known = true;
  if (e.name == "x") return plain(false, domain, e.place);
  if (e.name == "y") return plain(true, domain, e.place);
  if (e.name == "z") {
    if (no_z()) return graph_.fail(e.place, "z is not known here: this formula has one value for each x, y");
    return graph_.leaf(Opcode::kZ, e.place);
  }
  if (e.name == "water.level") {
    if (!recipe_.water.level)
      return graph_.fail(e.place, "water.level is not known: the recipe has no [water] level");
    const FormulaKind kind = std::exchange(kind_, FormulaKind::kConstant);
    const NodeId level = compile(*recipe_.water.level, nullptr, 0);
    kind_ = kind;
    return level;
  }
  if (!inside_field_ && kind_ == FormulaKind::kShape) {
    if (e.name == "px") return graph_.leaf(Opcode::kLocalX, e.place);
    if (e.name == "py") return graph_.leaf(Opcode::kLocalY, e.place);
    if (e.name == "pz") return graph_.leaf(Opcode::kLocalZ, e.place);
  }
  if (!inside_field_ && kind_ == FormulaKind::kSurface) {
    const auto surface = [&](SurfaceInput i) {
      return graph_.leaf(Opcode::kSurface, e.place, static_cast<std::uint32_t>(i));
    };
    if (e.name == "nx") return surface(SurfaceInput::kNormalX);
    if (e.name == "ny") return surface(SurfaceInput::kNormalY);
    if (e.name == "nz") return surface(SurfaceInput::kNormalZ);
    if (e.name == "slope") return surface(SurfaceInput::kSlopeDeg);
    if (e.name == "route.d") return surface(SurfaceInput::kRouteDistance);
    if (e.name == "route.s") return surface(SurfaceInput::kRouteAlong);
    if (e.name == "route.h") return surface(SurfaceInput::kRouteHeight);
    if (e.name == "height") return graph_.leaf(Opcode::kZ, e.place);
  }
  known = false;
  return 0;
}

NodeId FormulaBuilder::feature_set(const Expr& e) {
  const std::string_view name = std::string_view(e.name).substr(kFeaturePrefix.size());
  if (no_z() || kind_ == FormulaKind::kShape)
    return graph_.fail(
        e.place, fmt::format("\"{}\" cannot stand here: places and shapes come before the features", e.name));
  for (std::size_t i = 0; i < recipe_.features.size(); ++i)
    if (recipe_.features[i].name == name)
      return graph_.leaf(Opcode::kFeatures, e.place, static_cast<std::uint32_t>(i));
  std::vector<std::string> names;
  for (const FeatureSet& f : recipe_.features) names.push_back(f.name);
  const std::string near = nearest_name(name, names);
  return graph_.fail(e.place,
                     fmt::format("there is no feature set \"{}\"{}", name,
                                 near.empty() ? "" : fmt::format("; did you mean \"features.{}\"?", near)));
}

NodeId FormulaBuilder::unknown_name(const Expr& e, const Scope* scope) {
  for (std::size_t i = visible_fields_; i < recipe_.field.size(); ++i)
    if (recipe_.field[i].name == e.name)
      return graph_.fail(
          e.place,
          fmt::format("\"{}\" is used before it is defined: a field may use those above it", e.name));
  for (const ContextName& c : context_names())
    if (c.name == e.name)
      return graph_.fail(e.place, fmt::format("\"{}\" is not known here, only in {}", e.name, c.where));
  std::vector<std::string> names;
  if (scope != nullptr)
    for (const Argument& a : scope->arguments) names.emplace_back(a.name);
  if (!inside_field_)
    for (const auto& [name, node] : locals_) names.push_back(name);
  for (std::size_t i = 0; i < visible_fields_; ++i) names.push_back(recipe_.field[i].name);
  for (const Parameter& p : recipe_.params) names.push_back(p.name);
  for (const ContextName& c : context_names()) names.emplace_back(c.name);
  const std::string near = nearest_name(e.name, names);
  return graph_.fail(e.place, fmt::format("unknown name \"{}\"{}", e.name,
                                          near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
}

NodeId FormulaBuilder::named_field(std::size_t index, int domain) {
  const auto known = fields_.find({index, domain});
  if (known != fields_.end()) return known->second;
  if (graph_.failed()) return 0;
  const NamedExpr& f = recipe_.field[index];
  if (total_depth_ >= kTotalDepth)
    return graph_.fail(f.place, "too many names of [field] build on each other");
  // A field stands alone: it sees what is above it and has a depth of its own.
  const bool inside = std::exchange(inside_field_, true);
  const std::size_t visible = std::exchange(visible_fields_, index);
  const int depth = std::exchange(depth_, 0);
  std::string section = std::exchange(section_, "field");
  ++total_depth_;
  const NodeId node = compile(*f.expr, nullptr, domain);
  --total_depth_;
  section_ = std::move(section);
  depth_ = depth;
  visible_fields_ = visible;
  inside_field_ = inside;
  if (!graph_.failed()) fields_.emplace(std::pair{index, domain}, node);
  return node;
}

NodeId FormulaBuilder::compile_call(const Expr& e, const Scope* scope, int domain) {
  if (const WordInfo* word = find_word(e.name)) {
    if (!check_arguments(*word, e)) return 0;
    return call_word(*word, Call{e, scope, domain, e.place});
  }
  const std::size_t limit = scope != nullptr ? scope->functions : recipe_.functions.size();
  for (std::size_t i = 0; i < limit; ++i)
    if (recipe_.functions[i].name == e.name) return call_function(i, e, scope, domain);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < limit; ++i) names.push_back(recipe_.functions[i].name);
  for (const WordInfo& w : words()) names.emplace_back(w.name);
  const std::string near = nearest_name(e.name, names);
  return graph_.fail(e.place, fmt::format("unknown function \"{}\"{}", e.name,
                                          near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
}

NodeId FormulaBuilder::call_function(std::size_t index, const Expr& e, const Scope* scope, int domain) {
  const Function& f = recipe_.functions[index];
  if (e.args.size() != f.arguments.size() || !e.options.empty()) {
    std::string list;
    for (const std::string& a : f.arguments) list += (list.empty() ? "" : ", ") + a;
    return graph_.fail(e.place, fmt::format("\"{}\" takes {} argument{} ({}), but there {} {}", f.name,
                                            f.arguments.size(), f.arguments.size() == 1 ? "" : "s", list,
                                            e.args.size() == 1 ? "is" : "are", e.args.size()));
  }
  Scope inner;
  inner.functions = index;  // so that no function can reach itself
  for (std::size_t i = 0; i < e.args.size(); ++i)
    inner.arguments.push_back({f.arguments[i], e.args[i].get(), scope, {}});
  return compile(*f.body, &inner, domain);
}

bool FormulaBuilder::check_arguments(const WordInfo& word, const Expr& e) {
  const ArgumentCount count = count_arguments(word.arguments);
  if (e.args.size() < count.least || e.args.size() > count.most) {
    const std::string expected = count.least == count.most ? fmt::format("{}", count.least)
                                 : count.most > 1000       ? fmt::format("{} or more", count.least)
                                                           : fmt::format("{} to {}", count.least, count.most);
    graph_.fail(e.place, fmt::format("\"{}\" takes {} argument{} ({}), but there {} {}", word.name, expected,
                                     count.most == 1 ? "" : "s", spaced(word.arguments),
                                     e.args.size() == 1 ? "is" : "are", e.args.size()));
    return false;
  }
  for (const NamedArgument& o : e.options) {
    if (has_option(word.options, o.name)) continue;
    graph_.fail(o.place, word.options.empty() ? fmt::format("\"{}\" has no options", word.name)
                                              : fmt::format("\"{}\" has no option \"{}\"; expected one of {}",
                                                            word.name, o.name, spaced(word.options)));
    return false;
  }
  return true;
}

NodeId FormulaBuilder::argument_of(const Call& call, std::size_t i) {
  return compile(*call.expr.args[i], call.scope, call.domain);
}

std::optional<float> FormulaBuilder::constant_argument(const Call& call, std::size_t i,
                                                       std::string_view what) {
  return constant_of(*call.expr.args[i], call.scope, call.domain, what);
}

std::optional<double> FormulaBuilder::option(const Call& call, std::string_view name, double fallback,
                                             double low, double high, bool whole) {
  for (const NamedArgument& o : call.expr.options) {
    if (o.name != name) continue;
    const std::optional<float> v = constant_of(*o.value, call.scope, call.domain, name);
    if (!v) return std::nullopt;
    const double d = static_cast<double>(*v);
    if (d >= low && d <= high && (!whole || std::floor(d) == d)) return d;
    graph_.fail(o.value->place, fmt::format("{} is {}; expected {} {} .. {}", name, d,
                                            whole ? "a whole number" : "a number", low, high));
    return std::nullopt;
  }
  return fallback;
}

std::vector<float> FormulaBuilder::list_option(const Call& call, std::string_view name) {
  std::vector<float> out;
  for (const NamedArgument& o : call.expr.options) {
    if (o.name != name) continue;
    if (o.value->kind != ExprKind::kList) {
      graph_.fail(o.value->place, fmt::format("{} must be a list such as [0, 1, 4]", name));
      return out;
    }
    for (const ExprPtr& item : o.value->args) {
      const std::optional<float> v = constant_of(*item, call.scope, call.domain, name);
      if (!v) return out;
      out.push_back(*v);
    }
  }
  return out;
}

}  // namespace vf
