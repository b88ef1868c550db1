// Recipe -> programs. One pure function a product; every error has the author's place.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/notes.h"
#include "field/program.h"
#include "math/interval.h"
#include "recipe/recipe.h"

namespace vf {

/// Formulas of one feature set that the plan evaluates once a place, as outputs of one program over
/// x, y (kX, kY), u1..u8 and ground (kRandom).
struct PlaceFormulas {
  Program program;
  // Indices into program.outputs; -1 where the recipe has none.
  int ground = -1;  ///< evaluated first, without kRandom 8 (ground itself)
  int probability = -1, accept = -1, yaw = -1;
  int extent_x = -1, extent_y = -1, extent_z_min = -1, extent_z_max = -1;
  std::vector<int> values;
  std::int64_t pitch_64 = 0;  ///< cell edge. [1/64 m] [> 0]
  std::int64_t offset_x_64 = 0, offset_y_64 = 0;
  float jitter = 0;
  float off_paths = -1;                                ///< [metres]; negative: places stay wherever paths run
  std::vector<std::array<std::int64_t, 3>> points_64;  ///< kList. [1/64 m]
};

/// Emitters: the same idea for lights.
struct LightFormulas {
  Program program;  ///< over x, y, u1..u8, ground
  int ground = -1, probability = -1;
  std::array<int, 3> offset{-1, -1, -1};
  std::int64_t pitch_64 = 0;
  float jitter = 0;
  int feature_set = -1;  ///< kFeatures
};

/// What static analysis knows of the density.
struct FieldFacts {
  float gradient_bound = 0;  ///< proven: |grad phi| <= this, everywhere in the content interval
  float declared_bound = 1;
  Interval range;              ///< proven: phi stays in here
  bool uses_absolute = false;  ///< absolute x or y outside noise, repeat, wave and features
};

/// Everything that later stages need of a recipe. Immutable, shared by all sectors and threads.
struct BuiltRecipe {
  std::shared_ptr<const Recipe> recipe;
  std::shared_ptr<const Program> density;    ///< output 0: phi with the composition's bands
  std::shared_ptr<const Program> materials;  ///< outputs: weight and emission mask of each material, in turn
  std::vector<PlaceFormulas> places;         ///< one for each feature set of the recipe
  std::shared_ptr<const Program> anchor;     ///< output 0: floor height of mouths and portals, over x and y
  std::vector<LightFormulas> lights;         ///< one for each light
  float water_level_m = 0;                   ///< NaN when there is no stratum-wide level
  FieldFacts facts;
};

/// Errors: unknown names, wrong argument counts, constants where constants are needed, limits, operations
/// whose interval could be NaN or infinite, a density that never crosses zero. Warnings go to `notes`.
/// `with_paths`: leave room for routes and passages, as every world does; without, phi is the type's field
/// and the bands alone.
[[nodiscard]] Result<BuiltRecipe> build_recipe(std::shared_ptr<const Recipe> recipe, Notes& notes,
                                               bool with_paths = true);

/// One formula over x, y (and parameters, field names): for viewpoints and anchors. Output 0.
[[nodiscard]] Result<std::shared_ptr<const Program>> build_column_formula(const Recipe& recipe,
                                                                          const ExprPtr& expr);

}  // namespace vf
