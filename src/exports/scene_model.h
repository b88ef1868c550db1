// What glTF and OBJ files are written from: the surfaces of some strata, their look, and who they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/ids.h"
#include "exports/surface_model.h"
#include "math/vec.h"
#include "recipe/recipe.h"

namespace vf {

/// How a part of a surface looks. A picture that is empty is not there: then the plain values hold.
struct PartLook {
  std::string name;               ///< the recipe's name of the material
  Vec3f color{0.5F, 0.5F, 0.5F};  ///< linear; with headroom, as the texture
  float roughness = 0.9F, metallic = 0;
  Vec3f emission;                      ///< colour of the material's own light, linear. [0..1]
  float emission_strength = 0;         ///< [>= 0]
  std::vector<std::byte> albedo_png;   ///< sRGB
  std::vector<std::byte> normal_png;   ///< tangent space, green up the picture
  std::vector<std::byte> surface_png;  ///< red: open sky (occlusion), green: roughness, blue: metallic
};

/// A light of the recipe that stands in a model; it shines to all sides.
struct ModelLight {
  std::string name;      ///< the recipe's
  Vec3f at;              ///< [metres, y up, from the model's origin]
  Vec3f color{1, 1, 1};  ///< linear. [0..1]
  float candela = 1;     ///< [> 0]
  float range_m = 20;    ///< no light beyond. [metres] [> 0]
};

/// The near ring of one stratum.
struct StratumModel {
  std::int64_t index = 0;
  std::shared_ptr<const Recipe> recipe;
  Digest mesh;     ///< canonical, of the pieces that the parts were made from
  Vec3d origin_m;  ///< of the parts. [world metres, z up]
  std::vector<SurfacePart> parts;
  std::vector<PartLook> looks;  ///< one for each part
  std::vector<ModelLight> lights;
};

struct SceneModel {
  std::string engine;  ///< name and version
  std::string world;
  Seed seed;
  Vec3d origin_m;  ///< of the file's coordinates, near the place. [world metres, z up]
  std::vector<StratumModel> strata;
  std::vector<std::byte> glow_png;  ///< a ramp from dark to full light, sRGB; column i of 256 is i/255
};

struct ModelCounts {
  std::size_t vertices = 0, triangles = 0, texture_bytes = 0;
};
[[nodiscard]] ModelCounts counts_of(const StratumModel& stratum);
[[nodiscard]] ModelCounts counts_of(const SceneModel& scene);

}  // namespace vf
