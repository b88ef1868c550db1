#include "cli/model_file.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/version.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "exports/glb.h"
#include "exports/obj.h"
#include "exports/scene_model.h"
#include "exports/textures.h"

namespace vf::cli {

Result<ModelFormat> parse_model_format(std::string_view text) {
  if (text == "glb") return ModelFormat::kGlb;
  if (text == "obj") return ModelFormat::kObj;
  return Error{ErrorCode::kBadInput, {}, fmt::format("--format {}: expected glb or obj", text)};
}

const char* name_of(ModelFormat format) {
  return format == ModelFormat::kGlb ? "glb" : "obj";
}

Result<SceneModel> begin_scene(const InputWorld& world) {
  Result<std::vector<std::byte>> ramp = glow_ramp_png();
  if (!ramp) return ramp.error();
  SceneModel scene;
  scene.engine = engine_name();
  scene.world = world.world.name;
  scene.seed = world.world.seed;
  scene.glow_png = *std::move(ramp);
  return scene;
}

Result<ModelFormat> model_format_of(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension.empty() || extension == ".glb") return ModelFormat::kGlb;
  if (extension == ".obj") return ModelFormat::kObj;
  return Error{
      ErrorCode::kBadInput,
      {},
      fmt::format("--out: '{}' is no model that can be written; expected a name in .glb or .obj", file)};
}

Result<WrittenModel> write_model(const SceneModel& scene, ModelFormat format, const std::string& file) {
  WrittenModel out;
  std::vector<AtomicFile> staged;  // all get their names together, once every byte is on the disk
  const auto write = [&](const std::string& name, std::span<const std::byte> bytes) -> Status {
    out.files.push_back(name);
    out.bytes += bytes.size();
    Result<AtomicFile> target = AtomicFile::create(name);
    if (!target) return target.error();
    staged.push_back(*std::move(target));
    return staged.back().write(bytes);
  };
  const auto finish = [&]() -> Result<WrittenModel> {
    for (AtomicFile& target : staged) {
      if (const Status committed = target.commit(); !committed) return committed.error();
    }
    return out;
  };
  if (format == ModelFormat::kGlb) {
    const Result<std::vector<std::byte>> glb = encode_glb(scene);
    if (!glb) return glb.error();
    if (const Status written = write(file, *glb); !written) return written.error();
    return finish();
  }
  const std::filesystem::path path(file);
  const ObjFiles files = encode_obj(scene, path.stem().string());
  for (const NamedFile& beside : files.beside) {
    const std::string name = (path.parent_path() / beside.name).string();
    if (const Status written = write(name, beside.bytes); !written) return written.error();
  }
  if (const Status written = write(file, std::as_bytes(std::span(files.obj))); !written)
    return written.error();
  return finish();
}

}  // namespace vf::cli
