#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "math/vec.h"
#include "render/beam_tracer.h"
#include "render/field_tracer.h"
#include "render/formula_field.h"
#include "render/sampling.h"
#include "render/scenes_for_tests.h"
#include "render/trace_grid.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

const Vec3f kEye{-5, 0, 4};

std::vector<Ray> fan(Vec3f origin, int count) {
  std::vector<Ray> rays;
  for (int i = 0; i < count; ++i) {
    const Point2 p = net_point(static_cast<std::uint32_t>(i));
    Ray ray;
    ray.origin = origin;
    ray.dir = normalized({1, 1.2F * (p.u - 0.5F), 0.8F * (p.v - 0.5F)});
    rays.push_back(ray);
  }
  return rays;
}

// First hit of the hall with the ball, in closed form.
float true_distance(const Ray& ray) {
  float t =
      ray.dir.z > 0 ? (20 - ray.origin.z) / ray.dir.z : (ray.dir.z < 0 ? -ray.origin.z / ray.dir.z : 1e9F);
  const Vec3f to = Vec3f{8, 0, 3} - ray.origin;
  const float along = dot(to, ray.dir), off = dot(to, to) - along * along;
  if (along > 0 && off < 4) t = std::min(t, along - std::sqrt(4 - off));
  return t;
}

TEST(FieldTracer, HitsFloorsAndBallsWhereTheyAre) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, kEye);
  const std::vector<Ray> rays = fan(kEye, 2000);
  std::vector<RayHit> hits(rays.size());
  FieldTracer(grid, field).trace(rays, hits);
  int compared = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const float t = true_distance(rays[i]);
    if (std::fabs((rays[i].origin + rays[i].dir * t).y) > 39 || t * rays[i].dir.x > 44)
      continue;  // left the known part
    ASSERT_TRUE(hits[i].hit) << i;
    // A way that only just misses the ball may end there: less than a tenth of a pixel is no miss.
    EXPECT_LT(std::fabs(hall_with_ball(hits[i].p)), 0.0001F * t + 0.001F) << i;
    if (std::fabs(dot(hits[i].normal, rays[i].dir)) < 0.1F) continue;
    EXPECT_NEAR(hits[i].t, t, 0.004F + 0.001F * t) << i;
    ++compared;
  }
  EXPECT_GT(compared, 700);
}

TEST(FieldTracer, HitsTheSamePlacesWhenTheFieldIsScaled) {
  const FormulaField field([](Vec3f p) { return 0.16F * hall_with_ball(p); }, 1);
  const TraceGrid grid = grid_about(field, kEye);
  const std::vector<Ray> rays = fan(kEye, 1000);
  std::vector<RayHit> hits(rays.size());
  FieldTracer(grid, field).trace(rays, hits);
  int compared = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (!hits[i].hit || std::fabs(dot(hits[i].normal, rays[i].dir)) < 0.1F) continue;
    EXPECT_NEAR(hits[i].t, true_distance(rays[i]), 0.004F + 0.001F * hits[i].t) << i;
    ++compared;
  }
  EXPECT_GT(compared, 400);
}

TEST(FieldTracer, NeverMissesAWallTwoCentimetresThick) {
  const FormulaField field(hall_with_thin_wall, 1);
  const TraceGrid grid = grid_about(field, kEye);
  const std::vector<Ray> rays = fan(kEye, 4000);
  std::vector<RayHit> hits(rays.size());
  FieldTracer(grid, field).trace(rays, hits);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_TRUE(hits[i].hit) << i;
    EXPECT_LE(hits[i].p.x, 10.0F) << i;
  }
}

TEST(FieldTracer, NeverPassesWhatIsThickerThanAPixel) {
  const FormulaField field(hall_with_plates, 1);
  const TraceGrid grid = grid_about(field, kEye);
  const std::vector<Ray> rays = fan(kEye, 20000);
  std::vector<RayHit> hits(rays.size());
  FieldTracer(grid, field).trace(rays, hits);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    // Surely hit: everything is half a pixel thinner, and no step is longer than the way to the nearest rock.
    float t = 0;
    for (int step = 0; step < 2000 && t < 40; ++step) {
      const float v = hall_with_plates(rays[i].origin + rays[i].dir * t) + 0.0005F * t;
      if (v < 0.0005F) break;
      t += 0.999F * v;
    }
    if (t >= 40) continue;
    EXPECT_LT(hits[i].t, t + 0.004F + 0.002F * t) << i;
  }
}

TEST(BeamTracer, NoRayOfABeamMeetsRockBeforeItsEnd) {
  const FormulaField field(hall_with_plates, 1);
  const TraceGrid grid = grid_about(field, kEye);
  std::vector<Beam> beams;
  for (const Ray& ray : fan(kEye, 500)) beams.push_back({kEye, ray.dir, 0.01F});
  std::vector<float> free(beams.size());
  BeamTracer(grid, field).trace(beams, free);
  double way = 0;
  for (std::size_t i = 0; i < beams.size(); ++i) {
    way += static_cast<double>(free[i]);
    const Basis frame = basis_about(beams[i].dir);
    for (std::uint32_t k = 0; k < 16; ++k) {
      const Point2 spot = disc_point(net_point(k));
      const Vec3f dir = normalized(beams[i].dir + (frame.u * spot.u + frame.v * spot.v) * beams[i].spread);
      for (float t = 0; t < free[i]; t += 0.02F)
        ASSERT_GT(hall_with_plates(kEye + dir * t), 0) << i << " at " << t << " of " << free[i];
    }
  }
  EXPECT_GT(way / static_cast<double>(beams.size()), 8);
}

TEST(FieldTracer, AnswersEachRayTheSameAloneAndInABatch) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, kEye);
  const std::vector<Ray> rays = fan(kEye, 300);
  std::vector<RayHit> together(rays.size());
  FieldTracer tracer(grid, field);
  tracer.trace(rays, together);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    RayHit alone;
    tracer.trace({&rays[i], 1}, {&alone, 1});
    EXPECT_EQ(alone.t, together[i].t);
    EXPECT_EQ(alone.normal, together[i].normal);
  }
}

TEST(FieldTracer, NormalsPointOutOfTheRock) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, kEye);
  const std::vector<Ray> rays = fan(kEye, 500);
  std::vector<RayHit> hits(rays.size());
  FieldTracer(grid, field).trace(rays, hits);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (!hits[i].hit) continue;
    EXPECT_NEAR(length(hits[i].normal), 1, 1e-4F);
    EXPECT_LT(dot(hits[i].normal, rays[i].dir), 0.02F);
  }
}

TEST(TraceGrid, SampledSurfaceIsWithinAVoxelOfTheTrueOne) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, kEye);
  for (const Ray& ray : fan(kEye, 2000)) {
    GridRay sampled;
    sampled.origin = ray.origin, sampled.dir = ray.dir;
    const GridHit hit = grid.trace(sampled);
    if (!hit.hit) continue;
    const Vec3f p = ray.origin + ray.dir * hit.t;
    EXPECT_LT(std::fabs(hall_with_ball(p)), grid.voxel_at(p));
  }
}

TEST(TraceGrid, ProvenCellsHoldNoSurface) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, kEye);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Vec3f p{80 * unit_float(mix64(3 * i)) - 40, 80 * unit_float(mix64(3 * i + 1)) - 40,
                  32 * unit_float(mix64(3 * i + 2)) - 6};
    const CellState state = grid.cell_at(p).state;
    if (state == CellState::kAir) {
      EXPECT_GT(hall_with_ball(p), 0);
    }
    if (state == CellState::kSolid) {
      EXPECT_LT(hall_with_ball(p), 0);
    }
  }
}

TEST(TraceGrid, IsTheSameForAnyNumberOfWorkers) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid one = grid_about(field, kEye, 1), three = grid_about(field, kEye, 3);
  ASSERT_EQ(one.brick_count(), three.brick_count());
  for (const Ray& ray : fan(kEye, 500)) {
    GridRay sampled;
    sampled.origin = ray.origin, sampled.dir = ray.dir;
    const GridHit a = one.trace(sampled), b = three.trace(sampled);
    EXPECT_EQ(a.t, b.t);
    EXPECT_EQ(a.brick, b.brick);
  }
}

TEST(TraceGrid, MeasuresRockAlongARay) {
  const FormulaField field(hall_with_ball, 1);
  const TraceGrid grid = grid_about(field, kEye);
  GridRay ray;
  ray.origin = {0, 0, 3}, ray.dir = {1, 0, 0}, ray.t_max = 20;
  EXPECT_NEAR(grid.rock_along(ray), 4, 0.4F);
  ray.origin = {0, 0, 4}, ray.dir = {0, 0, 1}, ray.t_max = 21;
  EXPECT_NEAR(grid.rock_along(ray), 5, 0.4F);
}

}  // namespace
}  // namespace vf::render
