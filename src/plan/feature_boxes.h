// Where a place of a feature set can be noticed.
#pragma once

#include "field/bound_field.h"

namespace vf {

/// Sets the sign and the value box of `f` from its turned extents. [metres]
void set_boxes(FeatureInstance& f, float blend, float far);

}  // namespace vf
