#include "proof/verify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/tasks.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/box.h"
#include "math/vec.h"
#include "proof/certificate.h"
#include "proof/region_sampler.h"
#include "proof/tile_evaluator.h"
#include "proof/tile_geometry.h"
#include "proof/view_region.h"

namespace vf {

namespace {

const char* name_of(Verdict v) {
  return v == Verdict::kSolid ? "solid" : v == Verdict::kAir ? "air" : "mixed";
}

/// Equal, or both zero: no product tells +0 from -0.
bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a + 0.0F) == std::bit_cast<std::uint32_t>(b + 0.0F);
}

struct BrickStart {
  int x = 0, y = 0, z = 0;
};
BrickStart start_of(int b) {
  return {(b & 3) * kBrickEdge, ((b >> 2) & 3) * kBrickEdge, (b >> 4) * kBrickEdge};
}

WrongSample place_of(const TileDensity& density, int b, int x, int y, int z) {
  const Vec3f origin = tile_origin(density.key);
  const float v = voxel_m(density.key.level);
  WrongSample w;
  w.key = density.key;
  w.brick = b;
  w.at = {origin.x + v * static_cast<float>(x), origin.y + v * static_cast<float>(y),
          origin.z + v * static_cast<float>(z)};
  w.verdict = density.verdict[static_cast<std::size_t>(b)];
  return w;
}

void note(VerifyReport& report, const WrongSample& w) {
  if (report.first.size() < kMaxWrongSamples) report.first.push_back(w);
}

void check_proven(const TileDensity& density, const SampleBlock& block, int b, VerifyReport& report) {
  const bool solid = density.verdict[static_cast<std::size_t>(b)] == Verdict::kSolid;
  const BrickStart s = start_of(b);
  for (int z = s.z - 1; z <= s.z + kBrickEdge; ++z)
    for (int y = s.y - 1; y <= s.y + kBrickEdge; ++y)
      for (int x = s.x - 1; x <= s.x + kBrickEdge; ++x) {
        const float value = block.at(x, y, z);
        if (!std::isnan(value) && (value < 0) == solid) continue;
        ++report.wrong;
        WrongSample w = place_of(density, b, x, y, z);
        w.value = value;
        return note(report, w);
      }
}

void check_values(const TileDensity& density, const SampleBlock& block, int b, const float* brick,
                  VerifyReport& report) {
  const BrickStart s = start_of(b);
  for (int z = 0; z < kBrickEdge; ++z)
    for (int y = 0; y < kBrickEdge; ++y)
      for (int x = 0; x < kBrickEdge; ++x) {
        const float value = block.at(s.x + x, s.y + y, s.z + z);
        const float own = brick[z * 64 + y * 8 + x];
        if (same_bits(value, own)) continue;
        ++report.different;
        WrongSample w = place_of(density, b, s.x + x, s.y + y, s.z + z);
        w.value = value;
        w.brick_value = own;
        return note(report, w);
      }
}

/// A random coordinate on the 1/1024 m grid.
float grid_between(float lo, float hi, std::uint64_t hash) {
  const auto first = static_cast<double>(std::ceil(lo * kGridPerM));
  const auto last = static_cast<double>(std::floor(hi * kGridPerM));
  const double at = std::floor(first + (last - first + 1) * static_cast<double>(unit_float(hash)));
  return static_cast<float>(std::clamp(at, first, last)) / kGridPerM;
}

}  // namespace

std::string to_string(const WrongSample& w) {
  std::array<char, 256> text{};
  const auto print = [&](const char* what, float extra) {
    std::snprintf(text.data(), text.size(),
                  "level %d tile %d %d %d brick %d at (%.9g, %.9g, %.9g): %s %s, phi = %a", w.key.level,
                  w.key.tx, w.key.ty, w.key.tz, w.brick, static_cast<double>(w.at.x),
                  static_cast<double>(w.at.y), static_cast<double>(w.at.z), what, name_of(w.verdict),
                  static_cast<double>(w.value));
    if (w.verdict == Verdict::kMixed) {
      std::array<char, 48> more{};
      std::snprintf(more.data(), more.size(), ", its brick has %a", static_cast<double>(extra));
      return std::string(text.data()) + more.data();
    }
    return std::string(text.data());
  };
  return print(w.verdict == Verdict::kMixed ? "evaluated" : "proven", w.brick_value);
}

void verify_tile(const TileDensity& density, RegionSampler& sampler, VerifyReport& report) {
  SampleBlock block{-1, -1, -1, kTileEdge + 2, kTileEdge + 2, kTileEdge + 2, {}};
  sampler.sample(density.key, block);
  report.samples += block.values.size();
  report.bricks += kTileBricks;
  for (int b = 0; b < kTileBricks; ++b) {
    if (const float* brick = density.brick(b); brick != nullptr)
      check_values(density, block, b, brick, report);
    else
      check_proven(density, block, b, report);
  }
}

VerifyReport verify_region(const std::shared_ptr<const BoundField>& field, std::span<const TileKey> tiles,
                           const TileOptions& options, unsigned workers) {
  if (workers == 0) workers = default_workers();
  std::vector<std::unique_ptr<RegionSampler>> samplers(workers);
  std::vector<VerifyReport> found(tiles.size());
  VerifyReport report;
  report.counts = evaluate_region(field, tiles, options, workers,
                                  [&](std::size_t index, const TileDensity& density, unsigned worker) {
                                    if (!samplers[worker])
                                      samplers[worker] = std::make_unique<RegionSampler>(field, options.simd);
                                    verify_tile(density, *samplers[worker], found[index]);
                                  });
  for (const VerifyReport& r : found) {
    report.bricks += r.bricks;
    report.samples += r.samples;
    report.wrong += r.wrong;
    report.different += r.different;
    for (const WrongSample& w : r.first) note(report, w);
  }
  return report;
}

BoundReport verify_bounds(const BoundField& field, const Box3f& region, std::uint64_t boxes,
                          int points_per_box, std::uint64_t seed, SimdLevel simd) {
  const auto borrowed = std::shared_ptr<const BoundField>(std::shared_ptr<const BoundField>(), &field);
  RegionSampler sampler(borrowed, simd);
  IntervalEvaluator interval(field, simd);
  const Tape full = density_tape(*field.program);
  BoundReport report;
  std::vector<Vec3f> points(static_cast<std::size_t>(points_per_box));
  std::vector<float> values;
  BoxBatch batch;
  batch.count = 1;
  for (std::uint64_t i = 0; i < boxes; ++i) {
    std::uint64_t n = 0;
    const auto random = [&] { return hash_words({seed, i, n++}); };
    // Sizes from a point to 32 m, each power of two as likely.
    Box3f box;
    box.min = {grid_between(region.min.x, region.max.x, random()),
               grid_between(region.min.y, region.max.y, random()),
               grid_between(region.min.z, region.max.z, random())};
    const auto size = [&] {
      const std::uint64_t h = random();
      return h % 17 == 0 ? 0.0F : static_cast<float>(std::uint64_t{1} << (h % 16)) / kGridPerM;
    };
    box.max = {std::min(box.min.x + size(), region.max.x), std::min(box.min.y + size(), region.max.y),
               std::min(box.min.z + size(), region.max.z)};
    batch.set(0, box);
    float lo = 0, hi = 0;
    interval.evaluate(tape_in_box(field, full, box), batch, {}, &lo, &hi, nullptr);
    ++report.boxes;
    if (!std::isfinite(lo) || !std::isfinite(hi)) ++report.unknown;
    for (Vec3f& p : points)
      p = {grid_between(box.min.x, box.max.x, random()), grid_between(box.min.y, box.max.y, random()),
           grid_between(box.min.z, box.max.z, random())};
    sampler.sample_points(box, points, values);
    report.points += points.size();
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (std::isnan(lo) || std::isnan(hi) || (lo <= values[k] && values[k] <= hi)) continue;
      if (report.wrong++ > 0) continue;
      std::array<char, 320> text{};
      std::snprintf(
          text.data(), text.size(),
          "phi = %a at (%.9g, %.9g, %.9g) is not in [%a, %a] of box (%.9g, %.9g, %.9g) - (%.9g, %.9g, %.9g)",
          static_cast<double>(values[k]), static_cast<double>(points[k].x), static_cast<double>(points[k].y),
          static_cast<double>(points[k].z), static_cast<double>(lo), static_cast<double>(hi),
          static_cast<double>(box.min.x), static_cast<double>(box.min.y), static_cast<double>(box.min.z),
          static_cast<double>(box.max.x), static_cast<double>(box.max.y), static_cast<double>(box.max.z));
      report.first = text.data();
    }
  }
  return report;
}

}  // namespace vf
