// In: points of the surface. Out: what they are made of: colour, gloss, glow and the normal with its relief.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "recipe/recipe.h"
#include "render/vec_ops.h"

namespace vf::render {

/// Weights of materials at points. One a thread.
class MaterialProbe {
 public:
  virtual ~MaterialProbe() = default;
  /// `out[2 m]`: weight of material m, `out[2 m + 1]`: its emission mask; each [count].
  virtual void weights(std::span<const Vec3f> points, std::span<const Vec3f> normals,
                       std::span<std::vector<float>> out) = 0;
};

class SceneMaterials {
 public:
  virtual ~SceneMaterials() = default;
  [[nodiscard]] virtual std::unique_ptr<MaterialProbe> probe() const = 0;
};

[[nodiscard]] std::unique_ptr<SceneMaterials> make_scene_materials(std::shared_ptr<const BoundField> field,
                                                                   SimdLevel level);

struct SurfaceQuery {
  Vec3f p, n;
  float footprint_m = 0;  ///< width that the sample stands for
};

struct SurfaceLook {
  Vec3f albedo{0.5F, 0.5F, 0.5F};
  Vec3f emission;
  Vec3f normal;  ///< with relief; unit
  float roughness = 0.9F;
  float metallic = 0;
  float translucency = 0;
  std::uint16_t material = 0;  ///< the strongest one
  bool grown = false;          ///< its pattern has no hard lines
};

/// One a thread.
class SurfaceShader {
 public:
  /// `materials` may be null: then the first material covers everything.
  SurfaceShader(const Recipe& recipe, const SceneMaterials* materials);
  void look(std::span<const SurfaceQuery> queries, std::span<SurfaceLook> out);
  [[nodiscard]] bool anything_glows() const;

 private:
  struct Blend;
  struct Relief;
  [[nodiscard]] SurfaceLook look_of(const SurfaceQuery& q, std::size_t i) const;
  [[nodiscard]] Vec3f relieved(const SurfaceQuery& q, const Blend& blend, const Relief& relief) const;

  std::vector<Material> palette_;
  std::unique_ptr<MaterialProbe> probe_;
  std::vector<std::vector<float>> weights_;
  std::vector<Vec3f> points_, normals_;
};

}  // namespace vf::render
