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

// Where patterns live. Lattice points are counted; `fit` is the frequency that a pattern gets for the one it
// asks for; `cells` is after how many lattice points of a fitted frequency they come again, 0 for never.
struct Endless {
  [[nodiscard]] static float fit(float frequency) { return frequency; }
  [[nodiscard]] static float fit_even(float frequency) { return frequency; }
  [[nodiscard]] static int cells(float) { return 0; }
};

// A torus of a whole number of units: its frequencies fit a whole number of cells (or pairs of them).
struct Torus {
  int units = 1;
  [[nodiscard]] float fit(float frequency) const { return frequency == 0 ? 0 : whole(frequency, 1); }
  [[nodiscard]] float fit_even(float frequency) const { return whole(frequency, 2); }
  [[nodiscard]] int cells(float fitted) const {
    return static_cast<int>(std::lround(fitted * static_cast<float>(units)));
  }

 private:
  [[nodiscard]] float whole(float frequency, float of) const {
    const auto edge = static_cast<float>(units);
    return std::max(1.0F, std::round(frequency * edge / of)) * of / edge;
  }
};

int wrapped(int i, int cells) {
  if (cells == 0) return i;
  const int rest = i % cells;
  return rest < 0 ? rest + cells : rest;
}

struct Cells {
  int x = 0, y = 0, z = 0;
};
// Gradient noise that repeats: its corners are hashed after they are wrapped.
float lattice_noise(Vec3f p, Cells cells) {
  const int ix = floor_of(p.x), iy = floor_of(p.y), iz = floor_of(p.z);
  const float x = p.x - static_cast<float>(ix), y = p.y - static_cast<float>(iy),
              z = p.z - static_cast<float>(iz);
  const float u = fade(x), v = fade(y), w = fade(z);
  const auto corner = [&](int dx, int dy, int dz) {
    const Slope& slope =
        kSlopes[hash3(wrapped(ix + dx, cells.x), wrapped(iy + dy, cells.y), wrapped(iz + dz, cells.z)) & 15U];
    return slope.x * (x - static_cast<float>(dx)) + slope.y * (y - static_cast<float>(dy)) +
           slope.z * (z - static_cast<float>(dz));
  };
  const auto row = [&](int dy, int dz) { return lerp(corner(0, dy, dz), corner(1, dy, dz), u); };
  return lerp(lerp(row(0, 0), row(1, 0), v), lerp(row(0, 1), row(1, 1), v), w);
}

// Noise at p * frequency + offset.
float noise(const Endless&, Vec3f p, Vec3f frequency, Vec3f offset) {
  return gradient_noise(mul(p, frequency) + offset);
}
float noise(const Torus& space, Vec3f p, Vec3f frequency, Vec3f offset) {
  const Vec3f f{space.fit(frequency.x), space.fit(frequency.y), space.fit(frequency.z)};
  return lattice_noise(mul(p, f) + offset, {space.cells(f.x), space.cells(f.y), space.cells(f.z)});
}

// Octaves finer than the footprint fade out; `footprint` in cells of the first.
template <class Space>
float fbm(const Space& space, Vec3f p, Vec3f first, Vec3f offset, int octaves, float gain, float footprint) {
  float sum = 0, amplitude = 1, total = 0, frequency = 1;
  for (int i = 0; i < octaves; ++i) {
    const float weight = 1 - smooth_step(0.35F, 0.9F, footprint * frequency);
    total += amplitude;
    if (weight > 0)
      sum += weight * amplitude *
             noise(space, p, first * frequency,
                   offset * frequency + Vec3f{17.3F, 5.1F, 9.7F} * static_cast<float>(i));
    amplitude *= gain;
    frequency *= 2.03F;
  }
  return sum / total;
}
constexpr Vec3f kEven{1, 1, 1};  // the same frequency on each axis

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

template <class Space>
PatternValue tiles(const Space& space, Flat q, float w) {
  const int n = space.cells(1);
  const std::uint32_t cell = hash3(wrapped(floor_of(q.u), n), wrapped(floor_of(q.v), n), 5);
  return grid_pattern(q.u, q.v, cell, 0.022F, 0.022F, w);
}

template <class Space>
PatternValue bricks(const Space& space, Flat q, float w) {
  const float rows = space.fit_even(2.6F);  // every other one is shifted
  const float row = q.v * rows;
  const int r = wrapped(floor_of(row), space.cells(rows));
  const float u = q.u + 0.5F * static_cast<float>(r & 1) + 0.06F * (unit(hash3(r, 7, 3)) - 0.5F);
  const int c = wrapped(floor_of(u), space.cells(1));
  PatternValue out = grid_pattern(u, row, hash3(c, r, 11), 0.022F, 0.055F, w * 1.6F);
  const float near = 1 - smooth_step(0.3F, 1.0F, w);
  out.shade = 1 + 0.34F * near * (unit(hash3(c, r, 23)) - 0.5F);
  out.height *=
      1 + 0.12F * near * (fbm(space, {q.u, q.v, 0}, {9, 9, 0}, {0, 0, 3.5F}, 2, 0.5F, w * 9) - 0.5F);
  return out;
}

// Distance to the nearest border between cells of random points, and which cell.
struct Border {
  float d = 1;
  std::uint32_t cell = 0;
};
// `cells`: after how many they come again.
Border voronoi_border(Flat q, int cells) {
  const int iu = floor_of(q.u), iv = floor_of(q.v);
  float best = 9;
  Flat to_best;
  int bu = 0, bv = 0;
  const auto point = [&](int a, int b) {
    const std::uint32_t h = hash3(wrapped(a, cells), wrapped(b, cells), 41);
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
  Border out{9, hash3(wrapped(bu, cells), wrapped(bv, cells), 77)};
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

template <class Space>
PatternValue cracks(const Space& space, Flat q, float w) {
  const Vec3f p{q.u, q.v, 0};
  // Plates of `frequency` a unit, their borders bent.
  const auto border = [&](float wanted, float wander, float seed) {
    const float frequency = space.fit(wanted);
    const Vec3f bend{2.3F * frequency, 2.3F * frequency, 0};
    return voronoi_border({q.u * frequency + wander * noise(space, p, bend, {0, 0, seed}),
                           q.v * frequency + wander * noise(space, p, bend, {0, 0, seed + 7})},
                          space.cells(frequency));
  };
  const Border plate = border(1, 0.13F, 1.5F);
  const float broad = noise(space, p, {0.7F, 0.7F, 0}, {0, 0, 4.5F});
  const float near = 1 - smooth_step(0.3F, 1.0F, w);
  // The gaps between plates widen and narrow; hairlines cross some plates.
  const float half = 0.012F + 0.014F * clamp01(0.5F + broad);
  const float gap = 1 - smooth_step(half * 0.6F, half + 0.012F + 0.7F * w, plate.d);
  float hair = 0;
  if (w < 0.12F && unit(mix32(plate.cell)) < 0.55F) {
    const Border fine = border(2.7F, 0.2F, 11.5F);
    hair = (1 - smooth_step(0.01F, 0.03F + 2.7F * w, fine.d)) * (1 - smooth_step(0.04F, 0.12F, w)) *
           smooth_step(0.02F, 0.08F, plate.d);
  }
  PatternValue out;
  const float stain = clamp01(0.5F + fbm(space, p, {3.1F, 3.1F, 0}, {0, 0, 2.5F}, 3, 0.55F, w * 3.1F));
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

// One layer of blades: noise drawn out along an angle.
struct Streaks {
  float turn = 0;               // of the tuft. [radians]
  float angle = 0;              // of the layer against the tuft. [radians]
  float across = 1, along = 1;  // cells a unit
  float seed = 0;
};
float streak_noise(const Endless&, Vec3f p, const Streaks& s) {
  const float c = std::cos(s.turn + s.angle), d = std::sin(s.turn + s.angle);
  return gradient_noise({(c * p.x + d * p.y) * s.across, (c * p.y - d * p.x) * s.along + p.z * s.along,
                         s.seed + p.z * s.across * 0.3F});
}
// Directions of whole numbers: once round the torus is a whole number of cells across and along. Tufts cannot
// turn freely there; they bend.
float streak_noise(const Torus& space, Vec3f p, const Streaks& s) {
  const float a = s.angle == 0 ? 1.0F : 2.0F, b = s.angle == 0 ? 0.0F : std::copysign(1.0F, s.angle);
  const float steep = 1 / std::sqrt(a * a + b * b);
  const float across = space.fit(s.across * steep), along = space.fit(s.along * steep);
  const float up = space.fit(s.across * 0.3F);
  return lattice_noise({(a * p.x + b * p.y) * across + 0.9F * s.turn,
                        (a * p.y - b * p.x) * along + p.z * along + 0.4F * s.turn, s.seed + p.z * up},
                       {space.cells(across), space.cells(along), space.cells(up)});
}

template <class Space>
PatternValue grass(const Space& space, Vec3f p, float w) {
  // Blades lie in tufts, each tuft its own way; at a distance only tufts are left, then only their mean.
  const float tuft = fbm(space, p, kEven * 0.45F, {}, 3, 0.6F, w * 0.45F) +
                     0.7F * fbm(space, p, kEven * 0.055F, {}, 2, 0.6F, w * 0.055F);
  const float turn = 3.0F * noise(space, p, kEven * 0.9F, {3.1F, 8.7F, 1.3F});
  const auto streaks = [&](float angle, float across, float along, float seed) {
    const float seen = 1 - smooth_step(0.35F, 0.9F, w * across);
    return seen <= 0 ? 0 : seen * streak_noise(space, p, {turn, angle, across, along, seed});
  };
  const float blades = streaks(0, 9, 1.1F, 1.5F) + 0.7F * streaks(1.1F, 15, 1.7F, 5.5F) +
                       0.5F * streaks(-0.8F, 24, 2.6F, 9.5F);
  PatternValue out;
  out.tone = clamp01(0.5F + 0.55F * tuft + 0.34F * blades);
  out.height = clamp01(0.5F + 0.42F * blades + 0.25F * tuft);
  out.shade = 1 + 0.3F * blades + 0.3F * tuft;
  return out;
}

template <class Space>
PatternValue speckle(const Space& space, Vec3f p, float w) {
  const int n = space.cells(1);
  const int ix = floor_of(p.x), iy = floor_of(p.y), iz = floor_of(p.z);
  float dot_cover = 0, tone = 0;
  for (int k = iz - 1; k <= iz + 1; ++k) {
    for (int j = iy - 1; j <= iy + 1; ++j) {
      for (int i = ix - 1; i <= ix + 1; ++i) {
        const std::uint32_t h = hash3(wrapped(i, n), wrapped(j, n), wrapped(k, n));
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

template <class Space>
PatternValue bands(const Space& space, Vec3f p, float w) {
  const float wander = 0.35F * noise(space, p, {0.11F, 0.11F, 0}, {0, 0, 2.5F}) +
                       0.07F * noise(space, p, {0.6F, 0.6F, 0}, {0, 0, 6.5F});
  const float z = p.z + wander;
  const int layer = floor_of(z), n = space.cells(1);
  const float f = z - static_cast<float>(layer);
  const float own = unit(hash3(wrapped(layer, n), 3, 3)), next = unit(hash3(wrapped(layer + 1, n), 3, 3));
  const float edge = smooth_step(0.78F, 0.92F, f);
  const float fine = fbm(space, {p.x, p.y, z}, {0.8F, 0.8F, 5.5F}, {}, 3, 0.6F, w * 5.5F);
  PatternValue out;
  const float near = 1 - smooth_step(0.4F, 1.4F, w);
  out.tone = clamp01(lerp(0.5F, lerp(own, next, edge), near) + 0.35F * fine);
  out.height = clamp01(0.5F + 0.35F * fine + 0.4F * near * (lerp(own, next, edge) - 0.5F));
  out.shade = 1 + 0.12F * fine;
  return out;
}

template <class Space>
PatternValue rough_noise(const Space& space, Vec3f p, float w) {
  const float base = fbm(space, p, kEven, {}, 5, 0.55F, w);
  const float ridge = 1 - std::fabs(fbm(space, p, kEven * 1.9F, {31, 7, 3}, 3, 0.5F, w * 1.9F)) * 2.4F;
  PatternValue out;
  out.tone = clamp01(0.5F + 1.1F * base);
  out.height = clamp01(0.5F + 0.8F * base + 0.18F * (ridge - 0.5F));
  out.shade = 1 + 0.16F * base;
  return out;
}

template <class Space>
PatternValue plaster(const Space& space, Vec3f p, float w) {
  const float broad = fbm(space, p, kEven * 0.6F, {}, 3, 0.5F, w * 0.6F);
  const float fine = fbm(space, p, kEven * 6, {}, 2, 0.6F, w * 6.0F);
  const float trowel = noise(space, p, {2.1F, 2.1F, 0.9F}, {broad * 2, -broad, 0});
  return {clamp01(0.35F + 0.7F * broad + 0.15F * trowel), clamp01(0.5F + 0.3F * trowel + 0.25F * fine),
          1 + 0.03F * fine};
}

// Clusters of leaves with dark gaps between them. The eight nearest cells will do: a leaf that a further one
// hides is no loss.
struct Leaf {
  float gap = 0;  // 0 between leaves, 1 well within one
  float tone = 0;
};
// `cells`: after how many they come again.
Leaf leaf_at(Vec3f p, int cells) {
  const int ix = floor_of(p.x - 0.5F), iy = floor_of(p.y - 0.5F), iz = floor_of(p.z - 0.5F);
  float first = 9, second = 9;
  std::uint32_t nearest = 0;
  for (int c = 0; c < 8; ++c) {
    const int i = ix + (c & 1), j = iy + ((c >> 1) & 1), k = iz + (c >> 2);
    const std::uint32_t h = hash3(wrapped(i, cells), wrapped(j, cells), wrapped(k, cells));
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

template <class Space>
PatternValue leaves(const Space& space, Vec3f p, float w) {
  const float near = 1 - smooth_step(0.35F, 1.1F, w), close = 1 - smooth_step(0.35F, 1.1F, w * 2.3F);
  const float spray = fbm(space, p, kEven * 0.21F, {}, 3, 0.6F, w * 0.21F);
  PatternValue out{0.45F + 0.9F * spray, 0.5F, 1 + 0.5F * spray};
  if (near > 0) {
    const Vec3f bent = p + Vec3f{1, -1, 1} * (0.35F * noise(space, p, kEven * 0.8F, {}));
    const Leaf big = leaf_at(bent, space.cells(1));
    out.tone += near * 0.7F * (big.tone - 0.5F);
    out.height += near * (0.4F * (big.gap - 0.55F) + 0.3F * (big.tone - 0.5F));
    out.shade += near * (0.35F * (big.gap - 0.62F) + 0.5F * (big.tone - 0.5F));
    if (close > 0) {
      const float finer = space.fit(2.3F);
      const Leaf small = leaf_at(bent * finer + Vec3f{5.5F, 1.5F, 8.5F}, space.cells(finer));
      out.tone += close * 0.4F * (small.tone - 0.5F);
      out.height += close * 0.25F * (small.gap - 0.5F);
      out.shade += close * (0.3F * (small.gap - 0.6F) + 0.35F * (small.tone - 0.5F));
    }
  }
  return {clamp01(out.tone), clamp01(out.height), std::max(0.15F, out.shade)};
}

template <class Space>
PatternValue flat_pattern(const Space& space, DetailPattern pattern, Flat q, float w) {
  switch (pattern) {
    case DetailPattern::kTiles:
      return tiles(space, q, w);
    case DetailPattern::kBricks:
      return bricks(space, q, w);
    default:
      return cracks(space, q, w);
  }
}

// Patterns that live in a plane: the planes the surface faces, the steepest first.
template <class Space>
PatternValue triplanar(const Space& space, DetailPattern pattern, Vec3f p, Vec3f n, float w) {
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
    const PatternValue v = flat_pattern(space, pattern, project(p, static_cast<int>(i)), w);
    out.tone += v.tone * weight[i], out.height += v.height * weight[i], out.shade += v.shade * weight[i];
    used += weight[i];
  }
  const float scale = 1.0F / used;
  return {out.tone * scale, out.height * scale, out.shade * scale};
}

template <class Space>
PatternValue pattern_in(const Space& space, DetailPattern pattern, Vec3f q, Vec3f n, float w) {
  switch (pattern) {
    case DetailPattern::kNone:
      return {0, 0.5F, 1};
    case DetailPattern::kNoise:
      return rough_noise(space, q, w);
    case DetailPattern::kGrass:
      return grass(space, q, w);
    case DetailPattern::kSpeckle:
      return speckle(space, q, w);
    case DetailPattern::kBands:
      return bands(space, q, w);
    case DetailPattern::kPlaster:
      return plaster(space, q, w);
    case DetailPattern::kLeaves:
      return leaves(space, q, w);
    case DetailPattern::kCracks:
    case DetailPattern::kTiles:
    case DetailPattern::kBricks:
      return triplanar(space, pattern, q, n, w);
  }
  return {};
}

constexpr float kGrainFrequency = 26;  // [1/m]

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
  return fbm(Endless{}, p, kEven * kGrainFrequency, {}, 3, 0.65F, footprint_m * kGrainFrequency);
}

PatternValue pattern_at(DetailPattern pattern, Vec3f p, Vec3f n, float scale_m, float footprint_m) {
  const float scale = 1.0F / std::max(scale_m, 1e-3F);
  return pattern_in(Endless{}, pattern, p * scale, n, footprint_m * scale);
}

TiledPattern::TiledPattern(float scale_m, int units) : scale_m_(std::max(scale_m, 1e-3F)), units_(units) {}

PatternValue TiledPattern::at(DetailPattern pattern, Vec3f p, Vec3f n, float footprint_m) const {
  const float scale = 1.0F / scale_m_;
  return pattern_in(Torus{units_}, pattern, p * scale, n, footprint_m * scale);
}

float TiledPattern::grain(Vec3f p, float footprint_m) const {
  const float frequency = kGrainFrequency * scale_m_;
  return fbm(Torus{units_}, p * (1.0F / scale_m_), kEven * frequency, {}, 3, 0.65F,
             footprint_m * kGrainFrequency);
}

}  // namespace vf::render
