// Reads GLB files the plain way, apart from the writer, and tells what is wrong with them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vf::test {

struct GlbFile {
  nlohmann::json json;
  std::string bin;
  std::vector<std::string> problems;
};

inline std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i)
    out |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return out;
}

/// Header and chunks.
inline GlbFile open_glb(std::string_view bytes) {
  GlbFile out;
  const auto need = [&](bool good, const char* what) {
    if (!good) out.problems.emplace_back(what);
    return good;
  };
  if (!need(bytes.size() >= 20, "shorter than a header")) return out;
  need(word_at(bytes, 0) == 0x46546C67 && word_at(bytes, 4) == 2, "no glTF 2 header");
  need(word_at(bytes, 8) == bytes.size(), "the header's length is not the file's");
  const std::size_t json_size = word_at(bytes, 12);
  if (!need(json_size % 4 == 0 && 20 + json_size <= bytes.size(), "the JSON chunk does not fit")) return out;
  need(word_at(bytes, 16) == 0x4E4F534A, "the first chunk is not JSON");
  out.json = nlohmann::json::parse(bytes.substr(20, json_size), nullptr, false);
  need(!out.json.is_discarded(), "the JSON chunk is not JSON");
  const std::size_t next = 20 + json_size;
  if (next == bytes.size()) return out;
  need(word_at(bytes, next + 4) == 0x004E4942, "the second chunk is not BIN");
  need(word_at(bytes, next) == bytes.size() - next - 8, "the BIN chunk does not end with the file");
  out.bin = bytes.substr(next + 8);
  return out;
}

/// The numbers of an accessor, row by row; whole numbers as they are, without normalisation.
inline std::vector<double> numbers_of(const GlbFile& file, std::size_t accessor) {
  const nlohmann::json& a = file.json.at("accessors").at(accessor);
  const nlohmann::json& view = file.json.at("bufferViews").at(a.at("bufferView").get<std::size_t>());
  const std::string type = a.at("type");
  const std::size_t columns = type == "SCALAR" ? 1 : static_cast<std::size_t>(type[3] - '0');
  const int component = a.at("componentType");
  const std::size_t size = component == 5121 ? 1 : component == 5123 ? 2 : 4;
  const std::size_t stride = view.value("byteStride", columns * size);
  const std::size_t first = view.value("byteOffset", std::size_t{0});
  const std::size_t count = a.at("count");
  std::vector<double> out;
  if (count == 0 || (count - 1) * stride + columns * size > view.at("byteLength").get<std::size_t>() ||
      first + view.at("byteLength").get<std::size_t>() > file.bin.size() || first % 4 != 0)
    return out;  // told apart by its size
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      const char* at = file.bin.data() + first + i * stride + c * size;
      std::uint32_t bits = 0;
      std::memcpy(&bits, at, size);
      float value = 0;
      std::memcpy(&value, &bits, 4);
      out.push_back(component == 5126 ? static_cast<double>(value) : static_cast<double>(bits));
    }
  }
  return out;
}

/// Checks one primitive's arrays: sizes, bounds, finite and unit values, indices in range, no vertex unused.
inline void check_primitive(GlbFile& file, const nlohmann::json& primitive) {
  const auto need = [&](bool good, const char* what) {
    if (!good) file.problems.emplace_back(what);
  };
  const nlohmann::json& attributes = primitive.at("attributes");
  const std::size_t position = attributes.at("POSITION");
  const std::size_t count = file.json.at("accessors").at(position).at("count");
  for (const auto& [name, accessor] : attributes.items()) {
    const std::vector<double> values = numbers_of(file, accessor.get<std::size_t>());
    need(!values.empty() && values.size() % count == 0, "an attribute does not fit its view or its count");
    for (const double v : values) need(std::isfinite(v), "a value is not finite");
    if (name == "NORMAL") {
      for (std::size_t i = 0; i + 2 < values.size(); i += 3)
        need(std::abs(std::hypot(values[i], values[i + 1], values[i + 2]) - 1) < 1e-5,
             "a normal is not unit");
    }
  }
  const nlohmann::json& p = file.json.at("accessors").at(position);
  const std::vector<double> places = numbers_of(file, position);
  for (std::size_t c = 0; c < 3 && !places.empty(); ++c) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = c; i < places.size(); i += 3)
      low = std::min(low, places[i]), high = std::max(high, places[i]);
    need(p.at("min").at(c) == low && p.at("max").at(c) == high, "POSITION's min and max are not its own");
  }
  const std::vector<double> indices = numbers_of(file, primitive.at("indices").get<std::size_t>());
  need(!indices.empty() && indices.size() % 3 == 0, "the indices are not whole triangles");
  std::set<double> used(indices.begin(), indices.end());
  need(used.size() == count, "a vertex is not used");
  need(used.empty() || *used.rbegin() < static_cast<double>(count), "an index is out of range");
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
    need(indices[i] != indices[i + 1] && indices[i + 1] != indices[i + 2] && indices[i + 2] != indices[i],
         "a triangle has no area");
  need(primitive.at("material").get<std::size_t>() < file.json.at("materials").size(),
       "a material is missing");
}

/// Reads and checks the whole file.
inline GlbFile read_glb(std::string_view bytes) {
  GlbFile file = open_glb(bytes);
  if (!file.problems.empty()) return file;
  if (file.json.value("buffers", nlohmann::json::array()).size() == 1 &&
      file.json["buffers"][0].at("byteLength") != file.bin.size())
    file.problems.emplace_back("the buffer is not the BIN chunk");
  for (const nlohmann::json& mesh : file.json.value("meshes", nlohmann::json::array()))
    for (const nlohmann::json& primitive : mesh.at("primitives")) check_primitive(file, primitive);
  return file;
}

}  // namespace vf::test
