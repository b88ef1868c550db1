#include "audit/mesh_audit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {

namespace {

/// A triangle's side, from joined vertex `from` to `to`.
struct HalfEdge {
  std::uint32_t low = 0, high = 0;  ///< the same edge in both directions
  bool forward = false;
  std::uint32_t triangle = 0;
};

std::string text(const MeshPoint& p) {
  const auto metres = [](std::int64_t v) {
    return std::to_string(static_cast<double>(v) * 0.25 / kVoxelUnits);
  };
  return metres(p.x) + "," + metres(p.y) + "," + metres(p.z);
}

struct Joined {
  std::vector<MeshPoint> points;  ///< sorted, once each
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

Joined join(std::span<const MeshPiece* const> pieces) {
  Joined out;
  for (const MeshPiece* piece : pieces)
    for (const MeshVertex& v : piece->vertices) out.points.push_back(point_of(*piece, v));
  std::sort(out.points.begin(), out.points.end());
  out.points.erase(std::unique(out.points.begin(), out.points.end()), out.points.end());
  for (const MeshPiece* piece : pieces) {
    for (const Triangle& t : piece->triangles) {
      std::array<std::uint32_t, 3> joined{};
      for (std::size_t i = 0; i < 3; ++i) {
        const MeshPoint p = point_of(*piece, piece->vertices[t.at[i]]);
        joined[i] = static_cast<std::uint32_t>(std::lower_bound(out.points.begin(), out.points.end(), p) -
                                               out.points.begin());
      }
      out.triangles.push_back(joined);
    }
  }
  return out;
}

std::vector<HalfEdge> half_edges(const Joined& mesh) {
  std::vector<HalfEdge> out;
  out.reserve(mesh.triangles.size() * 3);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
      out.push_back({std::min(a, b), std::max(a, b), a < b, static_cast<std::uint32_t>(t)});
    }
  }
  std::sort(out.begin(), out.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::pair(a.low, a.high) < std::pair(b.low, b.high);
  });
  return out;
}

void note(MeshAudit& audit, const char* what, const MeshPoint& where) {
  if (audit.first.empty()) audit.first = std::string(what) + " at " + text(where);
}

void check_edges(const Joined& mesh, const std::vector<HalfEdge>& edges,
                 const std::function<bool(const MeshPoint&, const MeshPoint&)>& on_boundary,
                 MeshAudit& audit) {
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) ++end;
    const MeshPoint &a = mesh.points[edges[i].low], &b = mesh.points[edges[i].high];
    if (end - i == 1) {
      if (on_boundary && on_boundary(a, b)) {
        ++audit.boundary_edges;
      } else {
        ++audit.open_edges;
        note(audit, "open edge", a);
      }
    } else if (end - i > 2) {
      ++audit.non_manifold_edges;
      note(audit, "edge with more than two triangles", a);
    } else if (edges[i].forward == edges[i + 1].forward) {
      ++audit.misoriented_edges;
      note(audit, "two sides facing different ways", a);
    }
    i = end;
  }
}

/// The triangles around a vertex, joined where they share a side at it, must be one group; on the outer
/// boundary, where polygons are missing, they may be several.
void check_vertices(const Joined& mesh, const std::vector<HalfEdge>& edges, MeshAudit& audit) {
  std::vector<std::uint32_t> fans(mesh.triangles.size() * 3);  // union-find over triangle corners
  for (std::size_t i = 0; i < fans.size(); ++i) fans[i] = static_cast<std::uint32_t>(i);
  const auto root = [&](std::uint32_t i) {
    while (fans[i] != i) i = fans[i] = fans[fans[i]];
    return i;
  };
  const auto corner = [&](std::uint32_t t, std::uint32_t vertex) {
    std::uint32_t i = 0;
    while (mesh.triangles[t][i] != vertex) ++i;
    return 3 * t + i;
  };
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (edges[i].low != edges[i + 1].low || edges[i].high != edges[i + 1].high) continue;
    for (const std::uint32_t v : {edges[i].low, edges[i].high})
      fans[root(corner(edges[i].triangle, v))] = root(corner(edges[i + 1].triangle, v));
  }
  std::vector<std::uint32_t> fan_of(mesh.points.size(), 0xFFFFFFFFU);
  std::vector<std::uint8_t> bad(mesh.points.size(), 0);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto same = [&](std::size_t j) {
      return j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high;
    };
    if (!same(i - 1) && !same(i + 1)) bad[edges[i].low] = bad[edges[i].high] = 1;
  }
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t v = mesh.triangles[t][i], fan = root(3 * t + i);
      if (fan_of[v] == 0xFFFFFFFFU) fan_of[v] = fan;
      if (fan_of[v] == fan || bad[v] != 0) continue;
      bad[v] = 1;
      ++audit.non_manifold_vertices;
      note(audit, "two sheets meet in one vertex", mesh.points[v]);
    }
  }
}

/// Every polygon of a dual mesh goes around one lattice edge: its corners lie in the same cell along the edge
/// and in two neighbours across. A corner between two cells counts for both. `units`: a cell's edge.
bool around_one_edge(const std::array<const MeshVertex*, 3>& corners, int units) {
  int same = 0;
  for (int axis = 0; axis < 3; ++axis) {
    int low = -1000, high = 1000;  // the highest of the lowest cells, the lowest of the highest
    for (const MeshVertex* v : corners) {
      const int at = axis == 0 ? v->x : axis == 1 ? v->y : v->z;
      const int cell = (at + 8 * units) / units;
      const bool between = (at + 8 * units) % units == 0;
      low = std::max(low, between ? cell - 1 : cell);
      high = std::min(high, cell);
    }
    if (low > high + 1) return false;
    if (low <= high) ++same;
  }
  return same >= 1;
}

void check_triangles(std::span<const MeshPiece* const> pieces, MeshAudit& audit) {
  for (const MeshPiece* piece : pieces) {
    // In a seam of two levels some cells are twice as large; the small ones nest in these.
    const int units = piece->two_levels ? 2 * kVoxelUnits : kVoxelUnits;
    for (const Triangle& t : piece->triangles) {
      const MeshVertex &a = piece->vertices[t.at[0]], &b = piece->vertices[t.at[1]],
                       &c = piece->vertices[t.at[2]];
      if (!around_one_edge({&a, &b, &c}, units)) {
        ++audit.strays;
        note(audit, "vertex out of its cell", point_of(*piece, a));
      }
      const std::int64_t px = b.x - a.x, py = b.y - a.y, pz = b.z - a.z, qx = c.x - a.x, qy = c.y - a.y,
                         qz = c.z - a.z;
      const std::int64_t nx = py * qz - pz * qy, ny = pz * qx - px * qz, nz = px * qy - py * qx;
      if (nx == 0 && ny == 0 && nz == 0) {
        ++audit.degenerate_triangles;
        note(audit, "triangle without area", point_of(*piece, a));
        continue;
      }
      for (const MeshVertex* v : {&a, &b, &c}) {
        const Vec3f n = decode_normal(v->normal);
        const double facing = static_cast<double>(n.x) * static_cast<double>(nx) +
                              static_cast<double>(n.y) * static_cast<double>(ny) +
                              static_cast<double>(n.z) * static_cast<double>(nz);
        if (facing < 0) ++audit.backward_normals;
      }
    }
  }
}

}  // namespace

MeshPoint point_of(const MeshPiece& piece, const MeshVertex& v) {
  const std::int64_t scale = std::int64_t{1} << piece.anchor.level;
  const auto at = [&](std::int32_t tile, std::int16_t units) {
    return (std::int64_t{tile} * kTileEdge * kVoxelUnits + units) * scale;
  };
  return {at(piece.anchor.tx, v.x), at(piece.anchor.ty, v.y), at(piece.anchor.tz, v.z)};
}

MeshAudit audit_mesh(std::span<const MeshPiece* const> pieces,
                     const std::function<bool(const MeshPoint&, const MeshPoint&)>& on_boundary) {
  MeshAudit audit;
  check_triangles(pieces, audit);
  const Joined mesh = join(pieces);
  audit.triangles = mesh.triangles.size();
  audit.vertices = mesh.points.size();
  const std::vector<HalfEdge> edges = half_edges(mesh);
  check_edges(mesh, edges, on_boundary, audit);
  if (audit.degenerate_triangles == 0) check_vertices(mesh, edges, audit);
  return audit;
}

}  // namespace vf
