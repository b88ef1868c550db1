// In: rays. Out: where each first enters rock, by the field itself, to a fraction of a pixel.
//
// The grid says where to look: proven air is skipped, and between the samples of a brick a step is as long as
// the brick's slope along the ray allows. Near the surface the field decides; sign changes are bracketed and
// refined.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "render/scene_field.h"
#include "render/trace_grid.h"

namespace vf::render {

struct Ray {
  Vec3f origin, dir;  ///< dir: unit
  float t_min = 0, t_max = 1e9F;
  float spread = 0.001F;  ///< width of the ray's footprint at distance 1
  float start_width = 0;  ///< width at t = 0. [metres]
};

struct RayHit {
  bool hit = false;
  float t = 0;      ///< where it hit, ended or left the known part
  Vec3f p, normal;  ///< of a hit; the normal is the field's gradient, unit
};

/// One a thread.
class RayTracer {
 public:
  RayTracer() = default;
  RayTracer(RayTracer&&) noexcept = default;
  RayTracer& operator=(RayTracer&&) noexcept = default;
  virtual ~RayTracer() = default;
  /// `hits`: one for each ray. What one ray hits never depends on the others.
  virtual void trace(std::span<const Ray> rays, std::span<RayHit> hits) = 0;
  [[nodiscard]] virtual std::uint64_t evaluations() const = 0;
};

/// One a thread.
class FieldTracer final : public RayTracer {
 public:
  FieldTracer(const TraceGrid& grid, const SceneField& field);
  ~FieldTracer() override;
  FieldTracer(FieldTracer&&) noexcept;
  FieldTracer& operator=(FieldTracer&&) noexcept;

  void trace(std::span<const Ray> rays, std::span<RayHit> hits) override;
  [[nodiscard]] std::uint64_t evaluations() const override { return evaluations_; }

 private:
  struct March;
  struct Scratch;
  bool advance(const Ray& ray, March& march) const;
  bool enter(const Ray& ray, Vec3f p, TraceGrid::Walk& walk, March& march) const;
  void accept(const Ray& ray, March& march, float v) const;
  void evaluate(std::span<const Ray> rays);
  void find_normals(std::span<RayHit> hits, std::span<const Ray> rays);

  const TraceGrid* grid_;
  std::unique_ptr<FieldProbe> probe_;
  std::unique_ptr<Scratch> scratch_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace vf::render
