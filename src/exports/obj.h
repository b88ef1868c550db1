// A scene as Wavefront OBJ with its materials: for tools that read nothing newer.
//
// The same coordinates as the GLB file. What OBJ cannot say is left out: the blend of colours at borders,
// which vertices glow, occlusion; and places deeper than the first stratum are added to the vertices.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exports/scene_model.h"

namespace vf {

struct NamedFile {
  std::string name;  ///< in the folder of the OBJ file
  std::vector<std::byte> bytes;
};

struct ObjFiles {
  std::string obj;
  std::vector<NamedFile> beside;  ///< the pictures, then STEM.mtl
};

/// `stem`: the file's name without its ending; the names of the files beside it begin with it. The scene's
/// textures must be without headroom.
[[nodiscard]] ObjFiles encode_obj(const SceneModel& scene, const std::string& stem);

}  // namespace vf
