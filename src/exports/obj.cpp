#include "exports/obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "math/vec.h"

namespace vf {

namespace {

/// Names in these files end at a space.
std::string plain_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (plain || out.empty() || out.back() != '_') out.push_back(plain ? c : '_');
  }
  return out;
}

std::string one_line(const std::string& text) {
  std::string out = text;
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return out;
}

class ObjWriter {
 public:
  ObjWriter(const SceneModel& scene, const std::string& stem) : scene_(scene), stem_(stem) {
    line("# {}: {}, seed {}", one_line(scene.engine), one_line(scene.world), scene.seed.value);
    line("# metres, y up; the origin is at {} {} {} of the world (z up)", scene.origin_m.x, scene.origin_m.y,
         scene.origin_m.z);
    line("mtllib {}.mtl", stem);
  }

  void add(const StratumModel& s) {
    line("# {} version {}, mesh {}", s.recipe->id, s.recipe->version, to_hex(s.mesh));
    line("o stratum_{}_{}", s.index, s.recipe->id);
    // In doubles: a stratum may lie deep below the origin.
    const Vec3d at{s.origin_m.x - scene_.origin_m.x, s.origin_m.z - scene_.origin_m.z,
                   scene_.origin_m.y - s.origin_m.y};
    for (std::size_t i = 0; i < s.parts.size(); ++i) add(s.parts[i], material(s.looks[i]), at);
  }

  ObjFiles finish() {
    files_.obj = std::move(obj_);
    const auto bytes = std::as_bytes(std::span(mtl_));
    files_.beside.push_back({stem_ + ".mtl", {bytes.begin(), bytes.end()}});
    return std::move(files_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(obj_), text, std::forward<Args>(args)...);
    obj_.push_back('\n');
  }
  template <class... Args>
  void material_line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(mtl_), text, std::forward<Args>(args)...);
    mtl_.push_back('\n');
  }

  void add(const SurfacePart& part, const std::string& material_name, const Vec3d& at) {
    for (const ModelVertex& v : part.vertices) {
      const Vec3f p = v.position, n = v.normal;
      line("v {} {} {}", static_cast<double>(p.x) + at.x, static_cast<double>(p.y) + at.y,
           static_cast<double>(p.z) + at.z);
      line("vt {:.5f} {:.5f}", v.u, -v.v);  // here v runs up
      line("vn {:.4f} {:.4f} {:.4f}", n.x, n.y, n.z);
    }
    line("usemtl {}", material_name);
    for (const auto& t : part.triangles) {
      const std::array<std::uint64_t, 3> i{first_ + t[0], first_ + t[1], first_ + t[2]};
      line("f {0}/{0}/{0} {1}/{1}/{1} {2}/{2}/{2}", i[0], i[1], i[2]);
    }
    first_ += part.vertices.size();
  }

  /// Its name in the files.
  std::string material(const PartLook& look) {
    std::string name = plain_name(look.name);
    for (int again = 2; !names_.insert(name).second; ++again)
      name = fmt::format("{}_{}", plain_name(look.name), again);
    const Vec3f color = look.albedo_png.empty() ? look.color : Vec3f{1, 1, 1};
    const Vec3f light = look.emission * look.emission_strength;
    material_line("newmtl {}", name);
    material_line("Kd {} {} {}", color.x, color.y, color.z);
    material_line("Ke {} {} {}", light.x, light.y, light.z);
    material_line("Pr {}\nPm {}\nillum 2", look.roughness, look.metallic);
    if (!look.albedo_png.empty()) material_line("map_Kd {}", picture(name, "albedo", look.albedo_png));
    if (!look.normal_png.empty()) {
      const std::string file = picture(name, "normal", look.normal_png);
      material_line("norm {0}\nmap_Bump {0}", file);  // readers know one or the other
    }
    mtl_.push_back('\n');
    return name;
  }
  std::string picture(const std::string& material_name, const char* kind, const std::vector<std::byte>& png) {
    files_.beside.push_back({fmt::format("{}_{}_{}.png", stem_, material_name, kind), png});
    return files_.beside.back().name;
  }

  const SceneModel& scene_;
  std::string stem_, obj_, mtl_;
  std::uint64_t first_ = 1;  // vertices are counted from 1 over the whole file
  std::set<std::string> names_;
  ObjFiles files_;
};

}  // namespace

ObjFiles encode_obj(const SceneModel& scene, const std::string& stem) {
  ObjWriter writer(scene, stem);
  for (const StratumModel& stratum : scene.strata) writer.add(stratum);
  return writer.finish();
}

}  // namespace vf
