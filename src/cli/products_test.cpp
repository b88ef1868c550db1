// What the verbs make, by running them.
#include <gtest/gtest.h>
#include <cstdlib>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/cli_test.h"

namespace vf::cli {
namespace {

using nlohmann::json;

class Products : public CommandLine {};
/// Runs that draw or measure: left out of slow builds.
class ProductsSlow : public CommandLine {};

bool any_temporary(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& n) { return n.find(".tmp") != std::string::npos; });
}

TEST_F(Products, TypesComeWithTheirParameters) {
  const Outcome outcome = run_voxelforge({"types", "--json"}, folder_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json types = outcome.json().at("types");
  EXPECT_GE(types.size(), 9U);
  for (const json& type : types) {
    for (const char* key : {"id", "family", "height_m", "params"}) EXPECT_TRUE(type.contains(key)) << key;
    for (const json& param : type.at("params")) {
      EXPECT_LE(param.at("min"), param.at("default"));
      EXPECT_GE(param.at("max"), param.at("default"));
      EXPECT_NE(param.at("help"), "");
      EXPECT_TRUE(param.contains("unit"));
    }
  }
  const Outcome table = run_voxelforge({"types"}, folder_);
  EXPECT_NE(table.out.find("pool_rooms"), std::string::npos);
}

TEST_F(Products, CheckSaysWhatItFoundGood) {
  const Outcome outcome = run_voxelforge({"check", "small.toml"}, folder_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("small (version 1): good"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("gradient  proven <="), std::string::npos);
  const json report = run_voxelforge({"check", "small.toml", "--json"}, folder_).json();
  EXPECT_TRUE(report.at("good"));
  EXPECT_GT(report.at("recipes").at(0).at("nodes"), 5);
  EXPECT_LT(report.at("recipes").at(0).at("range").at(0), 0);
}

TEST_F(Products, CheckTellsScriptsWhereItWentWrong) {
  std::string text = kSmallRecipe;
  text.replace(text.find("perlin2(24)"), 11, "perlin9(24)");
  write("bad.toml", text);
  const Outcome outcome = run_voxelforge({"check", "bad.toml", "--json"}, folder_);
  EXPECT_EQ(outcome.code, 2);
  const json report = outcome.json();
  EXPECT_FALSE(report.at("good"));
  const json last = report.at("notes").back();
  EXPECT_EQ(last.at("severity"), "error");
  EXPECT_EQ(last.at("file"), "bad.toml");
  EXPECT_EQ(last.at("line"), 12);
  EXPECT_GT(last.at("column"), 1);
}

TEST_F(Products, CheckFindsMorePlacesThanASectorMayHold) {
  std::string text = kSmallRecipe;
  const std::size_t pitch = text.find("pitch = 16");
  ASSERT_NE(pitch, std::string::npos);
  write("dense.toml", text.replace(pitch, 10, "pitch = 2"));
  const Outcome outcome = run_voxelforge({"check", "dense.toml"}, folder_);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("features.stones: more than 20000 places in a sector"), std::string::npos)
      << outcome.err;
}

TEST_F(Products, EveryShippedTypeAndTheShowcaseAreGood) {
  const json listed = run_voxelforge({"types", "--json"}, folder_).json();
  ASSERT_FALSE(listed.at("types").empty());
  for (const json& type : listed.at("types")) {
    const std::string id = type.at("id");
    EXPECT_EQ(run_voxelforge({"check", "type:" + id}, folder_).code, 0) << id;
  }
  EXPECT_EQ(run_voxelforge({"check", "worlds/showcase.toml"}, folder_).code, 0);
}

TEST_F(Products, NewRecipesAreGoodAndNeverOverwritten) {
  ASSERT_EQ(run_voxelforge({"new", "blue_hall"}, folder_).code, 0);
  const std::string text = file_text(folder_ / "blue_hall.toml");
  EXPECT_NE(text.find("id = \"blue_hall\""), std::string::npos);
  const Outcome check = run_voxelforge({"check", "blue_hall.toml"}, folder_);
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(check.err, "");
  const Outcome again = run_voxelforge({"new", "blue_hall.toml"}, folder_);
  EXPECT_EQ(again.code, 3);
  EXPECT_NE(again.err.find("blue_hall.toml exists already"), std::string::npos) << again.err;
  EXPECT_EQ(file_text(folder_ / "blue_hall.toml"), text);
  EXPECT_EQ(run_voxelforge({"new", "hall2", "--from", "pool_rooms"}, folder_).code, 0);
  EXPECT_EQ(run_voxelforge({"check", "hall2.toml"}, folder_).code, 0);
  EXPECT_EQ(run_voxelforge({"new", "hall3", "--from", "pool_room"}, folder_).code, 2);
  EXPECT_EQ(run_voxelforge({"new", "Not An Id"}, folder_).code, 2);
  EXPECT_EQ(run_voxelforge({"new", "none/hall4"}, folder_).code, 3);
  const Outcome nameless = run_voxelforge({"new", ""}, folder_);
  EXPECT_EQ(nameless.code, 2);
  EXPECT_NE(nameless.err.find("'' names no type"), std::string::npos) << nameless.err;
  const json made = run_voxelforge({"new", "hall5", "--json"}, folder_).json();
  EXPECT_EQ(made.at("file"), "hall5.toml");
  EXPECT_EQ(made.at("id"), "hall5");
  EXPECT_EQ(entries(),
            (std::vector<std::string>{"blue_hall.toml", "hall2.toml", "hall5.toml", "small.toml"}));
}

TEST_F(Products, SamplesTellAllThatIsKnownOfAPoint) {
  // The top of stratum 0 is z = 0: 6 m below it is still the sealed band.
  const Outcome outcome = run_voxelforge({"sample", "small.toml", "--at", "500,500,-3", "--json"}, folder_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json sample = outcome.json();
  EXPECT_TRUE(sample.at("solid"));
  EXPECT_LT(sample.at("density"), 0);
  EXPECT_EQ(sample.at("stratum").at("index"), 0);
  EXPECT_EQ(sample.at("stratum").at("type"), "small");
  EXPECT_EQ(sample.at("gradient").size(), 3U);
  double weights = 0;
  for (const json& m : sample.at("materials")) weights += m.at("weight").get<double>();
  EXPECT_NEAR(weights, 1, 1e-5);
  // Content is 24 m high between two bands of 6 m: stratum 1 begins at a multiple of 8 m.
  const json deep = run_voxelforge({"sample", "small.toml", "--at", "0,0,-41", "--json"}, folder_).json();
  EXPECT_EQ(deep.at("stratum").at("index"), 1);
  EXPECT_EQ(deep.at("stratum").at("top_z_m"), -40);
}

TEST_F(Products, SamplesAreTheSameAtEverySimdLevelAndExactFarAway) {
  for (const char* at : {"10.5,20.25,-20", "-10000000.0009765625,9999999.5,-400020"}) {
    const json best = run_voxelforge({"sample", "small.toml", "--at", at, "--json"}, folder_).json();
    const json scalar =
        run_voxelforge({"sample", "small.toml", "--at", at, "--json", "--simd", "scalar"}, folder_).json();
    EXPECT_EQ(best, scalar);
  }
  const json far =
      run_voxelforge({"sample", "small.toml", "--at", "-10000000.0009765625,0,-20", "--json"}, folder_)
          .json();
  EXPECT_EQ(far.at("sector").at(0), -9766);
  EXPECT_EQ(far.at("local").at(0), 384 - 0.0009765625);
}

TEST_F(Products, SamplesNameTheOwnerOfAFeature) {
  // Stones of radius 1 to 2 m stand in 80 % of the cells of 16 m: walk until one is met.
  bool found = false;
  for (int x = 4; x < 200 && !found; x += 2) {
    const json s =
        run_voxelforge({"sample", "small.toml", "--at", std::to_string(x) + ",8,-21", "--json"}, folder_)
            .json();
    if (s.at("owner").is_null()) continue;
    found = true;
    EXPECT_EQ(s.at("owner").at("set"), "stones");
    EXPECT_EQ(s.at("owner").at("id").get<std::string>().size(), 16U);
    EXPECT_GE(s.at("owner").at("values").at("r"), 1);
    EXPECT_LT(std::abs(s.at("owner").at("at").at(0).get<double>() - x), 8);
  }
  EXPECT_TRUE(found);
}

TEST_F(Products, ProofsCarryTheirCounts) {
  const Outcome outcome = run_voxelforge({"prove", "small.toml", "--level", "3", "--json"}, folder_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json proof = outcome.json();
  EXPECT_EQ(proof.at("wrong"), 0);
  for (const char* key : {"solid", "air", "evaluated", "wasted", "unknown"}) {
    EXPECT_TRUE(proof.at("bricks").at(key).is_number_unsigned()) << key;
  }
  EXPECT_GT(proof.at("bricks").at("evaluated"), 0);
  EXPECT_EQ(proof.at("levels").size(), 1U);
  const Outcome text = run_voxelforge({"prove", "small.toml", "--level", "4"}, folder_);
  EXPECT_NE(text.out.find(": 0 wrong"), std::string::npos) << text.out;
}

TEST_F(ProductsSlow, ProofsHoldAgainstBruteForce) {
  const Outcome outcome =
      run_voxelforge({"prove", "small.toml", "--level", "4", "--verify", "--json"}, folder_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json proof = outcome.json();
  EXPECT_EQ(proof.at("wrong"), 0);
  EXPECT_TRUE(proof.at("verified"));
  EXPECT_GT(proof.at("levels").at(0).at("verify").at("samples"), 1000000);
}

TEST_F(Products, DigestsDependOnNothingButTheWorld) {
  const std::vector<std::string> plain{"digest", "small.toml", "--at", "-5,3", "--stratum", "0", "--json"};
  const std::string wanted = run_voxelforge(plain, folder_).json().at("density");
  EXPECT_EQ(wanted.size(), 32U);
  const std::vector<std::vector<std::string>> others{
      {"--simd", "scalar"}, {"-j", "1"}, {"-j", "8"}, {"--unpruned"}, {"--flush-denormals"}};
  for (const std::vector<std::string>& more : others) {
    std::vector<std::string> arguments = plain;
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_voxelforge(arguments, folder_).json().at("density"), wanted) << more.front();
  }
  std::vector<std::string> other_seed = plain;
  other_seed.insert(other_seed.end(), {"--seed", "99"});
  EXPECT_NE(run_voxelforge(other_seed, folder_).json().at("density"), wanted);
}

TEST_F(Products, DumpsShowWhereTwoWorldsFirstDiffer) {
  const std::vector<std::string> plain{"digest", "small.toml", "--stratum", "0"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), plain.begin(), plain.end());
    return run_voxelforge(more, folder_);
  };
  ASSERT_EQ(with({"--dump", "a.txt"}).code, 0);
  EXPECT_EQ(with({"--compare", "a.txt"}).code, 0);
  const Outcome other = with({"--seed", "99", "--compare", "a.txt"});
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("differ first here"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("\ntile 0 "), std::string::npos) << other.err;  // a place, and not the digest
  EXPECT_NE(other.err.find(", line "), std::string::npos) << other.err;
  const Outcome recipe = with({"--compare", "small.toml"});
  EXPECT_EQ(recipe.code, 2);
  EXPECT_EQ(recipe.err, "small.toml:1:1: not a dump of digests; expected what `digest --dump` writes\n");
  EXPECT_EQ(with({"--compare", "none.txt"}).code, 3);
  EXPECT_EQ(with({"--dump", "none/a.txt"}).code, 3);
  EXPECT_EQ(with({"--dump", "/dev/full"}).code, 3);
  EXPECT_EQ(entries(), (std::vector<std::string>{"a.txt", "small.toml"}));
}

TEST_F(ProductsSlow, ShotsAreWholePicturesOrNothing) {
  const std::vector<std::string> shot{"shot", "small.toml", "--size", "48x27", "--quality", "draft"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), shot.begin(), shot.end());
    return run_voxelforge(more, folder_);
  };
  ASSERT_EQ(with({"--viewpoint", "first", "--out", "a.png"}).code, 0);
  const std::string png = file_text(folder_ / "a.png");
  ASSERT_GT(png.size(), 100U);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(static_cast<unsigned char>(png[19]), 48);
  EXPECT_EQ(static_cast<unsigned char>(png[23]), 27);
  EXPECT_EQ(with({"--camera", "500,500,-20,30,-5,80", "--out", "b.png"}).code, 0);

  const Outcome rock = with({"--camera", "500,500,-39,0,0", "--out", "c.png"});
  EXPECT_EQ(rock.code, 2);
  EXPECT_NE(rock.err.find("stands in rock"), std::string::npos) << rock.err;
  // Names of paths stand behind the author's: his overview is not the one of the paths.
  ASSERT_EQ(with({"--viewpoint", "overview", "--out", "paths.png"}).code, 0);
  std::string own = file_text(folder_ / "small.toml");
  const std::size_t at = own.find("name = \"first\"");
  ASSERT_NE(at, std::string::npos);
  write("small.toml", own.replace(at, 14, "name = \"overview\""));
  ASSERT_EQ(with({"--viewpoint", "overview", "--out", "own.png"}).code, 0);
  EXPECT_EQ(file_text(folder_ / "own.png"), file_text(folder_ / "a.png"));
  EXPECT_NE(file_text(folder_ / "own.png"), file_text(folder_ / "paths.png"));
  write("small.toml", kSmallRecipe);
  const Outcome name = with({"--viewpoint", "frist", "--out", "c.png"});
  EXPECT_EQ(name.code, 2);
  EXPECT_NE(name.err.find("did you mean first?"), std::string::npos) << name.err;
  EXPECT_EQ(with({"--camera", "500,500,-400,0,0", "--out", "c.png"}).code, 2);
  EXPECT_EQ(with({"--camera", "500,500,-20,0,0,200", "--out", "c.png"}).code, 2);
  EXPECT_EQ(with({"--out", "c.png"}).code, 2);
  const Outcome full = with({"--viewpoint", "first", "--out", "/dev/full"});
  EXPECT_EQ(full.code, 3);
  EXPECT_NE(full.err.find("No space left on device"), std::string::npos) << full.err;
  const Outcome nowhere = with({"--viewpoint", "first", "--out", "none/c.png"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_EQ(nowhere.err, "voxelforge: cannot write none/c.png: there is no folder none\n");  // before any ray
  const Outcome jpeg = with({"--viewpoint", "first", "--out", "c.jpg"});
  EXPECT_EQ(jpeg.code, 2);
  EXPECT_NE(jpeg.err.find("'c.jpg' is no name of a PNG file"), std::string::npos) << jpeg.err;
  EXPECT_EQ(entries(), (std::vector<std::string>{"a.png", "b.png", "own.png", "paths.png", "small.toml"}));
}

TEST_F(ProductsSlow, ForgeLeavesPicturesAndAReport) {
  const Outcome outcome = run_voxelforge({"forge", "small.toml", "--seed", "7", "--out", "out", "--size",
                                          "48x27", "--quality", "draft", "--json"},
                                         folder_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // quiet with --json
  const json report = outcome.json();
  EXPECT_EQ(report.at("seed"), 7);
  EXPECT_EQ(report.at("strata").size(), 1U);
  EXPECT_EQ(report.at("strata").at(0).at("bricks").at("unknown"), 0);
  EXPECT_EQ(entries(), (std::vector<std::string>{"out", "out/0-small", "out/0-small/first.png",
                                                 "out/0-small/plan.png", "out/0-small/section.png",
                                                 "out/report.html", "out/world.glb", "small.toml"}));
  const std::string html = file_text(folder_ / "out" / "report.html");
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_NE(html.find("A &lt;small&gt; hill"), std::string::npos);
  EXPECT_NE(html.find("<svg class=\"route\""), std::string::npos);
  const json& ways = report.at("strata").at(0).at("ways");
  ASSERT_GE(ways.size(), 6U) << "the spine, the passage, four portals";
  for (const json& way : ways) {
    EXPECT_EQ(way.at("clear"), way.at("sections")) << way;
    EXPECT_LE(way.at("steepest_deg"), 15.0) << way;
  }
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
}

TEST_F(ProductsSlow, ForgeSaysWhyItCannotWriteAndLeavesNothingHalfWritten) {
  write("file", "in the way");
  const std::vector<std::string> forge{"forge",     "small.toml", "--size", "48x27",
                                       "--quality", "draft",      "--out"};
  auto into = [&](const std::string& out, const std::string& redirect = {}) {
    std::vector<std::string> arguments = forge;
    arguments.push_back(out);
    return run_voxelforge(arguments, folder_, redirect);
  };
  const Outcome in_the_way = into("file");
  EXPECT_EQ(in_the_way.code, 3);
  EXPECT_NE(in_the_way.err.find("cannot make the folder file"), std::string::npos) << in_the_way.err;
  EXPECT_EQ(into("file/out").code, 3);
  EXPECT_EQ(into("/proc/none/out").code, 3);
  EXPECT_EQ(file_text(folder_ / "file"), "in the way");
  EXPECT_EQ(entries(), (std::vector<std::string>{"file", "small.toml"}));
}

TEST_F(ProductsSlow, AFileThatMayNotGrowLeavesNoTemporaryBehind) {
  // 4 blocks of 512 bytes: no picture fits.
  const std::string command = "cd '" + folder_.string() +
                              "' && ulimit -f 4 && '" VF_BINARY
                              "' forge small.toml --size 48x27 --quality draft --out out > /dev/null 2>&1";
  const int status = std::system(("sh -c \"" + command + "\"").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_FALSE(any_temporary(entries()));
}

TEST_F(ProductsSlow, AnInterruptedForgeLeavesNoTemporaryBehind) {
  const std::string command = "cd '" + folder_.string() +
                              "' && timeout -s TERM 0.5 '" VF_BINARY
                              "' forge type:pool_rooms --out out > /dev/null 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_FALSE(any_temporary(entries()));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "report.html"));
}

TEST_F(ProductsSlow, BenchmarksSpellOutWhatTheyMeasured) {
  const std::vector<std::string> common{"scope",   "runs",   "simd",
                                        "workers", "digest", "machine_mul_add_gflops"};
  const json noise = run_voxelforge({"bench", "noise", "--runs", "1", "--json"}, folder_).json();
  const json csg = run_voxelforge({"bench", "csg", "--runs", "1", "--json"}, folder_).json();
  const json field =
      run_voxelforge({"bench", "field", "small.toml", "--runs", "1", "--json"}, folder_).json();
  for (const json* bench : {&noise, &csg, &field}) {
    for (const std::string& key : common) EXPECT_TRUE(bench->contains(key)) << key;
    EXPECT_EQ(bench->at("runs"), 1);
    EXPECT_EQ(bench->at("workers"), 1);
  }
  EXPECT_GT(noise.at("msamples_per_s"), 0);
  EXPECT_EQ(noise.at("cases").size(), 3U);
  EXPECT_GT(csg.at("effective_mvox_per_s"), 0);
  for (const char* key : {"near_ring_s", "view_s", "bricks", "samples"}) EXPECT_GT(field.at(key), 0) << key;
  // A fast wrong answer would fail here.
  const json scalar =
      run_voxelforge({"bench", "csg", "--runs", "1", "--json", "--simd", "scalar"}, folder_).json();
  EXPECT_EQ(csg.at("digest"), scalar.at("digest"));
}

}  // namespace
}  // namespace vf::cli
