// Charts of a stratum for the report: a plan cut at a height, and an upright section.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "render/shot.h"

namespace vf {

/// A place with its name on a plan.
struct ChartMark {
  Vec3f at;          ///< [metres, frame]
  std::string name;  ///< plain ASCII
};

struct ChartOptions {
  int width = 1024;      ///< [pixels]
  unsigned workers = 0;  ///< 0: one a core
  SimdLevel simd = SimdLevel::kScalar;
  std::string title;             ///< drawn at the top; plain ASCII
  std::vector<ChartMark> marks;  ///< plans only
};

/// A line drawn over a plan or section, where it lies in the frame; over a section, where it is within 3 m of
/// it.
struct ChartPath {
  std::vector<Vec3f> points;  ///< [metres, frame]
};

/// Seen from above what lies under `cut_z_m`: rock that is cut, floors shaded by height and slope with
/// contour lines, water, and a scale bar.
[[nodiscard]] Image render_plan(const Scene& scene, const Box2f& window, float cut_z_m,
                                const std::vector<ChartPath>& paths, const ChartOptions& options);

/// The upright plane through `from` and `to` (plan positions; z is ignored), from below the floor band to
/// above the roof band: rock hatched, air light, water, height ticks and a scale bar. Heights and lengths
/// have one scale.
[[nodiscard]] Image render_section(const Scene& scene, Vec3f from, Vec3f to,
                                   const std::vector<ChartPath>& paths, const ChartOptions& options);

}  // namespace vf
