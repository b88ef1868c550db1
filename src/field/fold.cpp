#include "field/fold.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"

namespace vf {

std::optional<float> fold_basic(Opcode op, std::span<const float> in) {
  const float a = !in.empty() ? in[0] : 0.0F;
  const float b = in.size() > 1 ? in[1] : 0.0F;
  switch (op) {
    case Opcode::kNegate:
      return -a;
    case Opcode::kAbs:
      return std::fabs(a);
    case Opcode::kFloor:
      return std::floor(a) + 0.0F;
    case Opcode::kSqrt:
      return std::sqrt(a);
    case Opcode::kSquare:
      return a * a;
    case Opcode::kCube:
      return a * a * a;
    case Opcode::kSnap:
      return std::floor(1024.0F * a + 0.5F) * (1.0F / 1024.0F);
    case Opcode::kAdd:
      return a + b;
    case Opcode::kSubtract:
      return a - b;
    case Opcode::kMultiply:
      return a * b;
    case Opcode::kDivide:
      return a / b;
    case Opcode::kMin:
      return b < a ? b : a;
    case Opcode::kMax:
      return a < b ? b : a;
    case Opcode::kMod:
      return a - b * std::floor(a / b);
    default:
      return std::nullopt;
  }
}

float fold_by_evaluator(const Node& node, const Program& tables, std::span<const float> in) {
  auto program = std::make_shared<Program>();
  program->constants = tables.constants;
  program->frame_axes = tables.frame_axes;
  program->affines = tables.affines;
  program->periodics = tables.periodics;
  program->splines = tables.splines;
  Node folded = node;
  for (std::size_t i = 0; i < in.size(); ++i) {
    Node constant;
    constant.param = static_cast<std::uint32_t>(program->constants.size());
    program->constants.push_back(in[i]);
    folded.in[i] = static_cast<NodeId>(i);
    program->nodes.push_back(constant);
  }
  folded.kind = Kind::kConstant;
  program->outputs = {static_cast<NodeId>(program->nodes.size())};
  program->nodes.push_back(folded);
  program->places.resize(program->nodes.size());
  const Tape tape = full_tape(*program);
  const BoundField field = bind_field(std::move(program), {}, {}, {}, 0);
  const float zero = 0;
  float value = 0;
  const std::array<float*, 1> out{&value};
  PointBatch point;
  point.count = 1;
  point.x = point.y = point.z = &zero;
  BatchEvaluator(field, SimdLevel::kScalar).points(tape, point, out);
  return value;
}

}  // namespace vf
