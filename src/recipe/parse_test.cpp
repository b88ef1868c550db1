#include "recipe/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

using Files = std::map<std::string, std::string>;

RecipeLoader loader_of(const Files& files) {
  return [&files](const std::string& name) -> Result<std::string> {
    const auto file = files.find(name);
    if (file == files.end()) return Error{ErrorCode::kIo, {}, "no such file"};
    return file->second;
  };
}

Recipe parsed(const std::string& text, const Files& files = {}, const ParameterValues& set = {},
              const std::string& name = "r") {
  Notes notes;
  Result<Recipe> recipe = parse_recipe(name, text, loader_of(files), set, notes);
  EXPECT_TRUE(recipe) << recipe.error().text();
  return recipe ? *recipe : Recipe{};
}

const std::string kStart = "[type]\nid = \"t\"\nheight_m = 20\n\n";
const std::string kField = "[field]\nphi = \"z - 5\"\n";

template <class Part>
std::vector<std::string> names_of(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) names.push_back(part.name);
  return names;
}

using Names = std::vector<std::string>;

std::vector<std::string> places_of_names(const Expr& expr) {
  std::vector<std::string> places;
  const std::function<void(const Expr&)> walk = [&](const Expr& e) {
    if (e.kind == ExprKind::kName)
      places.push_back(e.name + "@" + fmt::format("{}:{}", e.place.line, e.place.column));
    for (const ExprPtr& arg : e.args) walk(*arg);
  };
  walk(expr);
  return places;
}

TEST(Recipe, KeepsTheAuthorsOrder) {
  const Recipe recipe =
      parsed(kStart +
             "[params]\nzeta = { default = 1, min = 1, max = 1 }\nalpha = { default = 1, min = 1, max = 1 }\n"
             "[functions]\n\"g(u)\" = \"u\"\n\"f(u)\" = \"g(u)\"\n"
             "[field]\nroof = \"zeta\"\nground = \"roof - alpha\"\nphi = \"z - f(ground)\"\n");
  EXPECT_EQ(names_of(recipe.params), (Names{"zeta", "alpha"}));
  EXPECT_EQ(names_of(recipe.functions), (Names{"g", "f"}));
  EXPECT_EQ(names_of(recipe.field), (Names{"roof", "ground", "phi"}));
}

TEST(Recipe, HasDefaultsForAllThatIsNotWritten) {
  const Recipe recipe = parsed(kStart + kField);
  EXPECT_EQ(recipe.file, "r");
  EXPECT_EQ(recipe.id, "t");
  EXPECT_EQ(recipe.name, "t");
  EXPECT_EQ(recipe.version, 1U);
  EXPECT_EQ(recipe.layout_version, 1U);
  EXPECT_EQ(recipe.gradient_bound, 1);
  ASSERT_EQ(recipe.materials.size(), 2U);
  EXPECT_EQ(recipe.materials[0].name, "earth");
  EXPECT_EQ(recipe.materials[1].name, "stone");
  for (const Material& m : recipe.materials) EXPECT_TRUE(m.weight);
  EXPECT_FALSE(recipe.ambient.given);
  EXPECT_GT(recipe.ambient.key[0], 0);
  EXPECT_FALSE(recipe.water.present);
  EXPECT_FALSE(recipe.route.present);
  EXPECT_EQ(recipe.view.view_m, 512);
}

TEST(Recipe, KeepsItsOwnLookFromTheDefaultOne) {
  const Recipe recipe = parsed(kStart + kField + R"toml([[materials]]
name = "chalk"
[ambient]
strength = 0.5
)toml");
  ASSERT_EQ(recipe.materials.size(), 1U);
  EXPECT_EQ(recipe.materials[0].name, "chalk");
  EXPECT_EQ(recipe.ambient.strength, 0.5F);
  EXPECT_EQ(recipe.ambient.key, (Color{0, 0, 0}));
}

TEST(Recipe, ReadsEveryPartOfAFeatureSet) {
  const Recipe recipe = parsed(kStart + R"toml([features.a]
kind = "lattice"
pitch = 12
offset = [1, "H"]
probability = 0.5
accept = "x - ground"
ground = "5 + u3"
yaw = "u1"
shape = "length(px, py) - r"
extent = "r"
extent_z = [-1, "s"]
blend = 0.5
far = 3
[features.a.values]
s = "2*u2"
r = "s + 1"
[features.b]
kind = "list"
points = [[1, 2, 3], ["H", 5, 6]]
shape = "pz"
extent = [1, 2]
extent_z = [0, 1]
[field]
phi = "min(z - 5, features.a, features.b)"
)toml");
  ASSERT_EQ(names_of(recipe.features), (Names{"a", "b"}));
  const FeatureSet& a = recipe.features[0];
  EXPECT_EQ(a.kind, FeatureKind::kLattice);
  EXPECT_EQ(a.pitch->number, 12);
  EXPECT_EQ(a.offset_x->number, 1);
  EXPECT_EQ(a.offset_y->name, "H");
  EXPECT_EQ(a.jitter->number, 0);
  EXPECT_EQ(a.extent_x, a.extent_y);
  EXPECT_EQ(a.extent_z_min->number, -1);
  EXPECT_EQ(a.extent_z_max->name, "s");
  EXPECT_EQ(a.far->number, 3);
  EXPECT_EQ(names_of(a.values), (Names{"s", "r"}));
  const FeatureSet& b = recipe.features[1];
  EXPECT_EQ(b.kind, FeatureKind::kList);
  ASSERT_EQ(b.points.size(), 2U);
  EXPECT_EQ(b.points[1][0]->name, "H");
  EXPECT_EQ(b.extent_y->number, 2);
  EXPECT_EQ(b.far->number, 4);
  EXPECT_EQ(b.probability->number, 1);
  EXPECT_FALSE(b.ground);
}

TEST(Recipe, ReadsColoursAsLinearLight) {
  const Recipe recipe = parsed(kStart + kField +
                               "[[materials]]\nname = \"a\"\ncolor = \"#FF8000\"\nemission = \"#ffffff\"\n"
                               "[[materials]]\nname = \"b\"\ncolor2 = \"#000000\"\n");
  const Material& a = recipe.materials[0];
  EXPECT_FLOAT_EQ(a.color[0], 1.0F);
  EXPECT_NEAR(a.color[1], 0.2158605F, 1e-6F);
  EXPECT_FLOAT_EQ(a.color[2], 0.0F);
  EXPECT_EQ(a.color2, a.color);
  EXPECT_EQ(a.emission_strength, 1.0F);
  EXPECT_EQ(recipe.materials[1].color2, (Color{0, 0, 0}));
  EXPECT_EQ(recipe.materials[1].emission_strength, 0.0F);
}

TEST(Recipe, ReadsKelvinAsAColour) {
  const auto color = [](int kelvin) {
    return parsed(kStart + kField + fmt::format("[[lights]]\nname = \"a\"\npitch = 9\nkelvin = {}\n", kelvin))
        .lights[0]
        .color;
  };
  const Color warm = color(2000), white = color(6500), cold = color(12000);
  EXPECT_FLOAT_EQ(warm[0], 1.0F);
  EXPECT_NEAR(warm[1], 0.24F, 0.03F);
  EXPECT_LT(warm[2], 0.02F);
  for (const float channel : white) EXPECT_NEAR(channel, 0.98F, 0.05F);
  EXPECT_FLOAT_EQ(cold[2], 1.0F);
  EXPECT_LT(cold[0], 0.7F);
}

TEST(Recipe, TakesAPlainNumberForEveryFormula) {
  const Recipe recipe = parsed(kStart + "[field]\na = 3\nb = -2.5\nphi = \"z - a - b\"\n");
  EXPECT_EQ(recipe.field[0].expr->number, 3);
  EXPECT_EQ(recipe.field[1].expr->number, -2.5);
  EXPECT_EQ(to_string(recipe.field[1].expr->place), "r:7:5");
}

TEST(RecipePlaces, AreExactInEveryKindOfString) {
  const std::string params =
      "[params]\na = { default = 1, min = 1, max = 1 }\nb = { default = 1, min = 1, max = 1 }\n[field]\n";
  const auto places = [&](const std::string& value) {
    return places_of_names(*parsed(kStart + params + "phi = " + value + "\n").find_field("phi")->expr);
  };
  EXPECT_EQ(places("\"a + b\""), (Names{"a@9:8", "b@9:12"}));
  EXPECT_EQ(places("'a + b'"), (Names{"a@9:8", "b@9:12"}));
  EXPECT_EQ(places("\"\"\"a\n  + b\"\"\""), (Names{"a@9:10", "b@10:5"}));
  EXPECT_EQ(places("\"\"\"\na\n\n + b\"\"\""), (Names{"a@10:1", "b@12:4"}));
  EXPECT_EQ(places("\"\"\"\r\na\r\n + b\"\"\""), (Names{"a@10:1", "b@11:4"}));
  EXPECT_EQ(places("'''\na\n + b'''"), (Names{"a@10:1", "b@11:4"}));
  EXPECT_EQ(places("\"\"\"a \\\n\n   + b\"\"\""), (Names{"a@9:10", "b@11:6"}));
  EXPECT_EQ(places("\"\\u0061\\t+ b\""), (Names{"a@9:8", "b@9:18"}));
  EXPECT_EQ(places("\"\\U00000061 + b\""), (Names{"a@9:8", "b@9:21"}));
}

TEST(RecipePlaces, CountCharactersAfterAByteOrderMarkAndUmlauts) {
  Notes notes;
  const std::string text =
      "\xEF\xBB\xBF[type]\nid = \"t\"\nheight_m = 20\nfield = 1\n\n[field]\nphi = \"z\"\n";
  const Result<Recipe> recipe = parse_recipe("r", text, loader_of({}), {}, notes);
  ASSERT_FALSE(recipe);
  EXPECT_EQ(recipe.error().text(), "r:4:1: unknown key \"field\" in [type]");
  const Result<Recipe> inline_params = parse_recipe(
      "r", "type = { id = \"t\", name = \"\xC3\xA4\xC3\xB6\", height_m = 20 }\nfield = { phi = \"z + q\" }\n",
      loader_of({}), {}, notes);
  ASSERT_FALSE(inline_params);
  EXPECT_EQ(inline_params.error().text(), "r:2:22: unknown name \"q\"");
  const Result<Recipe> same_line = parse_recipe(
      "r", "type = { id = \"t\", height_m = 20, name = \"\xC3\xA4\xE2\x82\xAC\" , x = 1 }\n" + kField,
      loader_of({}), {}, notes);
  ASSERT_FALSE(same_line);
  EXPECT_EQ(same_line.error().text(), "r:1:49: unknown key \"x\" in [type]");
}

TEST(Recipe, WarnsOfWhatIsNotUsed) {
  Notes notes;
  const Result<Recipe> recipe =
      parse_recipe("r",
                   kStart +
                       "[params]\na = { default = 1, min = 1, max = 1 }\n[features.f]\npitch = 9\nshape = "
                       "\"pz\"\nextent = 1\nextent_z = [0, 1]\n" +
                       "[field]\nroof = 5\nphi = \"z - 5\"\n",
                   loader_of({}), {}, notes);
  ASSERT_TRUE(recipe);
  std::vector<std::string> warnings;
  for (const Note& note : notes) {
    EXPECT_EQ(note.severity, Severity::kWarning);
    warnings.push_back(to_string(note.place) + ": " + note.message);
  }
  EXPECT_EQ(warnings, (Names{"r:6:1: parameter \"a\" is not used", "r:13:1: \"roof\" of [field] is not used",
                             "r:7:11: \"features.f\" is not used in [field]"}));
}

TEST(RecipeNames, AnArgumentHidesWhatElseHasItsName) {
  parsed(kStart +
         "[functions]\n\"f(x, ground, px)\" = \"x + ground*px\"\n[field]\nground = 5\nphi = \"z - f(1, "
         "ground, 2)\"\n");
}

TEST(RecipeNames, GroundOfAPlaceIsNotTheFieldOfThatName) {
  parsed(kStart +
         "[features.f]\npitch = 9\nground = \"ground\"\naccept = \"ground - 3\"\nshape = \"pz + "
         "ground\"\nextent = 1\nextent_z = [0, \"ground\"]\n"
         "[field]\nground = \"5 + perlin2(9)\"\nphi = \"min(z - ground, features.f)\"\n");
}

TEST(RecipeNames, LightsOnFeaturesKnowTheValuesOfTheirSet) {
  parsed(kStart +
         "[features.f]\npitch = 9\nshape = \"pz\"\nextent = 1\nextent_z = [0, 1]\n[features.f.values]\ntop = "
         "\"u1\"\n"
         "[[lights]]\nname = \"l\"\nplacement = \"features\"\nfeatures = \"f\"\nprobability = "
         "\"top\"\noffset = [0, 0, \"top + ground + u2\"]\n" +
         kField);
}

// ---------------------------------------------------------------- parameters

const std::string kHills =
    "[type]\nid = \"hills\"\nheight_m = 20\nname = \"Hills\"\nversion = 4\ntags = [\"a\"]\n[params]\n"
    "amplitude = { default = 2, min = 1, max = 4, unit = \"m\" }\n[functions]\n\"f(u)\" = \"u + 1\"\n"
    "[field]\nground = \"f(5 + amplitude)\"\nroof = \"H - 2\"\nphi = \"min(z - ground, roof - z)\"\n"
    "[features.trees]\npitch = 20\nshape = \"length(px, py) - 1\"\nextent = 1\nextent_z = [0, "
    "5]\n[features.trees.values]\na = 1\nb = \"a + 1\"\n"
    "[[materials]]\nname = \"grass\"\nroughness = 0.4\n[[materials]]\nname = \"rock\"\n"
    "[[lights]]\nname = \"lamp\"\npitch = 30\n[fog]\nextinction = 0.5\nglow = 0.1\n[water]\nlevel = 3\n";

TEST(RecipeSet, OverridesAParameterWithinItsRange) {
  EXPECT_EQ(parsed(kHills, {}, {{"amplitude", 3}}).params[0].value, 3);
  EXPECT_EQ(parsed(kHills, {}, {{"amplitude", 3}}).params[0].default_value, 2);
  EXPECT_EQ(parsed(kHills).params[0].value, 2);
}

TEST(RecipeSet, RefusesWhatIsUnknownOrOutOfRange) {
  const auto error = [](const std::string& name, double value) {
    Notes notes;
    const Result<Recipe> recipe = parse_recipe("r", kHills, loader_of({}), {{name, value}}, notes);
    return recipe ? "" : recipe.error().text();
  };
  EXPECT_EQ(error("amplitude", 5), "amplitude = 5 is out of range; expected 1 .. 4 m");
  EXPECT_EQ(error("amplitude", std::numeric_limits<double>::quiet_NaN()),
            "amplitude = nan is out of range; expected 1 .. 4 m");
  EXPECT_EQ(error("amplitide", 2), "\"hills\" has no parameter \"amplitide\"; did you mean \"amplitude\"?");
}

// ---------------------------------------------------------------- extends

Recipe child_of_hills(const std::string& type, const std::string& rest) {
  return parsed("[type]\nid = \"child\"\nextends = \"hills.toml\"\n" + type + rest, {{"hills.toml", kHills}});
}

TEST(RecipeExtends, InheritsEverything) {
  const Recipe r = child_of_hills("", "");
  EXPECT_EQ(r.id, "child");
  EXPECT_EQ(r.name, "child");
  EXPECT_EQ(r.version, 1U);
  EXPECT_EQ(r.height_m, 20);
  EXPECT_EQ(r.tags, Names{"a"});
  EXPECT_EQ(names_of(r.field), (Names{"ground", "roof", "phi"}));
  EXPECT_EQ(names_of(r.materials), (Names{"grass", "rock"}));
  EXPECT_EQ(r.fog.extinction, 0.5F);
  EXPECT_EQ(r.water.level->number, 3);
  EXPECT_EQ(to_string(r.field[0].place), "hills.toml:12:1");
}

TEST(RecipeExtends, MovesADefaultOrReplacesAParameter) {
  EXPECT_EQ(child_of_hills("", "[params]\namplitude = 3.5\n").params[0].value, 3.5);
  EXPECT_EQ(child_of_hills("", "[params]\namplitude = 3.5\n").params[0].unit, "m");
  const Recipe r = child_of_hills(
      "",
      "[params]\nother = { default = 0, min = 0, max = 0 }\namplitude = { default = 9, min = 8, max = 9 }\n");
  EXPECT_EQ(names_of(r.params), (Names{"amplitude", "other"}));
  EXPECT_EQ(r.params[0].max, 9);
}

TEST(RecipeExtends, ReplacesFormulasWhereTheyStand) {
  const Recipe r = child_of_hills("",
                                  "[functions]\n\"f(u)\" = \"u + 2\"\n[field]\nbumps = "
                                  "\"perlin2(5)\"\nground = \"base.ground + bumps\"\nlast = \"phi\"\n");
  EXPECT_EQ(names_of(r.field), (Names{"base.ground", "bumps", "ground", "roof", "phi", "last"}));
  EXPECT_EQ(r.functions.size(), 1U);
  EXPECT_EQ(r.functions[0].body->args[1]->number, 2);
  EXPECT_EQ(to_string(r.field[2].place), "r:8:1");
  EXPECT_EQ(to_string(r.field[0].place), "hills.toml:12:1");
}

TEST(RecipeExtends, KeepsTheBasesOfALongChainApart) {
  const Files files{
      {"hills.toml", kHills},
      {"mid.toml", "[type]\nid = \"mid\"\nextends = \"hills.toml\"\n[field]\nphi = \"max(base.phi, 1)\"\n"}};
  const Recipe r =
      parsed("[type]\nid = \"top\"\nextends = \"mid.toml\"\n[field]\nphi = \"min(base.phi, 2)\"\n", files);
  EXPECT_EQ(names_of(r.field), (Names{"ground", "roof", "base.base.phi", "base.phi", "phi"}));
  EXPECT_EQ(r.find_field("base.phi")->expr->args[0]->name, "base.base.phi");
  EXPECT_EQ(r.find_field("phi")->expr->args[0]->name, "base.phi");
}

TEST(RecipeExtends, ChangesNamedPartsKeyByKey) {
  const Recipe r = child_of_hills("",
                                  "[features.trees]\npitch = 30\n[features.trees.values]\na = 2\nc = "
                                  "\"b\"\n[features.new]\npitch = 9\nshape = \"pz\"\n"
                                  "extent = 1\nextent_z = [0, 1]\n[[materials]]\nname = \"grass\"\nmetallic "
                                  "= 1\n[[materials]]\nname = \"moss\"\n"
                                  "[fog]\nglow = 0.9\n[[lights]]\nname = \"lamp\"\nrange_m = 5\n");
  EXPECT_EQ(names_of(r.features), (Names{"trees", "new"}));
  EXPECT_EQ(r.features[0].pitch->number, 30);
  EXPECT_TRUE(r.features[0].shape);
  EXPECT_EQ(names_of(r.features[0].values), (Names{"a", "b", "c"}));
  EXPECT_EQ(r.features[0].values[0].expr->number, 2);
  EXPECT_EQ(names_of(r.materials), (Names{"grass", "rock", "moss"}));
  EXPECT_EQ(r.materials[0].roughness, 0.4F);
  EXPECT_EQ(r.materials[0].metallic, 1.0F);
  EXPECT_EQ(r.fog.extinction, 0.5F);
  EXPECT_EQ(r.fog.glow, 0.9F);
  EXPECT_EQ(r.lights[0].pitch->number, 30);
  EXPECT_EQ(r.lights[0].range_m, 5.0F);
}

TEST(RecipeExtends, DropsInheritedParts) {
  const Recipe r = child_of_hills("drop = [\"materials.grass\", \"lights\", \"features.trees\"]\n", "");
  EXPECT_EQ(names_of(r.materials), Names{"rock"});
  EXPECT_TRUE(r.lights.empty());
  EXPECT_TRUE(r.features.empty());
}

TEST(RecipeInclude, TakesTheFunctionsOfAFile) {
  const Files files{{"dir/lib.toml", "[functions]\n\"g(u)\" = \"u + scale\"\n"},
                    {"type:other", "[type]\nid = \"o\"\n[functions]\n\"h(u)\" = \"2*u\"\n[fog]\nglow = 1\n"}};
  const Recipe r = parsed(
      "[type]\nid = \"t\"\nheight_m = 20\ninclude = [\"lib.toml\", \"type:other\"]\n[params]\nscale = { "
      "default = 1, min = 1, max = 1 }\n"
      "[functions]\n\"f(u)\" = \"g(h(u))\"\n[field]\nphi = \"z - f(3)\"\n",
      files, {}, "dir/r.toml");
  EXPECT_EQ(names_of(r.functions), (Names{"g", "h", "f"}));
  EXPECT_EQ(r.fog.glow, 0.5F);
}

TEST(RecipeInclude, FindsPathsBesideTheFile) {
  EXPECT_EQ(path_beside("a/b.toml", "c.toml"), "a/c.toml");
  EXPECT_EQ(path_beside("b.toml", "c.toml"), "c.toml");
  EXPECT_EQ(path_beside("a/b.toml", "/c.toml"), "/c.toml");
  EXPECT_EQ(path_beside("a/b.toml", "type:c"), "type:c");
  EXPECT_EQ(path_beside("type:b", "c.toml"), "c.toml");
}

TEST(RecipeInclude, RefusesAFunctionFromTwoFiles) {
  Notes notes;
  const Files files{{"a", "[functions]\n\"g(u)\" = \"u\"\n"}, {"b", "\n[functions]\n\"g(u)\" = \"2*u\"\n"}};
  const Result<Recipe> recipe =
      parse_recipe("r", "[type]\nid = \"t\"\nheight_m = 20\ninclude = [\"a\", \"b\"]\n" + kField,
                   loader_of(files), {}, notes);
  ASSERT_FALSE(recipe);
  EXPECT_EQ(recipe.error().text(), "b:3:1: function \"g\" is defined twice; first at a:2:1");
}

}  // namespace
}  // namespace vf
