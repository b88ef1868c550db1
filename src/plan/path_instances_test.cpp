// What the shapes of paths promise, over all the pieces that the planner may lay.
#include "plan/path_instances.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "field/analysis.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/builder_graph.h"
#include "field/opcode.h"
#include "field/path_shapes.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"

namespace vf {
namespace {

constexpr Box2f kWindow{0, 0, 256, 256};

/// One output a path set: the union of its places and nothing else.
std::shared_ptr<const Program> sets_alone() {
  AnalysisScope scope;
  for (std::size_t s = 0; s < kPathSets; ++s) scope.sets.push_back(path_set_facts(static_cast<PathSet>(s)));
  Graph graph(scope, 96);
  std::vector<NodeId> outputs;
  for (std::size_t s = 0; s < kPathSets; ++s)
    outputs.push_back(graph.leaf(Opcode::kFeatures, {}, static_cast<std::uint32_t>(s)));
  auto program = std::make_shared<Program>(graph.finish(outputs));
  for (std::size_t s = 0; s < kPathSets; ++s) {
    program->feature_sets.push_back(path_set_program(static_cast<PathSet>(s), 96));
    program->feature_sets.back().far_constant = static_cast<std::uint32_t>(program->constants.size());
    program->constants.push_back(program->feature_sets.back().far);
  }
  return program;
}

/// A piece about (128, 128, 40) with everything a plan may give it.
PathPiece some_piece(std::uint64_t n) {
  const auto draw = [&](std::uint64_t stream) {
    return static_cast<double>(unit_float(hash_words({n, stream})));
  };
  PathPiece piece;
  piece.id = {n};
  piece.banked = true;
  const bool arc = n % 3 != 0, place = n % 7 == 3;
  const double radius = 9 + 40 * draw(0) * draw(1), angle = 0.05 + 0.55 * draw(2);
  const double chord = place ? 12 : arc ? 2 * radius * std::sin(angle / 2) : 1 + 13 * draw(3);
  const double heading = 6.28 * draw(4), run = arc && !place ? radius * angle : chord;
  const PlanPoint along{std::cos(heading), std::sin(heading)}, middle{128, 128};
  const double rise = place ? 0 : 0.2 * (2 * draw(5) - 1) * run;
  piece.from = position_um(middle - 0.5 * chord * along, 40 - rise / 2);
  piece.to = position_um(middle + 0.5 * chord * along, 40 + rise / 2);
  if (arc && !place) piece.curvature_nano = static_cast<std::int64_t>((n % 2 == 0 ? 1e9 : -1e9) / radius);
  if (place) piece.shape = PathShape::kPlace, piece.half_width_mm = 6000;
  if (n % 2 == 1) piece.kerb_mm = 900;
  return piece;
}

BoundField bind(const std::shared_ptr<const Program>& program, const PathPlan& plan) {
  std::vector<std::vector<FeatureInstance>> sets(kPathSets);
  add_path_instances(plan, 0, 0, {}, kWindow, sets);
  return bind_field(program, {}, kWindow, std::move(sets), 0);
}

/// path_set_facts promises a slope of 1 to all bounds; no analysis proves it, so it is held here.
TEST(PathShapes, AreNowhereSteeperThanOne) {
  const auto program = sets_alone();
  constexpr int kPoints = 4000;
  std::array<float, kPathSets> steepest{};
  for (std::uint64_t n = 1; n <= 120; ++n) {
    const BoundField field = bind(program, {{}, {}, {some_piece(n)}});
    std::vector<float> x, y, z;
    for (std::uint64_t i = 0; i < kPoints; ++i) {
      const auto draw = [&](std::uint64_t s) { return 2 * unit_float(hash_words({n, i, s})) - 1; };
      const Vec3f p = snap_to_grid({128 + 22 * draw(0), 128 + 22 * draw(1), 40 + 14 * draw(2)});
      x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
    }
    PointBatch points;
    points.count = x.size();
    points.x = x.data(), points.y = y.data(), points.z = z.data();
    std::vector<float> value(kPoints), gx(kPoints), gy(kPoints), gz(kPoints);
    for (std::size_t s = 0; s < kPathSets; ++s) {
      Program one = *program;
      one.outputs = {program->outputs[s]};
      Tape tape = full_tape(one);
      tape.candidates.assign(kPathSets, {});
      for (std::size_t k = 0; k < kPathSets; ++k)
        for (std::uint32_t i = 0; i < field.sets[k].instances.size(); ++i) tape.candidates[k].push_back(i);
      BatchEvaluator(field, SimdLevel::kScalar)
          .gradients(tape, points, value.data(), gx.data(), gy.data(), gz.data());
      for (std::size_t i = 0; i < x.size(); ++i)
        steepest.at(s) = std::max(steepest.at(s), std::sqrt(gx[i] * gx[i] + gy[i] * gy[i] + gz[i] * gz[i]));
    }
  }
  for (std::size_t s = 0; s < kPathSets; ++s)
    EXPECT_LE(steepest.at(s), 1.0001F) << program->feature_sets[s].name;
  for (const PathSet s : {PathSet::kFill, PathSet::kCut, PathSet::kPad, PathSet::kVoid})
    EXPECT_GT(steepest.at(static_cast<std::size_t>(s)), 0.7F) << "nothing was looked at";
}

}  // namespace
}  // namespace vf
