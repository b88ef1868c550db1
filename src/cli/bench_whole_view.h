// The part of `bench view` that measures the scheduler: whole views, cold, warm and on a walk.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "cli/options.h"
#include "view/view_features.h"

namespace vf::cli {

struct WholeViewTimes {
  std::vector<double> playable, whole;  ///< cold, from the text of the world. [seconds, a run]
  std::vector<double> dressed;          ///< the whole, with the materials of every vertex
  std::vector<double> warm;             ///< elsewhere in a world that is open
  std::vector<double> brute;            ///< evaluating every sample of the same tiles; empty: not asked for
  std::vector<double> frames;           ///< of a walk: looking, working, polling. [seconds, a frame]
  std::size_t frames_without_ground = 0;
  std::vector<double> tile_at_1x, tile_at_3x, tile_at_10x;  ///< by how many features are known. [seconds]
  float min_feature_m = 0;                                  ///< of the recipe. [metres]
  ViewFeatures features;                                    ///< what becomes of things
  double peak_rss_mib = 0;                                  ///< after the first cold view
  Digest digest;                                            ///< of all that is shown, cold
  std::size_t tiles = 0, seams = 0, pieces = 0, triangles = 0, bytes = 0;
};

struct WholeViewOptions {
  bool compare_brute = false;
};

/// Nothing is kept from one cold run to the next.
[[nodiscard]] Result<WholeViewTimes> measure_whole_view(const Options& options, const std::string& name,
                                                        unsigned workers, const WholeViewOptions& with);

}  // namespace vf::cli
