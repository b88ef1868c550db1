// What the surfaces around the camera send out, roughly: for light that bounces, and for what mirrors show.
//
// A brick has 2 x 2 x 2 parts, each with up to six sides (by the axis its normal is nearest to). Each side
// that exists holds its colour, its glow and the light that arrives. Built once a picture; then read by all
// threads.
#pragma once

#include <cstdint>
#include <vector>

#include "render/lights.h"
#include "render/surface.h"
#include "render/trace_grid.h"

namespace vf::render {

struct CacheSettings {
  unsigned workers = 1;
  int rays = 16;  ///< a side and bounce. [power of 2]
  int bounces = 2;
  float ambient_m = 12;  ///< beyond this distance an open direction counts as ambient glow
};

struct Outgoing {
  Vec3f reflected, glow;  ///< radiance
  Vec3f arriving;         ///< bounced and ambient light on a white surface
  Vec3f shadow;           ///< share of the direct light that gets there
  float weight = 0;       ///< 0: nothing known here
};

/// Cone of a gathering ray: its share of the half space.
inline constexpr float kGatherSpread = 0.08F;

class RadianceCache {
 public:
  static RadianceCache build(const TraceGrid& grid, const Recipe& recipe, const SceneMaterials* materials,
                             const DirectLight& direct, const AmbientLight& ambient,
                             const CacheSettings& settings);

  /// What the surface at p of a brick sends out, about its normal.
  [[nodiscard]] Outgoing at(std::uint32_t brick, Vec3f p, Vec3f n) const;
  /// Light from a direction: the surface's where it is near, more and more the ambient glow where it is far.
  [[nodiscard]] Vec3f arriving(const GridRay& ray, float* distance) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] float ambient_m() const { return settings_.ambient_m; }

 private:
  struct Entry {
    Vec3f p, n;
    Vec3f albedo, glow, direct, shadow, arriving;
    std::uint32_t brick = 0;
    std::uint8_t slot = 0;  ///< part * 6 + side
  };
  void find_entries();
  void find_looks(const Recipe& recipe, const SceneMaterials* materials, const DirectLight& direct);
  void spread_glow();
  [[nodiscard]] Vec3f broad_glow(Vec3f p) const;
  void bounce(int rays_each);

  const TraceGrid* grid_ = nullptr;
  AmbientLight ambient_;
  CacheSettings settings_;
  bool glows_ = false;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;  ///< 48 a crossed brick
  /// Mean glow of the surfaces in blocks of a few metres: far rays are too few to find small bright things.
  int block_nx_ = 0, block_ny_ = 0, block_nz_ = 0;
  std::vector<Vec3f> block_glow_;
  std::vector<std::int32_t> first_slot_;  ///< a brick; -1 where there is no surface
  std::vector<Vec3f> arriving_;           ///< of the bounce before
};

}  // namespace vf::render
