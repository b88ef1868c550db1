#include "compose/world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"

namespace vf {
namespace {

using Files = std::map<std::string, std::string>;

std::string recipe(const std::string& id, double height) {
  return fmt::format(
      "[type]\nid = \"{}\"\nname = \"The {}\"\nheight_m = {}\n[params]\namplitude = {{ default = 2, min = 1, "
      "max = 4, unit = \"m\" }}\n"
      "[field]\nphi = \"z - amplitude\"\n",
      id, id, height);
}

const Files& files() {
  static const Files kFiles{
      {"type:hills", recipe("hills", 28)},
      {"type:pools", recipe("pools", 14)},
      {"dir/own.toml", recipe("own", 24.5)},
      {"dir/world.toml",
       "[world]\nname = \"Show\"\nseed = 7\n\n[[stratum]]\ntype = \"hills\"\n\n[[stratum]]\nrecipe = "
       "\"own.toml\"\nset = { amplitude = 3 }\n\n"
       "[[stratum]]\ntype = \"pools\"\n\n[[stratum]]\ntype = \"hills\"\n"},
  };
  return kFiles;
}

TextLoader loader(const Files& from) {
  return [&from](const std::string& name) -> Result<std::string> {
    const auto file = from.find(name);
    if (file == from.end()) return Error{ErrorCode::kIo, {}, "no such file: " + name};
    return file->second;
  };
}

World opened(const std::string& name, const WorldOverrides& overrides = {}) {
  Notes notes;
  Result<World> world = open_world(name, loader(files()), overrides, notes);
  EXPECT_TRUE(world) << world.error().text();
  return world ? *world : World{};
}

std::string error_of(const std::string& name, const WorldOverrides& overrides = {}) {
  Notes notes;
  const Result<World> world = open_world(name, loader(files()), overrides, notes);
  return world ? "no error" : world.error().text();
}

/// The error of a world file with this text.
std::string error_of_text(const std::string& text) {
  Notes notes;
  Files with = files();
  with["w"] = text;
  const Result<World> world = open_world("w", loader(with), {}, notes);
  return world ? "no error" : world.error().text();
}

TEST(World, OpensAWorldFileARecipeAndAType) {
  const World world = opened("dir/world.toml");
  EXPECT_EQ(world.name, "Show");
  EXPECT_EQ(world.seed.value, 7U);
  ASSERT_EQ(world.block.size(), 4U);
  EXPECT_EQ(world.block[1].recipe->id, "own");
  EXPECT_EQ(world.block[1].recipe->params[0].value, 3);
  EXPECT_EQ(world.block[0].recipe->params[0].value, 2);
  for (const char* name : {"dir/own.toml", "type:hills"}) {
    const World one = opened(name);
    ASSERT_EQ(one.block.size(), 1U);
    EXPECT_EQ(one.seed.value, 0U);
    EXPECT_EQ(one.name, one.block[0].recipe->name);
  }
}

TEST(World, SharesARecipeThatComesTwice) {
  const World world = opened("dir/world.toml");
  EXPECT_EQ(world.block[0].recipe, world.block[3].recipe);
}

TEST(World, StacksHeightsInMultiplesOfEightMetres) {
  const World world = opened("dir/world.toml");
  const double heights[] = {40, 40, 32, 40};  // 28 + 12, 24.5 + 12 = 36.5, 14 + 12 = 26, 28 + 12
  double top = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(world.block[i].height_m, heights[i]);
    EXPECT_EQ(world.block[i].top_m, top);
    top += heights[i];
  }
  EXPECT_EQ(world.block_height_m, 152);
}

TEST(Stratum, HasBandsOfRockAboveAndBelow) {
  const World world = opened("dir/world.toml");
  for (std::int64_t k = 0; k < 12; ++k) {
    const Stratum s = stratum_at(world, k);
    EXPECT_EQ(s.index, k);
    EXPECT_EQ(s.world_seed.value, 7U);
    const double ceiling = s.top_z_m - (s.content_floor_z_m + s.recipe->height_m);
    const double bedrock = s.content_floor_z_m - (s.top_z_m - s.height_m);
    EXPECT_EQ(ceiling, kBandM);
    EXPECT_GE(bedrock, kBandM);
    EXPECT_LT(bedrock, kBandM + kStratumMultipleM);
    EXPECT_EQ(std::fmod(s.height_m, kStratumMultipleM), 0);
    if (k > 0) {
      EXPECT_EQ(s.top_z_m, stratum_at(world, k - 1).top_z_m - stratum_at(world, k - 1).height_m);
    }
  }
  EXPECT_EQ(stratum_at(world, 0).top_z_m, 0);
  EXPECT_FALSE(std::signbit(stratum_at(world, 0).top_z_m));
  EXPECT_EQ(stratum_at(world, 1).content_floor_z_m, -40 - 6 - 24.5);
}

TEST(Stratum, RepeatsTheStackDownwardAtAnyDepth) {
  const World world = opened("dir/world.toml");
  EXPECT_EQ(stratum_at(world, 1'000'001).recipe->id, "own");
  EXPECT_EQ(stratum_at(world, 1'000'001).top_z_m, -250'000.0 * 152 - 40);
  EXPECT_EQ(stratum_at(world, 4'000'000'000'002).recipe->id, "pools");
  EXPECT_EQ(stratum_at(world, -1).recipe->id, "hills");
  EXPECT_EQ(stratum_at(world, -1).top_z_m, 40);
  EXPECT_EQ(stratum_at(world, -3).recipe->id, "own");
  for (const std::int64_t k :
       {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    const Stratum s = stratum_at(world, k);
    EXPECT_EQ(s.index, k);
    EXPECT_TRUE(std::isfinite(s.top_z_m));
  }
  EXPECT_EQ(stratum_at(world, std::numeric_limits<std::int64_t>::max()).recipe->id, "hills");
  EXPECT_EQ(stratum_at(world, std::numeric_limits<std::int64_t>::min()).recipe->id, "hills");
}

TEST(WorldOverrides, SetTheSeedAndParameters) {
  WorldOverrides overrides;
  overrides.has_seed = true;
  overrides.seed = {~0ULL};
  overrides.set = {{"amplitude", "3.5"}, {"hills.amplitude", "1e0"}};
  const World world = opened("dir/world.toml", overrides);
  EXPECT_EQ(world.seed.value, ~0ULL);
  EXPECT_EQ(world.block[0].recipe->params[0].value, 1);
  EXPECT_EQ(world.block[1].recipe->params[0].value, 3.5);
  EXPECT_EQ(world.block[2].recipe->params[0].value, 3.5);
}

TEST(WorldOverrides, SayWhatIsWrong) {
  const auto error = [](const std::string& key, const std::string& value) {
    WorldOverrides overrides;
    overrides.set = {{key, value}};
    return error_of("dir/world.toml", overrides);
  };
  EXPECT_EQ(error("amplitide", "3"),
            "--set amplitide=3: no stratum has a parameter \"amplitide\"; did you mean \"amplitude\"?");
  EXPECT_EQ(error("hils.amplitude", "3"),
            "--set hils.amplitude=3: no stratum has the type \"hils\"; did you mean \"hills\"?");
  EXPECT_EQ(error("amplitude", "5"), "--set amplitude=5: amplitude = 5 is out of range; expected 1 .. 4 m");
  for (const char* value : {"", "3m", "nan", "inf", "0x3", " 3", "1e999"})
    EXPECT_EQ(error("amplitude", value), fmt::format("--set amplitude={0}: \"{0}\" is not a number", value));
}

TEST(World, SaysWhatIsWrongWithAWorldFile) {
  EXPECT_EQ(error_of("nothing.toml"), "no such file: nothing.toml");
  EXPECT_EQ(error_of_text(""), "w:1:1: neither a recipe nor a world: there is no [type] and no [[stratum]]");
  EXPECT_EQ(
      error_of_text("[params]\n\n[typ]\nid = \"a\"\n"),
      "w:3:2: neither a recipe nor a world: there is no [type] and no [[stratum]]; did you mean \"type\"?");
  EXPECT_EQ(error_of_text("[world]\nseed = 3\n"),
            "w:1:1: the world has no [[stratum]]; expected at least one");
  EXPECT_EQ(error_of_text("stratum = []"), "w:1:1: the world has no [[stratum]]; expected at least one");
  EXPECT_EQ(error_of_text("[stratum]\ntype = \"hills\""),
            "w:1:2: \"stratum\" is not a list of tables; write [[stratum]]");
  const std::string stratum = "\n[[stratum]]\ntype = \"hills\"\n";
  EXPECT_EQ(error_of_text("[world]\nseed = -1" + stratum), "w:2:8: \"seed\" is -1; expected at least 0");
  EXPECT_EQ(error_of_text("[world]\nsed = 1" + stratum),
            "w:2:1: unknown key \"sed\" in [world]; did you mean \"seed\"?");
  EXPECT_EQ(error_of_text("[wrld]" + stratum),
            "w:1:2: unknown key \"wrld\" in a world file; did you mean \"world\"?");
  EXPECT_EQ(error_of_text("[[pool]]" + stratum),
            "w:1:3: a pool of types is not supported yet; expected [[stratum]]");
  EXPECT_EQ(error_of_text("[[stratum]]\n"),
            "w:1:1: a stratum has neither \"type\" nor \"recipe\"; expected one of them");
  EXPECT_EQ(error_of_text("[[stratum]]\ntype = \"hills\"\nrecipe = \"a\""),
            "w:1:1: a stratum has either \"type\" or \"recipe\", not both");
  EXPECT_EQ(error_of_text("[[stratum]]\ntype = \"hils\""), "w:2:8: no such file: type:hils");
  EXPECT_EQ(error_of_text("[[stratum]]\ntyp = \"hills\""),
            "w:2:1: unknown key \"typ\" in [[stratum]]; did you mean \"type\"?");
  EXPECT_EQ(error_of_text(stratum + "set = 3"),
            "w:4:7: \"set\" is not a table; expected one such as { amplitude = 3 }");
  EXPECT_EQ(error_of_text(stratum + "set = { amplitude = \"3\" }"),
            "w:4:21: the value of \"amplitude\" is not a number");
  EXPECT_EQ(error_of_text(stratum + "set = { amplitude = 9 }"),
            "w:4:9: amplitude = 9 is out of range; expected 1 .. 4 m");
  EXPECT_EQ(error_of_text(stratum + "set = { amplitde = 3 }"),
            "w:4:9: \"hills\" has no parameter \"amplitde\"; did you mean \"amplitude\"?");
  std::string many;
  for (int i = 0; i < 65; ++i) many += stratum;
  EXPECT_EQ(error_of_text(many), "w:2:3: the world has 65 strata; expected at most 64");
}

TEST(World, NamesThePlaceOfAnErrorInARecipe) {
  Notes notes;
  Files with = files();
  with["type:bad"] = "[type]\nid = \"bad\"\nheight_m = 20\n[field]\nphi = \"z - q\"\n";
  with["w"] = "[[stratum]]\ntype = \"bad\"\n";
  const Result<World> world = open_world("w", loader(with), {}, notes);
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().text(), "type:bad:5:12: unknown name \"q\"");
}

}  // namespace
}  // namespace vf
