#include "cli/surface_materials.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "field/simd_level.h"
#include "field/surface_formulas.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/shot.h"

namespace vf::cli {

Vec3f unit_or_up(Vec3f v) {
  const float length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  return length > 1e-6F ? v * (1 / length) : Vec3f{0, 0, 1};
}

MaterialWeights::MaterialWeights(const Scene& scene, SimdLevel simd)
    : materials_(scene.built->recipe->materials.size()), field_(scene.materials) {
  if (field_ != nullptr && materials_ > 0) formulas_ = std::make_unique<SurfaceFormulas>(*field_, simd);
}

void MaterialWeights::at(std::span<const Vec3f> points, std::span<const Vec3f> normals,
                         std::vector<std::vector<float>>& out) {
  const std::size_t n = points.size();
  out.assign(materials_, std::vector<float>(n, 0));
  masks_.assign(materials_, std::vector<float>(n, 1));
  if (materials_ == 0) return;
  if (formulas_ == nullptr) {
    std::fill(out.front().begin(), out.front().end(), 1.0F);
    return;
  }
  std::vector<float*> outputs;  // weight and emission mask of each material, in turn
  for (std::size_t m = 0; m < materials_; ++m) {
    outputs.push_back(out[m].data());
    outputs.push_back(masks_[m].data());
  }
  formulas_->at(points, normals, outputs);
  for (std::size_t i = 0; i < n; ++i) {
    float sum = 0;
    for (std::vector<float>& weights : out) sum += weights[i] = std::max(weights[i], 0.0F);
    if (sum > 0) {
      for (std::vector<float>& weights : out) weights[i] /= sum;
    } else {
      out.front()[i] = 1;
    }
  }
}

MaterialColors::MaterialColors(const Scene& scene, SimdLevel simd)
    : recipe_(scene.built->recipe.get()), weights_(scene, simd) {}

void MaterialColors::at(std::span<const Vec3f> points, std::span<const Vec3f> normals,
                        std::span<Vec3f> colors, std::span<Vec3f> emissions) {
  const std::vector<Material>& materials = recipe_->materials;
  std::fill(emissions.begin(), emissions.end(), Vec3f{});
  weights_.at(points, normals, shares_);
  std::fill(colors.begin(), colors.end(), Vec3f{});
  const auto vec = [](const Color& c) { return Vec3f{c[0], c[1], c[2]}; };
  for (std::size_t m = 0; m < materials.size(); ++m) {
    const Vec3f color = vec(materials[m].color) * 0.65F + vec(materials[m].color2) * 0.35F;
    const Vec3f emission = vec(materials[m].emission) * materials[m].emission_strength;
    const std::vector<float>& mask = weights_.emission_masks()[m];
    for (std::size_t i = 0; i < colors.size(); ++i) {
      colors[i] = colors[i] + color * shares_[m][i];
      emissions[i] = emissions[i] + emission * (shares_[m][i] * std::clamp(mask[i], 0.0F, 1.0F));
    }
  }
}

}  // namespace vf::cli
