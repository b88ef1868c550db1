// Every kind of error, with its exact text and place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "recipe/language.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

using Files = std::map<std::string, std::string>;

/// All errors of a recipe, the first one first, as a person reads them.
std::vector<std::string> errors_of(const std::string& text, const Files& files = {}) {
  Notes notes;
  const RecipeLoader loader = [&files](const std::string& name) -> Result<std::string> {
    const auto file = files.find(name);
    if (file == files.end()) return Error{ErrorCode::kIo, {}, "cannot read " + name + ": no such file"};
    return file->second;
  };
  const Result<Recipe> recipe = parse_recipe("r", text, loader, {}, notes);
  if (recipe) return {};
  std::vector<std::string> errors{recipe.error().text()};
  for (const Note& note : notes)
    if (note.severity == Severity::kError) errors.push_back(to_string(note.place) + ": " + note.message);
  return errors;
}

using Lines = std::vector<std::string>;

// Four lines, so that what a test adds starts on line 5.
const std::string kStart = "[type]\nid = \"t\"\nheight_m = 20\n\n";
const std::string kField = "[field]\nphi = \"z - 5\"\n";

/// Errors of a good recipe with `extra` after [type].
Lines with(const std::string& extra) {
  return errors_of(kStart + extra + "\n" + kField);
}
/// Errors of a recipe whose [field] starts on line 5.
Lines field(const std::string& extra) {
  return errors_of(kStart + "[field]\n" + extra + "\n");
}

TEST(ParseErrors, OfType) {
  EXPECT_EQ(
      errors_of(""),
      (Lines{
          "r:1:1: there is no [type]; expected one with \"id\" and \"height_m\"",
          "r:1:1: there is no \"phi\" in [field]; expected the density: negative in rock, positive in air"}));
  EXPECT_EQ(errors_of("[type]\n" + kField),
            (Lines{"r:1:2: [type] has no \"id\"; expected a stable name such as \"dome_meadow\"",
                   "r:1:2: [type] has no \"height_m\"; expected the height of the content in metres"}));
  EXPECT_EQ(errors_of("type = 3\n" + kField), Lines{"r:1:1: \"type\" is not a table; write [type]"});
  const auto type = [](const std::string& line) {
    return errors_of("[type]\nid = \"t\"\nheight_m = 20\n" + line + "\n" + kField);
  };
  EXPECT_EQ(errors_of("[type]\nid = \"Not plain\"\nheight_m = 20\n" + kField),
            Lines{"r:2:6: the id \"Not plain\" is not plain; expected 1 .. 48 of a-z, 0-9 and _"});
  EXPECT_EQ(errors_of("[type]\nid = \"t\"\nhieght_m = 20\n" + kField),
            Lines{"r:3:1: unknown key \"hieght_m\" in [type]; did you mean \"height_m\"?"});
  EXPECT_EQ(errors_of("[type]\nid = \"t\"\nheight_m = 3\n" + kField),
            Lines{"r:3:12: \"height_m\" is 3; expected 4 .. 240"});
  EXPECT_EQ(errors_of("[type]\nid = \"t\"\nheight_m = nan\n" + kField),
            Lines{"r:3:12: \"height_m\" is nan; expected 4 .. 240"});
  EXPECT_EQ(errors_of("[type]\nid = \"t\"\nheight_m = \"20\"\n" + kField),
            Lines{"r:3:12: \"height_m\" is text; expected a number"});
  EXPECT_EQ(type("version = 1.5"), Lines{"r:4:11: \"version\" is a number; expected a whole number"});
  EXPECT_EQ(type("version = 0"), Lines{"r:4:11: \"version\" is 0; expected 1 .. 2147483647"});
  EXPECT_EQ(type("name = 3"), Lines{"r:4:8: \"name\" is a number; expected text"});
  EXPECT_EQ(type("tags = \"open\""), Lines{"r:4:8: \"tags\" is text; expected a list of text"});
  EXPECT_EQ(type("tags = [\"a\", 3]"), Lines{"r:4:14: \"tags\" is a number; expected text in the list"});
  EXPECT_EQ(type("gradient_bound = 99"), Lines{"r:4:18: \"gradient_bound\" is 99; expected 0.1 .. 16"});
  EXPECT_EQ(type("overlays = [\"chasm\"]"), Lines{"r:4:1: \"overlays\" are not supported yet"});
  EXPECT_EQ(type("zzzzzzzz = 1"), Lines{"r:4:1: unknown key \"zzzzzzzz\" in [type]"});
  EXPECT_EQ(type("drop = [\"lights.lamp\"]"),
            Lines{"r:4:1: nothing inherited is called \"lights.lamp\"; expected \"features\", \"materials\", "
                  "\"lights\", \"decor\" or "
                  "\"viewpoints\", or one of them with a name, such as \"lights.lamp\""});
  const Lines near = type("drop = [\"light\"]");
  ASSERT_EQ(near.size(), 1U);
  EXPECT_TRUE(near[0].ends_with("did you mean \"lights\"?")) << near[0];
}

TEST(ParseErrors, OfSections) {
  EXPECT_EQ(with("[fogg]"), Lines{"r:5:2: unknown key \"fogg\" in a recipe; did you mean \"fog\"?"});
  EXPECT_EQ(with("[biomes]"), Lines{"r:5:2: \"biomes\" are not supported yet"});
  EXPECT_EQ(with("[materials]\nname = \"a\""),
            Lines{"r:5:2: \"materials\" is not a list of tables; write [[materials]]"});
  EXPECT_EQ(with("[[fog]]\nglow = 1"), Lines{"r:5:3: \"fog\" is not a table; write [fog]"});
  EXPECT_EQ(with("[[world]]"),
            Lines{"r:5:3: this is a world file; expected a recipe with [type] and [field]"});
}

TEST(ParseErrors, OfToml) {
  EXPECT_EQ(errors_of("[type]\nid = \"a\"\nid = \"b\"\n"), Lines{"r:3:6: \"id\" is defined twice"});
  EXPECT_EQ(errors_of("a = \n").front().substr(0, 21), "r:1:5: not valid TOML");
  EXPECT_EQ(errors_of("\xFF\xFE").front().substr(0, 21), "r:1:1: not valid TOML");
  EXPECT_EQ(errors_of("a.b.c.d.e.f.g.h.i.j = 1"),
            Lines{"r:1:18: a key of more than 9 names joined by dots; expected at most 3"});
  EXPECT_EQ(errors_of(std::string(kRecipeLimits.file_bytes + 1, '\n')),
            Lines{"r: the file has 262145 bytes; expected at most 262144"});
}

TEST(ParseErrors, OfParameters) {
  const auto param = [](const std::string& line) { return with("[params]\n" + line); };
  EXPECT_EQ(param("a = { default = 9, min = 0.5, max = 4 }"),
            Lines{"r:6:17: the default 9 of \"a\" is out of range; expected 0.5 .. 4"});
  EXPECT_EQ(param("a = { default = 1, min = 5, max = 4 }"),
            Lines{"r:6:26: the min 5 of \"a\" is above its max 4"});
  EXPECT_EQ(param("a = { default = 1, max = 4 }"),
            Lines{"r:6:1: parameter \"a\" has no \"min\"; expected a number"});
  EXPECT_EQ(param("a = { default = 1, mim = 0, max = 4 }"),
            Lines{"r:6:20: unknown key \"mim\" in parameter \"a\"; did you mean \"min\"?"});
  EXPECT_EQ(
      param("a = { default = 1, min = 0, max = 4, unit = \"metre\" }"),
      Lines{"r:6:45: unknown unit \"metre\"; expected one of m, deg, turns, 1/m, s, m/s, K, %, or none"});
  EXPECT_EQ(param("a = { default = 1, min = 0, max = 4, unit = \"dag\" }"),
            Lines{"r:6:45: unknown unit \"dag\"; expected one of m, deg, turns, 1/m, s, m/s, K, %, or none; "
                  "did you mean \"deg\"?"});
  EXPECT_EQ(param("a = 3"),
            Lines{"r:6:1: \"a\" is a number, but no parameter of that name is inherited; expected "
                  "{ default = ..., min = ..., max = ... }"});
  EXPECT_EQ(param("a = \"3\""),
            Lines{"r:6:1: parameter \"a\" is not a table; expected { default = ..., min = ..., max = ... }"});
  EXPECT_EQ(param("a = { default = \"1\", min = 0, max = 4 }"),
            Lines{"r:6:17: \"default\" is text; expected a number"});
  EXPECT_EQ(
      param("Ab = { default = 1, min = 0, max = 4 }"),
      Lines{"r:6:1: \"Ab\" is not a plain name; expected a letter a-z, then a-z, 0-9 and _, at most 48"});
  EXPECT_EQ(param("box = { default = 1, min = 0, max = 4 }"),
            Lines{"r:6:1: \"box\" belongs to the language and cannot name a parameter; choose another name"});
  EXPECT_EQ(
      param("ground = { default = 1, min = 0, max = 4 }"),
      Lines{"r:6:1: \"ground\" belongs to the language and cannot name a parameter; choose another name"});
  EXPECT_EQ(param("phi = { default = 1, min = 0, max = 4 }"),
            Lines{"r:8:1: \"phi\" is a parameter already, at r:6:1"});
}

TEST(ParseErrors, OfFunctions) {
  const auto function = [](const std::string& line) { return with("[functions]\n" + line); };
  EXPECT_EQ(function("f = \"1\""),
            Lines{"r:6:1: \"f\" is not a function; expected a name with arguments, such as \"hills(u, v)\""});
  EXPECT_EQ(
      function("\"f(u\" = \"1\""),
      Lines{"r:6:1: \"f(u\" is not a function; expected a name with arguments, such as \"hills(u, v)\""});
  EXPECT_EQ(function("\"f(u, u)\" = \"u\""), Lines{"r:6:1: the argument \"u\" of \"f\" is given twice"});
  EXPECT_EQ(function("\"f(u,)\" = \"u\""),
            Lines{"r:6:1: \"u\" is not an argument's name; expected a letter a-z, then a-z, 0-9 and _"});
  EXPECT_EQ(function("\"f(2)\" = \"2\""),
            Lines{"r:6:1: \"2\" is not an argument's name; expected a letter a-z, then a-z, 0-9 and _"});
  EXPECT_EQ(function("\"f(u)\" = \"u\"\n\"f(v, w)\" = \"v + w\""),
            Lines{"r:7:1: function \"f\" is defined twice; first at r:6:1"});
  EXPECT_EQ(function("\"f(u)\" = \"f(u)\""), Lines{"r:6:11: function \"f\" calls itself"});
  EXPECT_EQ(function("\"f(u)\" = \"g(u)\"\n\"g(u)\" = \"u\""),
            Lines{"r:6:11: function \"g\" stands further down; a function knows only those above it"});
  EXPECT_EQ(function("\"f(u)\" = \"u + pz\""),
            Lines{"r:6:15: \"pz\" is not known in a function; hand it over as an argument"});
  EXPECT_EQ(function("\"f(u)\" = \"u + phi\""),
            Lines{"r:6:15: \"phi\" is not known in a function; hand it over as an argument"});
  EXPECT_EQ(function("\"f(length_one)\" = \"lenght_one\""),
            Lines{"r:6:20: unknown name \"lenght_one\"; did you mean \"length_one\"?"});
  EXPECT_EQ(function("\"min(u)\" = \"u\""),
            Lines{"r:6:1: \"min\" belongs to the language and cannot name a function; choose another name"});
  EXPECT_EQ(function("\"phi(u)\" = \"u\""), Lines{"r:8:1: \"phi\" is a function already, at r:6:1"});
}

TEST(ParseErrors, OfNamesInFormulas) {
  EXPECT_EQ(field("roof = \"1\"\nphi = \"z - rof\""),
            Lines{"r:7:12: unknown name \"rof\"; did you mean \"roof\"?"});
  EXPECT_EQ(field("phi = \"z - roof\"\nroof = \"1\""),
            Lines{"r:6:12: \"roof\" stands further down; a formula of [field] knows only those above it"});
  EXPECT_EQ(field("phi = \"z - phi\""), Lines{"r:6:12: \"phi\" uses itself"});
  EXPECT_EQ(field("phi = \"z - min\""),
            Lines{"r:6:12: \"min\" is a word without its arguments; write min(a, b, ...)"});
  EXPECT_EQ(field("phi = \"z - px\""), Lines{"r:6:12: \"px\" is known only in the shape of a feature set"});
  EXPECT_EQ(field("phi = \"z - u1\""),
            Lines{"r:6:12: \"u1\" is known only in the formulas of a feature set or a light"});
  EXPECT_EQ(field("phi = \"z - nz\""), Lines{"r:6:12: \"nz\" is known only in materials and decor"});
  EXPECT_EQ(field("phi = \"z - route.d\""),
            Lines{"r:6:12: \"route.d\" is known only in materials and decor"});
  EXPECT_EQ(field("phi = \"z - water.level\""),
            Lines{"r:6:12: \"water.level\" has no value: there is no \"level\" in [water]"});
  EXPECT_EQ(field("phi = \"z - base.phi\""),
            Lines{"r:6:12: \"base.phi\" is not an inherited formula that is replaced here"});
  EXPECT_EQ(field("phi = \"z - features.a\""),
            Lines{"r:6:12: unknown feature set \"features.a\"; there is no [features.NAME]"});
  EXPECT_EQ(
      field("fhi = \"z - 5\""),
      Lines{"r:6:1: there is no \"phi\" in [field]; expected the density: negative in rock, positive in air; "
            "did you mean \"fhi\"?"});
  EXPECT_EQ(field("phi = [1]"), Lines{"r:6:7: \"phi\" is a list; expected a formula: text or a number"});
  EXPECT_EQ(field("phi = inf"), Lines{"r:6:7: \"phi\" is inf; expected -1e+30 .. 1e+30"});
  EXPECT_EQ(
      field("\"a b\" = 1\nphi = \"z\""),
      Lines{"r:6:1: \"a b\" is not a plain name; expected a letter a-z, then a-z, 0-9 and _, at most 48"});
}

TEST(ParseErrors, OfCalls) {
  const auto phi = [](const std::string& formula) { return field("phi = \"" + formula + "\""); };
  EXPECT_EQ(phi("perlin(4)"), Lines{"r:6:8: unknown word \"perlin\"; did you mean \"perlin2\"?"});
  EXPECT_EQ(phi("min(z)"), Lines{"r:6:8: \"min\" takes at least 2 arguments (a, b, ...), but there is 1"});
  EXPECT_EQ(phi("smin(z, 2)"), Lines{"r:6:8: \"smin\" takes 3 arguments (a, b, k), but there are 2"});
  EXPECT_EQ(phi("abs()"), Lines{"r:6:8: \"abs\" takes 1 argument (a), but there are 0"});
  EXPECT_EQ(phi("length(z)"), Lines{"r:6:8: \"length\" takes 2 or 3 arguments (a, b, c?), but there is 1"});
  EXPECT_EQ(phi("H(3)"), Lines{"r:6:8: \"H\" is not a function; write H * (...) to multiply"});
  EXPECT_EQ(phi("min(z, 2, k = 3)"), Lines{"r:6:18: \"min\" takes no options"});
  EXPECT_EQ(phi("perlin2(4, octave = 3)"),
            Lines{"r:6:19: unknown option \"octave\" of \"perlin2\"; expected octaves, persistence, "
                  "lacunarity, seed; did you mean \"octaves\"?"});
  EXPECT_EQ(phi("perlin2(4, octaves = 11)"),
            Lines{"r:6:29: \"octaves\" is 11; expected a whole number 1 .. 10"});
  EXPECT_EQ(phi("perlin2(4, octaves = 1.5)"),
            Lines{"r:6:29: \"octaves\" is 1.5; expected a whole number 1 .. 10"});
  EXPECT_EQ(phi("perlin2(4, persistence = -1)"), Lines{"r:6:33: \"persistence\" is -1; expected 0 .. 1"});
  EXPECT_EQ(phi("perlin2(4, lacunarity = 9)"), Lines{"r:6:32: \"lacunarity\" is 9; expected 1.5 .. 4"});
  EXPECT_EQ(phi("perlin2(4, seed = -1)"),
            Lines{"r:6:26: \"seed\" is -1; expected a whole number 0 .. 4294967295"});
  EXPECT_EQ(phi("perlin2(4, seed = x)"),
            Lines{"r:6:26: \"x\" is not known here; expected a constant: numbers, parameters, H and tau"});
  EXPECT_EQ(phi("perlin2(4, seed = [1])"), Lines{"r:6:26: \"seed\" is a list; expected one number"});
  EXPECT_EQ(phi("spline1d(z, at = 1, to = [1, 2])"),
            Lines{"r:6:25: \"at\" is not a list; expected one such as [0, 1, 4]"});
  EXPECT_EQ(phi("spline1d(z, at = [0, 1])"),
            Lines{"r:6:8: \"spline1d\" has no option \"to\"; expected a list such as to = [0, 1, 4]"});
  EXPECT_EQ(phi("spline1d(z, at = [0, 1], to = [1, 2, 3])"),
            Lines{"r:6:38: \"to\" has 3 entries, but \"at\" has 2"});
  EXPECT_EQ(phi("spline1d(z, at = [0], to = [1])"),
            (Lines{"r:6:25: \"at\" has 1 entries; expected 2 .. 64",
                   "r:6:35: \"to\" has 1 entries; expected 2 .. 64"}));
  const auto call = [](const std::string& formula) {
    return errors_of(kStart + "[functions]\n\"f(u, v)\" = \"u + v\"\n[field]\nphi = \"" + formula + "\"\n");
  };
  EXPECT_EQ(call("f(1)"), Lines{"r:8:8: \"f\" takes 2 arguments (u, v), but there is 1"});
  EXPECT_EQ(call("f(1, 2, 3)"), Lines{"r:8:8: \"f\" takes 2 arguments (u, v), but there are 3"});
  EXPECT_EQ(call("f(z, 2, seed = 3)"), Lines{"r:8:16: \"f\" is a function and takes no options"});
  EXPECT_EQ(call("z + f"), Lines{"r:8:12: \"f\" is a function without its arguments; write f(u, v)"});
}

/// A set that is good, and starts on line 5, with lines changed or added.
Lines set(const std::string& extra, const std::string& without = "\n") {
  std::string text =
      "[features.a]\nkind = \"scatter\"\npitch = 10\nshape = \"length(px, py) - 1\"\nextent = 1\nextent_z = "
      "[0, 5]\n";
  const std::size_t at = text.find(without);
  text.erase(at, text.find('\n', at) - at + 1);
  if (without == "\n") text.insert(at, "\n");
  return errors_of(kStart + text + extra +
                   "\n[field]\nflat = \"8\"\nhill = \"8 + z\"\nphi = \"min(z - flat, features.a, hill)\"\n");
}

TEST(ParseErrors, OfFeatureSets) {
  EXPECT_EQ(set(""), Lines{});
  EXPECT_EQ(set("pittch = 3", "pitch"),
            Lines{"r:10:1: unknown key \"pittch\" in [features.a]; did you mean \"pitch\"?"});
  EXPECT_EQ(set("", "pitch"),
            Lines{"r:5:11: [features.a] has no \"pitch\"; expected the edge of a cell in metres"});
  EXPECT_EQ(
      set("", "shape"),
      Lines{"r:5:11: [features.a] has no \"shape\"; expected the distance to the surface, negative inside"});
  EXPECT_EQ(set("", "extent ="), Lines{"r:5:11: [features.a] has no \"extent\"; expected [x, y] or one "
                                       "number: half the size of the shape in metres"});
  EXPECT_EQ(set("", "extent_z"), Lines{"r:5:11: [features.a] has no \"extent_z\"; expected [low, high]: from "
                                       "and to which height the shape reaches, in metres"});
  EXPECT_EQ(
      set("kind = \"scater\"", "kind"),
      Lines{"r:10:8: unknown kind \"scater\"; expected scatter, lattice, list; did you mean \"scatter\"?"});
  EXPECT_EQ(
      set("kind = \"graph\"", "kind"),
      Lines{"r:10:8: the feature kind \"graph\" is not supported yet; expected scatter, lattice or list"});
  EXPECT_EQ(set("kind = \"lattice\"\njitter = 0.5", "kind"),
            Lines{"r:11:1: \"jitter\" has no meaning for kind \"lattice\""});
  EXPECT_EQ(set("points = [[1, 2, 3]]"), Lines{"r:11:1: \"points\" has no meaning for kind \"scatter\""});
  EXPECT_EQ(set("kind = \"list\"", "kind"),
            (Lines{"r:5:11: [features.a] has no \"points\"; expected [[x, y, z], ...]",
                   "r:6:1: \"pitch\" has no meaning for kind \"list\""}));
  EXPECT_EQ(set("offset = [1, 2, 3]"),
            Lines{"r:11:10: \"offset\" has 3 entries; expected a list of 2 formulas"});
  EXPECT_EQ(set("jitter = \"x\""),
            Lines{"r:11:11: \"x\" is not known here; expected a constant: numbers, parameters, H and tau"});
  EXPECT_EQ(set("jitter = \"flat\""), Lines{"r:11:11: \"flat\" of [field] is not known here; expected a "
                                            "constant: numbers, parameters, H and tau"});
  EXPECT_EQ(set("jitter = \"perlin2(4)\""),
            Lines{"r:11:11: \"perlin2\" depends on x and y, but this must be a constant"});
  EXPECT_EQ(set("ground = \"hill\""),
            Lines{"r:11:11: \"hill\" depends on z, but this is about a place in plan: x and y"});
  EXPECT_EQ(set("ground = \"z\""),
            Lines{"r:11:11: \"z\" is not known here; this is about a place in plan: x and y"});
  EXPECT_EQ(set("accept = \"phi\""),
            Lines{"r:11:11: \"phi\" depends on a feature set, which is not known here"});
  EXPECT_EQ(set("accept = \"features.a\""), Lines{"r:11:11: \"features.a\" is not known here; only [field], "
                                                  "materials and decor can use feature sets"});
  EXPECT_EQ(set("accept = \"perlin3(4)\""),
            Lines{"r:11:11: \"perlin3\" depends on z, but this is about a place in plan: x and y"});
  EXPECT_EQ(set("accept = \"pz\""), Lines{"r:11:11: \"pz\" is known only in the shape of a feature set"});
  EXPECT_EQ(set("shape = \"pz - u1\"", "shape"),
            Lines{"r:10:15: \"u1\" is not known in a shape; make a value of it in [features.a.values]"});
  EXPECT_EQ(set("shape = \"pz - ground\"", "shape"),
            Lines{"r:10:15: \"ground\" is not known in a shape; make a value of it in [features.a.values]"});
  EXPECT_EQ(set("[features.a.values]\nr = \"s\"\ns = \"1\""),
            Lines{"r:12:6: \"s\" stands further down; a value knows only those above it"});
  EXPECT_EQ(set("[features.a.values]\nr = \"r\""), Lines{"r:12:6: \"r\" uses itself"});
  EXPECT_EQ(set("[features.a.values]\nflat = \"1\""),
            Lines{"r:12:1: \"flat\" is a formula of [field] already, at r:14:1"});
  EXPECT_EQ(set("[features.a.values]\nground = \"1\""),
            Lines{"r:12:1: \"ground\" belongs to the language and cannot name a value; choose another name"});
  EXPECT_EQ(
      set("[features.B]"),
      Lines{"r:11:11: \"B\" is not a plain name; expected a letter a-z, then a-z, 0-9 and _, at most 48"});
}

TEST(ParseErrors, OfPoints) {
  const auto points = [](const std::string& list) {
    return with("[features.a]\nkind = \"list\"\npoints = " + list +
                "\nshape = \"pz\"\nextent = 1\nextent_z = [0, 5]");
  };
  EXPECT_EQ(points("3"), Lines{"r:7:10: \"points\" is not a list; expected [[x, y, z], ...]"});
  EXPECT_EQ(points("[[1, 2]]"), Lines{"r:7:11: a point is not [x, y, z]"});
  EXPECT_EQ(points("[[1, 2, \"q\"]]"), Lines{"r:7:19: unknown name \"q\""});
}

TEST(ParseErrors, OfMaterials) {
  const auto material = [](const std::string& line) { return with("[[materials]]\nname = \"a\"\n" + line); };
  EXPECT_EQ(with("[[materials]]\nweight = 1"), Lines{"r:5:1: [[materials]] has no \"name\"; expected text"});
  EXPECT_EQ(material("color = \"red\""),
            Lines{"r:7:9: \"color\" is \"red\"; expected a colour such as \"#6CBF5B\""});
  EXPECT_EQ(material("color = \"#12345G\""),
            Lines{"r:7:9: \"color\" is \"#12345G\"; expected a colour such as \"#6CBF5B\""});
  EXPECT_EQ(material("color = 3"),
            Lines{"r:7:9: \"color\" is a number; expected a colour such as \"#6CBF5B\""});
  EXPECT_EQ(material("roughness = 1.5"), Lines{"r:7:13: \"roughness\" is 1.5; expected 0 .. 1"});
  EXPECT_EQ(material("rougness = 1"),
            Lines{"r:7:1: unknown key \"rougness\" in [[materials]]; did you mean \"roughness\"?"});
  EXPECT_EQ(
      material("detail = \"gras\""),
      Lines{"r:7:10: unknown detail \"gras\"; expected none, noise, cracks, tiles, bricks, bands, grass, "
            "speckle, plaster, leaves; did you mean \"grass\"?"});
  EXPECT_EQ(material("weight = \"px\""), Lines{"r:7:11: \"px\" is known only in the shape of a feature set"});
  EXPECT_EQ(material("[[materials]]\nname = \"a\""),
            Lines{"r:8:1: two [[materials]] are called \"a\"; first at r:5:1"});
}

TEST(ParseErrors, OfLights) {
  const auto light = [](const std::string& lines) { return with("[[lights]]\nname = \"a\"\n" + lines); };
  EXPECT_EQ(light(""), Lines{"r:5:1: [[lights]] has no \"pitch\"; expected the edge of a cell in metres"});
  EXPECT_EQ(light("pitch = 9\ncolor = \"#FFFFFF\"\nkelvin = 3000"),
            Lines{"r:9:1: a light has either \"color\" or \"kelvin\", not both"});
  EXPECT_EQ(light("pitch = 9\nkelvin = 200"), Lines{"r:8:10: \"kelvin\" is 200; expected 1000 .. 15000"});
  EXPECT_EQ(light("pitch = 9\nvisible_body = 1"),
            Lines{"r:8:16: \"visible_body\" is a number; expected true or false"});
  EXPECT_EQ(light("placement = \"point\""),
            Lines{"r:5:1: [[lights]] has no \"at\"; expected [x, y, z] in the sector, in metres"});
  EXPECT_EQ(light("placement = \"point\"\nat = [1, 2, 3]\npitch = 4"),
            Lines{"r:9:1: \"pitch\" has no meaning for placement \"point\""});
  EXPECT_EQ(light("placement = \"features\"\nfeatures = \"b\""),
            Lines{"r:5:1: light \"a\" stands on unknown feature set \"b\""});
  EXPECT_EQ(light("pitch = 9\noffset = [0, 0, \"z\"]"),
            Lines{"r:8:18: \"z\" is not known here; this is about a place in plan: x and y"});
}

TEST(ParseErrors, OfTheRest) {
  EXPECT_EQ(with("[ambient]\nkey_direction = [0, 0, 0]"),
            Lines{"r:6:1: \"key_direction\" is [0, 0, 0]; expected a direction towards the glow"});
  EXPECT_EQ(with("[ambient]\nkey_direction = [0, 1]"),
            Lines{"r:6:17: \"key_direction\" has 2 entries; expected a list of 3 numbers"});
  EXPECT_EQ(with("[fog]\nextinction = -1"), Lines{"r:6:14: \"extinction\" is -1; expected 0 .. 10"});
  EXPECT_EQ(with("[sound]\nreverberation_s = 90"),
            Lines{"r:6:19: \"reverberation_s\" is 90; expected 0 .. 60"});
  EXPECT_EQ(with("[[decor]]\nname = \"a\""),
            Lines{"r:5:1: [[decor]] has no \"model\"; expected the name of a model"});
  EXPECT_EQ(with("[[decor]]\nname = \"a\"\nmodel = \"m\"\nscale = [2, 1]"),
            Lines{"r:8:1: \"scale\" is [2, 1]; expected the lower one first"});
  EXPECT_EQ(
      with("[water]\nlevel = \"water.level\""),
      Lines{
          "r:6:10: \"water.level\" is not known here; expected a constant: numbers, parameters, H and tau"});
  EXPECT_EQ(with("[route]\nfrom = \"sky\""),
            Lines{"r:6:8: unknown from \"sky\"; expected ground, graph, lattice, chain"});
  EXPECT_EQ(with("[route]\nmaterial = \"a\""), Lines{"r:5:2: the route's material \"a\" is unknown"});
  EXPECT_EQ(with("[route]\nanchor = \"route.h\""),
            Lines{"r:6:11: \"route.h\" is known only in materials and decor"});
  EXPECT_EQ(with("[[viewpoints]]\nname = \"a\"\neye = [1, 2, 3]"),
            Lines{"r:5:1: [[viewpoints]] has no \"target\"; expected [x, y, z] in metres"});
  EXPECT_EQ(with("[[viewpoints]]\nname = \"a\"\neye = [\"x\", 2, 3]\ntarget = [1, 2, 3]"),
            Lines{"r:7:9: \"x\" is not known here; expected a constant: numbers, parameters, H and tau"});
  EXPECT_EQ(with("[view]\nnear_m = 64"), Lines{"r:6:10: \"near_m\" is 64; expected 16 .. 32"});
}

TEST(ParseErrors, OfExtends) {
  const std::string child = "[type]\nid = \"c\"\nextends = \"base.toml\"\n";
  const std::string good = kStart + kField;
  EXPECT_EQ(errors_of(child, {{"base.toml", good}}), Lines{});
  EXPECT_EQ(errors_of(child), Lines{"r:3:11: cannot read base.toml: no such file"});
  EXPECT_EQ(errors_of("[type]\nid = \"c\"\nextends = 3\nheight_m = 20\n" + kField),
            Lines{"r:3:11: \"extends\" is not text; expected a path or type:ID"});
  EXPECT_EQ(errors_of("[type]\nid = \"c\"\ninclude = \"a\"\nheight_m = 20\n" + kField),
            Lines{"r:3:11: \"include\" is not a list of text; expected paths or type:ID"});
  EXPECT_EQ(errors_of(child, {{"base.toml", "[type]\nid = \"b\"\nextends = \"r\"\n"}}),
            Lines{"base.toml:3:11: \"r\" extends itself: r -> base.toml -> r"});
  EXPECT_EQ(errors_of(child, {{"base.toml", "[type]\nid = \"b\"\nheight_m = 20\n[field]\nphi = \"q\"\n"}}),
            Lines{"base.toml:5:8: unknown name \"q\""});
  EXPECT_EQ(
      errors_of("[type]\nid = \"base\"\nextends = \"base.toml\"\n",
                {{"base.toml", "[type]\nid = \"base\"\nheight_m = 20\n" + kField}}),
      Lines{"r:2:6: the id \"base\" is that of the recipe that this one extends; expected one of its own"});
  Files chain;
  for (int i = 0; i < 9; ++i)
    chain[i == 0 ? std::string("base.toml") : fmt::format("b{}", i)] =
        fmt::format("[type]\nid = \"b\"\nextends = \"b{}\"\n", i + 1);
  EXPECT_EQ(
      errors_of(child, chain),
      Lines{
          "b7:3:11: the chain of \"extends\" is longer than 8: r -> base.toml -> b1 -> b2 -> b3 -> b4 -> b5 "
          "-> b6 -> b7 -> b8"});
  EXPECT_EQ(errors_of(child + "[params]\na = 9\n",
                      {{"base.toml", good + "[params]\na = { default = 1, min = 0, max = 2 }\n"}}),
            Lines{"r:5:5: the default 9 of \"a\" is out of range; expected 0 .. 2"});
}

TEST(ParseErrors, OfCounts) {
  const auto many = [](int count, const auto& one) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format(fmt::runtime(one), i);
    return text;
  };
  const auto first = [](const Lines& lines) { return lines.empty() ? std::string() : lines.front(); };
  EXPECT_EQ(first(with("[params]\n" + many(129, "p{} = {{ default = 1, min = 1, max = 1 }}\n"))),
            "r:5:2: there are 129 parameters; expected at most 128");
  EXPECT_EQ(first(with("[functions]\n" + many(257, "\"f{}(a)\" = \"a\"\n"))),
            "r:262:1: more than 256 functions");
  EXPECT_EQ(first(field(many(257, "f{} = 1\n"))), "r:5:2: [field] has 257 names; expected at most 256");
  EXPECT_EQ(first(with(many(17, "[[materials]]\nname = \"m{}\"\n"))), "r:37:1: more than 16 [[materials]]");
  EXPECT_EQ(first(with(many(17, "[[lights]]\npitch = 9\nname = \"m{}\"\n"))),
            "r:53:1: more than 16 [[lights]]");
  EXPECT_EQ(
      first(with(many(17, "[features.f{}]\npitch = 9\nshape = \"pz\"\nextent = 1\nextent_z = [0, 1]\n"))),
      "r:5:2: there are 17 feature sets; expected at most 16");
  EXPECT_EQ(first(set("[features.a.values]\n" + many(17, "v{} = 1\n"))),
            "r:11:13: [features.a] has 17 values; expected at most 16");
  EXPECT_EQ(first(with("[functions]\n\"f(" + many(17, "a{}, ") + "z)\" = \"1\"")),
            "r:6:1: function \"f\" has 18 arguments; expected at most 16");
  EXPECT_EQ(first(field("phi = \"" + std::string(20000, ' ') + "1\"")),
            "r:6:7: the formula has 20001 bytes; expected at most 16384");
}

TEST(ParseErrors, OfFunctionsThatGrowWithoutBound) {
  // Each doubles the one before: 2^40 operations in 40 short lines, found without writing them out.
  std::string text = "\"f0(a)\" = \"a + 1\"\n";
  for (int i = 1; i < 40; ++i) text += fmt::format("\"f{}(a)\" = \"f{}(f{}(a))\"\n", i, i - 1, i - 1);
  const Lines lines = errors_of(kStart + "[functions]\n" + text + "[field]\nphi = \"z - f39(1)\"\n");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "r:47:10: the formula is more than 64 operations deep with its functions written out");
  EXPECT_EQ(lines[1], "r:47:10: the formula has more than 1000000 operations with its functions written out");
}

TEST(ParseErrors, AreAllReportedInTheOrderOfTheText) {
  EXPECT_EQ(
      errors_of("[type]\nid = \"t\"\nheight_m = 1\nfoo = 2\n[field]\nphi = \"q + q2\"\n[fog]\nglow = 7\n"),
      (Lines{"r:3:12: \"height_m\" is 1; expected 4 .. 240", "r:4:1: unknown key \"foo\" in [type]",
             "r:6:8: unknown name \"q\"", "r:6:12: unknown name \"q2\"",
             "r:8:8: \"glow\" is 7; expected 0 .. 1"}));
}

}  // namespace
}  // namespace vf
