#include "field/builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/recipe_for_tests.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

using test::Built;

const NoiseOctave& first_octave(const Built& b, Opcode op = Opcode::kNoise2) {
  return b.density().noises[b.find(op)->param].octaves[0];
}

const FrameAxis& axis_of_periodic(const Built& b, Opcode op) {
  return b.density().frame_axes[b.density().periodics[b.find(op)->param].axis];
}

TEST(Builder, SharesEqualSubexpressions) {
  const Built b("a = \"perlin2(30)\"\nphi = \"z - 10 - perlin2(30) - 2*a - abs(3 + a) - abs(a + 3)\"");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.count(Opcode::kNoise2), 1);
  EXPECT_EQ(b.count(Opcode::kAbs), 1);
}

TEST(Builder, ListsInputsBeforeUsersAndNothingDead) {
  const Built b("unused = \"perlin3(7)*exp(0.01*z)\"\nphi = \"z - 8 - 2*perlin2(30) - wave(x, 28)\"");
  ASSERT_EQ(b.error, "");
  const Program& p = b.density();
  std::vector<bool> used(p.nodes.size(), false);
  used[p.outputs[0]] = true;
  for (std::size_t i = 0; i < p.nodes.size(); ++i) {
    for (int k = 0; k < input_count(p.nodes[i].op); ++k) {
      ASSERT_LT(p.nodes[i].in[static_cast<std::size_t>(k)], i);
      used[p.nodes[i].in[static_cast<std::size_t>(k)]] = true;
    }
  }
  EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](bool u) { return u; }));
  EXPECT_EQ(p.places.size(), p.nodes.size());
  EXPECT_EQ(b.count(Opcode::kNoise3), 0);
  EXPECT_EQ(p.noises.size(), 1U);
  EXPECT_EQ(p.frame_axes.size(), 3U);  // the noise's x and y, the wave
}

TEST(Builder, FoldsConstantsInFloat) {
  // 0.1 + 0.2 and its third, rounded to f32 at each step.
  const Built b("phi = \"z - abs(-(0.1 + 0.2))/3 - 8\"");
  ASSERT_EQ(b.error, "");
  const float expected = (0.1F + 0.2F) / 3.0F;
  EXPECT_NE(std::find(b.density().constants.begin(), b.density().constants.end(), expected),
            b.density().constants.end());
  EXPECT_EQ(b.count(Opcode::kDivide), 0);
}

TEST(Builder, KeepsEveryBitWhenItShortens) {
  const Built b(
      "phi = \"1*z + 0 - (0 + 8) + 0*perlin2(9) - (z - z) + min(z, z)*0 + max(--z, z)/1 - z + mix(z, z, "
      "x)\"");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.count(Opcode::kNoise2), 0);
  EXPECT_EQ(b.count(Opcode::kMultiply), 0);
  EXPECT_EQ(b.count(Opcode::kNegate), 0);
  EXPECT_EQ(b.count(Opcode::kMix), 0);
  // A tenth is not a power of two, a quarter is.
  EXPECT_EQ(Built("phi = \"z/10 - 1\"").count(Opcode::kDivide), 1);
  EXPECT_EQ(Built("phi = \"z/4 - 1\"").count(Opcode::kDivide), 0);
}

TEST(Builder, BalancesLongUnions) {
  const Built b(
      "phi = \"min(z - 1, z - perlin2(2), z - perlin2(3), z - perlin2(4), z - perlin2(5), z - 6, z - 7, z - "
      "8)\"");
  ASSERT_EQ(b.error, "");
  const Program& p = b.density();
  std::vector<int> depth(p.nodes.size(), 0);
  int deepest = 0;
  for (std::size_t i = 0; i < p.nodes.size(); ++i) {
    for (int k = 0; k < input_count(p.nodes[i].op); ++k)
      depth[i] = std::max(depth[i], depth[p.nodes[i].in[static_cast<std::size_t>(k)]]);
    if (p.nodes[i].op == Opcode::kMin) ++depth[i];
    deepest = std::max(deepest, depth[i]);
  }
  EXPECT_EQ(b.count(Opcode::kMin), 9);
  EXPECT_EQ(deepest, 5);  // 3 for eight operands, 2 for the bands
}

TEST(Builder, InfersKinds) {
  const Built b("h = \"perlin2(30) + wave(y, 8)\"\nphi = \"z*z/40 - h - 5\"");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.find(Opcode::kNoise2)->kind, Kind::kColumn);
  EXPECT_EQ(b.find(Opcode::kWave)->kind, Kind::kColumn);
  EXPECT_EQ(b.find(Opcode::kSquare)->kind, Kind::kSlice);
  EXPECT_EQ(b.find(Opcode::kConstant)->kind, Kind::kConstant);
  EXPECT_EQ(b.density().nodes[b.density().outputs[0]].kind, Kind::kFull);
}

TEST(Builder, SealsTheContentInterval) {
  const Built b("phi = \"z - 10\"");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.count(Opcode::kMin), 2);
  EXPECT_EQ(b.density().height_m, 32.0F);
  EXPECT_EQ(b.value.facts.gradient_bound, 1.0F);
}

TEST(Builder, TellsWhereEachNodeWasWritten) {
  const Built b("a = \"2 + perlin2(30)\"\nphi = \"z - 9 - a\"");
  ASSERT_EQ(b.error, "");
  std::string where;
  for (std::size_t i = 0; i < b.density().nodes.size(); ++i)
    if (b.density().nodes[i].op == Opcode::kNoise2) where = to_string(b.density().places[i]);
  EXPECT_EQ(where, "r.toml:5:10");
}

// ---------------------------------------------------------------- coordinates

TEST(Builder, ShiftsOfCoordinatesEnterTheAxis) {
  const Built b("u = \"x + 3\"\nphi = \"z - 10 - wave(u - 1.25, 28)\"", "", "gradient_bound = 2\n");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.density().nodes[b.find(Opcode::kWave)->in[0]].op, Opcode::kX);
  EXPECT_EQ(axis_of_periodic(b, Opcode::kWave), (FrameAxis{1, 0, 28 * 1024, 1792}));
  EXPECT_FALSE(b.value.facts.uses_absolute);
  EXPECT_TRUE(b.notes.empty());
}

TEST(Builder, ReadsSumsAndMultiplesOfCoordinates) {
  const Built b("phi = \"z - 10 - abs(repeat(2*y - x, 12.5))\"");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(axis_of_periodic(b, Opcode::kRepeat), (FrameAxis{-1, 2, 12800, 0}));
  EXPECT_EQ(b.count(Opcode::kAffine), 1);
}

TEST(Builder, SnapsWarpsToTheGrid) {
  const Built b("phi = \"z - 10 - wave(x + 2*perlin2(50), 28)\"");
  ASSERT_EQ(b.error, "");
  const Program& p = b.density();
  const Node& sum = p.nodes[b.find(Opcode::kWave)->in[0]];
  ASSERT_EQ(sum.op, Opcode::kAdd);
  EXPECT_TRUE(p.nodes[sum.in[0]].op == Opcode::kSnap || p.nodes[sum.in[1]].op == Opcode::kSnap);
  EXPECT_TRUE(p.nodes[sum.in[0]].op == Opcode::kX || p.nodes[sum.in[1]].op == Opcode::kX);
}

TEST(Builder, TurnsDomainsInIntegers) {
  const Built b("phi = \"z - 10 - rotate(perlin2(20) + repeat(x + 2, 6)/8, 3, 4)\"");
  ASSERT_EQ(b.error, "");
  const Program& p = b.density();
  const NoiseOctave& o = first_octave(b);
  EXPECT_EQ(p.frame_axes[o.axis[0]], (FrameAxis{3, 4, 20 * 1024 * 5, 0}));
  EXPECT_EQ(p.frame_axes[o.axis[1]], (FrameAxis{-4, 3, 20 * 1024 * 5, 0}));
  EXPECT_EQ(o.period, 100.0F);
  EXPECT_EQ(o.period_z, 20.0F);
  EXPECT_EQ(axis_of_periodic(b, Opcode::kRepeat), (FrameAxis{3, 4, 6 * 1024 * 5, 2 * 1024 * 5}));
  EXPECT_EQ(p.periodics[b.find(Opcode::kRepeat)->param].scale, 0.2F);
  EXPECT_EQ(p.nodes[b.find(Opcode::kNoise2)->in[0]].op, Opcode::kAffine);
}

TEST(Builder, ReportsPlainCoordinatesWhereTheyAreUsed) {
  const Built b("phi = \"z - 10 - abs(0.001*x)\"");
  ASSERT_EQ(b.error, "");
  EXPECT_TRUE(b.value.facts.uses_absolute);
  ASSERT_EQ(b.notes.size(), 1U);
  EXPECT_EQ(to_string(b.notes[0].place), "r.toml:5:27");
  EXPECT_EQ(b.notes[0].severity, Severity::kWarning);
  EXPECT_EQ(b.notes[0].message,
            "x is used as a plain number: it grows coarse far from the origin; use noise, wave, repeat or "
            "features");
}

TEST(Builder, FormulasWithoutFrameKeepTheirPeriod) {
  const Built b("phi = \"z - 10 - wave(z, 0.3)\"");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(axis_of_periodic(b, Opcode::kWave).ax, 0);
  EXPECT_EQ(b.density().periodics[0].period, 0.3F);
  EXPECT_EQ(b.find(Opcode::kWave)->kind, Kind::kSlice);
}

// ---------------------------------------------------------------- noise

TEST(Builder, RoundsOctavesAndNormalisesAmplitudes) {
  const Built b("phi = \"z - 10 - perlin2(10.01, octaves = 3, persistence = 0.5, lacunarity = 3)\"");
  ASSERT_EQ(b.error, "");
  const auto& octaves = b.density().noises[0].octaves;
  ASSERT_EQ(octaves.size(), 3U);
  EXPECT_EQ(octaves[0].period, 641.0F / 64.0F);
  EXPECT_EQ(octaves[1].period, 3419.0F / 1024.0F);  // 641 * 16 / 3 = 3418.67
  EXPECT_EQ(octaves[2].period, 1140.0F / 1024.0F);
  EXPECT_FLOAT_EQ(octaves[0].amplitude + octaves[1].amplitude + octaves[2].amplitude, 1.0F);
  EXPECT_NE(octaves[0].seed, octaves[1].seed);
}

TEST(Builder, NoisesKeepTheirSeedWhenNumbersChange) {
  const auto seeds = [](std::string_view field) {
    const Built b(field);
    EXPECT_EQ(b.error, "");
    std::vector<std::uint32_t> out;
    for (const NoiseParams& n : b.density().noises) out.push_back(n.octaves[0].seed);
    return out;
  };
  const auto before = seeds("a = \"perlin2(30)\"\nb = \"perlin2(40)\"\nphi = \"z - 10 - a - b\"");
  ASSERT_EQ(before.size(), 2U);
  EXPECT_NE(before[0], before[1]);
  EXPECT_EQ(before, seeds("a = \"perlin2(31)\"\nb = \"perlin2(12)\"\nphi = \"z - 11 - a - b\""));
  // Order of use does not matter, order of writing does.
  const auto turned = seeds("a = \"perlin2(30)\"\nb = \"perlin2(40)\"\nphi = \"z - 10 - b - a\"");
  EXPECT_EQ(turned, (std::vector<std::uint32_t>{before[1], before[0]}));
  EXPECT_EQ(seeds("phi = \"z - 9 - perlin2(30, seed = 4)\""),
            seeds("q = \"perlin2(5)\"\nphi = \"z - 9 - q*0 - perlin2(30, seed = 4)\""));
}

TEST(Builder, LayoutVersionRollsSeedsAndVersionDoesNot) {
  const std::string_view field = "phi = \"z - 10 - perlin2(30)\"";
  const Built one(field), other(field, "", "version = 2\n"), rolled(field, "", "layout_version = 2\n");
  EXPECT_EQ(first_octave(one).seed, first_octave(other).seed);
  EXPECT_NE(first_octave(one).seed, first_octave(rolled).seed);
}

// ---------------------------------------------------------------- words

TEST(Builder, ExpandsFunctionsWithTheirArguments) {
  const Built b("phi = \"z - 10 - twice(perlin2(30)) - hill(16)\"",
                "[functions]\n\"twice(u)\" = \"u + u\"\n\"hill(s)\" = \"twice(wave(x, s))\"");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.count(Opcode::kNoise2), 1);
  EXPECT_EQ(axis_of_periodic(b, Opcode::kWave).period_1024, 16 * 1024);
}

TEST(Builder, LowersShapesWithVaryingParameters) {
  const Built fat("phi = \"sphere(repeat(x, 40), repeat(y, 40), z - 16, 9)\"");
  ASSERT_EQ(fat.error, "");
  EXPECT_EQ(fat.count(Opcode::kSphere), 1);
  const Built thin("phi = \"sphere(repeat(x, 40), repeat(y, 40), z - 16, 9 + perlin2(30))\"");
  ASSERT_EQ(thin.error, "");
  EXPECT_EQ(thin.count(Opcode::kSphere), 0);
  EXPECT_EQ(thin.count(Opcode::kLength3), 1);
}

TEST(Builder, ScalesHeightfieldsByTheirProvenSlope) {
  const Built b("phi = \"heightfield(10 + 2*wave(x, 28))\"");
  ASSERT_EQ(b.error, "");
  const double slope = 2 * 6.283185307179586 / 28;
  const double expected = 1 / std::sqrt(1 + slope * slope);
  bool found = false;
  for (const float c : b.density().constants)
    found = found || (static_cast<double>(c) <= expected && static_cast<double>(c) > expected - 2e-5);
  EXPECT_TRUE(found);
  EXPECT_LE(b.value.facts.gradient_bound, 1.0001F);
  EXPECT_TRUE(b.notes.empty());
}

// ---------------------------------------------------------------- features and the rest

constexpr std::string_view kColumns = R"toml([features.columns]
pitch = 24
jitter = 0.5
probability = 0.4
ground = "ground"
yaw = "u3"
shape = "max(length(px, py) - r, pz - top)"
extent = "r"
extent_z = [-2, "top"]
blend = 0.5
far = 3
[features.columns.values]
r = "1 + u1"
floor_z = "ground"
top = "H - floor_z"
)toml";

TEST(Builder, FeatureSetsBecomeOneOp) {
  const Built b("ground = \"6 + perlin2(30)\"\nphi = \"min(z - ground, features.columns)\"", kColumns);
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.count(Opcode::kFeatures), 1);
  const FeatureSetProgram& set = b.density().feature_sets.at(0);
  EXPECT_EQ(set.name, "columns");
  EXPECT_EQ(set.value_count, 3);
  EXPECT_EQ(set.blend, 0.5F);
  EXPECT_EQ(b.density().constants.at(set.far_constant), 3.0F);
  const PlaceFormulas& place = b.value.places.at(0);
  EXPECT_EQ(place.pitch_64, 24 * 64);
  EXPECT_EQ(place.values.size(), 3U);
  EXPECT_GE(place.ground, 0);
  EXPECT_GE(place.probability, 0);
  EXPECT_EQ(place.accept, -1);
  EXPECT_EQ(place.program.outputs.size(), 10U);
  // The field named ground and the height of the place are not the same thing.
  int randoms = 0;
  for (const Node& n : place.program.nodes) randoms += n.op == Opcode::kRandom && n.param == 8 ? 1 : 0;
  EXPECT_EQ(randoms, 1);
}

TEST(Builder, MaterialsAnswerWeightAndMask) {
  const Built b("phi = \"z - 10\"",
                "[[materials]]\nname = \"a\"\nweight = \"smoothstep(0.5, 0.8, nz)*height\"\n"
                "[[materials]]\nname = \"b\"\nemission_mask = \"slope/90\"\n");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.value.materials->outputs.size(), 4U);
}

TEST(Builder, ColumnFormulasKnowTheFields) {
  const Result<Recipe> recipe =
      test::recipe_of("[field]\nground = \"6 + perlin2(30)\"\nphi = \"z - ground\"\n");
  ASSERT_TRUE(recipe);
  const Result<ExprPtr> expr = parse_formula("ground + 1.7", {"r.toml", 20, 8});
  ASSERT_TRUE(expr);
  const auto program = build_column_formula(*recipe, *expr);
  ASSERT_TRUE(program) << program.error().text();
  EXPECT_EQ((*program)->outputs.size(), 1U);
  // The same noise as in the density.
  const auto built = build_recipe(std::make_shared<const Recipe>(*recipe), *std::make_unique<Notes>());
  ASSERT_TRUE(built);
  EXPECT_EQ((*program)->noises.at(0), built->density->noises.at(0));
}

TEST(Builder, IsTheSameEveryTime) {
  const std::string_view field =
      "h = \"perlin2(30, octaves = 4)\"\nphi = \"min(heightfield(8 + h), 20 - z)\"";
  const Built a(field), b(field);
  ASSERT_EQ(a.error, "");
  EXPECT_EQ(a.density().nodes, b.density().nodes);
  EXPECT_EQ(a.density().constants, b.density().constants);
  EXPECT_EQ(a.density().noises, b.density().noises);
}

}  // namespace
}  // namespace vf
