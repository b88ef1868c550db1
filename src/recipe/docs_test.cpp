// docs/recipes.md promises a format: these tests hold it to the code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "base/notes.h"
#include "base/result.h"
#include "recipe/language.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"
#include "recipe/sections.h"
#include "recipe/toml_reader.h"

namespace vf {
namespace {

std::string file_text(const std::string& name) {
  std::ifstream file(std::string(VF_SOURCE_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
std::string page() {
  return file_text("docs/recipes.md");
}

/// The first fenced block of that kind after `from`.
std::string block(const std::string& text, std::size_t from) {
  const std::string fence = "```toml\n";
  const std::size_t start = text.find(fence, from) + fence.size();
  return text.substr(start, text.find("```", start) - start);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string spaced(std::string_view list, const std::string& suffix) {
  std::string out;
  std::string item;
  for (const char c : std::string(list) + ",") {
    if (c != ',') {
      item += c;
      continue;
    }
    if (!item.empty()) out += (out.empty() ? "" : ", ") + item + suffix;
    item.clear();
  }
  return out;
}

Result<std::string> no_loader(const std::string& name) {
  return Error{ErrorCode::kIo, {}, "no file " + name};
}

TEST(RecipesPage, HoldsTheTableOfWords) {
  std::string table = "| word | what it is |\n|---|---|\n";
  for (const WordInfo& word : words()) {
    const std::string options = spaced(word.options, "=");
    table += fmt::format("| `{}({}{}{})` | {} |\n", word.name, spaced(word.arguments, ""),
                         options.empty() ? "" : ", ", options, replaced(std::string(word.help), "|", "\\|"));
  }
  EXPECT_NE(page().find(table), std::string::npos) << "expected this table:\n" << table;
}

TEST(RecipesPage, HoldsTheTableOfNames) {
  std::string table = "| name | where | what it is |\n|---|---|---|\n";
  for (const ContextName& name : context_names())
    table += fmt::format("| `{}` | {} | {} |\n", name.name, name.where, name.help);
  EXPECT_NE(page().find(table), std::string::npos) << "expected this table:\n" << table;
}

TEST(RecipesPage, NamesEveryUnit) {
  const std::string text = page();
  for (const std::string_view unit : units().subspan(1))
    EXPECT_NE(text.find(fmt::format("`\"{}\"`", unit)), std::string::npos) << unit;
}

TEST(RecipesPage, StatesTheLimits) {
  const RecipeLimits& l = kRecipeLimits;
  const std::string table = fmt::format(
      "| size of one file | {} bytes |\n| length of one formula | {} bytes |\n"
      "| depth of a formula, after functions are expanded | {} |\n| operations of one program, after "
      "expansion | {} |\n"
      "| feature sets | {} |\n| places of one set in a sector | {} |\n| chain of `extends` | {} |\n| "
      "parameters | {} |\n"
      "| functions | {} |\n| names in [field] | {} |\n| values of a feature set | {} |\n| points of a `list` "
      "| {} |\n"
      "| materials | {} |\n| lights | {} |\n| decor | {} |\n| viewpoints | {} |\n| octaves | {} |\n"
      "| strata of a world file | {} |\n",
      l.file_bytes, l.formula_bytes, l.nesting, l.nodes, l.features, l.instances_per_sector, l.extends_depth,
      l.params, l.functions, l.fields, kMaxFeatureValues, l.points, l.materials, l.lights, l.decor,
      l.viewpoints, l.octaves, l.strata);
  EXPECT_NE(page().find(table), std::string::npos) << "expected this table:\n" << table;
}

TEST(RecipesPage, OpensWithACompleteRecipeThatParsesWithoutAWarning) {
  const std::string text = block(page(), 0);
  Notes notes;
  const Result<Recipe> recipe = parse_recipe("dome.toml", text, no_loader, {}, notes);
  ASSERT_TRUE(recipe) << recipe.error().text();
  for (const Note& note : notes) ADD_FAILURE() << to_string(note.place) << ": " << note.message;
  const Result<TomlFile> file = TomlFile::parse("dome.toml", text);
  ASSERT_TRUE(file);
  for (const std::string& section : recipe_sections())
    EXPECT_TRUE(file->root().contains(section)) << "the complete recipe has no " << section;
}

TEST(Readme, ShowsARecipeThatParsesWithoutAWarning) {
  Notes notes;
  const Result<Recipe> recipe =
      parse_recipe("my_hills.toml", block(file_text("README.md"), 0), no_loader, {}, notes);
  ASSERT_TRUE(recipe) << recipe.error().text();
  for (const Note& note : notes) ADD_FAILURE() << to_string(note.place) << ": " << note.message;
}

TEST(RecipesPage, ShowsErrorsAsTheyAre) {
  const std::string text = page();
  const auto error_of = [&](const std::string& what, const std::string& with) {
    Notes notes;
    const Result<Recipe> recipe =
        parse_recipe("dome.toml", replaced(block(text, 0), what, with), no_loader, {}, notes);
    return recipe ? std::string("no error") : recipe.error().text();
  };
  for (const std::string& error :
       {error_of("8 + amplitude*hills(56)", "8 + amplitide*hills(56)"),
        error_of("height_m = 28", "hieght_m = 28"), error_of("default = 2.5", "default = 9"),
        error_of("smin(room, features.columns, 1)", "smin(room, 1)")})
    EXPECT_NE(text.find(error + "\n"), std::string::npos) << error;
}

}  // namespace
}  // namespace vf
