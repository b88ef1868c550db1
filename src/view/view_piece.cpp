#include "view/view_piece.h"

#include <cstdint>

#include "base/digest.h"
#include "mesh/seam_key.h"
#include "mesh/tile_mesh.h"
#include "view/tile_payload.h"

namespace vf {

TilePayload payload_of(const ViewPiece& piece, const Digest& world) {
  const MeshPiece& mesh = piece.product->piece();
  const TileAddress at = address_of(piece.stratum, piece.frame.sx, piece.frame.sy, mesh.anchor);
  TilePayload out = make_payload(mesh, piece.product->blends, at, world);
  if (const SeamKey* key = piece.product->seam()) {
    out.kind = PayloadKind::kSeam;
    out.seam = std::uint32_t{key->axis} | (key->edge ? 4U : 0U) | std::uint32_t{key->coarse} << 3;
  }
  return out;
}

}  // namespace vf
