// Meshes of fields: closed, near the surface, and the same whichever way they were made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "audit/mesh_audit.h"
#include "base/digest.h"
#include "field/bound_field.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/mesh_digest.h"
#include "mesh/region_mesh.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "test_support/programs.h"
#include "test_support/region_meshes.h"

namespace vf {
namespace {

using namespace test;

using Field = std::shared_ptr<const BoundField>;

std::vector<std::pair<std::string, Field>> all_fields() {
  std::vector<std::pair<std::string, Field>> out{{"surface", bound(surface_program())},
                                                 {"surface without relief", bound(surface_program(0))},
                                                 {"cave", bound(cave_program())},
                                                 {"csg", bound(csg_program())}};
  const auto islands = islands_program();
  out.emplace_back("islands", bound(islands, {}, {scattered_islands(*islands, 60, 120)}));
  for (std::uint32_t seed = 1; seed <= 6; ++seed)
    out.emplace_back("random " + std::to_string(seed), bound(random_program(seed)));
  return out;
}

std::vector<TileKey> some_tiles(const BoundField& field, int level, int columns) {
  std::vector<TileKey> out;
  const TileSpan span = stratum_tiles(level, field.program->height_m);
  for (std::int32_t ty = -1; ty < columns - 1; ++ty)
    for (std::int32_t tx = -1; tx < columns - 1; ++tx)
      for (std::int32_t tz = span.first; tz <= span.last; ++tz) out.push_back({level, tx, ty, tz});
  return out;
}

TEST(FieldMeshSlow, AreClosedAndManifoldAtEveryLevel) {
  for (const auto& [name, field] : all_fields()) {
    for (int level = 0; level <= 3; ++level) {
      const MeshAudit a = audit(mesh(field, some_tiles(*field, level, 3), {best_simd_level(), true}, 1));
      EXPECT_GT(a.triangles, 0U) << name;
      EXPECT_EQ(a.faults(), 0U) << name << ", level " << level << ": " << a.first;
    }
  }
}

TEST(FieldMeshSlow, DoNotDependOnPruning) {
  for (const auto& [name, field] : all_fields()) {
    for (int level = 0; level <= 2; ++level) {
      const auto tiles = some_tiles(*field, level, 2);
      const Digest pruned = mesh(field, tiles, {best_simd_level(), true}, 1).digest();
      const Digest whole = mesh(field, tiles, {best_simd_level(), false}, 1).digest();
      EXPECT_EQ(to_hex(pruned), to_hex(whole)) << name << ", level " << level;
    }
  }
}

TEST(FieldMeshSlow, DoNotDependOnInstructionsOrWorkers) {
  for (const auto& [name, field] : all_fields()) {
    const auto tiles = some_tiles(*field, 0, 2);
    const Digest scalar = mesh(field, tiles, {SimdLevel::kScalar, true}, 1).digest();
    for (const SimdLevel level : supported_simd_levels())
      EXPECT_EQ(to_hex(mesh(field, tiles, {level, true}, 1).digest()), to_hex(scalar)) << name;
    for (const unsigned workers : {2U, 8U})
      EXPECT_EQ(to_hex(mesh(field, tiles, {best_simd_level(), true}, workers).digest()), to_hex(scalar))
          << name;
  }
}

/// The inside of a tile depends on the tile alone: not on which others were asked for.
TEST(FieldMesh, ATileIsTheSameInEveryRegion) {
  const Field field = bound(cave_program());
  const std::vector<TileKey> many = some_tiles(*field, 0, 3);
  const std::vector<TileKey> one{many[many.size() / 2]};
  const Meshes all = mesh(field, many, {best_simd_level(), true}, 1);
  const Meshes alone = mesh(field, one, {best_simd_level(), true}, 1);
  EXPECT_FALSE(alone.mesh.tiles[0].inside.triangles.empty());
  EXPECT_EQ(to_hex(digest_of(alone.mesh.tiles[0].inside)),
            to_hex(digest_of(all.mesh.tiles[many.size() / 2].inside)));
}

/// Distance along the field's own slope, by the plain sampling interface.
TEST(FieldMesh, VerticesStandOnTheSurface) {
  for (const auto& [name, field] : all_fields()) {
    const Meshes m = mesh(field, some_tiles(*field, 0, 2), {best_simd_level(), true}, 1);
    FieldSampler sampler(field, best_simd_level());
    std::vector<double> off;
    for (const TileMesh& tile : m.mesh.tiles) {
      const Vec3f origin = tile_origin(tile.inside.anchor);
      constexpr float kUnit = kVoxelM / kVoxelUnits;
      for (const MeshVertex& v : tile.inside.vertices) {
        const float x = origin.x + kUnit * static_cast<float>(v.x),
                    y = origin.y + kUnit * static_cast<float>(v.y),
                    z = origin.z + kUnit * static_cast<float>(v.z);
        float value = 0, gx = 0, gy = 0, gz = 0;
        sampler.gradients(1, &x, &y, &z, &value, &gx, &gy, &gz);
        const float slope = std::max(0.1F, std::sqrt(gx * gx + gy * gy + gz * gz));
        off.push_back(static_cast<double>(std::fabs(value) / slope / kVoxelM));
      }
    }
    ASSERT_FALSE(off.empty()) << name;
    std::sort(off.begin(), off.end());
    EXPECT_LE(off[off.size() / 2], 1 / 31.0)
        << name << ": the median vertex, in voxels; a floor on the lattice is at a margin";
    EXPECT_LE(off[off.size() * 98 / 100], 0.1) << name << ": 98 % of the vertices, in voxels";
  }
}

}  // namespace
}  // namespace vf
