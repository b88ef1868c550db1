// What a scheduler gives to its host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/digest.h"
#include "field/bound_field.h"
#include "math/vec.h"
#include "view/tile_payload.h"
#include "view/view_source.h"
#include "view/view_store.h"

namespace vf {

struct ViewPiece {
  PieceId id;  ///< the same piece has the same id for every viewer, while it is kept
  std::int64_t stratum = 0;
  Frame frame;
  Vec3d origin_m;  ///< world place of the frame's corner, on the content floor
  std::shared_ptr<const ViewProduct> product;
};

/// The same as bytes; `world`: see TilePayload.
[[nodiscard]] TilePayload payload_of(const ViewPiece& piece, const Digest& world);

struct ViewUpdate {
  std::vector<ViewPiece> uploads;  ///< to hold ready, hidden
  bool swap = false;  ///< all that was uploaded is to be shown from now on, and what is retired to be dropped
  std::vector<PieceId> retired;
};

}  // namespace vf
