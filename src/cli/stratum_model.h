// A stratum around a place -> the model of its near ring or of the whole view, ready to be written for other
// tools.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/scene_model.h"
#include "proof/tile_evaluator.h"

namespace vf::cli {

/// What a model may have before it is cut into parts: keeps the work within some 8 GiB.
inline constexpr std::uint64_t kMaxModelTriangles = 64'000'000;

inline constexpr std::size_t kModelLights = 32, kMaxModelLights = 1024;

struct ModelOptions {
  TileOptions tiles;
  unsigned workers = 0;     ///< 0: one a core
  int texture_px = 512;     ///< edge of the textures; 0: none
  bool whole_view = false;  ///< all levels and the seams between them; else level 0 alone
  /// Lights of the recipe, at most: the nearest. Each is drawn by itself in most programs, so many are slow.
  std::size_t lights = kModelLights;
  bool tinted = true;  ///< the file holds colours of vertices: textures may leave room to brighten
};

/// Errors: kResource beyond kMaxModelTriangles.
[[nodiscard]] Result<StratumModel> stratum_model(const InputStratum& where, const ViewPlace& place,
                                                 const ModelOptions& options);

}  // namespace vf::cli
