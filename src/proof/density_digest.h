// The canonical digest of a region's surface: all signs, and the values at both ends of sign-changing edges.
//
// Better proofs, other workers, another order of tiles, another SIMD level or frame never change it. -0 is
// folded.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "field/bound_field.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"

namespace vf {

/// One tile: the signs of its 32^3 samples and the sign-changing edges from each of them to the next sample
/// in x, y and z, those of the next tile included.
struct TileSurface {
  /// Where the tile is in the world, not in its frame: the same tile seen from another sector is the same.
  int level = 0;
  std::int64_t gx = 0, gy = 0, gz = 0;
  bool uniform = false;             ///< one sign, no edge
  std::vector<std::uint32_t> rows;  ///< [z * 32 + y], bit x: solid; 1024 rows
  struct Edge {
    std::uint16_t sample = 0;  ///< (z * 32 + y) * 32 + x
    std::uint8_t axis = 0;     ///< towards +x, +y, +z
    float from = 0, to = 0;
  };
  std::vector<Edge> edges;  ///< by sample, then axis
};

class RegionSampler;

/// The surface of an evaluated tile; `sampler` gives the samples beyond the tile's border.
[[nodiscard]] TileSurface surface_of(const TileDensity& density, Frame frame, RegionSampler& sampler);
[[nodiscard]] Digest digest_of(const TileSurface& surface);

struct RegionDigest {
  Digest all;
  std::vector<Digest> tiles;  ///< in the order of the input
  ProofCounts counts;
};

/// Evaluates the tiles and digests them. Any number of workers (0: one a core).
[[nodiscard]] RegionDigest density_digest(const std::shared_ptr<const BoundField>& field,
                                          std::span<const TileKey> tiles, const TileOptions& options,
                                          unsigned workers);

/// The same as text, tiles in canonical order: one line a tile, a row of signs, an edge with hex floats.
[[nodiscard]] std::string density_dump(const std::shared_ptr<const BoundField>& field,
                                       std::span<const TileKey> tiles, const TileOptions& options,
                                       unsigned workers);

/// Where two dumps first differ: the tile and both lines; "" when they are equal.
[[nodiscard]] std::string first_difference(std::string_view a, std::string_view b);

}  // namespace vf
