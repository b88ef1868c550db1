// In: beams, each a bundle of rays from one place. Out: how far every ray of a beam is surely in the air.
//
// Rays of neighbouring pixels walk through the same empty space: a beam walks it once for all of them. Its
// steps follow from the field's value and the promised bound of its slope alone, so nothing thin is missed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "render/scene_field.h"
#include "render/trace_grid.h"

namespace vf::render {

struct Beam {
  Vec3f origin, dir;  ///< dir: unit
  float spread = 0;   ///< at distance 1, rays of the beam are no further than this from its middle
  float t_max = 1e9F;
};

/// One a thread.
class BeamTracer {
 public:
  BeamTracer(const TraceGrid& grid, const SceneField& field)
      : grid_(&grid), bound_(field.gradient_bound()), probe_(field.probe()) {}

  /// `free`: one for each beam; on no ray of it there is rock before that distance.
  void trace(std::span<const Beam> beams, std::span<float> free);

 private:
  struct March {
    float t = 0;
    std::uint32_t region = 0, beam = 0;
  };
  [[nodiscard]] bool advance(const Beam& beam, March& march) const;
  [[nodiscard]] bool step(const Beam& beam, March& march, float value) const;

  const TraceGrid* grid_;
  float bound_;
  std::unique_ptr<FieldProbe> probe_;
  std::vector<March> active_;
  std::vector<float> x_, y_, z_, value_;
};

}  // namespace vf::render
