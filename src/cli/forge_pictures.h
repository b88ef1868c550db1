// The pictures and charts of one stratum: drawn, written as files, and kept for the report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/route_profile.h"
#include "cli/verb.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/report.h"
#include "render/shot.h"

namespace vf::cli {

struct PictureJob {
  InputStratum where;
  std::filesystem::path folder;  ///< of the stratum; made when there is something to write
  ShotOptions shot;
};

struct StratumPictures {
  std::vector<ReportPicture> pictures;
  std::vector<std::string> files;
  Notes notes;  ///< viewpoints that stand in rock
};
/// One picture for each viewpoint of the recipe.
[[nodiscard]] Result<StratumPictures> draw_viewpoints(const PictureJob& job, Console& console);

struct StratumCharts {
  ReportPicture plan, section, strip;
  std::vector<std::string> files;
};
/// plan.png about the way from arrival to departure, section.png around `place`.
[[nodiscard]] Result<StratumCharts> draw_charts(const PictureJob& job, const ViewPlace& place,
                                                const MeasuredRoute& route, Console& console);

/// --size and --quality.
void add_picture_options(const Verb& verb, PictureSize& size, ShotQuality& quality);

}  // namespace vf::cli
