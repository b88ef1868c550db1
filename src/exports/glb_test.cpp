#include "exports/glb.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "exports/models_for_tests.h"
#include "exports/scene_model.h"
#include "test_support/glb_reader.h"

namespace vf {
namespace {

std::string bytes_of(const SceneModel& scene) {
  const Result<std::vector<std::byte>> file = encode_glb(scene);
  EXPECT_TRUE(file.has_value());
  return {reinterpret_cast<const char*>(file->data()), file->size()};
}

TEST(Glb, IsWhole) {
  const test::GlbFile file = test::read_glb(bytes_of(test::small_scene()));
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  EXPECT_EQ(file.json.at("meshes").at(0).at("primitives").size(), 2U);
}

TEST(Glb, SaysWhatItWasMadeFrom) {
  const nlohmann::json json = test::read_glb(bytes_of(test::small_scene())).json;
  const nlohmann::json& identity = json.at("asset").at("extras");
  EXPECT_EQ(identity.at("engine"), "VoxelForge test");
  EXPECT_EQ(identity.at("seed"), "18446744073709551615");
  EXPECT_EQ(identity.at("origin_m").at(0), 10000000008.0);
  const nlohmann::json& stratum = identity.at("strata").at(0);
  EXPECT_EQ(stratum.at("recipe"), "hall");
  EXPECT_EQ(stratum.at("version"), 3);
  EXPECT_EQ(stratum.at("mesh").get<std::string>().size(), 32U);
  EXPECT_EQ(json.at("nodes").at(0).at("name"), "stratum 2 hall");
  EXPECT_EQ(json.at("materials").at(0).at("name"), "moss \"wet\"");
}

TEST(Glb, MovesEachStratumToItsPlace) {
  // 56 m below the origin of the file; vertices stay small numbers.
  const nlohmann::json json = test::read_glb(bytes_of(test::small_scene())).json;
  EXPECT_EQ(json.at("nodes").at(0).at("translation"), (nlohmann::json{0.0, -56.0, 0.0}));
  EXPECT_EQ(json.at("accessors").at(0).at("max"), (nlohmann::json{1.0, 1.0, 0.0}));
}

TEST(Glb, LightsWhatGlows) {
  SceneModel scene = test::small_scene();
  scene.glow_png = {std::byte{1}, std::byte{2}, std::byte{3}};
  const test::GlbFile file = test::read_glb(bytes_of(scene));
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  const nlohmann::json& lamp = file.json.at("materials").at(1);
  EXPECT_EQ(lamp.at("emissiveFactor"), (nlohmann::json{1.0, 0.5, 0.25}));
  EXPECT_EQ(lamp.at("extensions").at("KHR_materials_emissive_strength").at("emissiveStrength"), 4.0);
  EXPECT_EQ(file.json.at("extensionsUsed"), (nlohmann::json{"KHR_materials_emissive_strength"}));
  const nlohmann::json& places = file.json.at("meshes").at(0).at("primitives").at(1).at("attributes");
  EXPECT_EQ(test::numbers_of(file, places.at("TEXCOORD_0").get<std::size_t>()).at(0), 128);
  EXPECT_FALSE(file.json.at("materials").at(0).contains("emissiveFactor"));
}

TEST(Glb, HoldsTheLightsOfAStratumBelowItsNode) {
  SceneModel scene = test::small_scene();
  scene.strata[0].lights = {{"lantern", {1, 2.5F, -3}, {1, 0.5F, 0.25F}, 12, 20},
                            {"lantern", {4, 2.5F, -3}, {1, 0.5F, 0.25F}, 12, 20},
                            {"brazier", {0, 1, 0}, {1, 1, 1}, 3, 8}};
  const test::GlbFile file = test::read_glb(bytes_of(scene));
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  EXPECT_EQ(file.json.at("extensionsUsed").at(1), "KHR_lights_punctual");
  const nlohmann::json& lights = file.json.at("extensions").at("KHR_lights_punctual").at("lights");
  ASSERT_EQ(lights.size(), 2U);  // the lanterns differ only in their places
  EXPECT_EQ(lights.at(0), (nlohmann::json{{"name", "lantern"},
                                          {"type", "point"},
                                          {"color", {1.0, 0.5, 0.25}},
                                          {"intensity", 12.0},
                                          {"range", 20.0}}));
  const nlohmann::json& nodes = file.json.at("nodes");
  const std::size_t root = file.json.at("scenes").at(0).at("nodes").at(0).get<std::size_t>();
  const nlohmann::json& stratum = nodes.at(root);
  EXPECT_EQ(stratum.at("name"), "stratum 2 hall");
  ASSERT_EQ(stratum.at("children").size(), 3U);
  const nlohmann::json& second = nodes.at(stratum.at("children").at(1).get<std::size_t>());
  EXPECT_EQ(second.at("name"), "lantern 2");
  EXPECT_EQ(second.at("translation"), (nlohmann::json{4.0, 2.5, -3.0}));
  EXPECT_EQ(second.at("extensions").at("KHR_lights_punctual").at("light"), 0);
  EXPECT_EQ(nodes.at(stratum.at("children").at(2).get<std::size_t>())
                .at("extensions")
                .at("KHR_lights_punctual")
                .at("light"),
            1);
}

TEST(Glb, WearsItsTextures) {
  SceneModel scene = test::small_scene(16);
  const test::GlbFile file = test::read_glb(bytes_of(scene));
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  const nlohmann::json& moss = file.json.at("materials").at(0);
  for (const std::size_t i :
       {moss.at("normalTexture").at("index").get<std::size_t>(),
        moss.at("occlusionTexture").at("index").get<std::size_t>(),
        moss.at("pbrMetallicRoughness").at("baseColorTexture").at("index").get<std::size_t>()}) {
    const nlohmann::json& image =
        file.json.at("images").at(file.json.at("textures").at(i).at("source").get<std::size_t>());
    const nlohmann::json& view = file.json.at("bufferViews").at(image.at("bufferView").get<std::size_t>());
    EXPECT_EQ(file.bin.substr(view.at("byteOffset").get<std::size_t>(), 4), "\x89PNG");
  }
  // Tangents lie in the surface, along the texture's rows.
  const nlohmann::json& places = file.json.at("meshes").at(0).at("primitives").at(0).at("attributes");
  const std::vector<double> tangent = test::numbers_of(file, places.at("TANGENT").get<std::size_t>());
  EXPECT_EQ(std::vector<double>(tangent.begin(), tangent.begin() + 4), (std::vector<double>{1, 0, 0, 1}));
}

TEST(Glb, WritesAnEmptyStratumAsANodeWithoutAMesh) {
  SceneModel scene = test::small_scene();
  scene.strata[0].parts.clear();
  scene.strata[0].looks.clear();
  const test::GlbFile file = test::read_glb(bytes_of(scene));
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  EXPECT_FALSE(file.json.contains("meshes"));
}

TEST(Glb, RefusesWhatReadersCannotHold) {
  const Result<std::vector<std::byte>> file = encode_glb(test::small_scene(), 100);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kResource);
  EXPECT_NE(file.error().message.find("at most 100"), std::string::npos) << file.error().message;
}

}  // namespace
}  // namespace vf
