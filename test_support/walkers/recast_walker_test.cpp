#include "test_support/walkers/recast_walker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "exports/atomic_file.h"
#include "math/vec.h"

namespace vf::test {
namespace {

namespace fs = std::filesystem;

class RecastWalker : public testing::Test {
 protected:
  void SetUp() override {
    const char* given = std::getenv("TEST_TMPDIR");
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = (given == nullptr ? fs::temp_directory_path() : fs::path(given)) /
              ("recast_" + std::to_string(::getpid()) + "_" + test.name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_file(folder_ / name, text).has_value());
    return folder_ / name;
  }

  fs::path folder_;
};

constexpr const char* kHead = "# voxelforge corridor 1\n# metres, y up\n# origin_m 100 200 -30\n";
/// A level floor of 12 m x 6 m and its line.
constexpr const char* kFloor =
    "v 0 0 3\nv 12 0 3\nv 12 0 -3\nv 0 0 -3\nf 1 2 3\nf 1 3 4\nv 2 0 0\nv 1.0e+1 0 0\n";

TEST_F(RecastWalker, BothAgentsCrossAFloor) {
  const auto walks = walk_with_recast({file("a.obj", std::string(kHead) + kFloor + "l 5 6\n")});
  ASSERT_TRUE(walks.has_value()) << walks.error().text();
  ASSERT_EQ(walks->size(), 2U);
  EXPECT_EQ((*walks)[0].agent, "player");
  EXPECT_EQ((*walks)[1].agent, "clearance");
  for (const RecastWalk& walk : *walks) {
    EXPECT_TRUE(walk.reached) << walk.why;
    EXPECT_EQ(walk.length_m, 8);
    EXPECT_EQ(walk.reached_m, 8);
    EXPECT_EQ(walk.at_m, (Vec3d{110, 200, -30}));
  }
}

TEST_F(RecastWalker, SaysWhereTheFloorEnds) {
  const std::string far = std::string(kHead) + kFloor + "v 20 0 0\nl 5 6 7\n";
  const auto walks = walk_with_recast({file("a.obj", far)});
  ASSERT_TRUE(walks.has_value()) << walks.error().text();
  ASSERT_EQ(walks->size(), 2U);
  for (const RecastWalk& walk : *walks) {
    EXPECT_FALSE(walk.reached);
    EXPECT_EQ(walk.length_m, 18);
    EXPECT_NEAR(walk.reached_m, 10, 3) << walk.agent;
    EXPECT_NEAR(walk.at_m.x, 102 + walk.reached_m, 1e-3);
    EXPECT_NE(walk.why, "");
  }
}

TEST_F(RecastWalker, StandsNowhereWithoutGround) {
  const auto walks = walk_with_recast({file("a.obj", std::string(kHead) + "v 0 0 0\nv 9 0 0\nl 1 2\n")});
  ASSERT_TRUE(walks.has_value()) << walks.error().text();
  for (const RecastWalk& walk : *walks) EXPECT_FALSE(walk.reached);
}

TEST_F(RecastWalker, KeepsTheOrderOfFiles) {
  const std::string text = std::string(kHead) + kFloor + "l 5 6\n";
  const std::vector<fs::path> files{file("b.obj", text), file("a b's.obj", text)};
  const auto walks = walk_with_recast(files);
  ASSERT_TRUE(walks.has_value()) << walks.error().text();
  ASSERT_EQ(walks->size(), 4U);
  EXPECT_EQ((*walks)[0].file, files[0].string());
  EXPECT_EQ((*walks)[3].file, files[1].string());
}

TEST_F(RecastWalker, RefusesWhatIsNoCorridor) {
  const std::string head = kHead, floor = kFloor;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"v 0 0 0\n", "1: not a voxelforge corridor 1"},
      {head + floor, "no route"},
      {head + floor + "l 5 7\n", "a vertex that is not there"},
      {head + "f 1 2 3\n" + floor + "l 5 6.5\n", "a vertex that is not there"},
      {head + "v 1 2\n", "4: 2 numbers where 3 belong"},
      {head + "v 1 2 x3\n", "4: \"x3\" is no number"},
      {head + "vn 1 2 3\n", "4: \"vn\" is not in corridor files"},
      {"# voxelforge corridor 1\n" + floor + "l 5 6\n", "no origin_m"},
  };
  for (const auto& [text, message] : cases) {
    const auto walks = walk_with_recast({file("bad.obj", text)});
    ASSERT_FALSE(walks.has_value()) << text;
    EXPECT_NE(walks.error().message.find(message), std::string::npos) << walks.error().message;
  }
  EXPECT_FALSE(walk_with_recast({folder_ / "missing.obj"}).has_value());
}

}  // namespace
}  // namespace vf::test
