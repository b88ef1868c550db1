// Charts of any field: what render_plan and render_section do, without the product's recipe behind it.
#pragma once

#include <limits>
#include <vector>

#include "render/chart.h"
#include "render/scene_field.h"

namespace vf::render {

struct ChartField {
  const SceneField* field = nullptr;
  float min_z = -3, max_z = 43;  ///< drawn heights. [metres]
  float content_height = 40;
  float water_level = -std::numeric_limits<float>::infinity();
};

[[nodiscard]] Image plan_of(const ChartField& chart, const Box2f& window, float cut_z,
                            const std::vector<ChartPath>& paths, const ChartOptions& options);
[[nodiscard]] Image section_of(const ChartField& chart, Vec3f from, Vec3f to,
                               const std::vector<ChartPath>& paths, const ChartOptions& options);

}  // namespace vf::render
