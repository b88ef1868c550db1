// In: pieces of a mesh and the material formulas. Out: the same surface, cut where the strongest material
// changes, so that every triangle shows one material.
//
// A border runs through triangles along the places on their edges where the formulas change, not around whole
// triangles in steps of a voxel. Pure and deterministic: the same bytes for any number of workers and at
// every SIMD level.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"

namespace vf {

struct PaintedVertex {
  Vec3f at;          ///< [metres, frame]; whole numbers of 1/2048 m
  OctNormal normal;  ///< out of the rock
  MaterialBlend blend;
};

struct PaintedTriangle {
  std::array<std::uint32_t, 3> at{};  ///< anticlockwise seen from the air
  std::uint32_t material = 0;         ///< index in the recipe
  std::uint32_t from = 0;             ///< the piece's triangle that it is, or is a part of
};

/// A vertex on a border is there once for each material that meets it.
struct PaintedPiece {
  const MeshPiece* from = nullptr;
  std::vector<PaintedVertex> vertices;
  std::vector<PaintedTriangle> triangles;  ///< none whose corners share a place
};

/// What a surface is made of at some places: points [metres, frame], unit normals; out: one for each.
using BlendsAt = std::function<void(std::span<const Vec3f> points, std::span<const Vec3f> normals,
                                    std::span<MaterialBlend> out)>;

/// Pieces that share an edge's places get the same cuts there, whatever their normals and levels: what was
/// closed stays closed. An edge has one cut at most; of several changes along it bisection finds one. Where
/// three materials meet in one triangle, its middle is of the first in the recipe. `blends`: of each piece's
/// vertices.
[[nodiscard]] std::vector<PaintedPiece> cut_borders(std::span<const MeshPiece* const> pieces,
                                                    std::span<const std::vector<MaterialBlend>> blends,
                                                    const BlendsAt& blends_at, unsigned workers);

/// Of surface_materials(), whose arguments these are.
[[nodiscard]] std::vector<PaintedPiece> painted_pieces(const std::shared_ptr<const BoundField>& materials,
                                                       std::span<const MeshPiece* const> pieces,
                                                       SimdLevel simd, unsigned workers);

}  // namespace vf
