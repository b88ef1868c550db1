// The ways of a stratum's sector, measured in its final density, for the report and the charts.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "cli/world_input.h"
#include "exports/route_chart.h"
#include "field/simd_level.h"
#include "plan/path_points.h"
#include "render/chart.h"

namespace vf::cli {

struct MeasuredRoute {
  ReportRoute report;
  std::vector<ChartPath> lines;  ///< all ways of the sector. [metres, sector]
  std::vector<ChartMark> marks;  ///< where they meet passages
  PlanPoint middle;              ///< of the spine's extent. [metres, sector]
  double extent_m = 0;           ///< its longer side
};

/// Of sector (sx, sy). Without paths there is nothing to measure: all is empty.
[[nodiscard]] Result<MeasuredRoute> measure_route(const InputStratum& where, std::int64_t sx, std::int64_t sy,
                                                  SimdLevel simd);

}  // namespace vf::cli
