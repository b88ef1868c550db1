#include "cli/cli_test.h"

#include <sys/wait.h>
#include <unistd.h>
#include <ios>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace vf::cli {

namespace fs = std::filesystem;

namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string file_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Outcome run_voxelforge(const std::vector<std::string>& arguments, const fs::path& folder,
                       const std::string& redirect) {
  // Outside the folder, so that a test may look at all that a verb left there; named by the process, since
  // tests run beside each other.
  const std::string stem =
      (fs::temp_directory_path() / ("voxelforge_said_" + std::to_string(getpid()))).string();
  std::string command = "cd " + quoted(folder.string()) + " && " + quoted(VF_BINARY);
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  command += " > " + quoted(stem + ".out") + " 2> " + quoted(stem + ".err") + " " + redirect;
  const int status = std::system(command.c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = file_text(stem + ".out");
  outcome.err = file_text(stem + ".err");
  fs::remove(stem + ".out");
  fs::remove(stem + ".err");
  return outcome;
}

void CommandLine::SetUp() {
  const char* given = std::getenv("TEST_TMPDIR");
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  folder_ = fs::absolute(given == nullptr ? fs::temp_directory_path() : fs::path(given)) /
            ("cli_" + std::to_string(::getpid()) + "_" + test.name());
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  write("small.toml", kSmallRecipe);
}

void CommandLine::TearDown() {
  fs::remove_all(folder_);
}

fs::path CommandLine::write(const std::string& name, const std::string& text) {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return folder_ / name;
}

std::vector<std::string> CommandLine::entries() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_)) {
    names.push_back(fs::relative(entry.path(), folder_).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

TEST_F(CommandLine, ExplainsItself) {
  const Outcome help = run_voxelforge({"--help"}, folder_);
  EXPECT_EQ(help.code, 0);
  for (const char* verb :
       {"forge", "types", "new", "check", "sample", "resolve", "prove", "shot", "digest", "bench"}) {
    EXPECT_NE(help.out.find(verb), std::string::npos) << verb;
  }
  EXPECT_EQ(run_voxelforge({"forge", "--help"}, folder_).code, 0);
  const Outcome version = run_voxelforge({"--version"}, folder_);
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("VoxelForge ")) << version.out;
}

TEST_F(CommandLine, NamesTheNearestVerbAndOption) {
  const Outcome none = run_voxelforge({}, folder_);
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("say what to do: forge, types"), std::string::npos) << none.err;
  const Outcome verb = run_voxelforge({"forgee"}, folder_);
  EXPECT_EQ(verb.code, 2);
  EXPECT_NE(verb.err.find("did you mean forge?"), std::string::npos) << verb.err;
  const Outcome bench = run_voxelforge({"bench", "feild", "small.toml"}, folder_);
  EXPECT_EQ(bench.code, 2);
  EXPECT_NE(bench.err.find("did you mean field?"), std::string::npos) << bench.err;
  const Outcome runs = run_voxelforge({"bench", "field", "small.toml", "--run", "3"}, folder_);
  EXPECT_NE(runs.err.find("did you mean --runs?"), std::string::npos) << runs.err;
  const Outcome option = run_voxelforge({"sample", "small.toml", "--at", "0,0,-9", "--sead", "4"}, folder_);
  EXPECT_EQ(option.code, 2);
  EXPECT_NE(option.err.find("did you mean --seed?"), std::string::npos) << option.err;
}

struct BadArgument {
  std::vector<std::string> arguments;
  std::string says;
};

TEST_F(CommandLine, NamesTheLimitOfEveryAbsurdArgument) {
  const std::vector<BadArgument> cases{
      {{"prove", "small.toml", "-j", "0"}, "-j: 0 is out of range; expected 1 to 256"},
      {{"prove", "small.toml", "-j", "100000"}, "-j: 100000 is out of range; expected 1 to 256"},
      {{"prove", "small.toml", "-j", "-1"}, "-j: -1 is out of range; expected 1 to 256"},
      {{"prove", "small.toml", "-j", "two"}, "-j: 'two' is not a whole number; expected 1 to 256"},
      {{"prove", "small.toml", "--level", "5"}, "--level: 5 is out of range; expected 0 to 4"},
      {{"prove", "small.toml", "--stratum", "-1"}, "--stratum: -1 is out of range"},
      {{"prove", "small.toml", "--stratum", "99999999999999999999"},
       "--stratum: 99999999999999999999 is out of range"},
      {{"prove", "small.toml", "--seed", "-7"}, "--seed: -7 is out of range"},
      {{"prove", "small.toml", "--simd", "avx3"}, "--simd: 'avx3' is not known"},
      {{"prove", "small.toml", "--at", "1"}, "--at: '1' has 1 part; expected x,y in metres"},
      {{"prove", "small.toml", "--set", "amplitude"}, "--set: 'amplitude' is not a setting"},
      {{"bench", "noise", "--runs", "0"}, "--runs: 0 is out of range; expected 1 to 1000"},
      {{"bench", "csg", "--runs", "1000000"}, "--runs: 1000000 is out of range; expected 1 to 1000"},
      {{"shot", "small.toml", "--viewpoint", "first", "--out", "a.png", "--size", "100000x100000"},
       "--size: 100000 is out of range; expected 1 to 8192"},
      {{"shot", "small.toml", "--viewpoint", "first", "--out", "a.png", "--size", "8192x8192"},
       "at most 33554432 are allowed"},
      {{"shot", "small.toml", "--viewpoint", "first", "--out", "a.png", "--size", "big"},
       "expected WIDTHxHEIGHT"},
      {{"shot", "small.toml", "--viewpoint", "first", "--out", "a.png", "--samples", "17"},
       "expected 1 to 16"},
      {{"sample", "small.toml", "--at", "1,2"}, "--at: '1,2' has 2 parts; expected x,y,z in metres"},
      {{"sample", "small.toml", "--at", "1,2,x"}, "--at: 'x' is not a length in metres"},
      {{"sample", "small.toml", "--at", "1e30,2,-3"}, "'1e30' is not a length in metres"},
      {{"sample", "small.toml", "--at", "9999999999999999,2,-3"}, "is out of range"},
      {{"sample", "small.toml", "--at", "1,2,3"}, "no stratum lies above z = 0"},
      {{"sample", "small.toml"}, "--at is required"},
  };
  for (const BadArgument& one : cases) {
    const Outcome outcome = run_voxelforge(one.arguments, folder_);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(one.says), std::string::npos) << outcome.err << " lacks: " << one.says;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(entries(), std::vector<std::string>{"small.toml"});
}

struct BadText {
  std::string from, to;  ///< replaced in the small recipe
  std::string says;
};

TEST_F(CommandLine, SaysWhereARecipeIsWrong) {
  const std::vector<BadText> cases{
      {"height_m = 24", "hieght_m = 24", "did you mean \"height_m\"?"},
      {"[params]", "[params", "bad.toml:"},
      {"unit = \"m\"", "unit = \"parsecs\"", "parsecs"},
      {"default = 2,", "default = 9,", "out of range"},
      {"amplitude*perlin2", "amplitide*perlin2", "did you mean \"amplitude\"?"},
      {"perlin2(24)", "perlin2(24, 25, 26)", "perlin2"},
      {"heightfield(ground)", "heightfield(ground", "bad.toml:13:"},
      {"perlin2(24)", "sqrt(0 - 1)", "bad.toml:12:"},
      {"smin(min(heightfield(ground), 20 - z), features.stones, 0.5)", "1000 + abs(z)", "zero"},
  };
  for (const BadText& one : cases) {
    std::string text = kSmallRecipe;
    const std::size_t at = text.find(one.from);
    ASSERT_NE(at, std::string::npos) << one.from;
    write("bad.toml", text.replace(at, one.from.size(), one.to));
    const Outcome outcome = run_voxelforge({"check", "bad.toml"}, folder_);
    EXPECT_EQ(outcome.code, 2) << one.to << "\n" << outcome.out << outcome.err;
    // The place stands first in a line, as editors expect it.
    EXPECT_TRUE(outcome.err.starts_with("bad.toml:") || outcome.err.find("\nbad.toml:") != std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.err.find("voxelforge: bad.toml"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(one.says), std::string::npos) << outcome.err << " lacks: " << one.says;
  }
}

TEST_F(CommandLine, TellsUnreadableFilesFromBadOnes) {
  const Outcome missing = run_voxelforge({"check", "none.toml"}, folder_);
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("cannot read none.toml: No such file or directory"), std::string::npos)
      << missing.err;
  const Outcome folder = run_voxelforge({"check", "."}, folder_);
  EXPECT_EQ(folder.code, 3);
  EXPECT_EQ(folder.err, "voxelforge: cannot read .: it is a folder; a file was expected\n");
  const Outcome nameless = run_voxelforge({"check", ""}, folder_);
  EXPECT_EQ(nameless.code, 3);
  EXPECT_EQ(nameless.err, "voxelforge: cannot read '': the name of a file was expected\n");
  write("heir.toml", "[type]\nid = \"heir\"\nextends = \"none.toml\"\n");
  const Outcome heir = run_voxelforge({"check", "heir.toml"}, folder_);
  EXPECT_EQ(heir.code, 3);
  EXPECT_EQ(heir.err, "heir.toml:3:11: cannot read none.toml: No such file or directory\n");
  write("latin.toml", "[type]\nname = \"caf\xE9\"\n");
  const Outcome latin = run_voxelforge({"check", "latin.toml"}, folder_);
  EXPECT_EQ(latin.code, 2);
  EXPECT_TRUE(latin.err.starts_with("latin.toml:2:")) << latin.err;
  const Outcome type = run_voxelforge({"check", "type:pool_room"}, folder_);
  EXPECT_EQ(type.code, 2);
  EXPECT_NE(type.err.find("did you mean pool_rooms?"), std::string::npos) << type.err;
  write("zeros.toml", std::string(4096, '\0'));
  EXPECT_EQ(run_voxelforge({"check", "zeros.toml"}, folder_).code, 2);
  write("empty.toml", "");
  EXPECT_EQ(run_voxelforge({"check", "empty.toml"}, folder_).code, 2);
  write("long.toml", std::string(1 << 20, '#'));
  EXPECT_EQ(run_voxelforge({"check", "long.toml"}, folder_).code, 2);
  EXPECT_EQ(run_voxelforge({"check", "/dev/zero"}, folder_).code, 2);
}

TEST_F(CommandLine, ChecksParametersThatAreSet) {
  EXPECT_EQ(run_voxelforge({"check", "small.toml", "--set", "amplitude=3"}, folder_).code, 0);
  const Outcome outside = run_voxelforge({"check", "small.toml", "--set", "amplitude=9"}, folder_);
  EXPECT_EQ(outside.code, 2);
  EXPECT_NE(outside.err.find("0.5"), std::string::npos) << outside.err;
  EXPECT_EQ(run_voxelforge({"check", "small.toml", "--set", "amplitide=3"}, folder_).code, 2);
  EXPECT_EQ(run_voxelforge({"check", "small.toml", "--set", "amplitude=high"}, folder_).code, 2);
}

TEST_F(CommandLine, ReportsAFullDiskBehindStandardOutput) {
  // Short output fails when it is flushed in the end, long output in the midst of the verb.
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"types"}, {"resolve", "small.toml", "--json"}}) {
    const Outcome outcome = run_voxelforge(verb, folder_, "> /dev/full");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.err, "voxelforge: cannot write to standard output\n");
  }
}

}  // namespace
}  // namespace vf::cli
