#include "view/view_store.h"

#include <algorithm>

#include "field/bound_field.h"
#include "field/program.h"
#include "math/box.h"
#include "math/vec.h"

namespace vf {

Vec3d ViewStore::origin_m() const {
  constexpr auto kEdge = static_cast<double>(kSectorM);
  const Frame& frame = source->frame();
  return {static_cast<double>(frame.sx) * kEdge, static_cast<double>(frame.sy) * kEdge,
          source->scope().stratum.content_floor_z_m};
}

const BoundWindow* ViewStore::find_fields(int level, const Box2f& window) const {
  const auto holds = [&](const BoundWindow& b) {
    return b.level == level && b.window.min_x <= window.min_x && b.window.min_y <= window.min_y &&
           b.window.max_x >= window.max_x && b.window.max_y >= window.max_y;
  };
  const auto found = std::find_if(fields.rbegin(), fields.rend(), holds);
  return found == fields.rend() ? nullptr : &*found;
}

}  // namespace vf
