#include "render/surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "field/surface_formulas.h"
#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/material_look.h"
#include "render/patterns.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

constexpr std::size_t kStrongest = 4;  // materials blended at a point
constexpr float kBlendDepth = 0.22F;   // how far below the highest relief a material still shows
constexpr float kReliefShare = 0.45F;  // weight of relief against weight of the formula

class FormulaProbe final : public MaterialProbe {
 public:
  FormulaProbe(const BoundField& field, SimdLevel level) : formulas_(field, level) {}

  void weights(std::span<const Vec3f> points, std::span<const Vec3f> normals,
               std::span<std::vector<float>> out) override {
    std::vector<float*> to;
    for (std::vector<float>& values : out) to.push_back(values.data());
    formulas_.at(points, normals, to);
  }

 private:
  SurfaceFormulas formulas_;
};

class FormulaMaterials final : public SceneMaterials {
 public:
  FormulaMaterials(std::shared_ptr<const BoundField> field, SimdLevel level)
      : field_(std::move(field)), level_(level) {}
  std::unique_ptr<MaterialProbe> probe() const override {
    return std::make_unique<FormulaProbe>(*field_, level_);
  }

 private:
  std::shared_ptr<const BoundField> field_;
  SimdLevel level_;
};

bool has_no_lines(DetailPattern pattern) {
  return pattern == DetailPattern::kGrass || pattern == DetailPattern::kNoise ||
         pattern == DetailPattern::kPlaster || pattern == DetailPattern::kSpeckle ||
         pattern == DetailPattern::kBands || pattern == DetailPattern::kLeaves;
}

PatternValue pattern_of(const Material& m, Vec3f p, Vec3f n, float footprint) {
  return pattern_at(m.detail, p, n, m.detail_scale_m, footprint);
}

}  // namespace

std::unique_ptr<SceneMaterials> make_scene_materials(std::shared_ptr<const BoundField> field,
                                                     SimdLevel level) {
  return std::make_unique<FormulaMaterials>(std::move(field), level);
}

// The strongest materials of a point, with their share of it.
struct SurfaceShader::Blend {
  std::array<std::size_t, kStrongest> material{};
  std::array<float, kStrongest> share{};
  std::array<float, kStrongest> mask{};
  std::array<PatternValue, kStrongest> pattern{};
  std::size_t count = 0;

  void offer(std::size_t m, float weight, float emission_mask) {
    std::size_t at = count;
    while (at > 0 && share[at - 1] < weight) --at;
    if (at >= kStrongest) return;
    const std::size_t last = std::min(count, kStrongest - 1);
    for (std::size_t i = last; i > at; --i)
      material[i] = material[i - 1], share[i] = share[i - 1], mask[i] = mask[i - 1];
    material[at] = m, share[at] = weight, mask[at] = emission_mask;
    count = std::min(count + 1, kStrongest);
  }

  // A material shows where its weight and its relief stand out: joints follow the patterns.
  void settle(std::span<const Material> palette) {
    float total = 0, top = 0;
    for (std::size_t i = 0; i < count; ++i) total += share[i];
    if (count == 1) {
      share[0] = 1;
      return;
    }
    std::array<float, kStrongest> level{};
    for (std::size_t i = 0; i < count; ++i) {
      share[i] /= total;
      const float relief = palette[material[i]].detail == DetailPattern::kNone ? 0.5F : pattern[i].height;
      level[i] = share[i] + kReliefShare * (relief - 0.5F) * std::min(1.0F, 4 * share[i]);
      top = std::max(top, level[i]);
    }
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      share[i] = std::max(0.0F, level[i] - (top - kBlendDepth)) * std::min(1.0F, 20 * share[i]);
      sum += share[i];
    }
    for (std::size_t i = 0; i < count; ++i) share[i] /= sum;
  }
};

// What the relief of a point follows from.
struct SurfaceShader::Relief {
  float finest_m = 1e9F;  // smallest pattern
  float rough = 0;        // share of grain
  float here_m = 0;       // height at the point
};

SurfaceShader::SurfaceShader(const Recipe& recipe, const SceneMaterials* materials)
    : palette_(recipe.materials) {
  VF_CHECK(!palette_.empty());  // a parsed recipe has materials
  if (materials != nullptr) probe_ = materials->probe();
  weights_.resize(palette_.size() * 2);
}

bool SurfaceShader::anything_glows() const {
  return std::any_of(palette_.begin(), palette_.end(), [](const Material& m) {
    return m.emission_strength > 0 && max_of(to_vec(m.emission)) > 0;
  });
}

void SurfaceShader::look(std::span<const SurfaceQuery> queries, std::span<SurfaceLook> out) {
  points_.resize(queries.size());
  normals_.resize(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) points_[i] = queries[i].p, normals_[i] = queries[i].n;
  for (auto& w : weights_) w.assign(queries.size(), 1);
  if (probe_ && !queries.empty()) probe_->weights(points_, normals_, weights_);
  for (std::size_t i = 0; i < queries.size(); ++i) out[i] = look_of(queries[i], i);
}

SurfaceLook SurfaceShader::look_of(const SurfaceQuery& q, std::size_t i) const {
  Blend blend;
  for (std::size_t m = 0; m < palette_.size(); ++m) {
    const float w = probe_ ? weights_[2 * m][i] : (m == 0 ? 1.0F : 0.0F);
    if (w > 1e-3F) blend.offer(m, w, clamp01(weights_[2 * m + 1][i]));
  }
  if (blend.count == 0) blend.offer(0, 1, clamp01(weights_[1][i]));
  for (std::size_t b = 0; b < blend.count; ++b)
    blend.pattern[b] = pattern_of(palette_[blend.material[b]], q.p, q.n, q.footprint_m);
  blend.settle(palette_);

  SurfaceLook out;
  out.albedo = {};
  out.roughness = 0;
  Relief relief;
  float bump = 0, coarsest_m = 0;
  for (std::size_t b = 0; b < blend.count; ++b) {
    const Material& m = palette_[blend.material[b]];
    const float share = blend.share[b];
    const PatternValue& v = blend.pattern[b];
    const float strength = detail_strength(m);
    out.albedo = out.albedo + detail_color(m, v) * share;
    out.emission = out.emission + to_vec(m.emission) * (m.emission_strength * blend.mask[b] * share);
    out.roughness += share * detail_roughness(m, v);
    out.metallic += share * m.metallic;
    out.translucency += share * m.translucency;
    relief.rough += share * grain_share(m);
    if (strength > 0 && m.bump_m * share > 0) {
      bump += m.bump_m * share;
      relief.finest_m = std::min(relief.finest_m, m.detail_scale_m);
      coarsest_m = std::max(coarsest_m, m.detail_scale_m);
    }
    if (m.detail != DetailPattern::kNone) relief.here_m += share * m.bump_m * v.height;
  }
  if (q.footprint_m > 0.03F) relief.rough = 0;
  if (relief.rough > 0) {
    const float g = grain(q.p, q.footprint_m);
    out.albedo = out.albedo * grain_shade(relief.rough, g);
    relief.here_m += relief.rough * kGrainReliefM * g;
  }
  out.albedo = {clamp01(out.albedo.x), clamp01(out.albedo.y), clamp01(out.albedo.z)};
  std::size_t strongest = 0;
  for (std::size_t b = 1; b < blend.count; ++b)
    if (blend.share[b] > blend.share[strongest]) strongest = b;
  out.material = static_cast<std::uint16_t>(blend.material[strongest]);
  out.grown = has_no_lines(palette_[out.material].detail);
  out.normal = q.n;
  bump += relief.rough * kGrainReliefM;
  if (relief.rough > 0)
    relief.finest_m = std::min(relief.finest_m, 0.15F), coarsest_m = std::max(coarsest_m, 0.15F);
  // Patterns finer than the footprint have faded into their mean, which is flat.
  if (bump > 0 && bump >= 0.02F * q.footprint_m && q.footprint_m <= 1.2F * coarsest_m)
    out.normal = relieved(q, blend, relief);
  return out;
}

// The slope of the blended height along the surface tilts the normal.
Vec3f SurfaceShader::relieved(const SurfaceQuery& q, const Blend& blend, const Relief& relief) const {
  const float step = std::max(relief.finest_m * 0.02F, q.footprint_m * 0.6F);
  const Basis frame = basis_about(q.n);
  const auto height = [&](Vec3f p) {
    float h = 0;
    for (std::size_t b = 0; b < blend.count; ++b) {
      const Material& m = palette_[blend.material[b]];
      if (m.bump_m > 0 && m.detail != DetailPattern::kNone)
        h += blend.share[b] * m.bump_m * pattern_of(m, p, q.n, q.footprint_m).height;
    }
    return relief.rough > 0 ? h + relief.rough * kGrainReliefM * grain(p, q.footprint_m) : h;
  };
  const float du = (height(q.p + frame.u * step) - relief.here_m) / step;
  const float dv = (height(q.p + frame.v * step) - relief.here_m) / step;
  const float limit = slope_limit(du, dv);
  return normalized(q.n - frame.u * (du * limit) - frame.v * (dv * limit));
}

}  // namespace vf::render
