// The digests of one stratum around a place, density and mesh: what `digest` prints, the report shows and
// golden tests pin.
#pragma once

#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "proof/certificate.h"
#include "proof/density_digest.h"
#include "proof/tile_evaluator.h"

namespace vf::cli {

/// Where a digest is taken when nobody says where: the middle of sector 0, 0.
inline constexpr Place2 kDigestPlace{512 * 1024, 512 * 1024};

/// Two by two tiles of every level about the place, over the whole height.
[[nodiscard]] std::vector<TileKey> digest_tiles(const ViewPlace& place, float height_m);

struct StratumDigest {
  RegionDigest region;
  Digest mesh;       ///< of the tiles of each level and the seams between them
  std::string dump;  ///< signs, values and meshes as text; only when asked for
};

[[nodiscard]] Result<StratumDigest> digest_stratum(const InputStratum& where, const ViewPlace& place,
                                                   const TileOptions& options, unsigned workers,
                                                   bool want_dump);

}  // namespace vf::cli
