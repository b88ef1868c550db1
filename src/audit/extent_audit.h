// Does any feature stick out of the extent that its author declared? What sticks out is cut off flat.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "field/bound_field.h"
#include "field/builder.h"

namespace vf {

/// A set some of whose places are cut.
struct CutFeatures {
  std::string set;
  Place place;               ///< of the set in the recipe
  std::uint64_t places = 0;  ///< looked at
  std::uint64_t cut = 0;     ///< of these, cut
  float deepest_m = 0;       ///< how far inside the shape the border of its extent is. [metres]
  Vec3f at;                  ///< the deepest such point. [metres, frame]
};

/// Looks at up to `most` places of each set of `field` (bound to built.density): on the border of its extent
/// the density must be solid or air as it would be without that extent. What is buried in other rock may be
/// cut.
[[nodiscard]] std::vector<CutFeatures> audit_extents(const BuiltRecipe& built,
                                                     const std::shared_ptr<const BoundField>& field,
                                                     std::uint64_t most);

}  // namespace vf
