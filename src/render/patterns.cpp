#include "render/patterns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "math/vec.h"
#include "recipe/recipe.h"
#include "render/vec_ops.h"

namespace vf::render {
namespace {

std::uint32_t mix32(std::uint32_t h) {
  h ^= h >> 16;
  h *= 0x7FEB352DU;
  h ^= h >> 15;
  h *= 0x846CA68BU;
  h ^= h >> 16;
  return h;
}
std::uint32_t hash3(int x, int y, int z) {
  return mix32(static_cast<std::uint32_t>(x) * 0x8DA6B343U + static_cast<std::uint32_t>(y) * 0xD8163841U +
               static_cast<std::uint32_t>(z) * 0xCB1AB31FU);
}
float unit(std::uint32_t h) {
  return static_cast<float>(h >> 8) * (1.0F / 16777216.0F);
}
float fade(float t) {
  return t * t * t * (t * (t * 6 - 15) + 10);
}
int floor_of(float v) {
  const int i = static_cast<int>(v);
  return static_cast<float>(i) > v ? i - 1 : i;
}

// A shuffled row of 0 to 255, twice over: hashes of lattice corners by look-up, four times as fast here as by
// multiplying. Noise repeats after 256 cells, which is far more than patterns of this size show at once.
constexpr std::array<std::uint8_t, 512> shuffled() {
  std::array<std::uint8_t, 512> row{};
  for (std::size_t i = 0; i < 256; ++i) row[i] = static_cast<std::uint8_t>(i);
  std::uint32_t state = 0x9E3779B9U;
  for (std::size_t i = 255; i > 0; --i) {
    state = state * 1664525U + 1013904223U;
    const std::size_t other = (state >> 8) % (i + 1);
    const std::uint8_t keep = row[i];
    row[i] = row[other], row[other] = keep;
  }
  for (std::size_t i = 0; i < 256; ++i) row[256 + i] = row[i];
  return row;
}
constexpr std::array<std::uint8_t, 512> kShuffled = shuffled();

// The edge midpoints of a cube, as in Perlin's improved noise; four of them twice.
struct Slope {
  float x, y, z;
};
constexpr std::array<Slope, 16> kSlopes{{{1, 1, 0},
                                         {-1, 1, 0},
                                         {1, -1, 0},
                                         {-1, -1, 0},
                                         {1, 0, 1},
                                         {-1, 0, 1},
                                         {1, 0, -1},
                                         {-1, 0, -1},
                                         {0, 1, 1},
                                         {0, -1, 1},
                                         {0, 1, -1},
                                         {0, -1, -1},
                                         {1, 1, 0},
                                         {0, -1, 1},
                                         {-1, 1, 0},
                                         {0, -1, -1}}};

// Octaves finer than the footprint fade out.
float fbm(Vec3f p, int octaves, float gain, float footprint) {
  float sum = 0, amplitude = 1, total = 0, frequency = 1;
  for (int i = 0; i < octaves; ++i) {
    const float weight = 1 - smooth_step(0.35F, 0.9F, footprint * frequency);
    total += amplitude;
    if (weight > 0)
      sum += weight * amplitude *
             gradient_noise(p * frequency + Vec3f{17.3F, 5.1F, 9.7F} * static_cast<float>(i));
    amplitude *= gain;
    frequency *= 2.03F;
  }
  return sum / total;
}

struct Flat {
  float u = 0, v = 0;
};
// The plane that the surface faces: 0 = yz, 1 = xz, 2 = xy.
Flat project(Vec3f p, int axis) {
  if (axis == 0) return {p.y, p.z};
  if (axis == 1) return {p.x, p.z};
  return {p.x, p.y};
}

// Share of [u - w/2, u + w/2] that lies within `half` of whole numbers.
float line_cover(float u, float half, float w) {
  w = std::max(w, 1e-4F);
  const auto integral = [&](float x) {
    const float cell = std::floor(x + 0.5F);
    return cell * 2 * half + std::clamp(x - cell, -half, half);
  };
  return clamp01((integral(u + w * 0.5F) - integral(u - w * 0.5F)) / w);
}

PatternValue grid_pattern(float u, float v, std::uint32_t cell, float line_u, float line_v, float w) {
  const float cover = std::max(line_cover(u, line_u, w), line_cover(v, line_v, w));
  const float near = 1 - smooth_step(0.3F, 1.0F, w);  // single tiles can be told apart
  PatternValue out;
  out.tone = cover;
  out.shade = 1 + 0.10F * near * (unit(cell) - 0.5F);
  const auto bevel = [&](float x, float line) {
    const float d = std::fabs(x - std::floor(x + 0.5F));
    return smooth_step(line * 0.6F, line * 2.2F + 0.015F, d);
  };
  out.height = lerp(0.9F, std::min(bevel(u, line_u), bevel(v, line_v)), near);
  return out;
}

PatternValue tiles(Flat q, float w) {
  return grid_pattern(q.u, q.v, hash3(floor_of(q.u), floor_of(q.v), 5), 0.022F, 0.022F, w);
}

PatternValue bricks(Flat q, float w) {
  const float row = q.v * 2.6F;
  const int r = floor_of(row);
  const float u = q.u + 0.5F * static_cast<float>(r & 1) + 0.06F * (unit(hash3(r, 7, 3)) - 0.5F);
  PatternValue out = grid_pattern(u, row, hash3(floor_of(u), r, 11), 0.022F, 0.055F, w * 1.6F);
  const float near = 1 - smooth_step(0.3F, 1.0F, w);
  out.shade = 1 + 0.34F * near * (unit(hash3(floor_of(u), r, 23)) - 0.5F);
  out.height *= 1 + 0.12F * near * (fbm({q.u * 9, q.v * 9, 3.5F}, 2, 0.5F, w * 9) - 0.5F);
  return out;
}

// Distance to the nearest border between cells of random points, and which cell.
struct Border {
  float d = 1;
  std::uint32_t cell = 0;
};
Border voronoi_border(Flat q) {
  const int iu = floor_of(q.u), iv = floor_of(q.v);
  float best = 9;
  Flat to_best;
  int bu = 0, bv = 0;
  const auto point = [&](int a, int b) {
    const std::uint32_t h = hash3(a, b, 41);
    return Flat{static_cast<float>(a) + 0.1F + 0.8F * unit(h) - q.u,
                static_cast<float>(b) + 0.1F + 0.8F * unit(mix32(h)) - q.v};
  };
  for (int b = iv - 1; b <= iv + 1; ++b) {
    for (int a = iu - 1; a <= iu + 1; ++a) {
      const Flat r = point(a, b);
      const float d = r.u * r.u + r.v * r.v;
      if (d < best) best = d, to_best = r, bu = a, bv = b;
    }
  }
  Border out{9, hash3(bu, bv, 77)};
  for (int b = bv - 2; b <= bv + 2; ++b) {
    for (int a = bu - 2; a <= bu + 2; ++a) {
      if (a == bu && b == bv) continue;
      const Flat r = point(a, b);
      const float du = r.u - to_best.u, dv = r.v - to_best.v;
      const float l = std::sqrt(du * du + dv * dv);
      out.d = std::min(out.d, 0.5F * ((to_best.u + r.u) * du + (to_best.v + r.v) * dv) / l);
    }
  }
  return out;
}

PatternValue cracks(Flat q, float w) {
  const auto bent = [&](float frequency, float wander, float seed) {
    return Flat{
        q.u * frequency + wander * gradient_noise({q.u * 2.3F * frequency, q.v * 2.3F * frequency, seed}),
        q.v * frequency +
            wander * gradient_noise({q.u * 2.3F * frequency, q.v * 2.3F * frequency, seed + 7})};
  };
  const Border plate = voronoi_border(bent(1, 0.13F, 1.5F));
  const float broad = gradient_noise({q.u * 0.7F, q.v * 0.7F, 4.5F});
  const float near = 1 - smooth_step(0.3F, 1.0F, w);
  // The gaps between plates widen and narrow; hairlines cross some plates.
  const float half = 0.012F + 0.014F * clamp01(0.5F + broad);
  const float gap = 1 - smooth_step(half * 0.6F, half + 0.012F + 0.7F * w, plate.d);
  float hair = 0;
  if (w < 0.12F && unit(mix32(plate.cell)) < 0.55F) {
    const Border fine = voronoi_border(bent(2.7F, 0.2F, 11.5F));
    hair = (1 - smooth_step(0.01F, 0.03F + 2.7F * w, fine.d)) * (1 - smooth_step(0.04F, 0.12F, w)) *
           smooth_step(0.02F, 0.08F, plate.d);
  }
  PatternValue out;
  const float stain = clamp01(0.5F + fbm({q.u * 3.1F, q.v * 3.1F, 2.5F}, 3, 0.55F, w * 3.1F));
  out.tone = lerp(0.14F, clamp01(gap + 0.45F * hair + 0.16F * stain), near);
  const float dome = smooth_step(0, 0.16F, plate.d - half);
  out.height =
      lerp(0.8F,
           clamp01(smooth_step(0, 0.03F, plate.d - half * 0.5F) * (0.72F + 0.2F * dome + 0.06F * stain) -
                   0.1F * hair),
           near);
  out.shade = 1 + near * (0.14F * (unit(plate.cell) - 0.5F) + 0.1F * (stain - 0.5F));
  return out;
}

PatternValue grass(Vec3f p, float w) {
  // Blades lie in tufts, each tuft its own way; at a distance only tufts are left, then only their mean.
  const float tuft = fbm(p * 0.45F, 3, 0.6F, w * 0.45F) + 0.7F * fbm(p * 0.055F, 2, 0.6F, w * 0.055F);
  const float turn = 3.0F * gradient_noise(p * 0.9F + Vec3f{3.1F, 8.7F, 1.3F});
  float blades = 0;
  const auto streaks = [&](float angle, float across, float along, float seed) {
    const float seen = 1 - smooth_step(0.35F, 0.9F, w * across);
    if (seen <= 0) return 0.0F;
    const float c = std::cos(angle), s = std::sin(angle);
    return seen * gradient_noise({(c * p.x + s * p.y) * across, (c * p.y - s * p.x) * along + p.z * along,
                                  seed + p.z * across * 0.3F});
  };
  blades += streaks(turn, 9, 1.1F, 1.5F) + 0.7F * streaks(turn + 1.1F, 15, 1.7F, 5.5F) +
            0.5F * streaks(turn - 0.8F, 24, 2.6F, 9.5F);
  PatternValue out;
  out.tone = clamp01(0.5F + 0.55F * tuft + 0.34F * blades);
  out.height = clamp01(0.5F + 0.42F * blades + 0.25F * tuft);
  out.shade = 1 + 0.3F * blades + 0.3F * tuft;
  return out;
}

PatternValue speckle(Vec3f p, float w) {
  const int ix = floor_of(p.x), iy = floor_of(p.y), iz = floor_of(p.z);
  float dot_cover = 0, tone = 0;
  for (int k = iz - 1; k <= iz + 1; ++k) {
    for (int j = iy - 1; j <= iy + 1; ++j) {
      for (int i = ix - 1; i <= ix + 1; ++i) {
        const std::uint32_t h = hash3(i, j, k);
        const std::uint32_t h2 = mix32(h + 1U), h3 = mix32(h + 2U), h4 = mix32(h + 3U);
        const Vec3f d{static_cast<float>(i) + unit(h) - p.x, static_cast<float>(j) + unit(h2) - p.y,
                      static_cast<float>(k) + unit(h3) - p.z};
        const float r = 0.12F + 0.33F * unit(h4);
        const float cover = 1 - smooth_step(r * 0.7F, r, length(d));
        if (cover > dot_cover) dot_cover = cover, tone = 0.4F + 0.6F * unit(mix32(h4));
      }
    }
  }
  const float near = 1 - smooth_step(0.25F, 0.9F, w);
  return {lerp(0.25F, dot_cover * tone, near), lerp(0.5F, 0.4F + 0.5F * dot_cover, near), 1};
}

PatternValue bands(Vec3f p, float w) {
  const float wander = 0.35F * gradient_noise({p.x * 0.11F, p.y * 0.11F, 2.5F}) +
                       0.07F * gradient_noise({p.x * 0.6F, p.y * 0.6F, 6.5F});
  const float z = p.z + wander;
  const int layer = floor_of(z);
  const float f = z - static_cast<float>(layer);
  const float own = unit(hash3(layer, 3, 3)), next = unit(hash3(layer + 1, 3, 3));
  const float edge = smooth_step(0.78F, 0.92F, f);
  const float fine = fbm({p.x * 0.8F, p.y * 0.8F, z * 5.5F}, 3, 0.6F, w * 5.5F);
  PatternValue out;
  const float near = 1 - smooth_step(0.4F, 1.4F, w);
  out.tone = clamp01(lerp(0.5F, lerp(own, next, edge), near) + 0.35F * fine);
  out.height = clamp01(0.5F + 0.35F * fine + 0.4F * near * (lerp(own, next, edge) - 0.5F));
  out.shade = 1 + 0.12F * fine;
  return out;
}

PatternValue rough_noise(Vec3f p, float w) {
  const float base = fbm(p, 5, 0.55F, w);
  const float ridge = 1 - std::fabs(fbm(p * 1.9F + Vec3f{31, 7, 3}, 3, 0.5F, w * 1.9F)) * 2.4F;
  PatternValue out;
  out.tone = clamp01(0.5F + 1.1F * base);
  out.height = clamp01(0.5F + 0.8F * base + 0.18F * (ridge - 0.5F));
  out.shade = 1 + 0.16F * base;
  return out;
}

PatternValue plaster(Vec3f p, float w) {
  const float broad = fbm(p * 0.6F, 3, 0.5F, w * 0.6F);
  const float grain = fbm(p * 6.0F, 2, 0.6F, w * 6.0F);
  const float trowel = gradient_noise({p.x * 2.1F + broad * 2, p.y * 2.1F - broad, p.z * 0.9F});
  return {clamp01(0.35F + 0.7F * broad + 0.15F * trowel), clamp01(0.5F + 0.3F * trowel + 0.25F * grain),
          1 + 0.03F * grain};
}

// Clusters of leaves with dark gaps between them. The eight nearest cells will do: a leaf that a further one
// hides is no loss.
struct Leaf {
  float gap = 0;  // 0 between leaves, 1 well within one
  float tone = 0;
};
Leaf leaf_at(Vec3f p) {
  const int ix = floor_of(p.x - 0.5F), iy = floor_of(p.y - 0.5F), iz = floor_of(p.z - 0.5F);
  float first = 9, second = 9;
  std::uint32_t nearest = 0;
  for (int c = 0; c < 8; ++c) {
    const int i = ix + (c & 1), j = iy + ((c >> 1) & 1), k = iz + (c >> 2);
    const std::uint32_t h = hash3(i, j, k);
    const auto place = [&](int cell, int shift) {
      return static_cast<float>(cell) + 0.15F + 0.7F * static_cast<float>((h >> shift) & 1023U) / 1024.0F;
    };
    const Vec3f d{place(i, 0) - p.x, place(j, 10) - p.y, place(k, 20) - p.z};
    const float square = dot(d, d);
    if (square < first)
      second = first, first = square, nearest = h;
    else
      second = std::min(second, square);
  }
  return {smooth_step(0.0F, 0.42F, std::sqrt(second) - std::sqrt(first)), unit(mix32(nearest))};
}

PatternValue leaves(Vec3f p, float w) {
  const float near = 1 - smooth_step(0.35F, 1.1F, w), close = 1 - smooth_step(0.35F, 1.1F, w * 2.3F);
  const float spray = fbm(p * 0.21F, 3, 0.6F, w * 0.21F);
  PatternValue out{0.45F + 0.9F * spray, 0.5F, 1 + 0.5F * spray};
  if (near > 0) {
    const Vec3f bent = p + Vec3f{1, -1, 1} * (0.35F * gradient_noise(p * 0.8F));
    const Leaf big = leaf_at(bent);
    out.tone += near * 0.7F * (big.tone - 0.5F);
    out.height += near * (0.4F * (big.gap - 0.55F) + 0.3F * (big.tone - 0.5F));
    out.shade += near * (0.35F * (big.gap - 0.62F) + 0.5F * (big.tone - 0.5F));
    if (close > 0) {
      const Leaf small = leaf_at(bent * 2.3F + Vec3f{5.5F, 1.5F, 8.5F});
      out.tone += close * 0.4F * (small.tone - 0.5F);
      out.height += close * 0.25F * (small.gap - 0.5F);
      out.shade += close * (0.3F * (small.gap - 0.6F) + 0.35F * (small.tone - 0.5F));
    }
  }
  return {clamp01(out.tone), clamp01(out.height), std::max(0.15F, out.shade)};
}

PatternValue flat_pattern(DetailPattern pattern, Flat q, float w) {
  switch (pattern) {
    case DetailPattern::kTiles:
      return tiles(q, w);
    case DetailPattern::kBricks:
      return bricks(q, w);
    default:
      return cracks(q, w);
  }
}

// Patterns that live in a plane: the planes the surface faces, the steepest first.
PatternValue triplanar(DetailPattern pattern, Vec3f p, Vec3f n, float w) {
  const std::array<float, 3> a{std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
  std::array<float, 3> weight{};
  float total = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const float s = a[i] * a[i];
    weight[i] = s * s * s * s;
    total += weight[i];
  }
  PatternValue out{0, 0, 0};
  float used = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (weight[i] < 0.04F * total) continue;
    const PatternValue v = flat_pattern(pattern, project(p, static_cast<int>(i)), w);
    out.tone += v.tone * weight[i], out.height += v.height * weight[i], out.shade += v.shade * weight[i];
    used += weight[i];
  }
  const float scale = 1.0F / used;
  return {out.tone * scale, out.height * scale, out.shade * scale};
}

}  // namespace

float gradient_noise(Vec3f p) {
  const int ix = floor_of(p.x), iy = floor_of(p.y), iz = floor_of(p.z);
  const float x = p.x - static_cast<float>(ix), y = p.y - static_cast<float>(iy),
              z = p.z - static_cast<float>(iz);
  const float u = fade(x), v = fade(y), w = fade(z);
  const auto cell = [](int i) { return static_cast<std::size_t>(i & 255); };
  const std::size_t a = kShuffled[cell(ix)], b = kShuffled[cell(ix) + 1];
  const auto edge = [&](std::size_t column, float dx, float dy) {  // along z
    const std::size_t at = column + cell(iz);
    const Slope& low = kSlopes[kShuffled[at] & 15U];
    const Slope& high = kSlopes[kShuffled[at + 1] & 15U];
    return lerp(low.x * dx + low.y * dy + low.z * z, high.x * dx + high.y * dy + high.z * (z - 1), w);
  };
  const auto side = [&](std::size_t row, float dx) {  // along y
    return lerp(edge(kShuffled[row + cell(iy)], dx, y), edge(kShuffled[row + cell(iy) + 1], dx, y - 1), v);
  };
  return lerp(side(a, x), side(b, x - 1), u);
}

float caustic(float x, float y, float sharpness, float footprint_m) {
  // Bright lines where bent sheets of noise cross zero; two sizes of ripples.
  const auto lines = [&](float u, float v, float seed) {
    const float a = gradient_noise({u, v, seed}),
                b = gradient_noise({u * 1.31F + 5.2F, v * 1.31F - 1.7F, seed + 3.7F});
    const float c = gradient_noise({u + 0.6F * a, v + 0.6F * b, seed + 9.3F}) +
                    0.4F * gradient_noise({u * 2.1F + b, v * 2.1F - a, seed + 2.5F});
    const float line = std::exp(-std::fabs(c) * sharpness);
    return line * line;
  };
  const float seen = 1 - smooth_step(0.15F, 0.6F, footprint_m);
  if (seen <= 0) return 1;
  const float both =
      0.62F * lines(x * 1.1F, y * 1.1F, 0.4F) +
      0.38F * lines(x * 2.3F + 7, y * 2.3F - 3, 20.4F) * (1 - smooth_step(0.08F, 0.3F, footprint_m));
  return lerp(1.0F, 0.62F + 1.9F * both, seen);
}

float grain(Vec3f p, float footprint_m) {
  return fbm(p * 26.0F, 3, 0.65F, footprint_m * 26.0F);
}

PatternValue pattern_at(DetailPattern pattern, Vec3f p, Vec3f n, float scale_m, float footprint_m) {
  const float scale = 1.0F / std::max(scale_m, 1e-3F);
  const Vec3f q = p * scale;
  const float w = footprint_m * scale;
  switch (pattern) {
    case DetailPattern::kNone:
      return {0, 0.5F, 1};
    case DetailPattern::kNoise:
      return rough_noise(q, w);
    case DetailPattern::kGrass:
      return grass(q, w);
    case DetailPattern::kSpeckle:
      return speckle(q, w);
    case DetailPattern::kBands:
      return bands(q, w);
    case DetailPattern::kPlaster:
      return plaster(q, w);
    case DetailPattern::kLeaves:
      return leaves(q, w);
    case DetailPattern::kCracks:
    case DetailPattern::kTiles:
    case DetailPattern::kBricks:
      return triplanar(pattern, q, n, w);
  }
  return {};
}

}  // namespace vf::render
