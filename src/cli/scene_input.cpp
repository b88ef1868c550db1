#include "cli/scene_input.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/world_input.h"
#include "field/bound_field.h"
#include "math/box.h"
#include "plan/resolve.h"
#include "plan/sector_paths.h"
#include "render/shot.h"

namespace vf::cli {

Result<Scene> open_scene(const InputStratum& input, const Frame& frame, const Box2f& window) {
  SectorPaths paths(input);
  Result<BoundField> density = field_in_window(paths, frame, window);
  if (!density) return density.error();
  Result<std::vector<PlacedLight>> lights = lights_in_window(paths, frame, window);
  if (!lights) return lights.error();
  Scene scene;
  scene.built = input.built;
  scene.density = std::make_shared<const BoundField>(*std::move(density));
  scene.materials = materials_beside(*input.built, *scene.density);
  scene.lights = *std::move(lights);
  return scene;
}

}  // namespace vf::cli
