#include "proof/density_digest.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/digest.h"
#include "base/tasks.h"
#include "field/bound_field.h"
#include "field/program.h"
#include "proof/certificate.h"
#include "proof/region_sampler.h"
#include "proof/tile_evaluator.h"
#include "proof/tile_geometry.h"
#include "proof/view_region.h"

namespace vf {

namespace {

constexpr int kRows = kTileEdge * kTileEdge;

/// Samples 0 ... 32 of a tile: signs for all, values where a brick or the border has them.
class Lookup {
 public:
  Lookup(const TileDensity& density, RegionSampler& sampler) : density_(&density) {
    for (auto& face : border_) face.fill(std::numeric_limits<float>::quiet_NaN());
    sample_border(sampler);
  }

  [[nodiscard]] float value(int x, int y, int z) const {
    if (x == kTileEdge) return border_[0][static_cast<std::size_t>(z * kTileEdge + y)];
    if (y == kTileEdge) return border_[1][static_cast<std::size_t>(z * kTileEdge + x)];
    if (z == kTileEdge) return border_[2][static_cast<std::size_t>(y * kTileEdge + x)];
    const float* brick = density_->brick(brick_of(x, y, z));
    // No value: the proof says that no edge from here changes sign. Were it wrong, the digest would be
    // another.
    if (brick == nullptr) return std::numeric_limits<float>::quiet_NaN();
    return brick[(z & 7) * 64 + (y & 7) * 8 + (x & 7)];
  }
  /// At the border beyond a proven brick: the brick's own sign, by its proof.
  [[nodiscard]] bool solid(int x, int y, int z) const {
    const int cx = std::min(x, kTileEdge - 1), cy = std::min(y, kTileEdge - 1),
              cz = std::min(z, kTileEdge - 1);
    const int b = brick_of(cx, cy, cz);
    if (density_->brick(b) == nullptr)
      return density_->verdict[static_cast<std::size_t>(b)] == Verdict::kSolid;
    return value(x, y, z) < 0;
  }

 private:
  static int brick_of(int x, int y, int z) { return ((z >> 3) * 4 + (y >> 3)) * 4 + (x >> 3); }

  /// The sample planes 32 next to evaluated bricks.
  void sample_border(RegionSampler& sampler) {
    std::vector<int> xyz;
    std::vector<std::pair<std::size_t, std::size_t>> to;
    for (int a = 0; a < kTileEdge; ++a)
      for (int b = 0; b < kTileEdge; ++b) {
        const auto at = static_cast<std::size_t>(a * kTileEdge + b);
        const std::array<std::array<int, 3>, 3> point{
            {{kTileEdge, b, a}, {b, kTileEdge, a}, {b, a, kTileEdge}}};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto& p = point[axis];
          const int brick = brick_of(std::min(p[0], kTileEdge - 1), std::min(p[1], kTileEdge - 1),
                                     std::min(p[2], kTileEdge - 1));
          if (density_->brick(brick) == nullptr) continue;
          xyz.insert(xyz.end(), p.begin(), p.end());
          to.emplace_back(axis, at);
        }
      }
    std::vector<float> values;
    sampler.sample_at(density_->key, xyz, values);
    for (std::size_t i = 0; i < to.size(); ++i) border_[to[i].first][to[i].second] = values[i];
  }

  const TileDensity* density_;
  std::array<std::array<float, kRows>, 3> border_;
};

void find_edges(const Lookup& lookup, TileSurface& out) {
  for (int z = 0; z < kTileEdge; ++z)
    for (int y = 0; y < kTileEdge; ++y) {
      const std::uint32_t row = out.rows[static_cast<std::size_t>(z * kTileEdge + y)];
      const auto next_row = [&](int ny, int nz) {
        if (ny < kTileEdge && nz < kTileEdge) return out.rows[static_cast<std::size_t>(nz * kTileEdge + ny)];
        std::uint32_t bits = 0;
        for (int x = 0; x < kTileEdge; ++x) bits |= lookup.solid(x, ny, nz) ? 1U << x : 0U;
        return bits;
      };
      const std::uint32_t next_x = row >> 1 | (lookup.solid(kTileEdge, y, z) ? 0x80000000U : 0U);
      const std::array<std::uint32_t, 3> changes{row ^ next_x, row ^ next_row(y + 1, z),
                                                 row ^ next_row(y, z + 1)};
      if ((changes[0] | changes[1] | changes[2]) == 0) continue;
      for (int x = 0; x < kTileEdge; ++x)
        for (std::uint8_t axis = 0; axis < 3; ++axis) {
          if ((changes[axis] >> x & 1U) == 0) continue;
          const auto sample = static_cast<std::uint16_t>((z * kTileEdge + y) * kTileEdge + x);
          out.edges.push_back({sample, axis, lookup.value(x, y, z),
                               lookup.value(x + (axis == 0), y + (axis == 1), z + (axis == 2))});
        }
    }
}

auto canonical(const TileSurface& s) {
  return std::tie(s.level, s.gz, s.gy, s.gx);
}

std::vector<TileSurface> surfaces_of(const std::shared_ptr<const BoundField>& field,
                                     std::span<const TileKey> tiles, const TileOptions& options,
                                     unsigned workers, ProofCounts& counts,
                                     const std::function<void(std::size_t, TileSurface&)>& each) {
  if (workers == 0) workers = default_workers();
  std::vector<std::unique_ptr<RegionSampler>> samplers(workers);
  std::vector<TileSurface> surfaces(tiles.size());
  counts = evaluate_region(field, tiles, options, workers,
                           [&](std::size_t index, const TileDensity& density, unsigned worker) {
                             if (!samplers[worker])
                               samplers[worker] = std::make_unique<RegionSampler>(field, options.simd);
                             surfaces[index] = surface_of(density, field->frame, *samplers[worker]);
                             each(index, surfaces[index]);
                           });
  return surfaces;
}

std::vector<std::size_t> canonical_order(const std::vector<TileSurface>& surfaces) {
  std::vector<std::size_t> order(surfaces.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return canonical(surfaces[a]) < canonical(surfaces[b]); });
  return order;
}

void dump(const TileSurface& s, std::string& out) {
  std::array<char, 160> line{};
  const auto put = [&](int n) { out.append(line.data(), static_cast<std::size_t>(n)); };
  put(std::snprintf(line.data(), line.size(), "tile %d %lld %lld %lld%s\n", s.level,
                    static_cast<long long>(s.gx), static_cast<long long>(s.gy), static_cast<long long>(s.gz),
                    !s.uniform       ? ""
                    : s.rows[0] != 0 ? " solid"
                                     : " air"));
  if (s.uniform) return;
  for (std::size_t z = 0; z < kTileEdge; ++z) {
    put(std::snprintf(line.data(), line.size(), "signs %zu", z));
    for (std::size_t y = 0; y < kTileEdge; ++y)
      put(std::snprintf(line.data(), line.size(), " %08x", s.rows[z * kTileEdge + y]));
    out += '\n';
  }
  for (const TileSurface::Edge& e : s.edges)
    put(std::snprintf(line.data(), line.size(), "edge %d %d %d %c %a %a\n", e.sample % kTileEdge,
                      e.sample / kTileEdge % kTileEdge, e.sample / kRows, "xyz"[e.axis],
                      static_cast<double>(e.from + 0.0F), static_cast<double>(e.to + 0.0F)));
}

}  // namespace

TileSurface surface_of(const TileDensity& density, Frame frame, RegionSampler& sampler) {
  TileSurface out;
  const auto per_sector = static_cast<std::int64_t>(kSectorM / tile_m(density.key.level));
  out.level = density.key.level;
  out.gx = frame.sx * per_sector + density.key.tx;
  out.gy = frame.sy * per_sector + density.key.ty;
  out.gz = density.key.tz;
  const bool all_proven = std::all_of(density.reason.begin(), density.reason.end(),
                                      [](Reason r) { return r == Reason::kProven; });
  const bool one_verdict = std::all_of(density.verdict.begin(), density.verdict.end(),
                                       [&](Verdict v) { return v == density.verdict[0]; });
  if (all_proven && one_verdict) {
    out.uniform = true;
    out.rows.assign(kRows, density.verdict[0] == Verdict::kSolid ? 0xFFFFFFFFU : 0U);
    return out;
  }
  const Lookup lookup(density, sampler);
  out.rows.assign(kRows, 0);
  for (int z = 0; z < kTileEdge; ++z)
    for (int y = 0; y < kTileEdge; ++y)
      for (int x = 0; x < kTileEdge; ++x)
        if (lookup.solid(x, y, z)) out.rows[static_cast<std::size_t>(z * kTileEdge + y)] |= 1U << x;
  find_edges(lookup, out);
  out.uniform = out.edges.empty() && std::all_of(out.rows.begin(), out.rows.end(),
                                                 [&](std::uint32_t r) { return r == out.rows[0]; });
  return out;
}

Digest digest_of(const TileSurface& s) {
  Digester digester;
  for (const std::int64_t v : {std::int64_t{s.level}, s.gx, s.gy, s.gz})
    digester.add(static_cast<std::uint64_t>(v));
  VF_CHECK(s.rows.size() == kRows);
  for (std::size_t i = 0; i < s.rows.size(); i += 2)
    digester.add(std::uint64_t{s.rows[i]} | std::uint64_t{s.rows[i + 1]} << 32);
  for (const TileSurface::Edge& e : s.edges) {
    digester.add(std::uint64_t{e.sample} << 2 | e.axis);
    digester.add(e.from);
    digester.add(e.to);
  }
  return digester.finish();
}

RegionDigest density_digest(const std::shared_ptr<const BoundField>& field, std::span<const TileKey> tiles,
                            const TileOptions& options, unsigned workers) {
  RegionDigest result;
  result.tiles.resize(tiles.size());
  const std::vector<TileSurface> surfaces =
      surfaces_of(field, tiles, options, workers, result.counts, [&](std::size_t index, TileSurface& s) {
        result.tiles[index] = digest_of(s);
        s.rows = {};
        s.edges = {};
      });
  Digester all;
  for (const std::size_t i : canonical_order(surfaces)) {
    all.add(result.tiles[i]);
  }
  result.all = all.finish();
  return result;
}

std::string density_dump(const std::shared_ptr<const BoundField>& field, std::span<const TileKey> tiles,
                         const TileOptions& options, unsigned workers) {
  ProofCounts counts;
  const std::vector<TileSurface> surfaces =
      surfaces_of(field, tiles, options, workers, counts, [](std::size_t, TileSurface&) {});
  std::string out;
  for (const std::size_t i : canonical_order(surfaces)) dump(surfaces[i], out);
  return out;
}

std::string first_difference(std::string_view a, std::string_view b) {
  std::string_view tile;
  for (std::size_t line = 1; !a.empty() || !b.empty(); ++line) {
    const auto take = [](std::string_view& text) {
      const std::size_t end = text.find('\n');
      const std::string_view first = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      return first;
    };
    const std::string_view la = take(a), lb = take(b);
    if (la == lb) {
      if (la.starts_with("tile ")) tile = la;
      continue;
    }
    const std::string where = tile.empty() ? "" : std::string(tile) + ", ";
    return where + "line " + std::to_string(line) + ": " + std::string(la) + " | " + std::string(lb);
  }
  return "";
}

}  // namespace vf
