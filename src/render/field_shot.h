// The picture of any field: what render_shot does, without the product's recipe behind it.
#pragma once

#include <span>

#include "math/box.h"
#include "mesh/ground.h"
#include "render/scene_field.h"
#include "render/shot.h"
#include "render/surface.h"

namespace vf::render {

struct FieldScene {
  const SceneField* field = nullptr;
  const SceneMaterials* materials = nullptr;  ///< may be null
  const Recipe* look = nullptr;
  float water_level_m = 0;  ///< NaN: none
  std::span<const PlacedLight> lights;
  Box3f bounds;                       ///< nothing is drawn beyond
  const BoundField* paths = nullptr;  ///< clear ways are dry below the water level; may be null
  const Ground* mesh = nullptr;       ///< seen instead of the field where its tiles are; may be null
};

[[nodiscard]] Shot render_field(const FieldScene& scene, const Camera& camera, const ShotOptions& options,
                                const Progress& progress);

}  // namespace vf::render
