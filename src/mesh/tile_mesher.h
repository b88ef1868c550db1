// The densities of a tile -> its triangles.
#pragma once

#include <memory>

#include "field/simd_level.h"
#include "mesh/gradient_source.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_samples.h"

namespace vf {

/// One a thread: owns scratch space. The mesh depends on nothing but the densities and gradients.
class TileMesher {
 public:
  explicit TileMesher(SimdLevel simd);
  ~TileMesher();
  TileMesher(TileMesher&&) noexcept;
  TileMesher& operator=(TileMesher&&) noexcept;

  /// `out` is written anew; its memory is used again.
  void mesh(const TileNeighbours& tiles, GradientSource& source, TileMesh& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf
