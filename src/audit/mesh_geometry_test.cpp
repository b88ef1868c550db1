// Where vertices stand, measured against shapes whose surface is known exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "audit/mesh_audit.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "mesh/vertex_fit.h"
#include "test_support/meshes.h"

namespace vf {
namespace {

using namespace test;

constexpr double kRadians = 3.14159265358979 / 180;

/// A box, turned about z and then about x, in double precision: the judge.
struct TurnedBox {
  Vec3d centre{8.1, 8.3, 7.9};
  Vec3d half{2.6, 3.1, 2.2};
  double yaw = 30 * kRadians, roll = 20 * kRadians;

  [[nodiscard]] Vec3d local(Vec3d p) const {
    const double x = p.x - centre.x, y = p.y - centre.y, z = p.z - centre.z;
    const double y1 = std::cos(roll) * y + std::sin(roll) * z, z1 = std::cos(roll) * z - std::sin(roll) * y;
    return {std::cos(yaw) * x + std::sin(yaw) * y1, std::cos(yaw) * y1 - std::sin(yaw) * x, z1};
  }
  [[nodiscard]] Vec3d world(Vec3d q) const {
    const double x = std::cos(yaw) * q.x - std::sin(yaw) * q.y,
                 y1 = std::sin(yaw) * q.x + std::cos(yaw) * q.y;
    return {centre.x + x, centre.y + std::cos(roll) * y1 - std::sin(roll) * q.z,
            centre.z + std::sin(roll) * y1 + std::cos(roll) * q.z};
  }
  [[nodiscard]] double distance(Vec3d p) const {
    const Vec3d q = local(p);
    const Vec3d d{std::fabs(q.x) - half.x, std::fabs(q.y) - half.y, std::fabs(q.z) - half.z};
    const Vec3d out{std::max(d.x, 0.0), std::max(d.y, 0.0), std::max(d.z, 0.0)};
    return std::sqrt(out.x * out.x + out.y * out.y + out.z * out.z) +
           std::min(std::max({d.x, d.y, d.z}), 0.0);
  }
};

Vec3d metres(const MeshPoint& p) {
  constexpr double kUnit = 0.25 / kVoxelUnits;
  return {static_cast<double>(p.x) * kUnit, static_cast<double>(p.y) * kUnit,
          static_cast<double>(p.z) * kUnit};
}

std::vector<Vec3d> vertices_of(const MeshBlock& block) {
  std::vector<Vec3d> out;
  for (const MeshPiece* piece : block.pieces())
    for (const MeshVertex& v : piece->vertices) out.push_back(metres(point_of(*piece, v)));
  return out;
}

double distance(Vec3d a, Vec3d b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// Farthest and root mean square distance of the mesh from the surface, over vertices, edge middles and
/// centres of triangles. [voxels]
struct Deviation {
  double most = 0, rms = 0;
};
template <class Distance>
Deviation deviation_of(const MeshBlock& block, const Distance& surface, double voxel = 0.25) {
  double sum = 0, count = 0, most = 0;
  for (const MeshPiece* piece : block.pieces()) {
    for (const Triangle& t : piece->triangles) {
      std::array<Vec3d, 3> p;
      for (std::size_t i = 0; i < 3; ++i) p[i] = metres(point_of(*piece, piece->vertices[t.at[i]]));
      for (const auto& w : {std::array{1.0, 0.0, 0.0}, std::array{0.5, 0.5, 0.0}, std::array{0.0, 0.5, 0.5},
                            std::array{0.5, 0.0, 0.5}, std::array{1 / 3.0, 1 / 3.0, 1 / 3.0}}) {
        const Vec3d q{w[0] * p[0].x + w[1] * p[1].x + w[2] * p[2].x,
                      w[0] * p[0].y + w[1] * p[1].y + w[2] * p[2].y,
                      w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z};
        const double d = std::fabs(surface(q)) / voxel;
        most = std::max(most, d);
        sum += d * d;
        count += 1;
      }
    }
  }
  return {most, std::sqrt(sum / count)};
}

/// Distance from p to the nearest of the box's twelve edges.
double edge_distance(const TurnedBox& box, Vec3d p) {
  const Vec3d q = box.local(p);
  const Vec3d d{std::fabs(std::fabs(q.x) - box.half.x), std::fabs(std::fabs(q.y) - box.half.y),
                std::fabs(std::fabs(q.z) - box.half.z)};
  return std::min({std::hypot(d.x, d.y), std::hypot(d.y, d.z), std::hypot(d.x, d.z)});
}

bool at_margin(const MeshVertex& v) {
  const auto at = [](std::int16_t c) {
    const int in_cell = ((c % kVoxelUnits) + kVoxelUnits) % kVoxelUnits;
    return in_cell <= kCellMargin || in_cell >= kVoxelUnits - kCellMargin;
  };
  return at(v.x) || at(v.y) || at(v.z);
}

/// Vertices stay in their cells, so an edge that leaves a cell between two crossings, or a tip that lies in a
/// cell without any, cannot be met by that cell's vertex: it stands at the cell's margin. All others stand on
/// the surface, and those with two normals or more on an edge.
TEST(MeshGeometry, ATurnedBoxKeepsItsEdgesAndCorners) {
  double worst_edge = 0, worst_surface = 0, rms = 0;
  int creased = 0, held = 0, corners = 0;
  for (int place = 0; place < 16; ++place) {
    TurnedBox box;
    box.centre = {8.1 + 0.037 * place, 8.3 - 0.021 * place, 7.9 + 0.013 * place};
    box.roll = (place % 2) * 20 * kRadians;
    const MeshBlock block = mesh_block({0, 0, 0, 0}, 2, 2, 2, [&](Vec3f p) {
      return static_cast<float>(
          box.distance({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)}));
    });
    EXPECT_EQ(block.audit().faults(), 0U) << block.audit().first;
    std::map<MeshPoint, std::pair<int, bool>> points;  // normals, at the margin
    for (const TileMesh& tile : block.tiles) {
      for (const MeshVertex& v : tile.inside.vertices) {
        auto& entry = points[point_of(tile.inside, v)];
        ++entry.first;
        entry.second = at_margin(v);
      }
    }
    for (const auto& [point, entry] : points) {
      const Vec3d p = metres(point);
      if (entry.second) {
        if (entry.first > 1) ++held;
        continue;
      }
      worst_surface = std::max(worst_surface, std::fabs(box.distance(p)) / 0.25);
      if (entry.first < 2) continue;
      ++creased;
      worst_edge = std::max(worst_edge, edge_distance(box, p) / 0.25);
      if (entry.first >= 3) ++corners;
    }
    rms = std::max(rms, deviation_of(block, [&](Vec3d p) { return box.distance(p); }).rms);
  }
  EXPECT_LE(worst_edge, 0.1) << "voxels from a creased vertex to the nearest true edge";
  EXPECT_LE(worst_surface, 0.1) << "voxels from a vertex to the true surface";
  EXPECT_LE(rms, 0.02) << "voxels, over the whole mesh, the vertices at margins too";
  EXPECT_GT(creased, 16 * 100);
  EXPECT_GT(corners, 16 * 4);
  EXPECT_LT(held, creased / 2);
  RecordProperty("worst_edge_voxels", std::to_string(worst_edge));
  RecordProperty("worst_surface_voxels", std::to_string(worst_surface));
  RecordProperty("creased_at_margin_of_all_creased",
                 std::to_string(held) + "/" + std::to_string(creased + held));
}

TEST(MeshGeometry, ASphereIsSmooth) {
  const auto sphere = [](double radius) {
    return [=](Vec3d p) { return distance(p, {8.03, 7.96, 8.11}) - radius; };
  };
  for (const double radius : {1.0, 2.0, 5.0}) {
    const auto f = sphere(radius);
    const MeshBlock block = mesh_block({0, 0, 0, 0}, 2, 2, 2, [&](Vec3f p) {
      return static_cast<float>(
          f({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)}));
    });
    const MeshAudit audit = block.audit();
    EXPECT_EQ(audit.faults(), 0U) << audit.first;
    EXPECT_EQ(audit.backward_normals, 0U);
    const Deviation d = deviation_of(block, f);
    EXPECT_LE(d.most, 0.1) << "radius " << radius;
    // A vertex's normal is that of the surface below it, and is there once: no crease.
    for (const MeshPiece* piece : block.pieces()) {
      for (const MeshVertex& v : piece->vertices) {
        const Vec3d p = metres(point_of(*piece, v));
        const Vec3f n = decode_normal(v.normal);
        const double length = distance(p, {8.03, 7.96, 8.11});
        const double cosine =
            (static_cast<double>(n.x) * (p.x - 8.03) + static_cast<double>(n.y) * (p.y - 7.96) +
             static_cast<double>(n.z) * (p.z - 8.11)) /
            length;
        ASSERT_GE(cosine, radius > 1.5 ? 0.995 : 0.97);
      }
    }
    EXPECT_LE(d.rms, 0.03) << "radius " << radius;
  }
}

TEST(MeshGeometry, AFlatFloorOnTheLatticeIsFlat) {
  const MeshBlock block = mesh_block({0, 0, 0, 0}, 2, 2, 1, [](Vec3f p) { return p.z - 6; });
  EXPECT_EQ(block.audit().faults(), 0U);
  for (const Vec3d& v : vertices_of(block)) EXPECT_NEAR(v.z, 6, 0.25 / 32 + 1e-9);
  EXPECT_EQ(block.audit().backward_normals, 0U);
}

}  // namespace
}  // namespace vf
