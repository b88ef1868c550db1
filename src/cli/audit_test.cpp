// voxelforge audit, as people and scripts see it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/cli_test.h"

namespace vf::cli {
namespace {

TEST_F(CommandLine, AuditHasATableAndKeysForScripts) {
  const std::vector<std::string> verb{"audit", "type:flat_plain", "--seeds",
                                      "1..2",  "--audits",        "grade,mouths"};
  const Outcome table = run_voxelforge(verb);
  EXPECT_NE(table.out.find("grade"), std::string::npos) << table.err;
  std::vector<std::string> json = verb;
  json.emplace_back("--json");
  const Outcome outcome = run_voxelforge(json);
  const auto root = outcome.json();
  EXPECT_EQ(root["sectors"], 2);
  ASSERT_EQ(root["rows"].size(), 4U);  // plan, grade, mouths, mouth steps
  EXPECT_EQ(root["rows"][1]["audit"], "grade");
  EXPECT_GT(root["rows"][1]["checked"], 1000);
  EXPECT_EQ(outcome.code, root["violations"].empty() ? 0 : 1);
}

// A floor that one setting makes too low for any route: the plan says so, and the place can be looked at.
TEST_F(CommandLine, AuditEndsWith1OnAViolation) {
  const std::string low =
      "[type]\nid = \"low\"\nheight_m = 5\n[field]\nphi = \"heightfield(2)\"\n[route]\nfrom = "
      "\"ground\"\nanchor = 2\n";
  const auto file = write("low.toml", low);
  const Outcome outcome = run_voxelforge({"audit", file.string(), "--json"});
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  const auto violations = outcome.json()["violations"];
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0]["audit"], "plan");
  EXPECT_NE(violations[0]["message"].get<std::string>().find("clear height"), std::string::npos);
  EXPECT_EQ(violations[0]["shot"].get<std::string>().rfind("shot " + file.string(), 0), 0U);
}

TEST_F(CommandLine, AuditWritesAProofOfRoutesAndChecksIt) {
  const auto file = (folder_ / "route.cert").string();
  const std::vector<std::string> verb{"audit", "type:flat_plain", "--audits", "certificate", "--json"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), verb.begin(), verb.end());
    return run_voxelforge(more);
  };
  const Outcome written = with({"--cert", file});
  EXPECT_EQ(written.code, 0) << written.out << written.err;
  EXPECT_EQ(file_text(file).rfind("VFROUTES", 0), 0U);
  const Outcome checked = with({"--check-cert", file});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  ASSERT_EQ(checked.json()["rows"].size(), 1U);
  EXPECT_EQ(checked.json()["rows"][0]["audit"], "certificate");
  EXPECT_GT(checked.json()["rows"][0]["checked"], 100);
  // It is of seed 1: another world is not proven by it.
  const Outcome other = with({"--check-cert", file, "--seed", "77"});
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(other.json()["violations"].size(), 1U);
  const auto broken = write("broken.cert", "VFROUTES and no more");
  const Outcome refused = with({"--check-cert", broken.string()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("broken.cert: route certificate, byte 20: cut short"), std::string::npos)
      << refused.err;
}

TEST_F(CommandLine, AuditSaysWhatIsWrongWithItsOptions) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--seeds", "5..2"}, "--seeds: 5..2 is empty; expected A..B with A <= B"},
      {{"--seeds", "1..x"}, "--seeds"},
      {{"--seeds", "0..100000"}, "at most 100000 seeds"},
      {{"--sectors", "0"}, "--sectors"},
      {{"--sectors", "1,2,3"}, "N or X,Y"},
      {{"--audits", "grad"}, "there is no audit 'grad'; did you mean grade?"},
      {{"--seed", "1", "--seeds", "1..2"}, "--seed and --seeds exclude each other"},
      {{"--cert", "a", "--check-cert", "b"}, "--cert and --check-cert exclude each other"},
      {{"--cert", "a", "--seeds", "1..2"},
       "a certificate is of one sector: give one seed, stratum and sector"},
  };
  for (const auto& [options, message] : cases) {
    std::vector<std::string> words{"audit", "type:flat_plain"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run_voxelforge(words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace vf::cli
