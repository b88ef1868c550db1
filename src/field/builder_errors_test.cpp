// What the author is told, and where.
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "base/notes.h"
#include "base/result.h"
#include "field/builder.h"
#include "field/recipe_for_tests.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

using test::Built;

struct Case {
  const char* name;
  const char* field;  ///< starts at line 5
  const char* error;
};

class BuilderErrors : public testing::TestWithParam<Case> {};

TEST_P(BuilderErrors, NameThePlaceAndTheCause) {
  const Built b(GetParam().field);
  EXPECT_EQ(b.error, GetParam().error);
}

const Case kCases[] = {
    {"SqrtOfNegative", "phi = \"z - sqrt(wave(x, 9) - 2)\"",
     "r.toml:5:28: the square root of a negative number: this ranges over -3 .. -1"},
    {"DivisionByZero", "phi = \"z - 1/perlin2(9)\"",
     "r.toml:5:13: division by zero: the divisor ranges over -1 .. 1"},
    {"ExpOverflow", "phi = \"z - exp(3*z)\"",
     "r.toml:5:17: exp needs an argument within -80 .. 80: this ranges over -90 .. 186"},
    {"TooLarge", "a = \"pow3(pow3(z*100000))\"\nphi = \"z - a\"",
     "r.toml:5:6: this may grow beyond all numbers (3e38)"},
    {"NeverZero", "phi = \"z + 31\"",
     "r.toml:5:10: phi never crosses zero: it ranges over 1 .. 93, so all would be air"},
    {"AllRock", "phi = \"-1 - abs(z)\"",
     "r.toml:5:11: phi never crosses zero: it ranges over -63 .. -1, so all would be rock"},
    {"ModByFormula", "phi = \"z - mod(z, perlin2(8))\"",
     "r.toml:5:19: the divisor of mod must be a constant above zero"},
    {"SpreadVaries", "phi = \"z - perlin2(z)\"",
     "r.toml:5:20: spread must be a constant: a formula of numbers, parameters, H and tau"},
    {"SpreadTooSmall", "phi = \"z - perlin2(0.001)\"",
     "r.toml:5:20: spread is 0.001 m; expected 1/64 .. 4096 m"},
    {"SpreadTooLarge", "phi = \"z - perlin2(5000)\"",
     "r.toml:5:20: spread is 5000 m; expected 1/64 .. 4096 m"},
    {"OctaveTooFine", "phi = \"z - perlin2(0.1, octaves = 5)\"",
     "r.toml:5:12: octave 4 would be finer than 1/64 m; use fewer octaves"},
    {"NoPair", "phi = \"z - rotate(perlin2(8), 1, 2)\"",
     "r.toml:5:12: (1, 2) is no Pythagorean pair: a * a + b * b must be the square of a whole number, as for "
     "(3, 4)"},
    {"TurnedTooFar", "phi = \"z - rotate(perlin2(8), 5, 12)\"",
     "r.toml:5:12: x and y are turned or multiplied too far to stay exact: use pairs such as (3, 4) once"},
    {"WarpTooFar", "phi = \"z - warp_xy(perlin2(4000), 20000*perlin2(9), 0)\"",
     "r.toml:5:12: this warp and period reach 20000 m; at most 14848 m stay exact here"},
    {"SmoothstepOrder", "phi = \"z - smoothstep(2, 1, z)\"",
     "r.toml:5:12: smoothstep needs low < high; here 2 and 1"},
    {"BlendVaries", "phi = \"smin(z - 1, z - 2, z)\"",
     "r.toml:5:27: k must be a constant: a formula of numbers, parameters, H and tau"},
    {"CapsuleVaries", "phi = \"capsule(repeat(x, 9), 0, z, 0, 0, 0, 1, 1, 1, z)\"",
     "r.toml:5:54: the parameters of capsule must be constants or values of the place"},
    {"HeightOfZ", "phi = \"heightfield(perlin3(9))\"",
     "r.toml:5:20: heightfield takes a height over x and y; this changes with z"},
    {"HeightJumps", "phi = \"heightfield(floor(perlin2(9)*3))\"",
     "r.toml:5:20: heightfield cannot scale itself: no bound is proven for the slope of this height, which "
     "may "
     "jump; write factor * (z - h) instead"},
    {"SplineOrder", "phi = \"z - spline1d(z, at = [0, 1, 1], to = [0, 1, 2])\"",
     "r.toml:5:12: at must rise by 0.0001 or more: 1 is followed by 1"},
};

INSTANTIATE_TEST_SUITE_P(All, BuilderErrors, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& test) { return test.param.name; });

TEST(BuilderErrorsTest, SaysWhereANamedPartIsRefused) {
  const Built b("root = \"sqrt(perlin2(12))\"\nphi = \"z - root\"");
  EXPECT_EQ(b.error, "r.toml:5:14: the square root of a negative number: this ranges over -1 .. 1");
}

TEST(BuilderErrorsTest, StopsFunctionsThatGrowWithoutEnd) {
  std::string functions = "[functions]\n\"f0(u)\" = \"u + perlin3(9)\"\n";
  for (int i = 1; i < 15; ++i)
    functions += "\"f" + std::to_string(i) + "(u)\" = \"f" + std::to_string(i - 1) + "(u + z) * f" +
                 std::to_string(i - 1) + "(u - z)\"\n";
  const Built b("phi = \"z - f14(1)\"", functions);
  EXPECT_NE(b.error.find("grow"), std::string::npos) << b.error;
}

TEST(BuilderErrorsTest, HoldsItsLimitsWithoutTheParser) {
  // The parser refuses these first; a recipe may be made without it.
  const auto formula = [](const std::string& text) { return *parse_formula(text, {"r.toml", 1, 1}); };
  for (const char* word : {"perlin2(u)", "wave(x, u)", "wave(u, 9)", "wave(u + x, 9)", "u"}) {
    Recipe recipe;
    recipe.id = "r";
    recipe.height_m = 32;
    recipe.functions.push_back({"f0", {}, {"u"}, formula(word)});
    for (int i = 1; i < 60; ++i)
      recipe.functions.push_back(
          {"f" + std::to_string(i), {}, {"u"}, formula("f" + std::to_string(i - 1) + "(u + u)")});
    recipe.field.push_back({"phi", {}, formula("z - 9 - f59(1)")});
    Notes notes;
    const auto built = build_recipe(std::make_shared<const Recipe>(recipe), notes);
    EXPECT_FALSE(built) << word;
  }
}

TEST(BuilderErrorsTest, WarnsOfSlopesBeyondThePromise) {
  const Built b("phi = \"3*(z - 10)\"");
  ASSERT_EQ(b.error, "");
  ASSERT_EQ(b.notes.size(), 1U);
  EXPECT_EQ(b.notes[0].message, "not proven: the slope of phi may reach 3; gradient_bound promises 1");
}

TEST(BuilderErrorsTest, NamesTheFirstPartThatMayJump) {
  const Built b("a = \"floor(z)\"\nphi = \"z - a - 0.5\"");
  ASSERT_EQ(b.error, "");
  ASSERT_EQ(b.notes.size(), 1U);
  EXPECT_EQ(to_string(b.notes[0].place), "r.toml:5:6");
  EXPECT_EQ(b.notes[0].message,
            "not proven: no bound is known for the slope here, which may jump; gradient_bound promises 1");
}

TEST(BuilderErrorsTest, ShapesMustHaveAnInside) {
  const Built b("phi = \"min(z - 8, features.a)\"",
                "[features.a]\npitch = 20\nshape = \"1 + length(px, py)\"\nextent = 2\nextent_z = [-1, 1]\n");
  EXPECT_EQ(b.error.substr(0, 71), "r.toml:8:12: the shape of features.a is never negative: it ranges over ");
}

TEST(BuilderErrorsTest, ExtentsMustNotBeNegative) {
  const Built flat(
      "phi = \"min(z - 8, features.a)\"",
      "[features.a]\npitch = 20\nshape = \"length(px, py) - 1\"\nextent = -1\nextent_z = [-1, 1]\n");
  EXPECT_EQ(
      flat.error,
      "r.toml:9:10: the extent of features.a is negative: it ranges over -1 .. -1; expected 0 m or more");
  const Built upside(
      "phi = \"min(z - 8, features.a)\"",
      "[features.a]\npitch = 20\nshape = \"length(px, py) - 1\"\nextent = 1\nextent_z = [2, -1]\n");
  EXPECT_EQ(upside.error, "r.toml:10:16: extent_z of features.a ends at -1 at most, below its start at 2");
}

TEST(BuilderErrorsTest, ShapesMustStayWithinReach) {
  const Built b(
      "phi = \"min(z - 8, features.a)\"",
      "[features.a]\npitch = 20\nshape = \"length(px, py) - 900\"\nextent = 900\nextent_z = [-1, 1]\n");
  EXPECT_EQ(b.error,
            "r.toml:9:10: the shapes of features.a may reach 904 m with far and blend; at most 512 m");
}

}  // namespace
}  // namespace vf
