#include "plan/identity.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>

#include "base/digest.h"
#include "base/ids.h"
#include "base/notes.h"
#include "base/result.h"
#include "compose/world.h"
#include "plan/origin.h"
#include "plan/snapshot.h"
#include "test_support/plans.h"

namespace vf {
namespace {

/// A world of two strata, its recipe, what that extends and includes.
std::map<std::string, std::string> some_files() {
  return {{"world.toml",
           "[world]\nname = \"w\"\nseed = 5\n[[stratum]]\nrecipe = \"child.toml\"\n[[stratum]]\nrecipe = "
           "\"child.toml\"\nset = { a = 2 }\n"},
          {"child.toml",
           "[type]\nid = \"child\"\nextends = \"base.toml\"\ninclude = [\"hills.toml\"]\n[field]\nground = "
           "\"hill(a)\"\n"},
          {"base.toml",
           "[type]\nid = \"base\"\nheight_m = 20\n[params]\na = { default = 1, min = 0, max = 3 "
           "}\n[field]\nground "
           "= \"a\"\nphi = \"z - ground\"\n"},
          {"hills.toml", "[functions]\n\"hill(u)\" = \"u + 2\"\n"}};
}

World opened(const std::map<std::string, std::string>& files, const WorldOverrides& overrides = {},
             const std::string& name = "world.toml") {
  Notes notes;
  const TextLoader loader = [&files](const std::string& file) -> Result<std::string> {
    const auto found = files.find(file);
    if (found == files.end()) return Error{ErrorCode::kIo, {file, 0, 0}, "no such file"};
    return found->second;
  };
  Result<World> world = open_world(name, loader, overrides, notes);
  EXPECT_TRUE(world.has_value()) << (world ? "" : world.error().text());
  return *world;
}

Digest identity_with(const std::string& file, const std::string& from, const std::string& to) {
  auto files = some_files();
  std::string& text = files[file];
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  return world_identity(opened(files));
}

TEST(WorldIdentity, IsOfTextsAndSeedAndNotOfNames) {
  const Digest same = world_identity(opened(some_files()));
  EXPECT_EQ(world_identity(opened(some_files())), same);
  std::map<std::string, std::string> moved;
  for (const auto& [name, text] : some_files()) moved["elsewhere/" + name] = text;
  EXPECT_EQ(world_identity(opened(moved, {}, "elsewhere/world.toml")), same);
  EXPECT_NE(identity_with("world.toml", "seed = 5", "seed = 6"), same);
  EXPECT_NE(identity_with("world.toml", "a = 2", "a = 2.5"), same);
  EXPECT_EQ(identity_with("world.toml", "\"w\"", "\"another name\""), same);
}

TEST(WorldIdentity, ChangesWithEveryTextThatARecipeIsMadeOf) {
  const Digest same = world_identity(opened(some_files()));
  EXPECT_NE(identity_with("child.toml", "hill(a)", "hill(a) + 1"), same);
  EXPECT_NE(identity_with("base.toml", "z - ground", "z - ground - 1"), same);
  EXPECT_NE(identity_with("hills.toml", "u + 2", "u + 3"), same);
}

TEST(WorldIdentity, ChangesWithOverrides) {
  const Digest same = world_identity(opened(some_files()));
  WorldOverrides seed;
  seed.has_seed = true;
  seed.seed = {6};
  EXPECT_NE(world_identity(opened(some_files(), seed)), same);
  seed.seed = {5};
  EXPECT_EQ(world_identity(opened(some_files(), seed)), same) << "the seed it has anyway";
  WorldOverrides set;
  set.set = {{"a", "3"}};
  EXPECT_NE(world_identity(opened(some_files(), set)), same);
}

TEST(Identity, OfASnapshotChangesWithEveryPartOfItsOrigin) {
  const SectorSnapshot same = test::some_snapshot(7);
  const auto differs = [&same](auto change) {
    SectorSnapshot other = same;
    change(other.origin);
    return identity_of(other) != identity_of(same) &&
           origin_digest(other.origin) != origin_digest(same.origin) &&
           identity_of(other.plan) == identity_of(same.plan);
  };
  EXPECT_TRUE(differs([](PlanOrigin& o) { ++o.evaluator; }));
  EXPECT_TRUE(differs([](PlanOrigin& o) { ++o.world_seed.value; }));
  EXPECT_TRUE(differs([](PlanOrigin& o) { o.recipe_id += "x"; }));
  EXPECT_TRUE(differs([](PlanOrigin& o) { ++o.recipe_version; }));
  EXPECT_TRUE(differs([](PlanOrigin& o) { ++o.layout_version; }));
  EXPECT_TRUE(differs([](PlanOrigin& o) { ++o.parameters.low; }));
}

TEST(Identity, OfAStratumComesFromItsRecipeAndSeed) {
  const World world = opened(some_files());
  const PlanOrigin first = origin_of(stratum_at(world, 0)), second = origin_of(stratum_at(world, 1));
  EXPECT_EQ(first.recipe_id, "child");
  EXPECT_EQ(first.world_seed, Seed{5});
  EXPECT_NE(first.parameters, second.parameters) << "the second stratum sets a";
  EXPECT_EQ(origin_of(stratum_at(world, 1'000'000)), first) << "depth is the plan's, not the origin's";
}

}  // namespace
}  // namespace vf
