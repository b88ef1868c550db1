// A seam of a view, whatever the levels of its tiles -> its triangles.
#pragma once

#include <array>
#include <memory>

#include "mesh/seam_key.h"
#include "mesh/tile_mesh.h"

namespace vf {

/// One a thread.
class SeamPieceMesher {
 public:
  SeamPieceMesher();
  ~SeamPieceMesher();
  SeamPieceMesher(SeamPieceMesher&&) noexcept;
  SeamPieceMesher& operator=(SeamPieceMesher&&) noexcept;

  /// `tiles`: the meshes of tiles_of(key), in that order. `out` is written anew and counts from key.at.
  void mesh(const SeamKey& key, const std::array<const TileMesh*, 4>& tiles, MeshPiece& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf
