// What becomes of the things in a view: whether the voxels that show them hold them, whole.
//
// Measured, not assumed: each place's shape is sampled by the lattice of the coarsest level that shows a part
// of it, and by a finer one. For benchmarks and authors; a view does not need it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "field/bound_field.h"
#include "field/simd_level.h"
#include "proof/view_region.h"

namespace vf {

/// Of one feature set. Each place counts once, for the coarsest level that shows a part of it.
struct SeenFeatures {
  std::string name;
  std::size_t near_places = 0;  ///< shown by level 0 alone
  std::size_t near_broken = 0;  ///< of these, gone or in pieces in its voxels, here or half a voxel away
  std::size_t places = 0;       ///< beyond
  /// Gone, in more pieces than they are, or shorter by more than a voxel and a third of min_feature_m:
  /// because they are thinner than that somewhere.
  std::size_t reduced = 0;
  std::size_t lost = 0;  ///< the same, though nowhere thinner: must be 0
};

struct ViewFeatures {
  std::vector<SeenFeatures> sets;  ///< in the program's order; those without places are left out
  [[nodiscard]] std::size_t near_broken() const;
  [[nodiscard]] std::size_t places() const;
  [[nodiscard]] std::size_t reduced() const;
  [[nodiscard]] std::size_t lost() const;
};

/// Of all places of the recipe's sets in the squares. `field` must be complete there. The counts do not
/// depend on `workers` (0: one a core).
[[nodiscard]] ViewFeatures view_features(const std::shared_ptr<const BoundField>& field,
                                         const ViewSquares& squares, float min_feature_m, SimdLevel simd,
                                         unsigned workers);

}  // namespace vf
