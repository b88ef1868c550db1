// What an eye sees of the mesh is what it would see of the field: silhouettes agree within a voxel.
#include <gtest/gtest.h>
#include <cstdint>

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "field/bound_field.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/collider.h"
#include "mesh/ground.h"
#include "mesh/region_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "test_support/programs.h"

namespace vf {
namespace {

using namespace test;

constexpr float kReachM = 14;
constexpr float kStepM = kVoxelM / 16;

/// Where a ray first meets rock, by samples 1/16 voxel apart on the whole program.
std::optional<float> march(FieldSampler& sampler, Vec3f from, Vec3f d) {
  constexpr auto kSteps = static_cast<std::size_t>(kReachM / kStepM);
  std::vector<float> x(kSteps), y(kSteps), z(kSteps), v(kSteps);
  for (std::size_t i = 0; i < kSteps; ++i) {
    const Vec3f p = from + d * (kStepM * static_cast<float>(i));
    x[i] = p.x, y[i] = p.y, z[i] = p.z;
  }
  sampler.values(kSteps, x.data(), y.data(), z.data(), v.data());
  for (std::size_t i = 0; i < kSteps; ++i)
    if (v[i] < 0) return kStepM * static_cast<float>(i);
  return std::nullopt;
}

struct Seen {
  int same = 0, shifted = 0, wrong = 0, rays = 0;
};

/// From a place in the air, rays in all directions. Where field and mesh disagree in depth by more than a
/// voxel, a ray one voxel aside must see of the mesh what this one sees of the field: a silhouette passes
/// between them.
Seen look(const std::shared_ptr<const BoundField>& field, const Ground& ground, Vec3f eye) {
  FieldSampler sampler(field, best_simd_level());
  Seen seen;
  constexpr int kRays = 1500;
  for (int i = 0; i < kRays; ++i) {
    const float z = 1 - 2 * (static_cast<float>(i) + 0.5F) / kRays, turn = 2.3999632F * static_cast<float>(i);
    const float r = std::sqrt(1 - z * z);
    const Vec3f d{r * std::cos(turn), r * std::sin(turn), z};
    ++seen.rays;
    const std::optional<float> truth = march(sampler, eye, d);
    const auto agrees = [&](Vec3f from) {
      const std::optional<RayHit> hit = ground.ray(from, d, kReachM + kVoxelM);
      if (!truth) return !hit || hit->distance_m > kReachM - kVoxelM;
      return hit ? std::fabs(hit->distance_m - *truth) <= kVoxelM : *truth > kReachM - 2 * kVoxelM;
    };
    if (agrees(eye)) {
      ++seen.same;
      continue;
    }
    const Vec3f side = std::fabs(d.z) < 0.9F ? Vec3f{-d.y / r, d.x / r, 0} : Vec3f{1, 0, 0};
    const Vec3f up{d.y * side.z - d.z * side.y, d.z * side.x - d.x * side.z, d.x * side.y - d.y * side.x};
    bool near = false;
    for (int k = 0; k < 16 && !near; ++k) {
      const float a = 0.39269908F * static_cast<float>(k), w = k % 2 == 0 ? kVoxelM : kVoxelM / 2;
      near = agrees(eye + side * (w * std::cos(a)) + up * (w * std::sin(a)));
    }
    ++(near ? seen.shifted : seen.wrong);
  }
  return seen;
}

TEST(MeshSilhouetteSlow, AgreesWithTheFieldWithinAVoxel) {
  const auto islands = islands_program();
  const std::vector<std::shared_ptr<const BoundField>> fields{
      bound(surface_program()), bound(cave_program()), bound(csg_program()),
      bound(islands, {}, {scattered_islands(*islands, 60, 120)})};
  int eyes = 0;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto& field = fields[f];
    std::vector<TileKey> tiles;
    const TileSpan span = stratum_tiles(0, field->program->height_m);
    for (std::int32_t ty = -3; ty < 3; ++ty)
      for (std::int32_t tx = -3; tx < 3; ++tx)
        for (std::int32_t tz = span.first; tz <= span.last; ++tz) tiles.push_back({0, tx, ty, tz});
    const Ground ground =
        make_ground(evaluate_for_mesh(field, tiles, {best_simd_level(), true}, 2), best_simd_level(), 2);
    FieldSampler sampler(field, best_simd_level());
    int here = 0;
    for (int i = 0; i < 400 && here < 3; ++i) {
      const Vec3f eye{static_cast<float>(i % 9) - 4, static_cast<float>(i / 9 % 9) - 4,
                      field->program->height_m * (0.15F + 0.7F * static_cast<float>(i * 7 % 11) / 11)};
      if (sampler.value(eye) < 0.6F) continue;
      ++here;
      ++eyes;
      const Seen seen = look(field, ground, eye);
      EXPECT_EQ(seen.wrong, 0) << "field " << f << " from " << eye.x << ", " << eye.y << ", " << eye.z;
      EXPECT_GE(seen.same, seen.rays * 95 / 100);
    }
  }
  EXPECT_GE(eyes, 9);
}

}  // namespace
}  // namespace vf
