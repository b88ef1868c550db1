// In: pieces of a mesh and the material formulas. Out: what each vertex is made of.
//
// Pure and deterministic: the same bytes for any number of workers and at every SIMD level.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {

inline constexpr int kBlendedMaterials = 4;

/// The strongest materials of a vertex, the strongest first; of equals, the first in the recipe.
struct MaterialBlend {
  std::array<std::uint8_t, kBlendedMaterials> material{};  ///< index in the recipe
  std::array<std::uint8_t, kBlendedMaterials> weight{};    ///< [1/255]; they add up to 255
  std::array<std::uint8_t, kBlendedMaterials> glow{};      ///< share of the material's emission. [1/255]
  friend bool operator==(const MaterialBlend&, const MaterialBlend&) = default;
};
inline constexpr MaterialBlend kFirstMaterial{{}, {255}, {255}};

/// Where a vertex lies. [metres, frame]; exact
[[nodiscard]] Vec3f position_m(const MeshPiece& piece, const MeshVertex& vertex);

/// `out[p][v]`: vertex v of pieces[p]. `materials`: outputs weight and emission mask of each material in
/// turn, over a window that holds the pieces; null when the recipe has no formulas: the first material covers
/// all. At most 256 materials. `workers` 0: one a core.
[[nodiscard]] std::vector<std::vector<MaterialBlend>> surface_materials(
    const std::shared_ptr<const BoundField>& materials, std::span<const MeshPiece* const> pieces,
    SimdLevel simd, unsigned workers);

/// The formulas at the vertices of one piece after the other. One a thread.
class MaterialProbe {
 public:
  /// `field`: as `materials` of surface_materials; must outlive this.
  MaterialProbe(const BoundField& field, SimdLevel simd);
  ~MaterialProbe();
  MaterialProbe(MaterialProbe&&) noexcept;
  MaterialProbe& operator=(MaterialProbe&&) noexcept;
  /// `out`: [piece.vertices]
  void blend(const MeshPiece& piece, std::span<MaterialBlend> out);
  /// At places of a surface: points [metres, frame] and normals of length 1, one of each for each of `out`.
  void blend(std::span<const Vec3f> points, std::span<const Vec3f> normals, std::span<MaterialBlend> out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The blend of raw weights and masks, [materials]: what is negative counts as nothing; where nothing is left
/// it is the first.
[[nodiscard]] MaterialBlend blend_of(std::span<const float> weights, std::span<const float> masks);

}  // namespace vf
