// The words of recipe/language.def but the shapes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "field/builder_formula.h"
#include "field/builder_graph.h"
#include "field/opcode.h"
#include "field/program.h"
#include "recipe/language.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr double kLargestSpread = 4096;  // [metres]

/// `metres` in 1/64 m, or an error.
std::optional<std::int64_t> in_64ths(Graph& graph, const Place& place, std::string_view what, float metres) {
  const double r = std::floor(static_cast<double>(metres) * 64 + 0.5);
  if (r >= 1 && r <= kLargestSpread * 64) return static_cast<std::int64_t>(r);
  graph.fail(place, fmt::format("{} is {:g} m; expected 1/64 .. {:g} m", what, metres, kLargestSpread));
  return std::nullopt;
}

std::optional<Opcode> unary_op(Word w) {
  switch (w) {
    case Word::kAbs:
      return Opcode::kAbs;
    case Word::kFloor:
      return Opcode::kFloor;
    case Word::kSqrt:
      return Opcode::kSqrt;
    case Word::kPow2:
      return Opcode::kSquare;
    case Word::kPow3:
      return Opcode::kCube;
    case Word::kExp:
      return Opcode::kExp;
    case Word::kSin:
      return Opcode::kSin;
    case Word::kCos:
      return Opcode::kCos;
    default:
      return std::nullopt;
  }
}

struct NoiseWord {
  NoiseBasis basis;
  NoiseShape shape;
  bool solid;
};

NoiseWord noise_of(Word w) {
  switch (w) {
    case Word::kPerlin3:
      return {NoiseBasis::kPerlin, NoiseShape::kPlain, true};
    case Word::kRidged2:
      return {NoiseBasis::kPerlin, NoiseShape::kRidged, false};
    case Word::kRidged3:
      return {NoiseBasis::kPerlin, NoiseShape::kRidged, true};
    case Word::kBillow2:
      return {NoiseBasis::kPerlin, NoiseShape::kBillow, false};
    case Word::kBillow3:
      return {NoiseBasis::kPerlin, NoiseShape::kBillow, true};
    case Word::kValue2:
      return {NoiseBasis::kValue, NoiseShape::kPlain, false};
    case Word::kValue3:
      return {NoiseBasis::kValue, NoiseShape::kPlain, true};
    case Word::kCellular2:
      return {NoiseBasis::kCellular, NoiseShape::kPlain, false};
    case Word::kCellular3:
      return {NoiseBasis::kCellular, NoiseShape::kPlain, true};
    default:
      return {NoiseBasis::kPerlin, NoiseShape::kPlain, false};
  }
}

}  // namespace

NodeId FormulaBuilder::call_word(const WordInfo& word, const Call& call) {
  if (word.word <= Word::kLength) return thin_word(word, call);
  if (word.word <= Word::kSmax) return select_word(word, call);
  if (word.word <= Word::kCellular3) return noise_word(word, call);
  switch (word.word) {
    case Word::kWave:
    case Word::kRepeat:
    case Word::kMirror:
      return periodic_word(word, call);
    case Word::kWarpXy:
      return warp_word(call);
    case Word::kRotate:
      return rotate_word(call);
    case Word::kSpline1d:
      return spline_word(call);
    case Word::kHeightfield:
    case Word::kCeiling:
      return ground_word(word, call);
    default:
      return shape_word(word, call);
  }
}

NodeId FormulaBuilder::thin_word(const WordInfo& word, const Call& call) {
  std::vector<NodeId> in;
  for (std::size_t i = 0; i < call.expr.args.size(); ++i) in.push_back(argument_of(call, i));
  if (graph_.failed()) return 0;
  if (const std::optional<Opcode> op = unary_op(word.word)) {
    // The argument is what the author must look at.
    const Place& place = *op == Opcode::kSqrt || *op == Opcode::kExp ? call.expr.args[0]->place : call.place;
    return graph_.unary(*op, in[0], place);
  }
  switch (word.word) {
    case Word::kMin:
      return graph_.balanced(Opcode::kMin, in, call.place);
    case Word::kMax:
      return graph_.balanced(Opcode::kMax, in, call.place);
    case Word::kAngle:
      return graph_.binary(Opcode::kAngle, in[0], in[1], call.place);
    case Word::kMod: {
      const std::optional<float> b = graph_.constant_value(in[1]);
      if (!b || *b <= 0)
        return graph_.fail(call.expr.args[1]->place, "the divisor of mod must be a constant above zero");
      return graph_.binary(Opcode::kMod, in[0], in[1], call.place);
    }
    default:
      if (in.size() == 3) return graph_.ternary(Opcode::kLength3, in[0], in[1], in[2], call.place);
      return graph_.binary(Opcode::kLength2, in[0], in[1], call.place);
  }
}

NodeId FormulaBuilder::select_word(const WordInfo& word, const Call& call) {
  switch (word.word) {
    case Word::kClamp: {
      const NodeId a = argument_of(call, 0), low = argument_of(call, 1), high = argument_of(call, 2);
      return graph_.binary(Opcode::kMin, graph_.binary(Opcode::kMax, a, low, call.place), high, call.place);
    }
    case Word::kMix: {
      const NodeId a = argument_of(call, 0), b = argument_of(call, 1), t = argument_of(call, 2);
      return graph_.ternary(Opcode::kMix, a, b, t, call.place);
    }
    case Word::kSmoothstep: {
      const std::optional<float> low = constant_argument(call, 0, "low"),
                                 high = constant_argument(call, 1, "high");
      const NodeId a = argument_of(call, 2);
      if (graph_.failed()) return 0;
      if (!(*low < *high))
        return graph_.fail(call.place,
                           fmt::format("smoothstep needs low < high; here {:g} and {:g}", *low, *high));
      const float inverse = 1.0F / (*high - *low);
      if (!std::isfinite(inverse)) return graph_.fail(call.place, "low and high of smoothstep are too close");
      const std::array<float, 2> run{*low, inverse};
      return graph_.unary(Opcode::kSmoothstep, a, call.place, graph_.constants(run));
    }
    case Word::kSelectRange: {
      const NodeId a = argument_of(call, 0);
      const std::optional<float> low = constant_argument(call, 1, "low"),
                                 high = constant_argument(call, 2, "high");
      const NodeId inside = argument_of(call, 3), outside = argument_of(call, 4);
      if (graph_.failed()) return 0;
      const std::array<float, 2> run{*low, *high};
      return graph_.ternary(Opcode::kSelectRange, a, inside, outside, call.place, graph_.constants(run));
    }
    default: {
      const NodeId a = argument_of(call, 0), b = argument_of(call, 1);
      const std::optional<float> k = constant_argument(call, 2, "k");
      if (graph_.failed()) return 0;
      const bool small = word.word == Word::kSmin;
      if (*k < 0)
        return graph_.fail(call.expr.args[2]->place, fmt::format("k is {:g}; expected 0 or more", *k));
      if (*k < 1e-6F) return graph_.binary(small ? Opcode::kMin : Opcode::kMax, a, b, call.place);
      return graph_.binary(small ? Opcode::kSmin : Opcode::kSmax, a, b, call.place,
                           graph_.constants({&*k, 1}));
    }
  }
}

// ---------------------------------------------------------------- noise

void FormulaBuilder::spell(const Expr& e, const Scope* scope, std::string& out) {
  if (!step(e.place)) return;
  switch (e.kind) {
    case ExprKind::kNumber:
      out += fmt::format("{}", e.number);
      return;
    case ExprKind::kName:
      if (const Argument* a = find_argument(scope, e.name)) return spell(*a->expr, a->scope, out);
      out += e.name;
      return;
    default:
      break;
  }
  out += fmt::format("{}{}(", static_cast<int>(e.kind), e.name);
  for (const ExprPtr& a : e.args) {
    spell(*a, scope, out);
    out += ',';
  }
  for (const NamedArgument& o : e.options) {
    out += o.name + '=';
    spell(*o.value, scope, out);
    out += ',';
  }
  out += ')';
}

std::uint64_t FormulaBuilder::noise_seed(const Call& call) {
  for (const NamedArgument& o : call.expr.options) {
    if (o.name != "seed") continue;
    const std::optional<double> seed = option(call, "seed", 0, 0, 16777216, true);
    return hash_words({hash_text(recipe_.id), recipe_.layout_version, hash_text("seed"),
                       static_cast<std::uint64_t>(seed.value_or(0))});
  }
  std::string text;
  spell(call.expr, call.scope, text);
  auto& section = numbers_.sections[section_];
  const auto ordinal =
      section.emplace(std::move(text), static_cast<std::uint32_t>(section.size())).first->second;
  return hash_words({hash_text(recipe_.id), recipe_.layout_version, hash_text(section_), ordinal});
}

bool FormulaBuilder::add_octaves(const Call& call, bool solid, NoiseParams& params) {
  const std::optional<float> spread = constant_argument(call, 0, "spread");
  const std::optional<double> octaves = option(call, "octaves", 1, 1, kRecipeLimits.octaves, true);
  const std::optional<double> persistence = option(call, "persistence", 0.5, 0, 1, false);
  const std::optional<double> lacunarity = option(call, "lacunarity", 2, 1.5, 4, false);
  const std::uint64_t seed = noise_seed(call);
  if (graph_.failed()) return false;
  const std::optional<std::int64_t> spread_64 = in_64ths(graph_, call.expr.args[0]->place, "spread", *spread);
  if (!spread_64) return false;
  const Domain d = domains_[static_cast<std::size_t>(call.domain)];
  if (!stays_exact(call.place, std::abs(d.ax) + std::abs(d.ay), d.warp_reach,
                   static_cast<double>(*spread_64) / 64 * d.hypotenuse))
    return false;
  double period = static_cast<double>(*spread_64) * 16, amplitude = 1, total = 0;  // period in 1/1024 m
  std::vector<double> amplitudes;
  for (int i = 0; i < static_cast<int>(*octaves); ++i) {
    const auto period_1024 = static_cast<std::int64_t>(std::floor(period + 0.5));
    if (period_1024 < 16) {
      graph_.fail(call.place, fmt::format("octave {} would be finer than 1/64 m; use fewer octaves", i + 1));
      return false;
    }
    NoiseOctave o;
    const std::int64_t scaled = period_1024 * d.hypotenuse;
    o.axis[0] = graph_.axis({d.ax, d.ay, scaled, 0});
    o.axis[1] = graph_.axis({-d.ay, d.ax, scaled, 0});
    o.axis[2] = solid ? graph_.axis({0, 0, period_1024, 0}) : o.axis[1];
    o.period = static_cast<float>(scaled) / 1024.0F;
    o.period_z = static_cast<float>(period_1024) / 1024.0F;
    o.seed = static_cast<std::uint32_t>(hash_words({seed, static_cast<std::uint64_t>(i)}) >> 32);
    params.octaves.push_back(o);
    amplitudes.push_back(amplitude);
    total += amplitude;
    amplitude *= *persistence;
    period /= *lacunarity;
  }
  for (std::size_t i = 0; i < amplitudes.size(); ++i)
    params.octaves[i].amplitude = static_cast<float>(amplitudes[i] / total);
  return true;
}

NodeId FormulaBuilder::noise_word(const WordInfo& word, const Call& call) {
  const NoiseWord w = noise_of(word.word);
  NoiseParams params;
  params.basis = w.basis;
  params.shape = w.shape;
  if (w.solid && no_z())
    return graph_.fail(call.place, fmt::format("{} changes with z, which is not known here; use {}2",
                                               word.name, word.name.substr(0, word.name.size() - 1)));
  if (!add_octaves(call, w.solid, params)) return 0;
  const std::uint32_t index = graph_.noise(params);
  const Domain d = domains_[static_cast<std::size_t>(call.domain)];
  const bool cellular = w.basis == NoiseBasis::kCellular;
  if (!w.solid)
    return graph_.binary(cellular ? Opcode::kCellular2 : Opcode::kNoise2, d.x, d.y, call.place, index);
  return graph_.ternary(cellular ? Opcode::kCellular3 : Opcode::kNoise3, d.x, d.y,
                        graph_.leaf(Opcode::kZ, call.place), call.place, index);
}

// ---------------------------------------------------------------- periodic, domains

NodeId FormulaBuilder::periodic_word(const WordInfo& word, const Call& call) {
  if (call.expr.args.size() == 1) return graph_.unary(Opcode::kAbs, argument_of(call, 0), call.place);
  const std::optional<float> length = constant_argument(call, 1, "period");
  if (!length) return 0;
  Coordinate c;
  coordinate(*call.expr.args[0], call.scope, 1, false, c);
  const bool whole =
      std::floor(c.ax) == c.ax && std::floor(c.ay) == c.ay && std::fabs(c.ax) <= 8 && std::fabs(c.ay) <= 8;
  FrameAxis axis{0, 0, 1, 0};
  PeriodicParams params;
  NodeId u = 0;
  if ((c.ax != 0 || c.ay != 0) && whole) {
    const std::optional<std::int64_t> period_64 =
        in_64ths(graph_, call.expr.args[1]->place, "period", *length);
    if (!period_64) return 0;
    u = coordinate_node(call, c, static_cast<double>(*period_64) / 64, axis);
    const std::int32_t hypotenuse = domains_[static_cast<std::size_t>(call.domain)].hypotenuse;
    axis.period_1024 = *period_64 * 16 * hypotenuse;
    params.period = static_cast<float>(axis.period_1024) / 1024.0F;
    params.scale = 1.0F / static_cast<float>(hypotenuse);
  } else {
    // A formula of its own, without a frame.
    if (!(*length >= 1e-4F && *length <= 1e6F))
      return graph_.fail(call.expr.args[1]->place,
                         fmt::format("period is {:g}; expected 0.0001 .. 1000000", *length));
    u = argument_of(call, 0);
    axis.period_1024 =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(*length) * 1024 + 0.5));
    params.period = *length;
  }
  if (graph_.failed()) return 0;
  params.axis = graph_.axis(axis);
  const std::uint32_t index = graph_.periodic(params);
  if (word.word == Word::kWave) return graph_.unary(Opcode::kWave, u, call.place, index);
  const NodeId repeat = graph_.unary(Opcode::kRepeat, u, call.place, index);
  return word.word == Word::kRepeat ? repeat : graph_.unary(Opcode::kAbs, repeat, call.place);
}

NodeId FormulaBuilder::warp_word(const Call& call) {
  const NodeId dx = argument_of(call, 1), dy = argument_of(call, 2);
  if (graph_.failed()) return 0;
  return warped(call, dx, dy);
}

NodeId FormulaBuilder::rotate_word(const Call& call) {
  const std::optional<float> fa = constant_argument(call, 1, "a"), fb = constant_argument(call, 2, "b");
  if (!fa || !fb) return 0;
  const double a = static_cast<double>(*fa), b = static_cast<double>(*fb);
  const double h = std::sqrt(a * a + b * b);
  if (std::floor(a) != a || std::floor(b) != b || std::fabs(a) > 1000 || std::fabs(b) > 1000 || h == 0 ||
      std::floor(h) != h)
    return graph_.fail(call.place,
                       fmt::format("({:g}, {:g}) is no Pythagorean pair: a * a + b * b must be the square "
                                   "of a whole number, as for (3, 4)",
                                   a, b));
  const auto ia = static_cast<std::int32_t>(a), ib = static_cast<std::int32_t>(b);
  const std::int32_t common = std::gcd(ia, ib);
  return turned(call, ia / common, ib / common, static_cast<std::int32_t>(h) / common);
}

NodeId FormulaBuilder::spline_word(const Call& call) {
  SplineParams s;
  s.at = list_option(call, "at");
  s.to = list_option(call, "to");
  s.slope = list_option(call, "slope");
  const NodeId a = argument_of(call, 0);
  if (graph_.failed()) return 0;
  if (s.slope.empty()) s.slope.assign(s.at.size(), 0.0F);
  if (s.at.size() < 2 || s.at.size() > 64)
    return graph_.fail(call.place,
                       fmt::format("spline1d needs at and to with 2 .. 64 numbers; at has {}", s.at.size()));
  if (s.to.size() != s.at.size() || s.slope.size() != s.at.size())
    return graph_.fail(
        call.place, fmt::format("the lists of spline1d differ in length: at {}, to {}, slope {}", s.at.size(),
                                s.to.size(), s.slope.size()));
  for (std::size_t i = 1; i < s.at.size(); ++i)
    if (!(s.at[i] - s.at[i - 1] >= 1e-4F))
      return graph_.fail(call.place, fmt::format("at must rise by 0.0001 or more: {:g} is followed by {:g}",
                                                 s.at[i - 1], s.at[i]));
  return graph_.unary(Opcode::kSpline, a, call.place, graph_.spline(s));
}

// ---------------------------------------------------------------- ground

NodeId FormulaBuilder::ground_word(const WordInfo& word, const Call& call) {
  const NodeId h = argument_of(call, 0);
  if (graph_.failed()) return 0;
  const Place& place = call.expr.args[0]->place;
  if (no_z())
    return graph_.fail(call.place, fmt::format("{} changes with z, which is not known here", word.name));
  const double slope = graph_.facts(h).gradient;  // a copy: nodes added below move the facts
  const Kind kind = graph_.node(h).kind;
  if (kind != Kind::kColumn && kind != Kind::kConstant)
    return graph_.fail(place, fmt::format("{} takes a height over x and y; this changes with z", word.name));
  if (!std::isfinite(slope))
    return graph_.fail(place,
                       fmt::format("{} cannot scale itself: no bound is proven for the slope of this height, "
                                   "which may jump; write factor * (z - h) instead",
                                   word.name));
  // Rounded down a little: the product of two roundings must not exceed the promise.
  const auto scale = static_cast<float>((1 - 1e-6) / std::sqrt(1 + slope * slope));
  const NodeId z = graph_.leaf(Opcode::kZ, call.place);
  const bool up = word.word == Word::kHeightfield;
  const NodeId height = graph_.binary(Opcode::kSubtract, up ? z : h, up ? h : z, call.place);
  return graph_.binary(Opcode::kMultiply, graph_.constant(slope == 0 ? 1.0F : scale, call.place), height,
                       call.place);
}

}  // namespace vf
