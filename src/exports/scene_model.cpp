#include "exports/scene_model.h"

#include "exports/surface_model.h"

namespace vf {

ModelCounts counts_of(const StratumModel& stratum) {
  ModelCounts out;
  for (const SurfacePart& part : stratum.parts) {
    out.vertices += part.vertices.size();
    out.triangles += part.triangles.size();
  }
  for (const PartLook& look : stratum.looks)
    out.texture_bytes += look.albedo_png.size() + look.normal_png.size() + look.surface_png.size();
  return out;
}

ModelCounts counts_of(const SceneModel& scene) {
  ModelCounts out;
  for (const StratumModel& stratum : scene.strata) {
    const ModelCounts c = counts_of(stratum);
    out.vertices += c.vertices;
    out.triangles += c.triangles;
    out.texture_bytes += c.texture_bytes;
  }
  return out;
}

}  // namespace vf
