#include "mesh/simd/mesh_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/crossings.h"
#include "mesh/lanes.h"
#include "mesh/polygon.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"

namespace vf {
namespace {

constexpr std::size_t kCount = 997;  ///< whole vectors of no instruction set
constexpr std::size_t kRoom = kCount + kMostLanes;

using Floats = std::vector<float>;
using Words = std::vector<std::uint32_t>;

Floats random_floats(std::mt19937& random, std::size_t n, float low, float high) {
  Floats v(n);
  for (float& f : v) f = low + (high - low) * static_cast<float>(random() % 65536) / 65535.0F;
  return v;
}

/// Directions of length 1, four floats each; those of one thing within `spread` of a common one.
Floats random_normals(std::mt19937& random, std::size_t n, float spread, const Floats& around) {
  Floats v(4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    std::array<float, 3> d{};
    for (std::size_t a = 0; a < 3; ++a)
      d[a] = around[4 * i + a] + spread * (static_cast<float>(random() % 2001) / 1000.0F - 1);
    const float length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) + 1e-20F;
    for (std::size_t a = 0; a < 3; ++a) v[4 * i + a] = d[a] / length;
    v[4 * i + 3] = 1;
  }
  return v;
}

/// What all kernels make of one set of inputs.
struct Outputs {
  Floats t, x, y, z, moved_t, moved_x, points, fitted, corners;
  Words smooth, agree, xyzu, v;
  std::array<Words, 3> split;
};

struct Inputs {
  std::vector<LatticeEdge> edge;
  Floats low, high, value, gx, gy, gz, slope, end_t;
  std::array<Floats, 4> sums;
  Words cell;
  Floats creases;  ///< six of each
  Floats at, normal;
  Floats quad_at, quad_normal;  ///< four of each
};

Inputs random_inputs(std::uint32_t seed) {
  std::mt19937 random(seed);
  Inputs in;
  for (std::size_t i = 0; i < kRoom; ++i)
    in.edge.emplace_back(static_cast<int>(random() % 3), static_cast<int>(random() % 33),
                         static_cast<int>(random() % 33), static_cast<int>(random() % 33));
  in.low = random_floats(random, kRoom, -1, -0.001F);
  in.high = random_floats(random, kRoom, 0, 1);
  in.value = random_floats(random, kRoom, 0.001F, 0.3F);
  in.slope = random_floats(random, kRoom, -1, 1);
  in.end_t = Floats(kRoom, 1);
  for (auto* g : {&in.gx, &in.gy, &in.gz}) *g = random_floats(random, kRoom, -1, 1);
  for (std::size_t i = 0; i < kRoom; i += 50) in.gx[i] = in.gy[i] = in.gz[i] = 0;  // crests
  for (Floats& row : in.sums) row = Floats(4 * kRoom, 0.0F);
  const Floats around = random_normals(random, kRoom, 1, Floats(4 * kRoom, 0.0F));
  for (std::size_t i = 0; i < kRoom; ++i)
    in.cell.push_back(static_cast<std::uint32_t>(random() & 0x031F1F1F));
  for (int k = 0; k < 5; ++k) {  // five points near the middle of each cell
    const Floats n = random_normals(random, kRoom, 0.4F, around);
    const Floats off = random_floats(random, 3 * kRoom, -0.5F, 0.5F);
    for (std::size_t i = 0; i < kRoom; ++i) {
      std::array<float, 3> p{};
      for (std::size_t a = 0; a < 3; ++a)
        p[a] = static_cast<float>(in.cell[i] >> (8 * a) & 255) - 15.5F + off[3 * i + a];
      const float *m = &n[4 * i], d = m[0] * p[0] + m[1] * p[1] + m[2] * p[2];
      const std::array<std::array<float, 4>, 4> rows{{{m[0], m[1], m[2], 1},
                                                      {p[0], p[1], p[2], m[2] * d},
                                                      {m[0] * m[0], m[1] * m[1], m[2] * m[2], m[0] * d},
                                                      {m[0] * m[1], m[0] * m[2], m[1] * m[2], m[1] * d}}};
      for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t a = 0; a < 4; ++a) in.sums[r][4 * i + a] += rows[r][a];
    }
  }
  for (std::size_t k = 0; k < SmoothGroups::kFew; ++k) {
    Floats n = random_normals(random, kRoom, k < 3 ? 0.3F : 0.6F, around);
    for (std::size_t i = 0; i < kRoom; ++i)  // three normals at least
      if (k >= 3 + i % 4) std::fill_n(n.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, 0.0F);
    in.creases.insert(in.creases.end(), n.begin(), n.end());
  }
  in.at = Floats(4 * kRoom);
  for (float& f : in.at) f = static_cast<float>(static_cast<int>(random() % 33000) - 16500);
  for (std::size_t k = 0; k < 4; ++k) {  // corners in four quadrants, or not quite
    const Floats n = random_normals(random, kRoom, 0.5F, around);
    in.quad_normal.insert(in.quad_normal.end(), n.begin(), n.end());
    for (std::size_t i = 0; i < kRoom; ++i) {
      for (std::size_t a = 0; a < 4; ++a) {
        // Anticlockwise in y, z; in z, x and in x, y another way, so that some areas are negative.
        const bool high = a == 1 ? k == 1 || k == 2 : k >= 2;
        in.quad_at.push_back(static_cast<float>(static_cast<int>(random() % 512) - (high ? 10 : 500)));
      }
    }
  }
  in.normal = random_normals(random, kRoom, 1, Floats(4 * kRoom, 0.0F));
  for (float& f : in.normal) f *= 3;
  return in;
}

Outputs run(const MeshKernels& kernels, Inputs in) {
  Outputs o;
  for (auto* v : {&o.t, &o.x, &o.y, &o.z, &o.moved_x}) v->resize(kRoom);
  const LatticeFrame frame{{-64, 32, 96}, 0.25F};
  kernels.guess(frame, {kCount, in.edge.data(), o.t.data(), in.low.data(), in.high.data()},
                {o.x.data(), o.y.data(), o.z.data(), nullptr, nullptr, nullptr, nullptr});
  o.points.resize(16 * kRoom);
  kernels.surface_points(
      frame, {kCount, in.edge.data(), o.t.data(), in.low.data(), in.high.data()},
      {o.x.data(), o.y.data(), o.z.data(), in.value.data(), in.gx.data(), in.gy.data(), in.gz.data()},
      o.points.data());
  o.moved_t = o.t;
  Floats y(kRoom), z(kRoom);
  kernels.step(frame,
               {kCount, in.edge.data(), o.moved_t.data(), in.value.data(), in.slope.data(), in.end_t.data(),
                in.low.data()},
               {o.moved_x.data(), y.data(), z.data(), nullptr, nullptr, nullptr, nullptr});
  o.fitted.resize(4 * kRoom);
  for (auto* w : {&o.smooth, &o.agree, &o.v}) w->resize(kRoom);
  o.xyzu.resize(2 * kRoom);
  kernels.fit(
      {kCount, in.sums[0].data(), in.sums[1].data(), in.sums[2].data(), in.sums[3].data(), in.cell.data()},
      {o.fitted.data(), o.smooth.data()});
  kernels.agree(kCount, in.creases.data(), 4 * kRoom, o.agree.data());
  for (std::uint32_t turn = 0; turn < 3; ++turn) {
    Words& split = o.split[turn];
    split.resize(kRoom);
    Words axis(kRoom);
    for (std::uint32_t i = 0; i < kRoom; ++i) axis[i] = (i / 5 + turn) % 3;
    kernels.split(kCount, axis.data(), in.quad_at.data(), in.quad_normal.data(), 4 * kRoom, split.data());
  }
  o.corners.resize(8 * kRoom);
  kernels.pack(kCount, in.at.data(), in.normal.data(), o.corners.data(), o.xyzu.data(), o.v.data());
  return o;
}

void expect_same(const Floats& a, const Floats& b, std::size_t per, const std::string& what) {
  for (std::size_t i = 0; i < per * kCount; ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(a[i] + 0.0F), std::bit_cast<std::uint32_t>(b[i] + 0.0F))
        << what << " " << i << ": " << std::hexfloat << a[i] << " and " << b[i];
}
void expect_same(const Words& a, const Words& b, const std::string& what) {
  for (std::size_t i = 0; i < a.size() / kRoom * kCount; ++i) ASSERT_EQ(a[i], b[i]) << what << " " << i;
}

TEST(MeshKernels, GiveTheSameBitsOnEveryLevel) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const Inputs in = random_inputs(seed);
    const Outputs plain = run(mesh_kernels(SimdLevel::kScalar), in);
    for (const SimdLevel level : supported_simd_levels()) {
      const Outputs o = run(mesh_kernels(level), in);
      const std::string name = std::string(to_string(level)) + " ";
      expect_same(plain.t, o.t, 1, name + "t");
      expect_same(plain.x, o.x, 1, name + "x");
      expect_same(plain.y, o.y, 1, name + "y");
      expect_same(plain.z, o.z, 1, name + "z");
      expect_same(plain.moved_t, o.moved_t, 1, name + "moved t");
      expect_same(plain.moved_x, o.moved_x, 1, name + "moved x");
      expect_same(plain.points, o.points, 16, name + "points");
      expect_same(plain.fitted, o.fitted, 4, name + "fit");
      expect_same(plain.corners, o.corners, 8, name + "corners");
      expect_same(plain.smooth, o.smooth, name + "smooth");
      expect_same(plain.agree, o.agree, name + "agree");
      expect_same(plain.xyzu, o.xyzu, name + "xyzu");
      expect_same(plain.v, o.v, name + "v");
      for (std::size_t turn = 0; turn < 3; ++turn)
        expect_same(plain.split[turn], o.split[turn], name + "split");
    }
  }
}

TEST(MeshKernels, AgreeAsSmoothGroupsDo) {
  const Inputs in = random_inputs(77);
  const Outputs o = run(mesh_kernels(best_simd_level()), in);
  std::size_t all_agree = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    SmoothGroups groups;
    const std::size_t size = std::min(SmoothGroups::kFew, 3 + i % 4);
    for (std::size_t k = 0; k < size; ++k) groups.add(load4(&in.creases[4 * (k * kRoom + i)]));
    groups.finish(size);
    for (unsigned rest = groups.all(); rest != 0;) {
      const auto first = static_cast<int>(std::countr_zero(rest));
      unsigned members = 1U << first;
      for (int k = first + 1; k < static_cast<int>(size); ++k)
        if ((o.agree[i] >> agree_bit(first, k) & 1) != 0) members |= 1U << k;
      if ((o.agree[i] >> kAllAgreeBit & 1) != 0) members = groups.all();
      all_agree += members == groups.all() ? 1U : 0U;
      const unsigned expected = groups.first_of(rest).members;
      EXPECT_EQ(expected, members & rest) << i;
      rest &= ~expected;
    }
  }
  EXPECT_GT(all_agree, kCount / 20);  // both kinds are there
  EXPECT_LT(all_agree, kCount / 2);
}

TEST(MeshKernels, SplitAsSplitFirstDoes) {
  const Inputs in = random_inputs(79);
  const Outputs o = run(mesh_kernels(best_simd_level()), in);
  std::size_t first = 0;
  for (std::uint32_t turn = 0; turn < 3; ++turn) {
    for (std::uint32_t i = 0; i < kCount; ++i) {
      std::array<PolygonCorner, 4> c;
      for (std::size_t k = 0; k < 4; ++k)
        c[k] = {load4(&in.quad_at[4 * (k * kRoom + i)]), load4(&in.quad_normal[4 * (k * kRoom + i)])};
      const bool expected = split_first(static_cast<int>((i / 5 + turn) % 3), c[0], c[1], c[2], c[3]);
      EXPECT_EQ(o.split[turn][i] != 0, expected) << turn << " " << i;
      first += expected ? 1U : 0U;
    }
  }
  EXPECT_GT(first, 3 * kCount / 20);  // both kinds are there
  EXPECT_LT(first, 3 * kCount * 17 / 20);
}

TEST(MeshKernels, PackNormalsAsEncodeNormalDoes) {
  const Inputs in = random_inputs(78);
  const Outputs o = run(mesh_kernels(best_simd_level()), in);
  for (std::size_t i = 0; i < kCount; ++i) {
    const OctNormal n = encode_normal({o.corners[8 * i + 4], o.corners[8 * i + 5], o.corners[8 * i + 6]});
    EXPECT_EQ(static_cast<std::int16_t>(o.xyzu[2 * i + 1] >> 16), n.u) << i;
    EXPECT_EQ(static_cast<std::int16_t>(o.v[i] & 0xFFFF), n.v) << i;
    EXPECT_EQ(static_cast<std::int16_t>(o.xyzu[2 * i] & 0xFFFF), static_cast<std::int16_t>(in.at[4 * i]));
    EXPECT_EQ(static_cast<std::int16_t>(o.xyzu[2 * i] >> 16), static_cast<std::int16_t>(in.at[4 * i + 1]));
    EXPECT_EQ(static_cast<std::int16_t>(o.xyzu[2 * i + 1] & 0xFFFF),
              static_cast<std::int16_t>(in.at[4 * i + 2]));
  }
}

}  // namespace
}  // namespace vf
