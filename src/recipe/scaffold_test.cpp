#include "recipe/scaffold.h"

#include <gtest/gtest.h>
#include <string>

#include "base/notes.h"
#include "base/result.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"
#include "recipe/shipped.h"
#include "recipe/toml_reader.h"

namespace vf {
namespace {

Result<std::string> no_loader(const std::string& name) {
  if (name.starts_with("type:"))
    if (const ShippedFile* file = find_shipped_type(name.substr(5))) return std::string(file->text);
  return Error{ErrorCode::kIo, {}, "no such file: " + name};
}

TEST(Scaffold, HoldsEverySectionAndParsesWithoutAWarning) {
  const Result<std::string> text = scaffold_recipe("blue_hall", "");
  ASSERT_TRUE(text);
  Notes notes;
  const Result<Recipe> recipe = parse_recipe("blue_hall.toml", *text, no_loader, {}, notes);
  ASSERT_TRUE(recipe) << recipe.error().text();
  EXPECT_TRUE(notes.empty()) << notes.front().message;
  EXPECT_EQ(recipe->id, "blue_hall");
  EXPECT_EQ(recipe->name, "Blue hall");
  const Result<TomlFile> file = TomlFile::parse("blue_hall.toml", *text);
  ASSERT_TRUE(file);
  for (const char* section : {"type", "params", "functions", "field", "features", "materials", "ambient",
                              "lights", "fog", "sound", "decor", "water", "route", "viewpoints", "view"})
    EXPECT_TRUE(file->root().contains(section)) << section;
}

TEST(Scaffold, StartsFromEveryShippedType) {
  for (const ShippedFile& file : shipped_files()) {
    if (!file.name.starts_with("types/")) continue;
    const std::string type(file.name.substr(6, file.name.size() - 11));
    const Result<std::string> text = scaffold_recipe("my_own", type);
    ASSERT_TRUE(text) << text.error().text();
    Notes notes;
    const Result<Recipe> recipe = parse_recipe("my_own.toml", *text, no_loader, {}, notes);
    ASSERT_TRUE(recipe) << recipe.error().text();
    EXPECT_EQ(recipe->id, "my_own");
    EXPECT_EQ(recipe->name, "My own");
  }
}

TEST(Scaffold, RefusesWhatCannotBeAnId) {
  for (const char* name : {"", "Blue", "blue hall", "../blue", "bl\xC3\xA4u"}) {
    const Result<std::string> text = scaffold_recipe(name, "");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message,
              "\"" + std::string(name) + "\" cannot be the id of a type; expected 1 .. 48 of a-z, 0-9 and _");
  }
  EXPECT_FALSE(scaffold_recipe(std::string(49, 'a'), ""));
}

TEST(Scaffold, NamesAnUnknownType) {
  const Result<std::string> text = scaffold_recipe("blue", "no_such_type_at_all");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "unknown type \"no_such_type_at_all\"");
}

}  // namespace
}  // namespace vf
