// A camera and rings -> the tiles of a view: balanced, so that mesh/seam_key.h can close them.
//
// Pure: who shows a view keeps the tiles he shows, and hands them in to have borders of rings stay where they
// are while the camera moves back and forth.
#pragma once

#include <array>
#include <vector>

#include "math/vec.h"
#include "proof/certificate.h"

namespace vf {

struct ViewRings {
  /// Within this distance of the camera nothing is coarser than level n; at that of the coarsest level the
  /// view ends. Falling ones are fine: what is nearer decides. [metres] [>= 0]
  std::array<float, kMaxLevel + 1> radius_m{32, 64, 128, 256, 512};
  int coarsest = kMaxLevel;  ///< level that fills the rest of the view. [0 ... kMaxLevel]
  /// How much farther than its radius a ring stays as it is shown. [metres] [>= 0]
  float hysteresis_m = 0;
};

/// Sorted by before() of mesh/seam_key.h; no two overlap.
struct ViewTiles {
  std::vector<TileKey> tiles;
  friend bool operator==(const ViewTiles&, const ViewTiles&) = default;
};

/// The tiles around `camera` [metres, frame] that hold a stratum of this height. A level that would meet one
/// two levels coarser, in a side or an edge, pushes that ring out. `shown`: what is there now, for
/// hysteresis.
[[nodiscard]] ViewTiles select_tiles(Vec3f camera, const ViewRings& rings, float height_m,
                                     const ViewTiles& shown = {});

}  // namespace vf
