#include "field/conformance_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "field/bound_field.h"
#include "field/kinds.h"
#include "field/opcode.h"
#include "field/program.h"

namespace vf::conformance {

float Random::on_grid(float lo, float hi) {
  return std::floor(between(lo, hi) * 1024.0F) / 1024.0F;
}

NodeId ProgramMaker::node(Opcode op, std::uint32_t param, const std::vector<NodeId>& in) {
  Node n;
  n.op = op;
  n.param = param;
  n.kind = in.empty() ? leaf_kind(op) : program->nodes[in[0]].kind;
  for (std::size_t k = 0; k < in.size(); ++k) {
    n.in[k] = in[k];
    n.kind = join(n.kind, program->nodes[in[k]].kind);
  }
  program->nodes.push_back(n);
  program->places.emplace_back();
  return static_cast<NodeId>(program->nodes.size() - 1);
}

NodeId ProgramMaker::node(Opcode op, std::uint32_t param, std::initializer_list<NodeId> in) {
  return node(op, param, std::vector<NodeId>(in));
}

NodeId ProgramMaker::constant(float value) {
  return node(Opcode::kConstant, constants({value}));
}

std::uint32_t ProgramMaker::constants(std::initializer_list<float> values) {
  const auto first = static_cast<std::uint32_t>(program->constants.size());
  program->constants.insert(program->constants.end(), values);
  return first;
}

std::uint32_t ProgramMaker::axis(std::int32_t ax, std::int32_t ay, std::int64_t period_1024,
                                 std::int64_t shift_1024) {
  program->frame_axes.push_back({ax, ay, period_1024, shift_1024});
  return static_cast<std::uint32_t>(program->frame_axes.size() - 1);
}

std::uint32_t ProgramMaker::periodic(std::int32_t ax, std::int32_t ay, std::int64_t period_1024,
                                     float scale) {
  const std::uint32_t a = axis(ax, ay, period_1024);
  program->periodics.push_back({a, static_cast<float>(period_1024) / 1024.0F, scale});
  return static_cast<std::uint32_t>(program->periodics.size() - 1);
}

std::uint32_t ProgramMaker::noise(NoiseBasis basis, NoiseShape shape, int octaves, std::int64_t period_1024,
                                  std::int64_t period_z_1024, Random& random) {
  NoiseParams params;
  params.basis = basis;
  params.shape = shape;
  float amplitude = 1;
  float sum = 0;
  for (int i = 0; i < octaves; ++i) {
    NoiseOctave o;
    o.axis = {axis(1, 0, period_1024, random.below(4096)), axis(0, 1, period_1024, random.below(4096)),
              axis(0, 0, period_z_1024, random.below(4096))};
    o.period = static_cast<float>(period_1024) / 1024.0F;
    o.period_z = static_cast<float>(period_z_1024) / 1024.0F;
    o.amplitude = amplitude;
    o.seed = static_cast<std::uint32_t>(random.word());
    params.octaves.push_back(o);
    sum += amplitude;
    amplitude *= 0.5F;
    period_1024 = std::max<std::int64_t>(period_1024 / 2, 512);
    period_z_1024 = std::max<std::int64_t>(period_z_1024 / 2, 512);
  }
  for (NoiseOctave& o : params.octaves) o.amplitude /= sum;
  program->noises.push_back(params);
  return static_cast<std::uint32_t>(program->noises.size() - 1);
}

std::shared_ptr<const BoundField> ProgramMaker::bind(NodeId output, Frame frame,
                                                     std::vector<std::vector<FeatureInstance>> sets) {
  program->outputs = {output};
  return std::make_shared<const BoundField>(
      bind_field(program, frame, {-2000, -2000, 4000, 4000}, std::move(sets), 0x9E3779B9U));
}

namespace {

/// Builds one random case.
class CaseMaker {
 public:
  CaseMaker(Opcode op, Random& random) : op_(op), r_(random) {
    radius_ = std::array<float, 3>{6, 40, 250}[static_cast<std::size_t>(r_.below(3))];
    for (float& c : centre_) c = std::floor(r_.between(0, 1024));
    centre_[2] = std::floor(r_.between(-8, 80));
    // About the origin coordinates are finest.
    if (r_.chance(0.25F)) centre_ = {};
  }

  Case make() {
    const NodeId out = target();
    Case c;
    c.field = m_.bind(out, frame_, std::move(sets_));
    c.program = c.field->program;
    c.domain = {{centre_[0] - radius_, centre_[1] - radius_, centre_[2] - radius_},
                {centre_[0] + radius_, centre_[1] + radius_, centre_[2] + radius_}};
    add_lattice_lines(*c.field);
    for (std::size_t axis = 0; axis < 3; ++axis) c.lines[axis] = std::move(lines_[axis]);
    return c;
  }

 private:
  // ---- operands

  NodeId coordinate(int axis) {
    return m_.node(axis == 0 ? Opcode::kX : axis == 1 ? Opcode::kY : Opcode::kZ);
  }
  NodeId binary(Opcode op, NodeId a, NodeId b) { return m_.node(op, 0, {a, b}); }

  /// The coordinate about a place near the centre: the purest way to reach an op's inner roundings.
  NodeId local(int axis, float spread) {
    const float at = r_.on_grid(-spread, spread) + centre_[static_cast<std::size_t>(axis)];
    lines_[static_cast<std::size_t>(axis)].push_back(at);
    return binary(Opcode::kSubtract, coordinate(axis), m_.constant(at));
  }

  NodeId clamped(NodeId v, float lo, float hi) {
    return binary(Opcode::kMin, binary(Opcode::kMax, v, m_.constant(lo)), m_.constant(hi));
  }

  /// A value of a random kind, about [lo, hi] over the domain, within it when `strict`.
  NodeId operand(float lo, float hi, bool strict = false) {
    const float middle = 0.5F * (lo + hi), half = 0.5F * (hi - lo);
    const int kind = r_.below(8);
    if (kind == 0) return m_.constant(r_.between(lo, hi));
    NodeId v = 0;
    if (kind <= 4) {
      // One coordinate, scaled to cover the range; sometimes by a power of two, so that nothing rounds
      // before.
      v = local(kind == 1 ? 2 : r_.below(3), radius_ * 0.5F);
      const float scale = r_.chance(0.5F) ? std::exp2(std::floor(std::log2(half / radius_))) : half / radius_;
      if (scale != 1.0F) v = binary(Opcode::kMultiply, v, m_.constant(scale));
      if (middle != 0.0F) v = binary(Opcode::kAdd, v, m_.constant(middle));
    } else if (kind == 5) {
      const NodeId sum = binary(Opcode::kAdd, local(0, radius_ * 0.5F), local(1, radius_ * 0.5F));
      v = binary(Opcode::kAdd, binary(Opcode::kMultiply, sum, m_.constant(half / radius_ * 0.6F)),
                 m_.constant(middle));
    } else if (kind == 6) {
      const NodeId sum = binary(Opcode::kSubtract, local(0, radius_ * 0.5F), local(2, radius_ * 0.5F));
      v = binary(Opcode::kAdd, binary(Opcode::kMultiply, sum, m_.constant(half / radius_ * 0.6F)),
                 m_.constant(middle));
    } else {
      const std::uint32_t n = m_.noise(NoiseBasis::kPerlin, NoiseShape::kPlain, 1, period(), period(), r_);
      v = m_.node(Opcode::kNoise3, n, {coordinate(0), coordinate(1), coordinate(2)});
      v = binary(Opcode::kAdd, binary(Opcode::kMultiply, v, m_.constant(half)), m_.constant(middle));
    }
    return strict ? clamped(v, lo, hi) : v;
  }

  std::int64_t period() { return 16 * (32 + r_.below(static_cast<int>(radius_) * 64)); }

  std::vector<NodeId> constants_between(int count, float lo, float hi) {
    std::vector<NodeId> out;
    for (int i = 0; i < count; ++i) out.push_back(m_.constant(r_.between(lo, hi)));
    return out;
  }

  // ---- the op under test

  NodeId target() {
    if (op_ >= Opcode::kSphere && op_ <= Opcode::kRect) return shape();
    if (op_ >= Opcode::kNoise2 && op_ <= Opcode::kCellular3) return noise();
    switch (op_) {
      case Opcode::kConstant:
        return m_.constant(r_.between(-100, 100));
      case Opcode::kX:
      case Opcode::kY:
      case Opcode::kZ:
        return m_.node(op_);
      case Opcode::kAbsoluteX:
      case Opcode::kAbsoluteY:
        frame_ = r_.chance(0.5F) ? Frame{r_.below(3) - 1, r_.below(3) - 1} : Frame{r_.below(2000) - 1000, 77};
        return m_.node(op_);
      case Opcode::kLocalX:
      case Opcode::kLocalY:
      case Opcode::kLocalZ:
      case Opcode::kValue:
      case Opcode::kFeatures:
        return features();
      default:
        break;
    }
    if (input_count(op_) == 1) return unary();
    if (input_count(op_) == 2) return binary_op();
    return ternary();
  }

  NodeId unary() {
    switch (op_) {
      case Opcode::kSqrt:
        return m_.node(op_, 0, {operand(0, r_.chance(0.5F) ? 2.0F : 400.0F, true)});
      case Opcode::kExp: {
        if (r_.chance(0.3F)) return straight_exp();
        const float reach = r_.chance(0.3F) ? 80.0F : 4.0F;
        return m_.node(op_, 0, {operand(-reach, reach, true)});
      }
      case Opcode::kSin:
      case Opcode::kCos: {
        const float reach = r_.chance(0.2F) ? 8190.0F : r_.chance(0.5F) ? 60.0F : 4.0F;
        return m_.node(op_, 0, {operand(-reach, reach, true)});
      }
      case Opcode::kSmoothstep: {
        const float low = r_.between(-10, 10), width = r_.between(0.5F, 20);
        return m_.node(op_, m_.constants({low, 1.0F / (r_.chance(0.2F) ? -width : width)}),
                       {operand(-25, 25)});
      }
      case Opcode::kSpline:
        return spline();
      case Opcode::kWave:
      case Opcode::kRepeat:
        return periodic();
      default:
        return m_.node(op_, 0, {operand(-50, 50)});
    }
  }

  /// exp of a coordinate, looked at where its reduction goes from one power of two to the next.
  NodeId straight_exp() {
    centre_ = {};
    radius_ = 6;
    for (int n = -8; n < 8; ++n) lines_[0].push_back((static_cast<float>(n) + 0.5F) * 0.69314718F);
    return m_.node(op_, 0, {coordinate(0)});
  }

  NodeId spline() {
    SplineParams s;
    float at = r_.between(-20, -5);
    const int count = 2 + r_.below(5);
    for (int i = 0; i < count; ++i) {
      s.at.push_back(at);
      s.to.push_back(r_.between(-10, 10));
      s.slope.push_back(r_.chance(0.3F) ? 0.0F : r_.between(-3, 3));
      at += r_.between(0.5F, 10);
    }
    m_.program->splines.push_back(s);
    return m_.node(op_, static_cast<std::uint32_t>(m_.program->splines.size() - 1), {operand(-30, 30)});
  }

  NodeId periodic() {
    const int way = r_.below(4);
    if (way == 0) {  // a turned axis
      const NodeId v = affine(3, 4);
      return m_.node(op_, m_.periodic(3, 4, period() * 5, 0.2F), {v});
    }
    const int axis = r_.below(3);
    const std::uint32_t p = m_.periodic(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, period(), 1.0F);
    if (way == 1) return m_.node(op_, p, {operand(-100, 100)});
    periodic_axis_ = axis;
    return m_.node(op_, p, {coordinate(axis)});
  }

  NodeId affine(std::int32_t ax, std::int32_t ay) {
    m_.program->affines.push_back({ax, ay});
    return m_.node(Opcode::kAffine, static_cast<std::uint32_t>(m_.program->affines.size() - 1),
                   {coordinate(0), coordinate(1)});
  }

  NodeId binary_op() {
    switch (op_) {
      case Opcode::kDivide: {
        const bool negative = r_.chance(0.3F);
        const NodeId b = negative ? operand(-20, -0.5F, true) : operand(0.5F, 20, true);
        return m_.node(op_, 0, {operand(-50, 50), b});
      }
      case Opcode::kMod: {
        const NodeId b = r_.chance(0.3F) ? operand(0.3F, 7, true) : m_.constant(r_.between(0.3F, 7));
        const NodeId a = r_.chance(0.5F) ? coordinate(r_.below(3)) : operand(-50, 50);
        return m_.node(op_, 0, {a, r_.chance(0.2F) ? m_.node(Opcode::kNegate, 0, {b}) : b});
      }
      case Opcode::kSmin:
      case Opcode::kSmax: {
        const float k = r_.between(0.1F, 12);
        return m_.node(op_, m_.constants({k}), {operand(-10, 10), operand(-10, 10)});
      }
      case Opcode::kAffine:
        return affine(r_.below(9) - 4, r_.below(9) - 4);
      case Opcode::kMultiply: {
        const NodeId a = operand(-20, 20);
        return m_.node(op_, 0, {a, r_.chance(0.1F) ? a : operand(-20, 20)});
      }
      default:
        return m_.node(op_, 0, {operand(-50, 50), operand(-50, 50)});
    }
  }

  NodeId ternary() {
    if (op_ == Opcode::kMix)
      return m_.node(op_, 0, {operand(-20, 20), operand(-20, 20), operand(-0.7F, 1.7F)});
    if (op_ == Opcode::kSelectRange) {
      const float low = r_.between(-8, 4);
      return m_.node(op_, m_.constants({low, low + r_.between(0, 12)}),
                     {operand(-10, 10), operand(-20, 20), operand(-20, 20)});
    }
    return m_.node(op_, 0, {operand(-50, 50), operand(-50, 50), operand(-50, 50)});
  }

  NodeId noise() {
    const bool cellular = op_ == Opcode::kCellular2 || op_ == Opcode::kCellular3;
    const bool solid = op_ == Opcode::kNoise3 || op_ == Opcode::kCellular3;
    const NoiseBasis basis = cellular          ? NoiseBasis::kCellular
                             : r_.chance(0.3F) ? NoiseBasis::kValue
                                               : NoiseBasis::kPerlin;
    const NoiseShape shape =
        cellular ? NoiseShape::kPlain : static_cast<NoiseShape>(std::max(0, r_.below(5) - 2));
    const std::uint32_t n = m_.noise(basis, shape, cellular ? 1 : 1 + r_.below(4), period(), period(), r_);
    std::vector<NodeId> in{coordinate(0), coordinate(1)};
    if (solid) in.push_back(coordinate(2));
    // Warped now and then: along the column, or in space.
    if (r_.chance(0.2F)) in[0] = binary(Opcode::kAdd, in[0], operand(-3, 3));
    if (r_.chance(0.1F)) in[1] = operand(-60, 60);
    if (solid && r_.chance(0.2F)) in[2] = binary(Opcode::kAdd, in[2], operand(-3, 3));
    return m_.node(op_, n, in);
  }

  NodeId shape() {
    std::vector<NodeId> in;
    const float reach = radius_ * 0.3F;
    for (int axis = 0; axis < (op_ == Opcode::kRect ? 2 : 3); ++axis)
      in.push_back(local(axis, radius_ * 0.3F));
    if (r_.chance(0.2F)) in[0] = operand(-radius_, radius_);
    const auto add = [&](const std::vector<NodeId>& more) { in.insert(in.end(), more.begin(), more.end()); };
    switch (op_) {
      case Opcode::kRoundBox:
        add(constants_between(3, 0.3F * reach, reach));
        add(constants_between(1, 0.01F * reach, 0.29F * reach));
        break;
      case Opcode::kRect:
        add(constants_between(2, 0.3F * reach, reach));
        add(constants_between(1, 0.0F, 0.29F * reach));
        break;
      case Opcode::kCapsule: {
        const float length =
            std::array<float, 3>{1, 0.01F, 0}[static_cast<std::size_t>(std::max(0, r_.below(6) - 3))];
        const std::vector<NodeId> a = constants_between(3, -reach, reach);
        add(a);
        for (const NodeId end : a) {
          const float from = m_.program->constants[m_.program->nodes[end].param];
          in.push_back(m_.constant(from + length * r_.between(-reach, reach)));
        }
        add(constants_between(1, 0.05F * reach, reach));
        break;
      }
      case Opcode::kTorus:
        add(constants_between(1, 0.4F * reach, reach));
        add(constants_between(1, 0.05F * reach, 0.3F * reach));
        break;
      case Opcode::kHelix:
        add(constants_between(1, 0.4F * reach, reach));
        add(constants_between(1, 0.2F * reach, reach));
        add(constants_between(1, 0.05F * reach, 0.3F * reach));
        break;
      default:
        add(constants_between(input_count(op_) - 3, 0.2F * reach, reach));
        break;
    }
    return m_.node(op_, 0, in);
  }

  // ---- features

  /// A set of places whose shape is a sphere, a box or a turned block with noise on it.
  NodeId features() {
    FeatureSetProgram set;
    set.name = "things";
    set.blend = r_.chance(0.3F) ? 0.0F : r_.between(0.5F, 4);
    set.far = r_.between(2, 8);
    set.far_constant = m_.constants({set.far});
    set.value_count = 3;
    ProgramMaker s;
    const NodeId px = s.node(Opcode::kLocalX), py = s.node(Opcode::kLocalY), pz = s.node(Opcode::kLocalZ);
    const auto value = [&](std::uint32_t i) { return s.node(Opcode::kValue, i); };
    NodeId d = 0;
    const int way = r_.below(4);
    if (way == 0) {
      d = s.node(Opcode::kSphere, 0, {px, py, pz, value(0)});
    } else if (way == 1) {
      d = s.node(Opcode::kBox, 0, {px, py, pz, value(0), value(1), value(2)});
    } else if (way == 2) {
      d = s.node(Opcode::kCylinder, 0, {px, py, pz, value(0), value(1)});
      d = s.node(Opcode::kSmin, s.constants({0.5F}), {d, s.node(Opcode::kSubtract, 0, {pz, value(2)})});
    } else {
      const std::uint32_t n = s.noise(NoiseBasis::kPerlin, NoiseShape::kPlain, 2, 4096, 4096, r_);
      const NodeId bump = s.node(Opcode::kNoise3, n, {s.x(), s.y(), s.z()});
      d = s.node(Opcode::kSphere, 0, {px, py, pz, value(0)});
      d = s.node(Opcode::kAdd, 0, {d, s.node(Opcode::kMultiply, 0, {bump, s.constant(0.4F)})});
    }
    s.program->outputs = {d};
    set.shape = *s.program;
    const float reach = set.far + set.blend;
    sets_.emplace_back();
    const int count = 1 + r_.below(24);
    for (int i = 0; i < count; ++i)
      sets_.back().push_back(place(static_cast<std::uint64_t>(i), reach, set.blend));
    m_.program->feature_sets.push_back(std::move(set));
    return m_.node(Opcode::kFeatures, 0, std::vector<NodeId>{});
  }

  FeatureInstance place(std::uint64_t id, float reach, float blend) {
    FeatureInstance f;
    f.id = {id};
    const auto snap = [](float v) { return std::floor(v * 64) / 64; };
    const float spread = std::min(radius_, 40.0F);
    f.at = {snap(centre_[0] + r_.between(-spread, spread)), snap(centre_[1] + r_.between(-spread, spread)),
            snap(centre_[2] + r_.between(-spread, spread) * 0.5F)};
    lines_[0].push_back(f.at.x), lines_[1].push_back(f.at.y), lines_[2].push_back(f.at.z);
    for (std::size_t k = 0; k < 3; ++k) f.values[k] = r_.between(0.5F, 6);
    const float e = r_.between(1, 7);
    f.extent_min = {-e, -e, -e};
    f.extent_max = {e, e, e};
    if (r_.chance(0.5F)) {  // 3-4-5
      f.yaw_cos = 0.6F;
      f.yaw_sin = r_.chance(0.5F) ? 0.8F : -0.8F;
    }
    const auto box_grown = [&](float by) {
      const float half = (e + by) * (f.yaw_sin == 0.0F ? 1.0F : 1.4001F);
      return Box3f{{f.at.x - half, f.at.y - half, f.at.z - e - by},
                   {f.at.x + half, f.at.y + half, f.at.z + e + by}};
    };
    f.sign_box = box_grown(0.25F * blend);
    f.value_box = box_grown(reach + 0.01F);
    return f;
  }

  // ---- places to look at

  void add_lattice_lines(const BoundField& field) {
    const auto add = [&](std::size_t axis, std::uint32_t index, float period) {
      const float offset = field.axes[index].offset;
      const float first = std::floor((centre_[axis] - radius_ + offset) / period);
      for (int i = 0; i < 4; ++i) {
        const float cells = std::floor(2 * radius_ / period) + 1;
        lines_[axis].push_back((first + std::floor(r_.between(0, cells + 1))) * period - offset);
      }
    };
    for (const NoiseParams& n : field.program->noises) {
      for (const NoiseOctave& o : n.octaves) {
        add(0, o.axis[0], o.period);
        add(1, o.axis[1], o.period);
        add(2, o.axis[2], o.period_z);
      }
    }
    if (periodic_axis_ < 0) return;
    const PeriodicParams& p = field.program->periodics[0];
    add(static_cast<std::size_t>(periodic_axis_), p.axis, p.period);
    add(static_cast<std::size_t>(periodic_axis_), p.axis, p.period * 0.5F);
  }

  Opcode op_;
  Random& r_;
  ProgramMaker m_;
  Frame frame_;
  float radius_ = 0;
  std::array<float, 3> centre_{};
  std::array<std::vector<float>, 3> lines_;
  std::vector<std::vector<FeatureInstance>> sets_;
  int periodic_axis_ = -1;
};

}  // namespace

std::vector<Opcode> field_opcodes() {
  std::vector<Opcode> out;
#define VF_OP(id, number, name, inputs) out.push_back(Opcode::id);
#include "field/opcodes.def"
#undef VF_OP
  std::erase(out, Opcode::kSurface);
  std::erase(out, Opcode::kRandom);
  return out;
}

Case make_case(Opcode op, Random& random) {
  return CaseMaker(op, random).make();
}

std::shared_ptr<const BoundField> in_frame(const Case& c, Frame frame) {
  return std::make_shared<const BoundField>(
      bind_field(c.program, frame, c.field->window, {}, c.field->seed_mix));
}

std::shared_ptr<const Program> make_global_program(Opcode op, Random& random) {
  ProgramMaker m;
  const std::int64_t period = 16 * (40 + random.below(4000)), period_z = 16 * (40 + random.below(2000));
  NodeId out = 0;
  switch (op) {
    case Opcode::kWave:
    case Opcode::kRepeat:
      if (random.chance(0.5F)) {
        m.program->affines.push_back({3, -4});
        const NodeId v = m.node(Opcode::kAffine, 0, {m.x(), m.y()});
        out = m.node(op, m.periodic(3, -4, period * 5, 0.2F), {v});
      } else {
        out = m.node(op, m.periodic(0, 1, period, 1.0F), {m.y()});
      }
      break;
    case Opcode::kNoise2:
    case Opcode::kNoise3: {
      const NoiseBasis basis = random.chance(0.3F) ? NoiseBasis::kValue : NoiseBasis::kPerlin;
      const std::uint32_t n =
          m.noise(basis, NoiseShape::kPlain, 1 + random.below(5), period, period_z, random);
      out = op == Opcode::kNoise2 ? m.node(op, n, {m.x(), m.y()}) : m.node(op, n, {m.x(), m.y(), m.z()});
      break;
    }
    case Opcode::kCellular2:
    case Opcode::kCellular3: {
      const std::uint32_t n = m.noise(NoiseBasis::kCellular, NoiseShape::kPlain, 1, period, period_z, random);
      out = op == Opcode::kCellular2 ? m.node(op, n, {m.x(), m.y()}) : m.node(op, n, {m.x(), m.y(), m.z()});
      break;
    }
    default:
      return nullptr;
  }
  m.program->outputs = {out};
  return m.program;
}

TEST(Conformance, HasACaseForEveryOpcodeOfAField) {
  for (const Opcode op : field_opcodes()) {
    Random random(1);
    const Case c = make_case(op, random);
    bool found = false;
    for (const Node& n : c.program->nodes) found = found || n.op == op;
    for (const FeatureSetProgram& s : c.program->feature_sets)
      for (const Node& n : s.shape.nodes) found = found || n.op == op;
    EXPECT_TRUE(found) << to_string(op);
  }
}

}  // namespace vf::conformance
