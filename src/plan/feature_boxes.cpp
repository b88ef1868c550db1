#include "plan/feature_boxes.h"

#include <cmath>

#include "field/bound_field.h"
#include "math/box.h"

namespace vf {

namespace {

/// More than the error of a few f32 operations on lengths of some kilometres. [metres]
constexpr float kSlackM = 1.0F / 64.0F;

/// The box, in frame axes, about the turned extents grown by `by`: they grow in their own axes, so that a
/// place at 45 degrees reaches sqrt(2) times as far. Extents are symmetric about the place in x and y.
Box3f box_about(const FeatureInstance& f, float by) {
  const float c = std::fabs(f.yaw_cos), s = std::fabs(f.yaw_sin);
  const float ex = f.extent_max.x + by, ey = f.extent_max.y + by;
  const float hx = c * ex + s * ey + kSlackM, hy = s * ex + c * ey + kSlackM;
  return {{f.at.x - hx, f.at.y - hy, f.at.z + f.extent_min.z - by - kSlackM},
          {f.at.x + hx, f.at.y + hy, f.at.z + f.extent_max.z + by + kSlackM}};
}

}  // namespace

void set_boxes(FeatureInstance& f, float blend, float far) {
  // Two places lower the union by blend / 4 at most, many by less than blend: the sign box holds for any
  // number.
  f.sign_box = box_about(f, blend);
  f.value_box = box_about(f, far + blend);
}

}  // namespace vf
