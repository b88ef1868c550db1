#include "exports/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "exports/scene_model.h"
#include "exports/surface_model.h"
#include "math/vec.h"
#include "render/vec_ops.h"

namespace vf {

namespace {

using Json = nlohmann::ordered_json;

// Numbers of the format.
constexpr int kUnsignedByte = 5121, kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;
constexpr int kLinear = 9729, kLinearMipmapLinear = 9987, kRepeat = 10497, kClampToEdge = 33071;
constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2, kJsonChunk = 0x4E4F534A, kBinChunk = 0x004E4942;
constexpr const char* kPunctualLights = "KHR_lights_punctual";
constexpr const char* kEmissiveStrength = "KHR_materials_emissive_strength";
constexpr std::size_t kShortIndices = 65535;  // vertices; index 65535 restarts a primitive

Json to_json(Vec3f v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
Json to_json(const Vec3d& v) {
  return {v.x, v.y, v.z};
}

/// The texture's direction, turned into the surface.
Vec3f tangent_of(const ModelVertex& v) {
  using render::dot, render::normalized;
  const Vec3f n = v.normal, right = texture_right(v.side), in_surface = right - n * dot(n, right);
  // A vertex on a sharp turn may look along the texture: then any direction does.
  return dot(in_surface, in_surface) > 1e-6F ? normalized(in_surface) : render::basis_about(n).u;
}

/// Grows the JSON and the binary chunk side by side.
class Writer {
 public:
  explicit Writer(const SceneModel& scene) : scene_(scene) {
    json_["asset"] = {{"version", "2.0"}, {"generator", scene.engine}, {"extras", identity()}};
  }

  void add_strata() {
    Json roots = Json::array();
    for (const StratumModel& stratum : scene_.strata) {
      const std::size_t node = json_["nodes"].size();
      roots.push_back(node);
      add_stratum(stratum);
      const Json lights = light_nodes(stratum);
      if (!lights.empty()) json_["nodes"][node]["children"] = lights;
    }
    json_["scene"] = 0;
    json_["scenes"] = {{{"name", scene_.world}, {"nodes", roots}}};
    if (!bin_.empty()) json_["buffers"] = {{{"byteLength", bin_.size()}}};
    Json used = Json::array();
    if (strong_light_) used.push_back(kEmissiveStrength);
    if (!lights_.empty()) {
      used.push_back(kPunctualLights);
      json_["extensions"][kPunctualLights]["lights"] = lights_;
    }
    if (!used.empty()) json_["extensionsUsed"] = std::move(used);
  }

  [[nodiscard]] std::vector<std::byte> file() const {
    std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::vector<std::byte> out;
    const std::size_t size = 12 + 8 + text.size() + (bin_.empty() ? 0 : 8 + bin_.size());
    out.reserve(size);
    for (const std::uint32_t word : {kMagic, kVersion, static_cast<std::uint32_t>(size),
                                     static_cast<std::uint32_t>(text.size()), kJsonChunk})
      append(out, word);
    append(out, std::as_bytes(std::span(text)));
    if (!bin_.empty()) {
      append(out, static_cast<std::uint32_t>(bin_.size()));
      append(out, kBinChunk);
      append(out, std::span<const std::byte>(bin_));
    }
    return out;
  }

 private:
  static void append(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  static void append(std::vector<std::byte>& out, std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::byte>(word >> shift));
  }
  void put(float v) { append(bin_, std::bit_cast<std::uint32_t>(v)); }
  void put(Vec3f v) { put(v.x), put(v.y), put(v.z); }

  [[nodiscard]] Json identity() const {
    Json strata = Json::array();
    for (const StratumModel& s : scene_.strata) strata.push_back(identity_of(s));
    // A seed has 64 bits, more than the numbers of many JSON readers hold.
    return {{"engine", scene_.engine},
            {"world", scene_.world},
            {"seed", std::to_string(scene_.seed.value)},
            {"origin_m", to_json(scene_.origin_m)},
            {"strata", strata}};
  }
  [[nodiscard]] static Json identity_of(const StratumModel& s) {
    return {{"stratum", s.index},
            {"recipe", s.recipe->id},
            {"version", s.recipe->version},
            {"layout_version", s.recipe->layout_version},
            {"origin_m", to_json(s.origin_m)},
            {"mesh", to_hex(s.mesh)}};
  }

  /// Adds a node for each light; gives their numbers. Lights that differ only in their places are one.
  Json light_nodes(const StratumModel& s) {
    Json out = Json::array();
    for (const ModelLight& light : s.lights) {
      Json description{{"name", light.name},
                       {"type", "point"},
                       {"color", to_json(light.color)},
                       {"intensity", static_cast<double>(light.candela)},
                       {"range", static_cast<double>(light.range_m)}};
      const auto known = std::find(lights_.begin(), lights_.end(), description);
      const auto number = static_cast<std::size_t>(known - lights_.begin());
      if (known == lights_.end()) lights_.push_back(std::move(description));
      out.push_back(json_["nodes"].size());
      json_["nodes"].push_back({{"name", fmt::format("{} {}", light.name, out.size())},
                                {"translation", to_json(light.at)},
                                {"extensions", {{kPunctualLights, {{"light", number}}}}}});
    }
    return out;
  }

  void add_stratum(const StratumModel& s) {
    const Vec3d at{s.origin_m.x - scene_.origin_m.x, s.origin_m.z - scene_.origin_m.z,
                   scene_.origin_m.y - s.origin_m.y};
    Json node{{"name", fmt::format("stratum {} {}", s.index, s.recipe->id)}, {"extras", identity_of(s)}};
    if (at != Vec3d{}) node["translation"] = to_json(at);
    if (!s.parts.empty()) {
      node["mesh"] = json_["meshes"].size();
      Json primitives = Json::array();
      for (std::size_t i = 0; i < s.parts.size(); ++i)
        primitives.push_back(primitive(s.parts[i], s.looks[i]));
      json_["meshes"].push_back({{"name", s.recipe->id + " near ring"}, {"primitives", primitives}});
    }
    json_["nodes"].push_back(std::move(node));
  }

  Json primitive(const SurfacePart& part, const PartLook& look) {
    Json attributes{{"POSITION", positions(part)}, {"NORMAL", normals(part)}};
    if (!look.normal_png.empty()) attributes["TANGENT"] = tangents(part);
    if (!look.albedo_png.empty()) attributes["TEXCOORD_0"] = texture_places(part);
    if (glows(look) && !scene_.glow_png.empty()) attributes[glow_set(look)] = glow_places(part);
    attributes["COLOR_0"] = tints(part);
    return {{"attributes", attributes}, {"indices", indices(part)}, {"material", material(look)}};
  }

  /// Sets of coordinates are numbered without gaps.
  static std::string glow_set(const PartLook& look) {
    return look.albedo_png.empty() ? "TEXCOORD_0" : "TEXCOORD_1";
  }
  static bool glows(const PartLook& look) { return look.emission_strength > 0 && look.emission != Vec3f{}; }

  /// What was put since `first` becomes a view.
  std::size_t view(std::size_t first, std::optional<int> target, std::size_t stride = 0) {
    Json view{{"buffer", 0}, {"byteOffset", first}, {"byteLength", bin_.size() - first}};
    if (stride > 0) view["byteStride"] = stride;
    if (target) view["target"] = *target;
    bin_.resize((bin_.size() + 3) / 4 * 4);
    json_["bufferViews"].push_back(std::move(view));
    return json_["bufferViews"].size() - 1;
  }
  std::size_t accessor(std::size_t view, int component, std::size_t count, const char* type,
                       bool normalized = false) {
    Json a{{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}};
    if (normalized) a["normalized"] = true;
    json_["accessors"].push_back(std::move(a));
    return json_["accessors"].size() - 1;
  }

  std::size_t positions(const SurfacePart& part) {
    const std::size_t first = bin_.size();
    Vec3f low = part.vertices.front().position, high = low;
    for (const ModelVertex& v : part.vertices) {
      const Vec3f p = v.position;
      put(p);
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const std::size_t a = accessor(view(first, kArrayBuffer), kFloat, part.vertices.size(), "VEC3");
    json_["accessors"][a]["min"] = to_json(low);
    json_["accessors"][a]["max"] = to_json(high);
    return a;
  }
  std::size_t normals(const SurfacePart& part) {
    const std::size_t first = bin_.size();
    for (const ModelVertex& v : part.vertices) put(v.normal);
    return accessor(view(first, kArrayBuffer), kFloat, part.vertices.size(), "VEC3");
  }
  std::size_t tangents(const SurfacePart& part) {
    const std::size_t first = bin_.size();
    for (const ModelVertex& v : part.vertices) put(tangent_of(v)), put(1.0F);  // nothing is mirrored
    return accessor(view(first, kArrayBuffer), kFloat, part.vertices.size(), "VEC4");
  }
  std::size_t texture_places(const SurfacePart& part) {
    const std::size_t first = bin_.size();
    for (const ModelVertex& v : part.vertices) put(v.u), put(v.v);
    return accessor(view(first, kArrayBuffer), kFloat, part.vertices.size(), "VEC2");
  }
  std::size_t glow_places(const SurfacePart& part) {
    const std::size_t first = bin_.size();
    for (const ModelVertex& v : part.vertices) append(bin_, std::uint32_t{v.glow} | 0x8000U);  // middle row
    return accessor(view(first, kArrayBuffer, 4), kUnsignedByte, part.vertices.size(), "VEC2", true);
  }
  std::size_t tints(const SurfacePart& part) {
    const std::size_t first = bin_.size();
    for (const ModelVertex& v : part.vertices)
      append(bin_, std::uint32_t{v.tint[0]} | std::uint32_t{v.tint[1]} << 8 | std::uint32_t{v.tint[2]} << 16 |
                       0xFF000000U);
    return accessor(view(first, kArrayBuffer), kUnsignedByte, part.vertices.size(), "VEC4", true);
  }
  std::size_t indices(const SurfacePart& part) {
    const std::size_t first = bin_.size();
    const bool small = part.vertices.size() <= kShortIndices;
    for (const auto& triangle : part.triangles) {
      for (const std::uint32_t i : triangle) {
        if (small) {
          bin_.push_back(static_cast<std::byte>(i));
          bin_.push_back(static_cast<std::byte>(i >> 8));
        } else {
          append(bin_, i);
        }
      }
    }
    return accessor(view(first, kElementArrayBuffer), small ? kUnsignedShort : kUnsignedInt,
                    part.triangles.size() * 3, "SCALAR");
  }

  /// `repeat`: the picture goes on beyond its borders.
  std::size_t texture(const std::string& name, std::span<const std::byte> png, bool repeat) {
    const std::size_t first = bin_.size();
    append(bin_, png);
    // Made before json_[...] is called: a new key moves the others, and with them what a reference points to.
    const std::size_t buffer_view = view(first, {}), sampled = sampler(repeat);
    const std::size_t source = json_["images"].size();
    json_["images"].push_back({{"name", name}, {"mimeType", "image/png"}, {"bufferView", buffer_view}});
    json_["textures"].push_back({{"sampler", sampled}, {"source", source}});
    return json_["textures"].size() - 1;
  }
  std::size_t sampler(bool repeat) {
    std::optional<std::size_t>& known = repeat ? repeat_ : clamp_;
    if (!known) {
      known = json_["samplers"].size();
      const int wrap = repeat ? kRepeat : kClampToEdge;
      json_["samplers"].push_back({{"magFilter", kLinear},
                                   {"minFilter", repeat ? kLinearMipmapLinear : kLinear},
                                   {"wrapS", wrap},
                                   {"wrapT", wrap}});
    }
    return *known;
  }

  std::size_t material(const PartLook& look) {
    Json pbr;
    Json out{{"name", look.name}};
    if (look.albedo_png.empty()) {
      pbr["baseColorFactor"] = to_json(look.color);
      pbr["baseColorFactor"].push_back(1);
    } else {
      pbr["baseColorTexture"] = {{"index", texture(look.name + " albedo", look.albedo_png, true)}};
    }
    pbr["metallicFactor"] = static_cast<double>(look.metallic);
    if (look.surface_png.empty()) {
      pbr["roughnessFactor"] = static_cast<double>(look.roughness);
    } else {
      const std::size_t surface = texture(look.name + " occlusion roughness", look.surface_png, true);
      pbr["metallicRoughnessTexture"] = {{"index", surface}};
      out["occlusionTexture"] = {{"index", surface}};
    }
    out["pbrMetallicRoughness"] = pbr;
    if (!look.normal_png.empty())
      out["normalTexture"] = {{"index", texture(look.name + " normal", look.normal_png, true)}};
    if (glows(look)) add_emission(look, out);
    json_["materials"].push_back(std::move(out));
    return json_["materials"].size() - 1;
  }

  /// The light of a vertex is looked up in a ramp from dark to bright: glTF has no other place for it.
  void add_emission(const PartLook& look, Json& out) {
    const float scale = std::min(look.emission_strength, 1.0F);
    out["emissiveFactor"] = to_json(look.emission * scale);
    if (!scene_.glow_png.empty()) {
      if (!ramp_) ramp_ = texture("glow", scene_.glow_png, false);
      out["emissiveTexture"] = {{"index", *ramp_}, {"texCoord", look.albedo_png.empty() ? 0 : 1}};
    }
    if (look.emission_strength <= 1) return;
    strong_light_ = true;
    out["extensions"][kEmissiveStrength] = {
        {"emissiveStrength", static_cast<double>(look.emission_strength)}};
  }

  const SceneModel& scene_;
  Json json_;
  std::vector<std::byte> bin_;
  std::optional<std::size_t> repeat_, clamp_, ramp_;
  std::vector<Json> lights_;
  bool strong_light_ = false;
};

}  // namespace

Result<std::vector<std::byte>> encode_glb(const SceneModel& scene, std::uint64_t max_bytes) {
  constexpr std::uint64_t kVertexBytes = 56, kTriangleBytes = 12;  // at most
  const ModelCounts counts = counts_of(scene);
  const std::uint64_t bytes =
      counts.vertices * kVertexBytes + counts.triangles * kTriangleBytes + counts.texture_bytes;
  if (bytes > max_bytes) {
    return Error{
        ErrorCode::kResource,
        {},
        fmt::format("{} triangles and their textures need about {} bytes; a GLB file holds at most {}",
                    counts.triangles, bytes, max_bytes)};
  }
  Writer writer(scene);
  writer.add_strata();
  return writer.file();
}

}  // namespace vf
