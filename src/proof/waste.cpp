#include "proof/waste.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/tasks.h"
#include "field/bound_field.h"
#include "field/program.h"
#include "proof/certificate.h"
#include "proof/region_sampler.h"
#include "proof/tile_evaluator.h"
#include "proof/view_region.h"

namespace vf {

namespace {

/// Samples of [-1, 8]^3 that are not of the brick itself, from the tile's sample 0, 0, 0.
std::vector<int> shell_of(int brick) {
  const int bx = (brick & 3) * kBrickEdge, by = ((brick >> 2) & 3) * kBrickEdge,
            bz = (brick >> 4) * kBrickEdge;
  std::vector<int> xyz;
  const auto inside = [](int i) { return i >= 0 && i < kBrickEdge; };
  for (int z = -1; z <= kBrickEdge; ++z)
    for (int y = -1; y <= kBrickEdge; ++y)
      for (int x = -1; x <= kBrickEdge; ++x) {
        if (inside(x) && inside(y) && inside(z)) continue;
        xyz.insert(xyz.end(), {bx + x, by + y, bz + z});
      }
  return xyz;
}

bool one_sign(const float* values, std::size_t count, bool solid) {
  for (std::size_t i = 0; i < count; ++i)
    if ((values[i] < 0) != solid) return false;
  return true;
}

}  // namespace

ProofCounts measure_waste(const std::shared_ptr<const BoundField>& field, std::span<const TileKey> tiles,
                          const TileOptions& options, unsigned workers) {
  if (workers == 0) workers = default_workers();
  std::vector<std::unique_ptr<RegionSampler>> samplers(workers);
  std::atomic<std::uint64_t> wasted{0};
  ProofCounts counts = evaluate_region(
      field, tiles, options, workers, [&](std::size_t, const TileDensity& density, unsigned worker) {
        std::vector<float> values;
        for (int b = 0; b < kTileBricks; ++b) {
          const float* brick = density.brick(b);
          if (brick == nullptr) continue;
          const bool solid = brick[0] < 0;
          if (!one_sign(brick, kBrickSamples, solid)) continue;
          if (!samplers[worker]) samplers[worker] = std::make_unique<RegionSampler>(field, options.simd);
          samplers[worker]->sample_at(density.key, shell_of(b), values);
          if (one_sign(values.data(), values.size(), solid)) ++wasted;
        }
      });
  counts.wasted = wasted;
  return counts;
}

}  // namespace vf
