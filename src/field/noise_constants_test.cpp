// Branch and bound over the cell, with the very gradients of the kernels.
//
// A quantity of gradient noise at p is linear in each corner's gradient: A g.(p - corner) + B.g, with A and B
// made of the fades and their derivatives. The corners' gradients are independent, so its largest value over
// all lattices is the sum over corners of the largest over the set of gradients. Intervals bound that sum
// over a box.
#include "field/noise_constants.h"

#include <cstddef>
#include <initializer_list>

#define HWY_COMPILE_ONLY_STATIC
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

#include "field/simd/noise-inl.h"

namespace vf {
namespace {

using Vec3 = std::array<double, 3>;

struct Range {
  double lo = 0, hi = 0;
};
Range operator+(Range a, Range b) {
  return {a.lo + b.lo, a.hi + b.hi};
}
Range operator*(Range a, Range b) {
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
}
Range operator*(double s, Range a) {
  return s < 0 ? Range{s * a.hi, s * a.lo} : Range{s * a.lo, s * a.hi};
}

// The quintic fade and its derivatives, with their exact ranges.
double fade0(double t) {
  return t * t * t * (t * (t * 6 - 15) + 10);
}
double fade1(double t) {
  return 30 * t * t * (t - 1) * (t - 1);
}
double fade3(double t) {
  return 60 * (6 * t * t - 6 * t + 1);
}
double fade2(double t) {
  return 60 * t * (t - 1) * (2 * t - 1);
}
template <class Fn>
Range over(Range t, const Fn& fn, std::initializer_list<double> extrema) {
  Range r{std::min(fn(t.lo), fn(t.hi)), std::max(fn(t.lo), fn(t.hi))};
  for (const double e : extrema) {
    if (e <= t.lo || t.hi <= e) continue;
    r.lo = std::min(r.lo, fn(e));
    r.hi = std::max(r.hi, fn(e));
  }
  return r;
}
/// Derivative number `order` of a corner's weight along one axis.
Range weight(Range t, bool far, int order) {
  const double inflection = std::sqrt(3.0) / 6;
  const Range r = order == 0   ? over(t, fade0, {0, 1})
                  : order == 1 ? over(t, fade1, {0, 0.5, 1})
                  : order == 2 ? over(t, fade2, {0.5 - inflection, 0.5 + inflection})
                               : over(t, fade3, {0.5});
  if (far) return r;
  return order == 0 ? Range{1 - r.hi, 1 - r.lo} : Range{-r.hi, -r.lo};
}

enum class Quantity : std::uint8_t {
  kValue,
  kSlope,
  kGradient,
  kCurvature,
  kTwist,
  kJerk,
  kJerk21,
  kJerk111
};

struct Query {
  int dims = 3;
  Quantity quantity = Quantity::kValue;
  std::vector<Vec3> gradients;  ///< none: value noise, corners in [-1, 1]
  Vec3 direction{1, 0, 0};      ///< of kGradient
};

struct Cell {
  Vec3 lo{}, hi{};
  double most = 0;  ///< bound of the quantity in here
  friend bool operator<(const Cell& a, const Cell& b) { return a.most < b.most; }
};

/// Of value noise: the sum over corners of |weights| is a product of one sum an axis.
double value_bound(const std::array<Range, 3>& t, const Query& q) {
  const auto most = [](Range r) { return std::max(std::fabs(r.lo), std::fabs(r.hi)); };
  const auto both = [&](std::size_t axis, int order) {
    const Range far = weight(t[axis], true, order);
    return order == 0 ? std::max(1.0, most({2 * far.lo - 1, 2 * far.hi - 1})) : 2 * most(far);
  };
  std::array<int, 3> order{1, 0, 0};
  if (q.quantity == Quantity::kCurvature) order = {2, 0, 0};
  if (q.quantity == Quantity::kTwist) order = {1, 1, 0};
  if (q.quantity == Quantity::kJerk) order = {3, 0, 0};
  if (q.quantity == Quantity::kJerk21) order = {2, 1, 0};
  if (q.quantity == Quantity::kJerk111) order = {1, 1, 1};
  return both(0, order[0]) * both(1, order[1]) * (q.dims == 3 ? both(2, order[2]) : 1);
}

/// Upper bound of the quantity over `cell` and all lattices; exact where the cell is a point.
double bound(const Cell& cell, const Query& q) {
  std::array<std::array<std::array<Range, 4>, 2>, 3> w{};
  std::array<Range, 3> t{};
  for (std::size_t i = 0; i < 3; ++i) {
    t[i] = {cell.lo[i], cell.hi[i]};
    for (std::size_t far = 0; far < 2; ++far) {
      for (std::size_t order = 0; order < 4; ++order) {
        w[i][far][order] = i < static_cast<std::size_t>(q.dims)
                               ? weight(t[i], far == 1, static_cast<int>(order))
                           : order == 0 && far == 0 ? Range{1, 1}
                                                    : Range{};
      }
    }
  }
  if (q.gradients.empty() && q.quantity != Quantity::kGradient) return value_bound(t, q);
  double sum = 0;
  for (std::size_t corner = 0; corner < std::size_t{1} << q.dims; ++corner) {
    const std::array<std::size_t, 3> far{corner & 1, corner >> 1 & 1, corner >> 2 & 1};
    const auto product = [&](std::size_t x, std::size_t y, std::size_t z) {
      return w[0][far[0]][x] * w[1][far[1]][y] * w[2][far[2]][z];
    };
    Range a;
    std::array<Range, 3> b{};
    switch (q.quantity) {
      case Quantity::kValue:
        a = product(0, 0, 0);
        break;
      case Quantity::kSlope:
        a = product(1, 0, 0);
        b[0] = product(0, 0, 0);
        break;
      case Quantity::kGradient:
        a = q.direction[0] * product(1, 0, 0) + q.direction[1] * product(0, 1, 0) +
            q.direction[2] * product(0, 0, 1);
        for (std::size_t i = 0; i < 3; ++i) b[i] = q.direction[i] * product(0, 0, 0);
        break;
      case Quantity::kCurvature:
        a = product(2, 0, 0);
        b[0] = 2 * product(1, 0, 0);
        break;
      case Quantity::kJerk:
        a = product(3, 0, 0);
        b[0] = 3 * product(2, 0, 0);
        break;
      case Quantity::kJerk21:
        a = product(2, 1, 0);
        b[0] = 2 * product(1, 1, 0);
        b[1] = product(2, 0, 0);
        break;
      case Quantity::kJerk111:
        a = product(1, 1, 1);
        b[0] = product(0, 1, 1);
        b[1] = product(1, 0, 1);
        b[2] = product(1, 1, 0);
        break;
      case Quantity::kTwist:
        a = product(1, 1, 0);
        b[0] = product(0, 1, 0);
        b[1] = product(1, 0, 0);
        break;
    }
    if (q.gradients.empty()) {
      sum += std::max(std::fabs(a.lo), std::fabs(a.hi));
      continue;
    }
    std::array<Range, 3> c{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double step = static_cast<double>(far[i]);
      c[i] = a * Range{t[i].lo - step, t[i].hi - step} + b[i];
    }
    double best = -std::numeric_limits<double>::infinity();
    for (const Vec3& g : q.gradients) {
      double along = 0;
      for (std::size_t i = 0; i < 3; ++i) along += g[i] > 0 ? g[i] * c[i].hi : g[i] * c[i].lo;
      best = std::max(best, along);
    }
    sum += best;
  }
  return sum;
}

/// How far a rounded cell index lets a position leave its cell.
constexpr double kOutside = 1.0 / 256;

/// All of the cell has y > z, and swapping the two gives the same quantity.
bool mirrored_below(const Cell& cell, const Query& q) {
  const bool swaps = q.quantity == Quantity::kValue || q.quantity == Quantity::kSlope ||
                     q.quantity == Quantity::kCurvature || q.quantity == Quantity::kJerk ||
                     q.quantity == Quantity::kJerk111 ||
                     (q.quantity == Quantity::kGradient && q.direction[1] == q.direction[2]);
  return q.dims == 3 && swaps && cell.lo[1] > cell.hi[2];
}

/// True when the quantity is proven to be at most `most` everywhere.
bool prove(const Query& q, double most) {
  Cell whole;
  for (std::size_t i = 0; i < static_cast<std::size_t>(q.dims); ++i) {
    whole.lo[i] = -kOutside;
    // The sets of gradients are their own mirror images (tested), so half of each axis stands for both.
    whole.hi[i] = q.quantity == Quantity::kGradient ? 1 + kOutside : 0.5;
  }
  // The most promising cell first, so that a constant that is too small is found out at once.
  std::priority_queue<Cell> open;
  const auto push = [&](Cell& cell) {
    if (mirrored_below(cell, q)) return;
    cell.most = bound(cell, q);
    if (cell.most > most) open.push(cell);
  };
  push(whole);
  while (!open.empty()) {
    Cell cell = open.top();
    open.pop();
    std::size_t widest = 0;
    Cell centre;
    for (std::size_t i = 0; i < 3; ++i) {
      if (cell.hi[i] - cell.lo[i] > cell.hi[widest] - cell.lo[widest]) widest = i;
      centre.lo[i] = centre.hi[i] = 0.5 * (cell.lo[i] + cell.hi[i]);
    }
    if (bound(centre, q) > most) return false;
    Cell other = cell;
    cell.hi[widest] = other.lo[widest] = centre.lo[widest];
    push(cell);
    push(other);
  }
  return true;
}

/// The kernels' gradients, from every pattern of the bits they look at.
std::vector<Vec3> gradients(int dims) {
  namespace target = HWY_NAMESPACE;
  std::vector<Vec3> out;
  for (std::uint32_t pattern = 0; pattern < 32; ++pattern) {
    const target::VecU h = hwy::HWY_NAMESPACE::Set(target::kTagU, pattern << 27);
    Vec3 g{};
    std::array<float, target::kLanes> lane{};
    const auto first = [&](target::F v) {
      target::store(v, lane.data());
      return static_cast<double>(lane[0]);
    };
    if (dims == 3) {
      const target::Gradient3 v = target::gradient3(h);
      g = {first(v.x), first(v.y), first(v.z)};
    } else {
      const target::Gradient2 v = target::gradient2(h);
      g = {first(v.x), first(v.y), 0};
    }
    for (double& v : g) v += 0;  // -0
    if (std::find(out.begin(), out.end(), g) == out.end()) out.push_back(g);
  }
  return out;
}

Query query(int dims, Quantity quantity, bool gradient_noise) {
  Query q;
  q.dims = dims;
  q.quantity = quantity;
  if (gradient_noise) q.gradients = gradients(dims);
  return q;
}

/// Holds, and would not hold if it were 1 % smaller.
void expect_proven(const Query& q, float shipped) {
  const double constant = static_cast<double>(shipped);
  EXPECT_TRUE(prove(q, constant));
  EXPECT_FALSE(prove(q, constant * 0.99)) << "more than 1 % above the truth";
}

TEST(NoiseConstants, GradientsAreTheirOwnMirrorImages) {
  for (const int dims : {2, 3}) {
    const std::vector<Vec3> set = gradients(dims);
    EXPECT_EQ(set.size(), dims == 3 ? 20U : 16U);
    const auto has = [&](const Vec3& g) { return std::find(set.begin(), set.end(), g) != set.end(); };
    for (const Vec3& g : set) {
      EXPECT_TRUE(has({-g[0], g[1], g[2]}));
      EXPECT_TRUE(has({g[0], -g[1], g[2]}));
      EXPECT_TRUE(has({g[0], g[1], -g[2]}) || dims == 2);
      // One axis stands for all.
      EXPECT_TRUE(has({g[1], g[0], g[2]}));
      EXPECT_TRUE(has({g[2], g[1], g[0]}) || dims == 2);
    }
  }
}

TEST(NoiseConstants, RangeOfGradientNoiseIsProvenToOnePercent) {
  expect_proven(query(2, Quantity::kValue, true), kPerlin2Max);
  expect_proven(query(3, Quantity::kValue, true), kPerlin3Max);
}

TEST(NoiseConstants, SlopesAreProvenToOnePercent) {
  expect_proven(query(2, Quantity::kSlope, true), kPerlin2Slope * kPerlin2Max);
  expect_proven(query(3, Quantity::kSlope, true), kPerlin3Slope * kPerlin3Max);
  expect_proven(query(2, Quantity::kSlope, false), kValueSlope);
  expect_proven(query(3, Quantity::kSlope, false), kValueSlope);
}

TEST(NoiseConstants, CurvaturesAreProvenToOnePercent) {
  expect_proven(query(2, Quantity::kCurvature, true), kPerlin2Curvature * kPerlin2Max);
  expect_proven(query(3, Quantity::kCurvature, true), kPerlin3Curvature * kPerlin3Max);
  expect_proven(query(2, Quantity::kCurvature, false), kValueCurvature);
  expect_proven(query(3, Quantity::kCurvature, false), kValueCurvature);
  expect_proven(query(2, Quantity::kTwist, true), kPerlin2Twist * kPerlin2Max);
  expect_proven(query(3, Quantity::kTwist, true), kPerlin3Twist * kPerlin3Max);
  expect_proven(query(2, Quantity::kTwist, false), kValueTwist);
  expect_proven(query(3, Quantity::kTwist, false), kValueTwist);
}

TEST(NoiseConstants, ThirdDerivativesAreProvenToOnePercent) {
  expect_proven(query(2, Quantity::kJerk, true), kPerlin2Jerk * kPerlin2Max);
  expect_proven(query(3, Quantity::kJerk, true), kPerlin3Jerk * kPerlin3Max);
  expect_proven(query(3, Quantity::kJerk, false), kValueJerk);
  expect_proven(query(2, Quantity::kJerk21, true), kPerlin2Jerk21 * kPerlin2Max);
  expect_proven(query(3, Quantity::kJerk21, true), kPerlin3Jerk21 * kPerlin3Max);
  expect_proven(query(3, Quantity::kJerk21, false), kValueJerk21);
  expect_proven(query(3, Quantity::kJerk111, true), kPerlin3Jerk111 * kPerlin3Max);
  expect_proven(query(3, Quantity::kJerk111, false), kValueJerk111);
}

/// A gradient is no longer than its largest component along directions that leave no gap wider than the angle
/// `gap`, over cos(gap). By symmetry, directions x >= y >= z >= 0 stand for all.
void expect_gradient_proven(int dims, bool gradient_noise, float shipped, int steps, double too_small) {
  const double constant = static_cast<double>(shipped);
  Query q = query(dims, Quantity::kGradient, gradient_noise);
  // A grid on the face x = 1 of the cube: neighbours are at most a diagonal of it apart, so nothing is
  // further from a node than half of that.
  const double gap = std::sqrt(dims == 3 ? 2.0 : 1.0) * 0.5 / steps;
  for (int j = 0; j <= steps; ++j) {
    for (int k = 0; k <= (dims == 3 ? j : 0); ++k) {
      const double y = static_cast<double>(j) / steps, z = static_cast<double>(k) / steps;
      const double length = std::sqrt(1 + y * y + z * z);
      q.direction = {1 / length, y / length, z / length};
      EXPECT_TRUE(prove(q, constant * std::cos(gap))) << "towards 1, " << y << ", " << z;
    }
  }
  q.direction = {1, 0, 0};
  EXPECT_FALSE(prove(q, constant * too_small)) << "further above the truth than it says";
}

TEST(NoiseConstants, GradientsAreProvenToTwoPercent) {
  expect_gradient_proven(2, true, kPerlin2Gradient * kPerlin2Max, 8, 0.98);
  expect_gradient_proven(3, true, kPerlin3Gradient * kPerlin3Max, 5, 0.98);
  expect_gradient_proven(2, false, kValue2Gradient, 8, 0.98);
  // Level along whole faces of the cell, hence slow to prove: given more room.
  expect_gradient_proven(3, false, kValue3Gradient, 3, 0.93);
}

}  // namespace
}  // namespace vf
