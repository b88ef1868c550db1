// The verb `resolve`, its snapshot and its benchmark, through the real program.
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/digest.h"
#include "base/result.h"
#include "cli/cli_test.h"
#include "plan/identity.h"
#include "plan/snapshot.h"

namespace vf::cli {
namespace {

using Resolve = CommandLine;

Result<SectorSnapshot> decoded(const std::string& file) {
  return decode_snapshot(std::as_bytes(std::span(file.data(), file.size())));
}

TEST_F(Resolve, ShowsWhatStandsInASector) {
  const Outcome said = run_voxelforge({"resolve", "small.toml", "--sector=-3,2"}, folder_);
  ASSERT_EQ(said.code, 0) << said.err;
  for (const char* part :
       {"small, stratum 0, sector -3, 2", "identity ", "features.stones", "light \"lamps\"", "paths: "})
    EXPECT_NE(said.out.find(part), std::string::npos) << part << "\n" << said.out;
}

TEST_F(Resolve, WritesTheSnapshotThatTheJsonTellsOf) {
  const Outcome said = run_voxelforge(
      {"resolve", "small.toml", "--json", "--stratum", "3", "--sector", "1,1", "--out", "s.vfsector"},
      folder_);
  ASSERT_EQ(said.code, 0) << said.err;
  const nlohmann::json json = said.json();
  const Result<SectorSnapshot> read = decoded(file_text(folder_ / "s.vfsector"));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(json["identity"], to_hex(identity_of(*read)));
  EXPECT_EQ(json["layout"], to_hex(identity_of(read->plan)));
  EXPECT_EQ(json["stratum"], 3);
  EXPECT_EQ(json["sector"], (nlohmann::json{1, 1}));
  EXPECT_EQ(json["origin"]["recipe"], "small");
  const auto& stones = json["features"][0];
  EXPECT_EQ(stones["set"], "stones");
  ASSERT_EQ(stones["records"].size(), read->plan.features[0].size());
  EXPECT_GT(stones["records"].size(), 1000U);
  const auto& stone = stones["records"][5];
  EXPECT_EQ(stone["at_um"][0], read->plan.features[0][5].at.x);
  EXPECT_EQ(stone["values"]["r"], read->plan.features[0][5].values[0]);
  EXPECT_LT(stone["box_um"]["min"][2], stone["at_um"][2]);
  EXPECT_EQ(json["lights"].size(), read->plan.lights.size());
  EXPECT_EQ(json["paths"]["nodes"].size(), read->plan.paths.nodes.size());
}

TEST_F(Resolve, IsTheSameFarDownAndAwayEveryTime) {
  for (const char* out : {"a", "b"}) {
    const Outcome said = run_voxelforge(
        {"resolve", "small.toml", "--stratum", "1000000", "--sector=-40000,70000", "--out", out}, folder_);
    ASSERT_EQ(said.code, 0) << said.err;
  }
  EXPECT_EQ(file_text(folder_ / "a"), file_text(folder_ / "b"));
  const Result<SectorSnapshot> read = decoded(file_text(folder_ / "a"));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_GT(read->plan.features[0].size(), 1000U);
}

TEST_F(Resolve, RefusesBadSectorsAndLeavesNoFileBehind) {
  for (const char* sector :
       {"--sector=1", "--sector=1,b", "--sector=1,2,3", "--sector=0,2147483648", "--sector=0.5,1"}) {
    const Outcome said = run_voxelforge({"resolve", "small.toml", sector, "--out", "s"}, folder_);
    EXPECT_EQ(said.code, 2) << sector;
    EXPECT_NE(said.err.find("--sector"), std::string::npos) << said.err;
  }
  const Outcome nowhere = run_voxelforge({"resolve", "small.toml", "--out", "none/s"}, folder_);
  EXPECT_EQ(nowhere.code, 3) << nowhere.err;
  EXPECT_EQ(entries().size(), 1U) << "only the recipe";
}

TEST_F(Resolve, IsMeasuredNearAndFar) {
  const Outcome said = run_voxelforge({"bench", "resolve", "small.toml", "--runs", "1", "--json"}, folder_);
  ASSERT_EQ(said.code, 0) << said.err;
  const nlohmann::json json = said.json();
  EXPECT_GT(json["resolve_s"], 0.0);
  EXPECT_EQ(json["far"]["stratum"], 1'000'000);
  EXPECT_EQ(json["far"]["sector"], (nlohmann::json{-40'000, 70'000}));
  EXPECT_GT(json["first"]["records_per_sector"], 1000.0);
  EXPECT_NE(json["scope"].get<std::string>().find("resolve one sector"), std::string::npos);
}

TEST_F(Resolve, GivesTheIdentityThatDigestPrints) {
  const Outcome digest = run_voxelforge({"digest", "small.toml", "--at=-2050,-1030", "--json"}, folder_);
  const Outcome sector = run_voxelforge({"resolve", "small.toml", "--sector=-3,-2", "--json"}, folder_);
  ASSERT_EQ(digest.code, 0) << digest.err;
  ASSERT_EQ(sector.code, 0) << sector.err;
  EXPECT_EQ(digest.json()["strata"][0]["identity"], sector.json()["identity"]);
}

}  // namespace
}  // namespace vf::cli
