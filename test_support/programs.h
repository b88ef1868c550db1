// Programs for tests, built by hand: they need no recipe and no builder.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "field/bound_field.h"
#include "field/kinds.h"
#include "field/program.h"

namespace vf::test {

/// Grows a program node by node.
class ProgramMaker {
 public:
  explicit ProgramMaker(float height_m) { program_.height_m = height_m; }

  NodeId add(Opcode op, std::initializer_list<NodeId> in = {}, std::uint32_t param = 0) {
    Node node;
    node.op = op;
    node.param = param;
    node.kind = in.size() == 0 ? leaf_kind(op) : Kind::kConstant;
    std::size_t k = 0;
    for (const NodeId i : in) {
      node.in[k++] = i;
      node.kind = join(node.kind, program_.nodes[i].kind);
    }
    program_.nodes.push_back(node);
    program_.places.emplace_back();
    return static_cast<NodeId>(program_.nodes.size() - 1);
  }
  NodeId number(float v) {
    program_.constants.push_back(v);
    return add(Opcode::kConstant, {}, static_cast<std::uint32_t>(program_.constants.size() - 1));
  }
  NodeId smin(NodeId a, NodeId b, float k) {
    program_.constants.push_back(k);
    return add(Opcode::kSmin, {a, b}, static_cast<std::uint32_t>(program_.constants.size() - 1));
  }
  NodeId scaled(NodeId a, float by) { return add(Opcode::kMultiply, {a, number(by)}); }

  /// Gradient noise over x, y (and z); spread in metres, halved an octave.
  NodeId noise(bool three, float spread, int octaves, std::uint32_t seed,
               NoiseShape shape = NoiseShape::kPlain) {
    NoiseParams params;
    params.shape = shape;
    spread = std::floor(spread * 16) / 16;  // halves stay on the 1/1024 m grid
    float amplitude = 1, sum = 0;
    for (int i = 0; i < octaves; ++i) sum += std::ldexp(1.0F, -i);
    for (int i = 0; i < octaves; ++i) {
      NoiseOctave o;
      o.period = o.period_z = spread;
      for (std::int32_t axis = 0; axis < 3; ++axis) {
        FrameAxis a;
        a.ax = axis == 0 ? 1 : 0;
        a.ay = axis == 1 ? 1 : 0;
        a.period_1024 = static_cast<std::int64_t>(spread * 1024);
        program_.frame_axes.push_back(a);
        o.axis[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(program_.frame_axes.size() - 1);
      }
      o.amplitude = amplitude / sum;
      o.seed = seed * 31 + static_cast<std::uint32_t>(i);
      params.octaves.push_back(o);
      amplitude *= 0.5F;
      spread *= 0.5F;
    }
    program_.noises.push_back(params);
    const auto param = static_cast<std::uint32_t>(program_.noises.size() - 1);
    const NodeId x = leaf(Opcode::kX), y = leaf(Opcode::kY);
    if (three) return add(Opcode::kNoise3, {x, y, leaf(Opcode::kZ)}, param);
    return add(Opcode::kNoise2, {x, y}, param);
  }
  NodeId wave(NodeId u, float period, bool along_y) {
    FrameAxis a;
    a.ax = along_y ? 0 : 1;
    a.ay = along_y ? 1 : 0;
    a.period_1024 = static_cast<std::int64_t>(period * 1024);
    program_.frame_axes.push_back(a);
    program_.periodics.push_back({static_cast<std::uint32_t>(program_.frame_axes.size() - 1), period, 1});
    return add(Opcode::kWave, {u}, static_cast<std::uint32_t>(program_.periodics.size() - 1));
  }
  /// One node for each position, shared.
  NodeId leaf(Opcode op) {
    for (const auto& [known, node] : leaves_)
      if (known == op) return node;
    leaves_.emplace_back(op, add(op));
    return leaves_.back().second;
  }
  NodeId features(FeatureSetProgram set) {
    program_.constants.push_back(set.far);
    set.far_constant = static_cast<std::uint32_t>(program_.constants.size() - 1);
    program_.feature_sets.push_back(std::move(set));
    return add(Opcode::kFeatures, {}, static_cast<std::uint32_t>(program_.feature_sets.size() - 1));
  }
  /// phi <- min(phi, z, H - z): sealed rock around the content.
  std::shared_ptr<const Program> sealed(NodeId phi) {
    const NodeId z = leaf(Opcode::kZ);
    const NodeId roof = add(Opcode::kSubtract, {number(program_.height_m), z});
    program_.outputs = {add(Opcode::kMin, {phi, add(Opcode::kMin, {z, roof})})};
    return std::make_shared<const Program>(std::move(program_));
  }
  Program finish(NodeId output) {
    program_.outputs = {output};
    return std::move(program_);
  }

 private:
  Program program_;
  std::vector<std::pair<Opcode, NodeId>> leaves_;
};

inline constexpr Box2f kWideWindow{-1600, -1600, 2600, 2600};

inline std::shared_ptr<const BoundField> bound(std::shared_ptr<const Program> program, Frame frame = {},
                                               std::vector<std::vector<FeatureInstance>> sets = {}) {
  sets.resize(program->feature_sets.size());
  return std::make_shared<const BoundField>(
      bind_field(std::move(program), frame, kWideWindow, std::move(sets), 0x1234567U));
}

/// Hills of 5 octaves under a roof of 3, both roughened by 3 octaves in 3D.
inline std::shared_ptr<const Program> surface_program(float rough_m = 1.2F) {
  ProgramMaker m(96);
  const NodeId z = m.leaf(Opcode::kZ);
  const NodeId ground = m.add(Opcode::kAdd, {m.number(24), m.scaled(m.noise(false, 120, 5, 1), 14)});
  const NodeId roof = m.add(Opcode::kAdd, {m.number(74), m.scaled(m.noise(false, 90, 3, 2), 9)});
  const NodeId above = m.scaled(m.add(Opcode::kSubtract, {z, ground}), 0.75F);
  const NodeId below = m.scaled(m.add(Opcode::kSubtract, {roof, z}), 0.75F);
  const NodeId room = m.add(Opcode::kMin, {above, below});
  if (rough_m <= 0) return m.sealed(room);
  return m.sealed(m.add(Opcode::kAdd, {room, m.scaled(m.noise(true, 12, 3, 3), rough_m)}));
}

/// Caves between two noises in rock.
inline std::shared_ptr<const Program> cave_program() {
  ProgramMaker m(64);
  const NodeId a = m.add(Opcode::kAbs, {m.noise(true, 40, 4, 7)});
  const NodeId b = m.add(Opcode::kAbs, {m.noise(true, 48, 2, 8)});
  const NodeId tunnel = m.add(Opcode::kMax, {a, b});
  const NodeId phi = m.scaled(m.add(Opcode::kSubtract, {m.number(0.12F), tunnel}), 9);
  return m.sealed(phi);
}

/// Floating ellipsoids in air, one set, blended.
inline std::shared_ptr<const Program> islands_program() {
  ProgramMaker shape(96);
  const NodeId v0 = shape.add(Opcode::kValue, {}, 0), v1 = shape.add(Opcode::kValue, {}, 1);
  const NodeId body = shape.add(Opcode::kEllipsoid, {shape.leaf(Opcode::kLocalX), shape.leaf(Opcode::kLocalY),
                                                     shape.leaf(Opcode::kLocalZ), v0, v0, v1});
  const NodeId rough = shape.scaled(shape.noise(true, 10, 2, 5), 0.7F);
  FeatureSetProgram set;
  set.name = "islands";
  set.blend = 1.5F;
  set.far = 4;
  set.value_count = 2;
  set.shape = shape.finish(shape.add(Opcode::kAdd, {body, rough}));
  ProgramMaker m(96);
  return m.sealed(m.features(std::move(set)));
}

/// For the same places: a shape of many choices, of the place and not, whose decisions leave every kind.
inline std::shared_ptr<const Program> towers_program(float blend) {
  ProgramMaker shape(96);
  const NodeId radius = shape.add(Opcode::kValue, {}, 0), height = shape.add(Opcode::kValue, {}, 1);
  const NodeId x = shape.leaf(Opcode::kLocalX), y = shape.leaf(Opcode::kLocalY),
               z = shape.leaf(Opcode::kLocalZ);
  const auto op = [&](Opcode code, std::initializer_list<NodeId> in) { return shape.add(code, in); };
  const auto slab = [&](NodeId axis) { return op(Opcode::kSubtract, {op(Opcode::kAbs, {axis}), radius}); };
  const NodeId side = op(Opcode::kMax, {slab(x), shape.number(-2)});
  const NodeId cap = op(Opcode::kMin, {op(Opcode::kSubtract, {z, height}), shape.scaled(z, 0.5F)});
  const NodeId rough =
      op(Opcode::kMin, {shape.scaled(shape.noise(true, 10, 2, 5), 0.7F), shape.number(0.1F)});
  const NodeId flat = op(Opcode::kMax, {shape.scaled(shape.noise(false, 14, 1, 6), 0.5F), shape.number(0)});
  const NodeId wall = op(Opcode::kMax, {side, slab(y)});
  const NodeId body = op(Opcode::kMax, {op(Opcode::kAdd, {wall, rough}), op(Opcode::kAdd, {cap, flat})});
  const NodeId door = op(Opcode::kNegate, {op(Opcode::kBox, {x, y, z, radius, shape.number(1), height})});
  FeatureSetProgram set;
  set.name = "towers";
  set.blend = blend;
  set.far = 4;
  set.value_count = 2;
  set.shape = shape.finish(
      op(Opcode::kMin, {op(Opcode::kMax, {body, door}), op(Opcode::kSphere, {x, y, z, shape.number(2)})}));
  ProgramMaker m(96);
  return m.sealed(m.features(std::move(set)));
}

/// The boxes as the plan makes them.
inline void set_boxes(FeatureInstance& f, const FeatureSetProgram& set) {
  const auto about = [&](float by) {
    const float c = std::fabs(f.yaw_cos), s = std::fabs(f.yaw_sin), slack = 1.0F / 64;
    const float hx = c * (f.extent_max.x + by) + s * (f.extent_max.y + by) + slack;
    const float hy = s * (f.extent_max.x + by) + c * (f.extent_max.y + by) + slack;
    return Box3f{{f.at.x - hx, f.at.y - hy, f.at.z + f.extent_min.z - by - slack},
                 {f.at.x + hx, f.at.y + hy, f.at.z + f.extent_max.z + by + slack}};
  };
  f.sign_box = about(set.blend);
  f.value_box = about(set.far + set.blend);
}

/// `count` islands in a square of `side_m` about the frame's origin.
inline std::vector<FeatureInstance> scattered_islands(const Program& program, int count, float side_m) {
  std::vector<FeatureInstance> out;
  for (int i = 0; i < count; ++i) {
    const auto u = [&](std::uint64_t k) {
      return unit_float(hash_words({std::uint64_t{99}, static_cast<std::uint64_t>(i), k}));
    };
    FeatureInstance f;
    f.id = {hash_words({static_cast<std::uint64_t>(i), 5})};
    const auto snap = [](float v) { return std::floor(v * 64) / 64; };
    f.at = {snap((u(0) - 0.5F) * side_m), snap((u(1) - 0.5F) * side_m), snap(12 + 70 * u(2))};
    const float r = 4 + 8 * u(3), h = 3 + 3 * u(4);
    f.values[0] = r;
    f.values[1] = h;
    f.yaw_cos = 0.6F;
    f.yaw_sin = 0.8F;
    f.extent_min = {-r - 3, -r - 3, -h - 3};
    f.extent_max = {r + 3, r + 3, h + 3};
    set_boxes(f, program.feature_sets[0]);
    out.push_back(f);
  }
  return out;
}

/// The pinned scene of 50 primitives: a balanced tree of smooth unions, k = 1.5 m, in a cube of 64 m.
inline std::shared_ptr<const Program> csg_program(bool sealed = true) {
  ProgramMaker m(64);
  std::mt19937 random(42);
  const auto uniform = [&](float a, float b) {
    return a + (b - a) * static_cast<float>(static_cast<double>(random()) / 4294967296.0);
  };
  const NodeId x = m.leaf(Opcode::kX), y = m.leaf(Opcode::kY), z = m.leaf(Opcode::kZ);
  std::vector<NodeId> level;
  for (int i = 0; i < 50; ++i) {
    std::array<float, 3> c{};
    for (float& v : c) v = uniform(-26, 26);
    const auto minus = [&](NodeId p, float by) { return m.add(Opcode::kSubtract, {p, m.number(by)}); };
    // The cube's middle stands at (32, 32, 32).
    const NodeId px = minus(x, c[0] + 32), py = minus(y, c[1] + 32), pz = minus(z, c[2] + 32);
    if (i % 3 == 0) {
      level.push_back(m.add(Opcode::kSphere, {px, py, pz, m.number(uniform(2, 5))}));
    } else if (i % 3 == 1) {
      const float ax = uniform(-10, 10), ay = uniform(-5, 5), az = uniform(-10, 10), r = uniform(1.5F, 3);
      const NodeId zero = m.number(0);
      level.push_back(m.add(Opcode::kCapsule, {px, py, pz, zero, zero, zero, m.number(ax), m.number(ay),
                                               m.number(az), m.number(r)}));
    } else {
      const float hx = uniform(1.5F, 4), hy = uniform(1.5F, 4), hz = uniform(1.5F, 4);
      level.push_back(m.add(Opcode::kBox, {px, py, pz, m.number(hx), m.number(hy), m.number(hz)}));
    }
  }
  while (level.size() > 1) {
    std::vector<NodeId> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(m.smin(level[i], level[i + 1], 1.5F));
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  if (sealed) return m.sealed(level[0]);
  return std::make_shared<const Program>(m.finish(level[0]));
}

/// A random graph over positions, noise, waves and all kinds of arithmetic; finite everywhere.
inline std::shared_ptr<const Program> random_program(std::uint32_t seed) {
  ProgramMaker m(48);
  std::mt19937 random(seed);
  const auto word = [&] { return static_cast<std::uint32_t>(random()); };
  const auto pick = [&](std::uint32_t n) { return word() % n; };
  const auto real = [&](float a, float b) {
    return a + (b - a) * static_cast<float>(random() % 1024) / 1024;
  };
  std::vector<NodeId> pool;
  const NodeId z = m.leaf(Opcode::kZ);
  pool.push_back(m.scaled(m.noise(false, real(20, 90), 1 + static_cast<int>(pick(4)), word()), real(2, 9)));
  pool.push_back(m.scaled(m.noise(true, real(8, 40), 1 + static_cast<int>(pick(3)), word()), real(1, 4)));
  pool.push_back(m.add(Opcode::kSubtract, {z, m.number(real(8, 40))}));
  pool.push_back(m.add(Opcode::kSubtract, {m.number(real(8, 40)), z}));
  pool.push_back(m.scaled(m.wave(m.leaf(Opcode::kX), std::floor(real(10, 60)), false), real(1, 6)));
  pool.push_back(m.scaled(m.wave(m.leaf(Opcode::kY), std::floor(real(10, 60)), true), real(1, 6)));
  pool.push_back(m.scaled(m.noise(false, real(10, 30), 2, word(), NoiseShape::kRidged), real(1, 5)));
  const auto some = [&] { return pool[pick(static_cast<std::uint32_t>(pool.size()))]; };
  for (int i = 0; i < 24; ++i) {
    const NodeId a = some(), b = some(), c = some();
    switch (pick(9)) {
      case 0:
        pool.push_back(m.add(Opcode::kMin, {a, b}));
        break;
      case 1:
        pool.push_back(m.add(Opcode::kMax, {a, b}));
        break;
      case 2:
        pool.push_back(m.smin(a, b, real(0.5F, 4)));
        break;
      case 3:
        pool.push_back(m.scaled(m.add(Opcode::kAdd, {a, b}), 0.6F));
        break;
      case 4:
        pool.push_back(m.scaled(m.add(Opcode::kSubtract, {a, b}), 0.6F));
        break;
      case 5:
        pool.push_back(m.add(Opcode::kAbs, {a}));
        break;
      case 6:
        pool.push_back(m.add(Opcode::kMix, {a, b, m.scaled(c, 0.25F)}));
        break;
      case 7:
        pool.push_back(m.scaled(m.add(Opcode::kLength2, {a, b}), 0.7F));
        break;
      default:
        pool.push_back(m.add(Opcode::kNegate, {a}));
        break;
    }
  }
  return m.sealed(m.add(Opcode::kMax, {some(), m.smin(pool.back(), some(), 2)}));
}

}  // namespace vf::test
