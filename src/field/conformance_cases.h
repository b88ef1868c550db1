// The table of the conformance suite: small random programs around each opcode. Part of the tests only.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "field/bound_field.h"
#include "field/opcode.h"
#include "math/box.h"

namespace vf::conformance {

/// Random numbers whose sequence is the same with every library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t word() { return engine_(); }
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  bool chance(float p) { return unit() < p; }
  float unit() { return static_cast<float>(engine_() >> 40) * 0x1p-24F; }
  float between(float lo, float hi) { return lo + (hi - lo) * unit(); }
  /// Multiple of 1/1024.
  float on_grid(float lo, float hi);

 private:
  std::mt19937_64 engine_;
};

/// A field whose output is (mostly) the op under test, and where to look at it.
struct Case {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const BoundField> field;
  Box3f domain;
  std::vector<float> lines[3];  ///< coordinates where something happens: lattices, wraps, ends
};

/// Every opcode that can stand in a density: all but those of plan and material formulas.
[[nodiscard]] std::vector<Opcode> field_opcodes();

/// A random field around `op`.
[[nodiscard]] Case make_case(Opcode op, Random& random);

/// The same program bound to another frame; its features moved along.
[[nodiscard]] std::shared_ptr<const BoundField> in_frame(const Case& c, Frame frame);

/// A random field around `op` whose value depends on world coordinates only, not on the frame. Null where the
/// op has no such use.
[[nodiscard]] std::shared_ptr<const Program> make_global_program(Opcode op, Random& random);

/// One op straight over x, y, z with the given constants: for searches at a chosen place.
struct ProgramMaker {
  std::shared_ptr<Program> program = std::make_shared<Program>();

  NodeId node(Opcode op, std::uint32_t param = 0, std::initializer_list<NodeId> in = {});
  NodeId node(Opcode op, std::uint32_t param, const std::vector<NodeId>& in);
  NodeId constant(float value);
  std::uint32_t constants(std::initializer_list<float> values);
  NodeId x() { return node(Opcode::kX); }
  NodeId y() { return node(Opcode::kY); }
  NodeId z() { return node(Opcode::kZ); }
  /// A new frame axis. [1/1024 m]
  std::uint32_t axis(std::int32_t ax, std::int32_t ay, std::int64_t period_1024, std::int64_t shift_1024 = 0);
  std::uint32_t periodic(std::int32_t ax, std::int32_t ay, std::int64_t period_1024, float scale);
  std::uint32_t noise(NoiseBasis basis, NoiseShape shape, int octaves, std::int64_t period_1024,
                      std::int64_t period_z_1024, Random& random);
  std::shared_ptr<const BoundField> bind(NodeId output, Frame frame = {},
                                         std::vector<std::vector<FeatureInstance>> sets = {});
};

}  // namespace vf::conformance
