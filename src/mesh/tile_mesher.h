// The densities of a tile -> its triangles.
#pragma once

#include <memory>

#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_samples.h"

namespace vf {

/// Gives the field and its gradient where the surface crosses the lattice.
class GradientSource {
 public:
  GradientSource() = default;
  GradientSource(const GradientSource&) = delete;
  GradientSource& operator=(const GradientSource&) = delete;
  virtual ~GradientSource() = default;
  /// At points within the proof box of bricks that were evaluated with `tape`; each array [points.count].
  virtual void gradients(const Tape* tape, const PointBatch& points, float* value, float* gx, float* gy,
                         float* gz) = 0;
};

/// The gradients of a field. One a thread.
class FieldGradients final : public GradientSource {
 public:
  FieldGradients(std::shared_ptr<const BoundField> field, SimdLevel simd);
  ~FieldGradients() override;
  void gradients(const Tape* tape, const PointBatch& points, float* value, float* gx, float* gy,
                 float* gz) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One a thread: owns scratch space. The mesh depends on nothing but the densities and gradients.
class TileMesher {
 public:
  TileMesher();
  ~TileMesher();
  TileMesher(TileMesher&&) noexcept;
  TileMesher& operator=(TileMesher&&) noexcept;

  /// `out` is written anew; its memory is used again.
  void mesh(const TileNeighbours& tiles, GradientSource& source, TileMesh& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf
