// A model as a file for other tools.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/world_input.h"
#include "exports/scene_model.h"

namespace vf::cli {

enum class ModelFormat : std::uint8_t { kGlb, kObj };
/// "glb" or "obj".
[[nodiscard]] Result<ModelFormat> parse_model_format(std::string_view text);
[[nodiscard]] const char* name_of(ModelFormat format);
/// By the ending of the file's name; GLB for a name without one.
[[nodiscard]] Result<ModelFormat> model_format_of(const std::string& file);

/// A scene without strata; its origin is still to be set. Errors: kResource.
[[nodiscard]] Result<SceneModel> begin_scene(const InputWorld& world);

struct WrittenModel {
  std::vector<std::string> files;  ///< the one asked for last
  std::uint64_t bytes = 0;         ///< of all
};
/// Writes `file`; an OBJ file gets its materials and pictures beside it, and appears after them. When one of
/// them cannot be written, none is left.
[[nodiscard]] Result<WrittenModel> write_model(const SceneModel& scene, ModelFormat format,
                                               const std::string& file);

}  // namespace vf::cli
