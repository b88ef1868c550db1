#include "view/view_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/tasks.h"
#include "field/bound_field.h"
#include "field/point_shape.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "math/vec.h"
#include "proof/certificate.h"
#include "proof/view_region.h"

namespace vf {

namespace {

/// The lattice that things are compared with: as fine as this, but coarser where they would have more
/// samples.
struct Finest {
  float step_m;
  double samples;
};
constexpr Finest kNearFinest{0.0625F, 2e6}, kFarFinest{0.25F, 1e5};

/// Which points of a lattice lie in a thing.
class Lattice {
 public:
  /// Of the multiples of `step`, plus `phase`, in the box, with one beyond on every side.
  Lattice(const Box3f& box, float step, float phase = 0) : step_(step), phase_(phase) {
    const std::array<float, 3> lo{box.min.x, box.min.y, box.min.z}, hi{box.max.x, box.max.y, box.max.z};
    for (std::size_t a = 0; a < 3; ++a) {
      first_[a] = static_cast<std::int32_t>(std::floor((lo[a] - phase) / step)) - 1;
      count_[a] = static_cast<std::int32_t>(std::ceil((hi[a] - phase) / step)) + 2 - first_[a];
    }
    inside_.resize(index(0, 0, count_[2]));
  }

  [[nodiscard]] float step() const { return step_; }
  [[nodiscard]] std::size_t size() const { return inside_.size(); }
  [[nodiscard]] Vec3f point(std::size_t i) const {
    const auto nx = static_cast<std::size_t>(count_[0]), ny = static_cast<std::size_t>(count_[1]);
    const auto at = [&](std::size_t a, std::size_t k) {
      return phase_ + step_ * static_cast<float>(first_[a] + static_cast<std::int32_t>(k));
    };
    return {at(0, i % nx), at(1, i / nx % ny), at(2, i / nx / ny)};
  }
  void set(std::size_t i, bool inside) { inside_[i] = inside ? 1 : 0; }

  /// Parts that hang together over the sides of lattice cells, as the mesher joins solid samples.
  [[nodiscard]] std::size_t pieces() const {
    std::vector<std::uint8_t> left = inside_;
    std::vector<std::size_t> open;
    std::size_t pieces = 0;
    for (std::size_t seed = 0; seed < left.size(); ++seed) {
      if (left[seed] == 0) continue;
      ++pieces;
      left[seed] = 0;
      open.push_back(seed);
      while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        // The outermost points are never inside: no step leaves the lattice.
        for (std::size_t a = 0; a < 3; ++a)
          for (const std::size_t next : {at - stride(a), at + stride(a)})
            if (left[next] != 0) {
              left[next] = 0;
              open.push_back(next);
            }
      }
    }
    return pieces;
  }

  /// About the points that lie in it; nothing when there are none.
  [[nodiscard]] std::optional<Box3f> extent() const {
    std::optional<Box3f> out;
    for (std::size_t i = 0; i < inside_.size(); ++i) {
      if (inside_[i] == 0) continue;
      const Vec3f p = point(i);
      if (!out) out = Box3f{p, p};
      out->min = {std::min(out->min.x, p.x), std::min(out->min.y, p.y), std::min(out->min.z, p.z)};
      out->max = {std::max(out->max.x, p.x), std::max(out->max.y, p.y), std::max(out->max.z, p.z)};
    }
    return out;
  }

  /// What a ball of this diameter covers that stays inside: morphological opening. To half a step.
  [[nodiscard]] Lattice opened(float diameter) const {
    const float reach = 0.5F * diameter / step_ + 0.5F;
    Lattice out = *this;
    out.keep(out.squared_distances(0), [&](float d2) { return d2 >= reach * reach; });
    out.keep(out.squared_distances(1), [&](float d2) { return d2 < reach * reach; });
    return out;
  }

 private:
  [[nodiscard]] std::size_t stride(std::size_t axis) const {
    return axis == 0 ? 1 : axis == 1 ? index(0, 1, 0) : index(0, 0, 1);
  }
  [[nodiscard]] std::size_t index(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const auto nx = static_cast<std::size_t>(count_[0]), ny = static_cast<std::size_t>(count_[1]);
    return static_cast<std::size_t>(x) +
           nx * (static_cast<std::size_t>(y) + ny * static_cast<std::size_t>(z));
  }

  template <class Rule>
  void keep(const std::vector<float>& d2, const Rule& rule) {
    for (std::size_t i = 0; i < inside_.size(); ++i) inside_[i] = rule(d2[i]) ? 1 : 0;
  }

  /// From each point to the nearest with this value, in steps: exact, an axis at a time, by the lower
  /// envelope of parabolas (Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions").
  [[nodiscard]] std::vector<float> squared_distances(std::uint8_t value) const {
    constexpr float kFar = 1e12F;
    std::vector<float> d2(inside_.size());
    for (std::size_t i = 0; i < d2.size(); ++i) d2[i] = inside_[i] == value ? 0 : kFar;
    std::vector<float> line;
    std::vector<Parabola> envelope;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t step = stride(axis), n = static_cast<std::size_t>(count_[axis]);
      line.resize(n);
      for (std::size_t first = 0; first < d2.size(); ++first) {
        if (first / step % n != 0) continue;
        for (std::size_t k = 0; k < n; ++k) line[k] = d2[first + step * k];
        lower_envelope(line, envelope);
        std::size_t at = 0;
        for (std::size_t k = 0; k < n; ++k) {
          const auto x = static_cast<float>(k);
          while (at + 1 < envelope.size() && envelope[at + 1].from <= x) ++at;
          const float off = x - envelope[at].middle;
          d2[first + step * k] = off * off + envelope[at].low;
        }
      }
    }
    return d2;
  }

  /// (x - middle)^2 + low, the lowest from `from` on.
  struct Parabola {
    float middle, low, from;
  };
  static void lower_envelope(const std::vector<float>& low, std::vector<Parabola>& out) {
    out.clear();
    for (std::size_t k = 0; k < low.size(); ++k) {
      const auto x = static_cast<float>(k);
      float from = -1;
      while (!out.empty()) {
        const Parabola& last = out.back();
        from = ((low[k] + x * x) - (last.low + last.middle * last.middle)) / (2 * (x - last.middle));
        if (from > last.from) break;
        out.pop_back();
      }
      out.push_back({x, low[k], out.empty() ? -1 : from});
    }
  }

  float step_, phase_;
  std::array<std::int32_t, 3> first_{}, count_{};
  std::vector<std::uint8_t> inside_;  ///< [x fastest]
};

/// The most that `part` lacks at a side of `whole`. [metres]
float lacking(const Box3f& part, const Box3f& whole) {
  return std::max({part.min.x - whole.min.x, part.min.y - whole.min.y, part.min.z - whole.min.z,
                   whole.max.x - part.max.x, whole.max.y - part.max.y, whole.max.z - part.max.z});
}

/// One worker's shapes.
class PlaceSampler {
 public:
  PlaceSampler(const BoundField& field, SimdLevel simd) : field_(&field), kernels_(&batch_kernels(simd)) {
    shapes_.resize(field.sets.size());
  }

  void sample(std::size_t set, const FeatureInstance& place, Lattice& lattice) {
    std::unique_ptr<PointShape>& shape = shapes_[set];
    if (!shape)
      shape = std::make_unique<PointShape>(*field_, set, *kernels_, PointShape::Of::kValues, x_.data(),
                                           y_.data(), z_.data());
    for (std::size_t first = 0; first < lattice.size(); first += kPointBlock) {
      const std::size_t count = std::min<std::size_t>(kPointBlock, lattice.size() - first);
      for (std::size_t i = 0; i < kPointBlock; ++i) {  // the last point again, to a whole block
        const Vec3f p = lattice.point(first + std::min(i, count - 1));
        x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
      }
      shape->begin(kPointBlock);
      acc_.fill(field_->program->feature_sets[set].far);
      shape->fold(place, {}, acc_.data());
      for (std::size_t i = 0; i < count; ++i) lattice.set(first + i, acc_[i] < 0);
    }
  }

 private:
  const BoundField* field_;
  const BatchKernels* kernels_;
  std::vector<std::unique_ptr<PointShape>> shapes_;
  alignas(64) std::array<float, kPointBlock> x_{}, y_{}, z_{}, acc_{};
};

/// The coarsest level that shows a part of the box; -1: none does.
int coarsest_level(const ViewSquares& squares, const Box3f& box) {
  const auto meets = [&](const RingSquare& s) {
    return box.max.x > static_cast<float>(s.min_x) && box.min.x < static_cast<float>(s.min_x + s.width) &&
           box.max.y > static_cast<float>(s.min_y) && box.min.y < static_cast<float>(s.min_y + s.width);
  };
  const auto holds = [&](const RingSquare& s) {
    return box.min.x >= static_cast<float>(s.min_x) && box.max.x <= static_cast<float>(s.min_x + s.width) &&
           box.min.y >= static_cast<float>(s.min_y) && box.max.y <= static_cast<float>(s.min_y + s.width);
  };
  for (int n = squares.levels; n-- > 0;)
    if (meets(squares.at[static_cast<std::size_t>(n)]) &&
        (n == 0 || !holds(squares.at[static_cast<std::size_t>(n - 1)])))
      return n;
  return -1;
}

enum class Fate : std::uint8_t { kNotSeen, kWhole, kReduced, kLost };

Fate fate_of(PlaceSampler& sampler, std::size_t set, const FeatureInstance& place, int level,
             float min_feature_m) {
  const float voxel = voxel_m(level);
  const Vec3f size = place.sign_box.max - place.sign_box.min;
  const double volume =
      static_cast<double>(size.x) * static_cast<double>(size.y) * static_cast<double>(size.z);
  const Finest& finest = level == 0 ? kNearFinest : kFarFinest;
  const float fine_m =
      std::min(std::max(finest.step_m, static_cast<float>(std::cbrt(volume / finest.samples))), voxel / 2);
  Lattice fine(place.sign_box, fine_m);
  sampler.sample(set, place, fine);
  const std::optional<Box3f> whole = fine.extent();
  if (!whole) return Fate::kNotSeen;
  const std::size_t pieces = fine.pieces();
  const float slack = min_feature_m / 3;
  const auto holds = [&](float phase) {
    Lattice coarse(place.sign_box, voxel, phase);
    sampler.sample(set, place, coarse);
    const std::optional<Box3f> shown = coarse.extent();
    // Near by, the tip of a cone may be blunt.
    return shown && (level == 0 || lacking(*shown, *whole) <= voxel + slack) && coarse.pieces() <= pieces;
  };
  // And a thing should not be whole by luck there: the same must hold half a voxel away.
  if (holds(0) && (level > 0 || holds(voxel / 2))) return Fate::kWhole;
  if (level == 0) return Fate::kReduced;
  const Vec3f width = whole->max - whole->min;
  if (std::min({width.x, width.y, width.z}) + fine_m < min_feature_m) return Fate::kReduced;  // no ball fits
  const Lattice thick = fine.opened(min_feature_m);
  const std::optional<Box3f> thick_extent = thick.extent();
  const bool is_thick = thick_extent && lacking(*thick_extent, *whole) <= slack && thick.pieces() == pieces;
  return is_thick ? Fate::kLost : Fate::kReduced;
}

std::size_t sum(const std::vector<SeenFeatures>& sets, std::size_t SeenFeatures::* member) {
  return std::accumulate(sets.begin(), sets.end(), std::size_t{0},
                         [&](std::size_t n, const SeenFeatures& s) { return n + s.*member; });
}

}  // namespace

std::size_t ViewFeatures::near_broken() const {
  return sum(sets, &SeenFeatures::near_broken);
}
std::size_t ViewFeatures::places() const {
  return sum(sets, &SeenFeatures::places);
}
std::size_t ViewFeatures::reduced() const {
  return sum(sets, &SeenFeatures::reduced);
}
std::size_t ViewFeatures::lost() const {
  return sum(sets, &SeenFeatures::lost);
}

ViewFeatures view_features(const std::shared_ptr<const BoundField>& field, const ViewSquares& squares,
                           float min_feature_m, SimdLevel simd, unsigned workers) {
  if (workers == 0) workers = default_workers();
  const Program& program = *field->program;
  ViewFeatures out;
  std::vector<std::unique_ptr<PlaceSampler>> samplers(workers);
  for (std::size_t set = 0; set < program.path_sets.value_or(program.feature_sets.size()); ++set) {
    const std::vector<FeatureInstance>& places = field->sets[set].instances;
    std::vector<Fate> fates(places.size(), Fate::kNotSeen);
    std::vector<std::uint8_t> is_near(places.size());
    parallel_for(places.size(), workers, [&](std::size_t i, unsigned worker) {
      const int level = coarsest_level(squares, places[i].sign_box);
      if (level < 0) return;
      std::unique_ptr<PlaceSampler>& sampler = samplers[worker];
      if (!sampler) sampler = std::make_unique<PlaceSampler>(*field, simd);
      is_near[i] = level == 0 ? 1 : 0;
      fates[i] = fate_of(*sampler, set, places[i], level,
                         level == 0 ? kMinFeatureVoxels * voxel_m(0) : min_feature_m);
    });
    SeenFeatures counts{.name = program.feature_sets[set].name};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Fate fate = fates[i];
      if (fate == Fate::kNotSeen) continue;
      if (is_near[i] != 0) {
        ++counts.near_places;
        counts.near_broken += fate == Fate::kReduced ? 1 : 0;
        continue;
      }
      ++counts.places;
      counts.reduced += fate == Fate::kReduced ? 1 : 0;
      counts.lost += fate == Fate::kLost ? 1 : 0;
    }
    if (counts.places + counts.near_places > 0) out.sets.push_back(std::move(counts));
  }
  return out;
}

}  // namespace vf
