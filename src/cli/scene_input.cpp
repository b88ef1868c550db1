#include "cli/scene_input.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "cli/world_input.h"
#include "field/bound_field.h"
#include "field/builder.h"
#include "field/program.h"
#include "math/box.h"
#include "plan/resolve.h"
#include "plan/sector_paths.h"
#include "render/shot.h"

namespace vf::cli {

namespace {

const std::vector<FeatureInstance>& instances_of(const BoundField& density, const std::string& name) {
  const std::vector<FeatureSetProgram>& sets = density.program->feature_sets;
  std::size_t i = 0;
  while (i < sets.size() && sets[i].name != name) ++i;
  VF_CHECK(i < sets.size());  // the builder gives both programs the same sets
  return density.sets[i].instances;
}

}  // namespace

std::shared_ptr<const BoundField> bind_materials(const BuiltRecipe& built, const BoundField& density) {
  if (built.materials == nullptr || built.materials->outputs.empty()) return nullptr;
  std::vector<std::vector<FeatureInstance>> sets;
  for (const FeatureSetProgram& set : built.materials->feature_sets) {
    sets.push_back(instances_of(density, set.name));
  }
  return std::make_shared<const BoundField>(
      bind_field(built.materials, density.frame, density.window, std::move(sets), density.seed_mix));
}

Result<Scene> open_scene(const InputStratum& input, const Frame& frame, const Box2f& window) {
  SectorPaths paths(input);
  Result<BoundField> density = field_in_window(paths, frame, window);
  if (!density) return density.error();
  Result<std::vector<PlacedLight>> lights = lights_in_window(paths, frame, window);
  if (!lights) return lights.error();
  Scene scene;
  scene.built = input.built;
  scene.density = std::make_shared<const BoundField>(*std::move(density));
  scene.materials = bind_materials(*input.built, *scene.density);
  scene.lights = *std::move(lights);
  return scene;
}

}  // namespace vf::cli
