// What `export` writes, by running it.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/cli_test.h"
#include "field/simd_level.h"
#include "test_support/glb_reader.h"

namespace vf::cli {
namespace {

using nlohmann::json;

class Export : public CommandLine {
 protected:
  Outcome write_glb(const std::string& file, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"export",     "small.toml", "--seed", "7",
                                       "--textures", "32",         "--out",  file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_voxelforge(arguments, folder_);
  }
};

TEST_F(Export, WritesAWholeGlb) {
  const Outcome outcome = write_glb("world.glb", {"--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json said = outcome.json();
  const std::string bytes = file_text(folder_ / "world.glb");
  EXPECT_EQ(said.at("bytes"), bytes.size());
  const test::GlbFile file = test::read_glb(bytes);
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  const json& identity = file.json.at("asset").at("extras");
  EXPECT_EQ(identity.at("seed"), "7");
  EXPECT_EQ(identity.at("strata").at(0).at("recipe"), "small");
  EXPECT_EQ(identity.at("strata").at(0).at("mesh"), said.at("mesh"));
  std::set<std::string> names;
  for (const json& material : file.json.at("materials")) names.insert(material.at("name"));
  EXPECT_EQ(names, (std::set<std::string>{"moss", "stone"}));
  std::size_t triangles = 0;
  for (const json& p : file.json.at("meshes").at(0).at("primitives"))
    triangles +=
        file.json.at("accessors").at(p.at("indices").get<std::size_t>()).at("count").get<std::size_t>() / 3;
  EXPECT_EQ(said.at("triangles"), triangles);
  EXPECT_EQ(entries(), (std::vector<std::string>{"small.toml", "world.glb"}));
}

TEST_F(Export, HoldsTheNearestLights) {
  const auto places = [&](const std::string& most) {
    const Outcome outcome = run_voxelforge({"export", "type:cavern_demo", "--seed", "7", "--textures", "0",
                                            "--lights", most, "--out", "lit.glb"},
                                           folder_);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const test::GlbFile file = test::read_glb(file_text(folder_ / "lit.glb"));
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    std::vector<json> out;
    for (const json& node : file.json.at("nodes"))
      if (node.contains("extensions")) out.push_back(node.at("translation"));
    return out;
  };
  const std::vector<json> all = places("1024"), two = places("2");
  ASSERT_GT(all.size(), 2U);
  EXPECT_EQ(two, std::vector<json>(all.begin(), all.begin() + 2));
  // From the place, which is less than 1 m from the origin on each axis.
  const auto away = [](const json& at) { return std::hypot(at.at(0).get<double>(), at.at(2).get<double>()); };
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(away(all[i - 1]), away(all[i]) + 3);
  EXPECT_TRUE(places("0").empty());
}

TEST_F(Export, IsTheSameForAnyWorkersAndSimdLevel) {
  ASSERT_EQ(write_glb("first.glb", {"-j", "1", "--simd", "scalar"}).code, 0);
  const std::string first = file_text(folder_ / "first.glb");
  std::vector<std::vector<std::string>> ways{{"-j", "1"}, {"-j", "2"}};
  for (const SimdLevel level : supported_simd_levels())  // those that this machine and this build have
    ways.push_back({"-j", "2", "--simd", std::string(to_string(level))});
  for (const std::vector<std::string>& more : ways) {
    const Outcome outcome = write_glb("next.glb", more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(file_text(folder_ / "next.glb"), first) << more.front() << " " << more.back();
  }
}

TEST_F(Export, WritesObjWithItsMaterialsBesideIt) {
  const Outcome outcome = write_glb("hall.obj", {"--format", "obj", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json said = outcome.json();
  EXPECT_EQ(said.at("files").back(), "hall.obj");
  EXPECT_EQ(entries(), (std::vector<std::string>{"hall.mtl", "hall.obj", "small.toml"}));  // plain colours
  const std::string obj = file_text(folder_ / "hall.obj");
  for (const char* text : {"mtllib hall.mtl\n", "usemtl moss\n", "usemtl stone\n"})
    EXPECT_NE(obj.find(text), std::string::npos) << text;
  EXPECT_NE(file_text(folder_ / "hall.mtl").find("newmtl moss\n"), std::string::npos);
}

TEST_F(Export, IsAsExactFarAway) {
  ASSERT_EQ(write_glb("far.glb", {"--at", "-10000000.25,10000000", "--stratum", "3"}).code, 0);
  const test::GlbFile file = test::read_glb(file_text(folder_ / "far.glb"));
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  EXPECT_EQ(file.json.at("asset").at("extras").at("origin_m").at(0), -10000001.0);
  EXPECT_EQ(file.json.at("nodes").at(0).at("name"), "stratum 3 small");
  // Whole numbers of 1/2048 m.
  for (const double v : test::numbers_of(file, 0)) ASSERT_EQ(v * 2048, std::floor(v * 2048));
}

TEST_F(Export, SaysWhyItCannot) {
  const Outcome folder = write_glb("none/world.glb");
  EXPECT_EQ(folder.code, 3);
  EXPECT_NE(folder.err.find("none"), std::string::npos) << folder.err;
  EXPECT_EQ(write_glb("/proc/world.glb").code, 3);
  const Outcome far = write_glb("world.glb", {"--at", "1000000000001,0"});
  EXPECT_EQ(far.code, 2);
  EXPECT_NE(far.err.find("1000000000000"), std::string::npos) << far.err;
  EXPECT_EQ(write_glb("world.glb", {"--stratum", "-1"}).code, 2);
  const Outcome format = write_glb("world.glb", {"--format", "fbx"});
  EXPECT_EQ(format.code, 2);
  EXPECT_NE(format.err.find("expected glb or obj"), std::string::npos) << format.err;
  const Outcome ending = write_glb("world.xyz");
  EXPECT_EQ(ending.code, 2);
  EXPECT_NE(ending.err.find("expected a name in .glb or .obj"), std::string::npos) << ending.err;
  EXPECT_EQ(write_glb("world.glb", {"--format", "obj"}).code, 2);
  EXPECT_EQ(write_glb("world.glb", {"--textures", "9"}).code, 2);
  EXPECT_EQ(run_voxelforge({"export", "small.toml"}, folder_).code, 2);
  EXPECT_EQ(entries(), (std::vector<std::string>{"small.toml"}));
}

TEST_F(Export, LeavesNoMaterialsWithoutTheModelThatNamesThem) {
  const std::string command = "cd '" + folder_.string() +
                              "' && ulimit -f 4 && '" VF_BINARY
                              "' export small.toml --textures 0 --out world.obj > /dev/null 2>&1";
  EXPECT_EQ(WEXITSTATUS(std::system(("sh -c \"" + command + "\"").c_str())), 3);
  EXPECT_EQ(entries(), (std::vector<std::string>{"small.toml"}));
}

TEST_F(Export, LeavesTheOldFileWhereTheNewOneDoesNotFit) {
  write("world.glb", "old");
  const std::string command = "cd '" + folder_.string() +
                              "' && ulimit -f 4 && '" VF_BINARY
                              "' export small.toml --out world.glb > /dev/null 2>&1";
  EXPECT_EQ(WEXITSTATUS(std::system(("sh -c \"" + command + "\"").c_str())), 3);
  EXPECT_EQ(file_text(folder_ / "world.glb"), "old");
  EXPECT_EQ(entries(), (std::vector<std::string>{"small.toml", "world.glb"}));
}

}  // namespace
}  // namespace vf::cli
