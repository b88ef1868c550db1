#include "mesh/surface_materials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/tasks.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "field/surface_formulas.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"
#include "proof/certificate.h"

namespace vf {

namespace {

std::uint8_t to_255(float share) {
  return static_cast<std::uint8_t>(std::floor(share * 255 + 0.5F));
}

}  // namespace

Vec3f position_m(const MeshPiece& piece, const MeshVertex& vertex) {
  const int level = piece.anchor.level;
  const float unit_m = voxel_m(level) / static_cast<float>(kVoxelUnits);
  // In whole units first: the sum is exact, and so is its product with a power of two.
  const auto at = [&](std::int32_t tile, std::int16_t v) {
    return static_cast<float>(std::int64_t{tile} * kTileEdge * kVoxelUnits + v) * unit_m;
  };
  return {at(piece.anchor.tx, vertex.x), at(piece.anchor.ty, vertex.y), at(piece.anchor.tz, vertex.z)};
}

MaterialBlend blend_of(std::span<const float> weights, std::span<const float> masks) {
  VF_CHECK(weights.size() == masks.size() && weights.size() <= 256);
  std::array<std::size_t, kBlendedMaterials> best{};
  std::size_t count = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    if (!(weights[m] > 0)) continue;
    std::size_t at = count;
    while (at > 0 && weights[best[at - 1]] < weights[m]) --at;
    if (at >= best.size()) continue;
    count = std::min(count + 1, best.size());
    for (std::size_t i = count - 1; i > at; --i) best[i] = best[i - 1];
    best[at] = m;
  }
  if (count == 0) return kFirstMaterial;
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += weights[best[i]];
  MaterialBlend out;
  int left = 255;
  for (std::size_t i = count; i-- > 0;) {  // the strongest takes what rounding leaves
    const std::uint8_t share = i == 0 ? static_cast<std::uint8_t>(left) : to_255(weights[best[i]] / sum);
    left -= share;
    out.material[i] = static_cast<std::uint8_t>(best[i]);
    out.weight[i] = share;
    const float mask = masks[best[i]];
    out.glow[i] = mask > 0 ? to_255(std::min(mask, 1.0F)) : std::uint8_t{0};
  }
  return out;
}

struct MaterialProbe::Impl {
  SurfaceFormulas formulas;
  std::vector<Vec3f> points, normals;
  std::vector<float> values;

  Impl(const BoundField& field, SimdLevel simd) : formulas(field, simd) {}
};

MaterialProbe::MaterialProbe(const BoundField& field, SimdLevel simd)
    : impl_(std::make_unique<Impl>(field, simd)) {}
MaterialProbe::~MaterialProbe() = default;
MaterialProbe::MaterialProbe(MaterialProbe&&) noexcept = default;
MaterialProbe& MaterialProbe::operator=(MaterialProbe&&) noexcept = default;

void MaterialProbe::blend(const MeshPiece& piece, std::span<MaterialBlend> out) {
  Impl& s = *impl_;
  s.points.clear();
  s.normals.clear();
  for (const MeshVertex& vertex : piece.vertices) {
    s.points.push_back(position_m(piece, vertex));
    s.normals.push_back(decode_normal(vertex.normal));
  }
  blend(s.points, s.normals, out);
}

void MaterialProbe::blend(std::span<const Vec3f> points, std::span<const Vec3f> normals,
                          std::span<MaterialBlend> out) {
  Impl& s = *impl_;
  const std::size_t count = out.size(), outputs = s.formulas.outputs();
  s.values.resize(outputs * count);
  std::vector<float*> columns(outputs);
  for (std::size_t o = 0; o < outputs; ++o) columns[o] = s.values.data() + o * count;
  s.formulas.at(points, normals, columns);
  std::vector<float> weights(outputs / 2), masks(outputs / 2);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t m = 0; m < weights.size(); ++m)
      weights[m] = columns[2 * m][i], masks[m] = columns[2 * m + 1][i];
    out[i] = blend_of(weights, masks);
  }
}

std::vector<std::vector<MaterialBlend>> surface_materials(const std::shared_ptr<const BoundField>& materials,
                                                          std::span<const MeshPiece* const> pieces,
                                                          SimdLevel simd, unsigned workers) {
  if (workers == 0) workers = default_workers();
  std::vector<std::unique_ptr<MaterialProbe>> crew(workers);
  std::vector<std::vector<MaterialBlend>> out(pieces.size());
  parallel_for(pieces.size(), workers, [&](std::size_t i, unsigned worker) {
    out[i].assign(pieces[i]->vertices.size(), kFirstMaterial);
    if (materials == nullptr || out[i].empty()) return;
    if (!crew[worker]) crew[worker] = std::make_unique<MaterialProbe>(*materials, simd);
    crew[worker]->blend(*pieces[i], out[i]);
  });
  return out;
}

}  // namespace vf
