// Rays against a mesh where there is one, against the field beyond it: what shows how good the mesh is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "math/box.h"
#include "mesh/ground.h"
#include "render/field_tracer.h"

namespace vf::render {

/// `mesh` may be null: the field alone.
[[nodiscard]] std::unique_ptr<RayTracer> make_tracer(const TraceGrid& grid, const SceneField& field,
                                                     const Ground* mesh);

/// One a thread. Within the tiles of the mesh nothing but its triangles stops a ray; normals are those of its
/// vertices.
class MeshTracer final : public RayTracer {
 public:
  MeshTracer(const TraceGrid& grid, const SceneField& field, const Ground& mesh);
  void trace(std::span<const Ray> rays, std::span<RayHit> hits) override;
  [[nodiscard]] std::uint64_t evaluations() const override { return field_.evaluations(); }

 private:
  FieldTracer field_;
  const Ground* mesh_;
  Box3f box_;  ///< of the tiles
  std::vector<Ray> beyond_;
  std::vector<RayHit> beyond_hits_;
  std::vector<std::size_t> which_;
};

}  // namespace vf::render
