// Where a cell's vertex stands: the point that best lies on the planes through the edge crossings.
//
// Quadric error function after Ju et al., "Dual contouring of Hermite data" (2002). On a smooth sheet the
// planes nearly agree and the mean of the crossings decides; where they meet at an angle the vertex goes to
// their common line or point, so that edges and corners stay sharp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mesh/lanes.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {

/// A point p of the surface with its unit normal n, out of the rock, as cells add them up: a line of the
/// cache. p counts from the tile's middle, so that sums keep their bits. [voxels]
struct alignas(64) SurfacePoint {
  Float4 normal{};   ///< n, and 1: a sum counts its points
  Float4 place{};    ///< p, and nz (n . p)
  Float4 squares{};  ///< nx nx, ny ny, nz nz, and nx (n . p)
  Float4 mixed{};    ///< nx ny, nx nz, ny nz, and ny (n . p)

  void add(const SurfacePoint& point) {
    normal += point.normal;
    place += point.place;
    squares += point.squares;
    mixed += point.mixed;
  }
  /// From the tile's first sample.
  [[nodiscard]] Float4 at() const { return place + kTileMiddle; }

  static constexpr float kTileMiddle = kTileEdge / 2;
};

/// Vertices keep this far from the cell's faces, so that no triangle is degenerate. [voxel / 512]
inline constexpr std::int32_t kCellMargin = 512 / 32;
inline constexpr float kCellLow = static_cast<float>(kCellMargin) / kVoxelUnits;
inline constexpr float kCellHigh = 1 - kCellLow;

/// Pull to the mean of the crossings, for each of them. At 0.01 a right angle is met to 2 % of the way from
/// the mean to the edge; sheets that bend less than about 6 degrees within a cell are left to the mean, whose
/// error there is of the second order.
inline constexpr float kPull = 0.01F;

/// A crossing as a face sees it: its point and its normal projected. From the face's corner. [voxels]
struct FacePoint {
  std::array<float, 2> at{}, normal{};
};

/// A vertex on a face, for the edges that its segments end at; on a square of `edge_units`, held off its
/// sides. Those of cells: MeshKernels::fit. [voxel / 512]
[[nodiscard]] std::array<std::int32_t, 2> fit_on_face(std::span<const FacePoint> points,
                                                      std::int32_t edge_units = kVoxelUnits);

}  // namespace vf
