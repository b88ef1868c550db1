// Recipe -> programs, section by section. Formulas are compiled in builder_formula.cpp and builder_words.cpp.
#include "field/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "field/analysis.h"
#include "field/builder_formula.h"
#include "field/builder_graph.h"
#include "field/composition.h"
#include "field/opcode.h"
#include "field/path_shapes.h"
#include "field/program.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr float kContentMargin = 30;   ///< z is analysed this far beyond the content. [metres]
constexpr float kShapeMargin = 256;    ///< shapes are evaluated this far beyond their value box. [metres]
constexpr double kLargestReach = 512;  ///< of a feature: extent + far + blend. [metres]
constexpr double kGradientSlack = 1.001;

Error error_at(const Place& place, std::string message) {
  return {ErrorCode::kBadInput, place, std::move(message)};
}

class RecipeBuilder {
 public:
  RecipeBuilder(const Recipe& recipe, Notes& notes, bool with_paths)
      : recipe_(recipe), notes_(notes), with_paths_(with_paths) {}

  std::optional<Error> build(BuiltRecipe& out) {
    number_noises();
    for (std::size_t i = 0; i < recipe_.features.size() && !error_; ++i) build_set(i, out);
    if (!error_) build_path_sets();
    if (!error_) build_density(out);
    if (!error_) build_materials(out);
    for (std::size_t i = 0; i < recipe_.lights.size() && !error_; ++i) build_light(recipe_.lights[i], out);
    if (!error_) build_water(out);
    if (!error_) build_anchor(out);
    if (!error_) check_the_rest();
    return error_;
  }

  void number_noises() {
    Graph graph(AnalysisScope{}, height());
    graph.trust_everything();
    FormulaBuilder formulas(recipe_, graph, numbers_);
    formulas.enter("field", FormulaKind::kField);
    formulas.compile_all_fields();
    keep_error(graph);
  }

  std::optional<Error> build_column(const ExprPtr& expr, Program& out) {
    number_noises();
    if (error_) return error_;
    Graph graph(field_scope(), height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    formulas.enter("column", FormulaKind::kColumn);
    const NodeId node = formulas.compile(expr);
    if (keep_error(graph)) return error_;
    out = graph.finish({&node, 1});
    return error_;
  }

 private:
  [[nodiscard]] float height() const { return static_cast<float>(recipe_.height_m); }
  [[nodiscard]] AnalysisScope field_scope() const {
    AnalysisScope scope;
    scope.z = {-kContentMargin, height() + kContentMargin};
    scope.sets = set_facts_;
    return scope;
  }

  bool keep_error(const Graph& graph) {
    if (graph.failed() && !error_) error_ = graph.error();
    return error_.has_value();
  }
  void fail(const Place& place, std::string message) {
    if (!error_) error_ = error_at(place, std::move(message));
  }

  /// A formula of numbers, parameters, H and tau within [low, high].
  double constant(const ExprPtr& expr, std::string_view what, double fallback, double low, double high) {
    if (!expr || error_) return fallback;
    Graph graph(AnalysisScope{}, height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    formulas.enter("constant", FormulaKind::kConstant);
    const std::optional<float> v = formulas.constant(expr, what);
    if (keep_error(graph)) return fallback;
    const double d = static_cast<double>(*v);
    if (d >= low && d <= high) return d;
    fail(expr->place, fmt::format("{} is {:g}; expected {:g} .. {:g}", what, d, low, high));
    return fallback;
  }

  std::int64_t constant_64(const ExprPtr& expr, std::string_view what, double low, double high) {
    return static_cast<std::int64_t>(std::floor(constant(expr, what, low, low, high) * 64 + 0.5));
  }

  void warn_of_absolutes(const Program& program) {
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
      const Opcode op = program.nodes[i].op;
      if (op != Opcode::kAbsoluteX && op != Opcode::kAbsoluteY) continue;
      if (!warned_.insert(program.places[i]).second) continue;
      notes_.push_back(
          {Severity::kWarning, program.places[i],
           fmt::format("{} is used as a plain number: it grows coarse far from the origin; use noise, "
                       "wave, repeat or features",
                       op == Opcode::kAbsoluteX ? "x" : "y")});
    }
  }

  // ---------------------------------------------------------------- features

  static void know_randoms(FormulaBuilder& formulas, Graph& graph) {
    for (int i = 0; i < kFeatureRandoms; ++i)
      formulas.set_local(fmt::format("u{}", i + 1),
                         graph.leaf(Opcode::kRandom, {}, static_cast<std::uint32_t>(i)));
  }

  static void know_ground(FormulaBuilder& formulas, Graph& graph) {
    formulas.set_local("ground",
                       graph.leaf(Opcode::kRandom, {}, static_cast<std::uint32_t>(kFeatureRandoms)));
  }

  /// The per-place constants of a set; each knows those above it.
  static std::vector<NodeId> compile_values(const FeatureSet& set, FormulaBuilder& formulas) {
    std::vector<NodeId> nodes;
    formulas.enter("features." + set.name, FormulaKind::kPlace);
    for (const NamedExpr& v : set.values) {
      nodes.push_back(formulas.compile(v.expr));
      formulas.set_local(v.name, nodes.back());
    }
    return nodes;
  }

  void build_set(std::size_t index, BuiltRecipe& out) {
    const FeatureSet& set = recipe_.features[index];
    if (set.values.size() > static_cast<std::size_t>(kMaxFeatureValues))
      return fail(set.values[static_cast<std::size_t>(kMaxFeatureValues)].place,
                  fmt::format("a set has at most {} values", kMaxFeatureValues));
    if (!set.shape || !set.extent_x || !set.extent_z_min || !set.extent_z_max)
      return fail(set.place, fmt::format("features.{} needs a shape, an extent and an extent_z", set.name));
    PlaceFormulas place;
    read_lattice(set, place);
    place.off_paths = static_cast<float>(constant(set.off_paths, "off_paths", -1, 0, 64));
    FeatureSetProgram program;
    program.name = set.name;
    program.value_count = static_cast<int>(set.values.size());
    program.blend = static_cast<float>(constant(set.blend, "blend", 0, 0, 64));
    program.far = static_cast<float>(constant(set.far, "far", 4, 1.0 / 64, 64));
    if (error_) return;
    AnalysisScope scope = field_scope();
    build_place_formulas(set, program, place, scope);
    if (error_) return;
    build_shape(set, scope, program);
    if (error_) return;
    set_programs_.push_back(std::move(program));
    out.places.push_back(std::move(place));
  }

  void read_lattice(const FeatureSet& set, PlaceFormulas& place) {
    if (set.kind == FeatureKind::kList) {
      for (const std::array<ExprPtr, 3>& p : set.points)
        place.points_64.push_back({constant_64(p[0], "x", 0, 1024 - 1.0 / 64),
                                   constant_64(p[1], "y", 0, 1024 - 1.0 / 64),
                                   constant_64(p[2], "z", -1024, 1024)});
      place.pitch_64 = 65536;
      return;
    }
    if (!set.pitch) return fail(set.place, fmt::format("features.{} needs a pitch", set.name));
    place.pitch_64 = constant_64(set.pitch, "pitch", 1, 4096);
    place.offset_x_64 = set.offset_x ? constant_64(set.offset_x, "offset", -1e6, 1e6) : 0;
    place.offset_y_64 = set.offset_y ? constant_64(set.offset_y, "offset", -1e6, 1e6) : 0;
    place.jitter = static_cast<float>(constant(set.jitter, "jitter", 1, 0, 1));
  }

  /// `scope` gets what the set's shape ranges over.
  void build_place_formulas(const FeatureSet& set, const FeatureSetProgram& program, PlaceFormulas& place,
                            AnalysisScope& scope) {
    Graph graph(scope, height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    std::vector<NodeId> outputs;
    const auto output = [&](NodeId node) {
      outputs.push_back(node);
      return static_cast<int>(outputs.size()) - 1;
    };
    const auto maybe = [&](const ExprPtr& expr) { return expr ? output(formulas.compile(expr)) : -1; };
    know_randoms(formulas, graph);
    formulas.enter("features." + set.name, FormulaKind::kColumn);
    const NodeId ground = formulas.compile_or(set.ground, 0);
    if (set.ground) place.ground = output(ground);
    if (keep_error(graph)) return;
    graph.set_ground(graph.facts(ground).range);
    if (set.kind == FeatureKind::kList) graph.set_ground({-1024, 1024});
    know_ground(formulas, graph);
    const std::vector<NodeId> values = compile_values(set, formulas);
    for (const NodeId v : values) place.values.push_back(output(v));
    place.probability = maybe(set.probability);
    place.accept = maybe(set.accept);
    place.yaw = maybe(set.yaw);
    const Place& p = set.place;
    const auto positive = [&](const ExprPtr& expr) {
      const NodeId extent = formulas.compile(expr);
      const Interval range = graph.facts(extent).range;
      if (!graph.failed() && range.hi < 0)
        fail(expr->place,
             fmt::format("the extent of features.{} is negative: it ranges over {}; expected 0 m or more",
                         set.name, to_string(range)));
      return graph.binary(Opcode::kMax, extent, graph.constant(0, p), p);
    };
    const NodeId ex = positive(set.extent_x);
    const NodeId ey = set.extent_y ? positive(set.extent_y) : ex;
    const NodeId z_min = formulas.compile(set.extent_z_min), z_end = formulas.compile(set.extent_z_max);
    const NodeId z_max = graph.binary(Opcode::kMax, z_end, z_min, p);
    if (keep_error(graph)) return;
    const float start = graph.facts(z_min).range.lo, end = graph.facts(z_end).range.hi;
    if (end < start)
      return fail(set.extent_z_max->place,
                  fmt::format("extent_z of features.{} ends at {:g} at most, below its start at {:g}",
                              set.name, end, start));
    place.extent_x = output(ex);
    place.extent_y = output(ey);
    place.extent_z_min = output(z_min);
    place.extent_z_max = output(z_max);
    read_ranges(set, program, graph, values, {ex, ey, z_min, z_max}, scope);
    if (error_) return;
    place.program = graph.finish(outputs);
    warn_of_absolutes(place.program);
  }

  void read_ranges(const FeatureSet& set, const FeatureSetProgram& program, const Graph& graph,
                   const std::vector<NodeId>& values, const std::array<NodeId, 4>& extents,
                   AnalysisScope& scope) {
    const auto range = [&](NodeId n) { return graph.facts(n).range; };
    for (const NodeId v : values) scope.values.push_back(range(v));
    scope.turned = set.yaw != nullptr;
    const double x = static_cast<double>(range(extents[0]).hi), y = static_cast<double>(range(extents[1]).hi);
    const double plan = scope.turned ? std::sqrt(x * x + y * y) : std::max(x, y);
    const double around = static_cast<double>(program.far) + static_cast<double>(program.blend);
    const double low = static_cast<double>(range(extents[2]).lo),
                 high = static_cast<double>(range(extents[3]).hi);
    const double reach = std::max({plan, -low, high}) + around;
    if (reach > kLargestReach)
      return fail(set.extent_x->place,
                  fmt::format("the shapes of features.{} may reach {:.0f} m with far and blend; at "
                              "most {:g} m",
                              set.name, reach, kLargestReach));
    const auto far = static_cast<float>(plan + around) + kShapeMargin;
    scope.local_xy = {-far, far};
    scope.local_z = {static_cast<float>(low - around) - kShapeMargin,
                     static_cast<float>(high + around) + kShapeMargin};
  }

  void build_shape(const FeatureSet& set, const AnalysisScope& scope, FeatureSetProgram& program) {
    Graph graph(scope, height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    formulas.enter("features." + set.name, FormulaKind::kShape);
    for (std::size_t i = 0; i < set.values.size(); ++i)
      formulas.set_local(set.values[i].name,
                         graph.leaf(Opcode::kValue, set.values[i].place, static_cast<std::uint32_t>(i)));
    const NodeId shape = formulas.compile(set.shape);
    if (keep_error(graph)) return;
    program.shape = graph.finish({&shape, 1});
    warn_of_absolutes(program.shape);
    const NodeFacts& f = graph.facts(shape);
    if (f.range.lo > 0)
      return fail(set.shape->place,
                  fmt::format("the shape of features.{} is never negative: it ranges over {}", set.name,
                              to_string(f.range)));
    set_facts_.push_back(union_facts(f, scope, program));
  }

  /// Of the union of a set's places. Each place counts as max(shape, distance to its extent box), so its
  /// slope may be that of the box. The union starts at far; each blend goes at most blend / 4 below the
  /// lesser operand, all together at most blend.
  static NodeFacts union_facts(const NodeFacts& shape, const AnalysisScope& scope,
                               const FeatureSetProgram& program) {
    NodeFacts facts;
    const float low = std::min(shape.range.lo, program.far);
    facts.range = {low - 1.01F * program.blend - 1e-5F * std::fabs(low), program.far};
    facts.gradient = shape.flips ? std::numeric_limits<double>::infinity() : std::max(shape.gradient, 1.0);
    // A turn goes about z: x and y may each have the whole gradient.
    for (std::size_t i = 0; i < 3; ++i) {
      const bool unknown = shape.flips || (scope.turned && i < 2);
      facts.slope[i] = unknown ? facts.gradient : std::max(shape.slope[i], 1.0);
    }
    return facts;
  }

  /// The engine's own sets come after those of the recipe.
  void build_path_sets() {
    if (!with_paths_) return;
    path_sets_ = set_programs_.size();
    for (std::size_t i = 0; i < kPathSets; ++i) {
      set_programs_.push_back(path_set_program(static_cast<PathSet>(i), height()));
      set_facts_.push_back(path_set_facts(static_cast<PathSet>(i)));
    }
  }

  void add_sets(Program& program) const {
    program.feature_sets = set_programs_;
    program.path_sets = path_sets_;
    for (FeatureSetProgram& set : program.feature_sets) {
      const auto found = std::find(program.constants.begin(), program.constants.end(), set.far);
      set.far_constant = static_cast<std::uint32_t>(found - program.constants.begin());
      if (found == program.constants.end()) program.constants.push_back(set.far);
    }
  }

  // ---------------------------------------------------------------- density

  void build_density(BuiltRecipe& out) {
    const auto phi = std::find_if(recipe_.field.begin(), recipe_.field.end(),
                                  [](const NamedExpr& e) { return e.name == "phi"; });
    if (phi == recipe_.field.end())
      return fail(recipe_.id_place, "the recipe has no density: [field] needs a formula named phi");
    Graph graph(field_scope(), height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    formulas.enter("field", FormulaKind::kField);
    const NodeId type_field = formulas.field(static_cast<std::size_t>(phi - recipe_.field.begin()));
    const NodeId density = compose_density(graph, type_field, height(), path_sets_, phi->expr->place);
    formulas.compile_all_fields();
    if (keep_error(graph)) return;
    const Interval range = graph.facts(type_field).range;
    if (range.lo > 0 || range.hi < 0)
      return fail(phi->expr->place,
                  fmt::format("phi never crosses zero: it ranges over {}, so all would be {}",
                              to_string(range), range.lo > 0 ? "air" : "rock"));
    auto program = std::make_shared<Program>(graph.finish({&density, 1}));
    add_sets(*program);
    out.facts.range = graph.facts(density).range;
    out.facts.gradient_bound = static_cast<float>(graph.facts(density).gradient);
    out.facts.declared_bound = static_cast<float>(recipe_.gradient_bound);
    out.facts.uses_absolute = std::any_of(program->nodes.begin(), program->nodes.end(), [](const Node& n) {
      return n.op == Opcode::kAbsoluteX || n.op == Opcode::kAbsoluteY;
    });
    warn_of_absolutes(*program);
    check_gradient(*program, graph.scope(), out.facts);
    out.density = std::move(program);
  }

  void check_gradient(const Program& program, const AnalysisScope& scope, const FieldFacts& facts) {
    if (static_cast<double>(facts.gradient_bound) <= kGradientSlack * recipe_.gradient_bound) return;
    if (std::isfinite(facts.gradient_bound)) {
      notes_.push_back(
          {Severity::kWarning, recipe_.gradient_place,
           fmt::format("not proven: the slope of phi may reach {:.3g}; gradient_bound promises {:g}",
                       facts.gradient_bound, recipe_.gradient_bound)});
      return;
    }
    // Name the first formula that no bound is known of.
    std::vector<NodeFacts> all;
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
      Result<NodeFacts> f = analyse(program, program.nodes[i], all, scope);
      all.push_back(f ? *f : NodeFacts{});
      if (std::isfinite(all.back().gradient)) continue;
      notes_.push_back(
          {Severity::kWarning, program.places[i],
           fmt::format("not proven: no bound is known for the slope here, which may jump; gradient_bound "
                       "promises {:g}",
                       recipe_.gradient_bound)});
      return;
    }
  }

  // ---------------------------------------------------------------- look

  void build_materials(BuiltRecipe& out) {
    Graph graph(field_scope(), height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    std::vector<NodeId> outputs;
    const bool paved = with_paths_ && !recipe_.route.material.empty();
    for (const Material& m : recipe_.materials) {
      formulas.enter("materials." + m.name, FormulaKind::kSurface);
      const NodeId zero = graph.constant(0, m.place), one = graph.constant(1, m.place);
      NodeId weight = formulas.compile_or(m.weight, 1);
      const NodeId mask = formulas.compile_or(m.emission_mask, 1);
      if (paved)
        weight = graph.ternary(Opcode::kMix, weight, m.name == recipe_.route.material ? one : zero,
                               pavement(graph, m.place), m.place);
      outputs.push_back(graph.binary(Opcode::kMax, weight, zero, m.place));
      outputs.push_back(
          graph.binary(Opcode::kMin, graph.binary(Opcode::kMax, mask, zero, m.place), one, m.place));
    }
    if (keep_error(graph)) return;
    auto program = std::make_shared<Program>(graph.finish(outputs));
    add_sets(*program);
    warn_of_absolutes(*program);
    out.materials = std::move(program);
  }

  /// 1 on the floors of paths, 0 beside them.
  static NodeId pavement(Graph& graph, const Place& p) {
    const auto input = [&](SurfaceInput i) {
      return graph.leaf(Opcode::kSurface, p, static_cast<std::uint32_t>(i));
    };
    const auto ramp = [&](NodeId a, float low, float high) {
      return graph.unary(Opcode::kSmoothstep, a, p, graph.constants(std::array{low, 1 / (high - low)}));
    };
    const NodeId off = ramp(graph.unary(Opcode::kAbs, input(SurfaceInput::kRouteHeight), p), 0.2F, 0.45F);
    const NodeId beside = ramp(input(SurfaceInput::kRouteDistance), 1.45F, 1.85F);
    const NodeId steep = graph.binary(Opcode::kSubtract, graph.constant(1, p),
                                      ramp(input(SurfaceInput::kNormalZ), 0.6F, 0.8F), p);
    const NodeId worst = graph.binary(Opcode::kMax, graph.binary(Opcode::kMax, off, beside, p), steep, p);
    return graph.binary(Opcode::kSubtract, graph.constant(1, p), worst, p);
  }

  void build_light(const Light& light, BuiltRecipe& out) {
    LightFormulas formulas_out;
    AnalysisScope scope = field_scope();
    Graph graph(scope, height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    std::vector<NodeId> outputs;
    const auto output = [&](NodeId node) {
      outputs.push_back(node);
      return static_cast<int>(outputs.size()) - 1;
    };
    know_randoms(formulas, graph);
    graph.set_ground({-1024, 1024});
    formulas.enter("lights." + light.name, FormulaKind::kColumn);
    if (light.ground) {
      const NodeId ground = formulas.compile(light.ground);
      if (keep_error(graph)) return;
      formulas_out.ground = output(ground);
      graph.set_ground(graph.facts(ground).range);
    }
    know_ground(formulas, graph);
    if (light.placement == LightPlacement::kFeatures && !know_set(light, formulas, formulas_out)) return;
    formulas.enter("lights." + light.name, FormulaKind::kPlace);
    if (light.probability) formulas_out.probability = output(formulas.compile(light.probability));
    for (std::size_t i = 0; i < 3; ++i)
      if (light.offset[i]) formulas_out.offset[i] = output(formulas.compile(light.offset[i]));
    if (keep_error(graph)) return;
    if (light.placement == LightPlacement::kPaths)
      formulas_out.pitch_64 = constant_64(light.pitch, "pitch", 4, 1024);
    if (light.placement == LightPlacement::kLattice) {
      if (!light.pitch) return fail(light.place, fmt::format("light \"{}\" needs a pitch", light.name));
      formulas_out.pitch_64 = constant_64(light.pitch, "pitch", 1, 4096);
      formulas_out.jitter = static_cast<float>(constant(light.jitter, "jitter", 0, 0, 1));
    }
    formulas_out.program = graph.finish(outputs);
    warn_of_absolutes(formulas_out.program);
    out.lights.push_back(std::move(formulas_out));
  }

  /// Lights on features know the values of their set.
  bool know_set(const Light& light, FormulaBuilder& formulas, LightFormulas& out) {
    for (std::size_t i = 0; i < recipe_.features.size(); ++i) {
      if (recipe_.features[i].name != light.features) continue;
      out.feature_set = static_cast<int>(i);
      compile_values(recipe_.features[i], formulas);
      return true;
    }
    fail(light.place,
         fmt::format("light \"{}\" stands on features.{}, which there is not", light.name, light.features));
    return false;
  }

  void build_water(BuiltRecipe& out) {
    out.water_level_m = std::numeric_limits<float>::quiet_NaN();
    if (recipe_.water.present && recipe_.water.level)
      out.water_level_m = static_cast<float>(constant(recipe_.water.level, "water.level", 0, -1024, 1024));
  }

  /// Where paths have their floor: what the author says, or the field named "ground", or a quarter of the
  /// height.
  void build_anchor(BuiltRecipe& out) {
    if (!with_paths_) return;
    Graph graph(field_scope(), height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    formulas.enter("column", FormulaKind::kColumn);
    NodeId node = kNoNode;
    if (recipe_.route.anchor) {
      node = formulas.compile(recipe_.route.anchor);
      if (keep_error(graph)) return;
    } else {
      const auto ground = std::find_if(recipe_.field.begin(), recipe_.field.end(),
                                       [](const NamedExpr& e) { return e.name == "ground"; });
      if (ground != recipe_.field.end())
        node = formulas.field(static_cast<std::size_t>(ground - recipe_.field.begin()));
      if (node == kNoNode || graph.failed()) {
        Graph level(field_scope(), height());
        const NodeId quarter = level.constant(0.25F * height(), {});
        out.anchor = std::make_shared<const Program>(level.finish({&quarter, 1}));
        return;
      }
    }
    out.anchor = std::make_shared<const Program>(graph.finish({&node, 1}));
  }

  /// Formulas that later stages compile for themselves: errors belong to the author now.
  void check_the_rest() {
    Graph graph(field_scope(), height());
    FormulaBuilder formulas(recipe_, graph, numbers_);
    formulas.enter("column", FormulaKind::kColumn);
    for (const Viewpoint& v : recipe_.viewpoints)
      for (const auto* at : {&v.eye, &v.target})
        for (const ExprPtr& e : *at)
          if (e) formulas.compile(e);
    for (const Decor& d : recipe_.decor) {
      formulas.enter("decor." + d.name, FormulaKind::kSurface);
      if (d.density) formulas.compile(d.density);
      if (d.accept) formulas.compile(d.accept);
    }
    keep_error(graph);
  }

  const Recipe& recipe_;
  Notes& notes_;
  bool with_paths_;
  NoiseNumbers numbers_;
  std::vector<FeatureSetProgram> set_programs_;
  std::vector<NodeFacts> set_facts_;
  std::optional<std::size_t> path_sets_;  ///< of both: the first of the engine's own
  std::set<Place> warned_;
  std::optional<Error> error_;
};

}  // namespace

Result<BuiltRecipe> build_recipe(std::shared_ptr<const Recipe> recipe, Notes& notes, bool with_paths) {
  BuiltRecipe out;
  if (std::optional<Error> error = RecipeBuilder(*recipe, notes, with_paths).build(out)) return *error;
  out.recipe = std::move(recipe);
  return out;
}

Result<std::shared_ptr<const Program>> build_column_formula(const Recipe& recipe, const ExprPtr& expr) {
  Notes notes;
  auto program = std::make_shared<Program>();
  if (std::optional<Error> error = RecipeBuilder(recipe, notes, false).build_column(expr, *program))
    return *error;
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace vf
