#include "field/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/builder_formula.h"
#include "field/builder_graph.h"
#include "field/program.h"
#include "field/recipe_for_tests.h"
#include "field/simd_level.h"
#include "field/tape.h"
#include "math/vec.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

constexpr float kHeight = 32;
constexpr int kPoints = 256;

/// One formula, compiled, with what is proven of it.
struct Formula {
  explicit Formula(const std::string& text) {
    const Result<ExprPtr> expr = parse_formula(text, {"f", 1, 1});
    if (!expr) {
      error = expr.error().text();
      return;
    }
    recipe.height_m = static_cast<double>(kHeight);
    AnalysisScope scope;
    scope.z = {-30, kHeight + 30};
    Graph graph(scope, kHeight);
    FormulaBuilder formulas(recipe, graph, numbers);
    const NodeId node = formulas.compile(*expr);
    if (graph.failed()) {
      error = graph.error().text();
      return;
    }
    facts = graph.facts(node);
    program = std::make_shared<Program>(graph.finish({&node, 1}));
  }
  Recipe recipe;
  NoiseNumbers numbers;
  NodeFacts facts;
  std::shared_ptr<const Program> program;
  std::string error;
};

/// Values at points with one batch evaluator.
class Values {
 public:
  explicit Values(const Formula& f)
      : field_(bind_field(f.program, {3, -2}, {0, 0, 1024, 1024}, {}, 5)),
        tape_(full_tape(*f.program)),
        batch_(field_, SimdLevel::kScalar) {}

  std::vector<float> at(const std::vector<Vec3f>& points) {
    std::vector<float> x, y, z, out(points.size());
    for (const Vec3f& p : points) {
      x.push_back(p.x);
      y.push_back(p.y);
      z.push_back(p.z);
    }
    PointBatch batch;
    batch.count = points.size();
    batch.x = x.data();
    batch.y = y.data();
    batch.z = z.data();
    std::array<float*, 1> outputs{out.data()};
    batch_.points(tape_, batch, outputs);
    return out;
  }

 private:
  BoundField field_;
  Tape tape_;
  BatchEvaluator batch_;
};

std::vector<Vec3f> random_points(std::mt19937& random) {
  std::vector<Vec3f> points;
  const auto in = [&](float lo, float hi) {
    const float v = lo + (hi - lo) * static_cast<float>(random() >> 8) / 16777216.0F;
    return std::floor(v * 1024) / 1024;
  };
  for (int i = 0; i < kPoints; ++i) points.push_back({in(1, 1020), in(1, 1020), in(-29, kHeight + 29)});
  return points;
}

/// Steps of a quarter of a metre along each axis and one diagonal stay within what is proven.
void expect_sound(const std::string& text, std::mt19937& random) {
  const Formula f(text);
  if (!f.error.empty()) return;  // refused: nothing is promised
  Values values(f);
  const std::vector<Vec3f> points = random_points(random);
  const std::vector<float> here = values.at(points);
  for (const float v : here) {
    ASSERT_TRUE(std::isfinite(v)) << text;
    ASSERT_TRUE(f.facts.range.contains(v))
        << text << " gives " << v << ", proven " << to_string(f.facts.range);
  }
  const std::array<Vec3f, 4> steps{Vec3f{0.25F, 0, 0}, {0, 0.25F, 0}, {0, 0, 0.25F}, {0.25F, -0.5F, 0.5F}};
  const std::array<double, 4> bounds{f.facts.slope[0] * 0.25, f.facts.slope[1] * 0.25,
                                     f.facts.slope[2] * 0.25, f.facts.gradient * 0.75};
  // Rounding, and warps that move by whole 1/1024 m: up to that times the slope.
  const double slack = 2e-3 + 2e-6 * std::max(std::fabs(static_cast<double>(f.facts.range.lo)),
                                              std::fabs(static_cast<double>(f.facts.range.hi)));
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (!std::isfinite(bounds[s]) || f.facts.flips) continue;
    std::vector<Vec3f> moved = points;
    for (Vec3f& p : moved) p = p + steps[s];
    const std::vector<float> there = values.at(moved);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double change = std::fabs(static_cast<double>(there[i]) - static_cast<double>(here[i]));
      ASSERT_LE(change, bounds[s] + slack * (1 + f.facts.gradient)) << text << " along step " << s;
    }
  }
}

/// Random formulas over words with a slope.
class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {}

  std::string formula(int depth) {
    if (depth == 0) return leaf();
    const std::string a = formula(depth - 1), b = pick(3) == 0 ? leaf() : formula(depth - 1);
    switch (pick(24)) {
      case 0:
        return "(" + a + " + " + b + ")";
      case 1:
        return "(" + a + " - " + b + ")";
      case 2:
        return "(" + a + " * " + number() + ")";
      case 3:
        return "(" + a + ") * (" + b + ")/16";
      case 4:
        return "min(" + a + ", " + b + ")";
      case 5:
        return "max(" + a + ", " + b + ", " + leaf() + ")";
      case 6:
        return "abs(" + a + ")";
      case 7:
        return "smin(" + a + ", " + b + ", 1.5)";
      case 8:
        return "smax(" + a + ", " + b + ", 0.7)";
      case 9:
        return "mix(" + a + ", " + b + ", " + leaf() + "/4)";
      case 10:
        return "smoothstep(-1, 3, " + a + ")";
      case 11:
        return "clamp(" + a + ", -2, 3)";
      case 12:
        return "length(" + a + ", " + b + ")";
      case 13:
        return "length(" + a + ", " + b + ", " + leaf() + ")";
      case 14:
        return "sqrt(1 + pow2(" + a + "))";
      case 15:
        return "exp(-abs(" + a + ")/9)";
      case 16:
        return "sin(" + a + "/2)";
      case 17:
        return "cos(" + a + "/3)";
      case 18:
        return "1/(2 + abs(" + a + "))";
      case 19:
        return "warp_xy(" + a + ", 3*perlin2(40), wave(y, 64))";
      case 20:
        return "rotate(" + a + ", 3, -4)";
      case 21:
        return "spline1d(" + a + ", at = [-4, 0, 5], to = [1, -2, 3], slope = [0.5, 0, -1])";
      case 22:
        return "sphere(repeat(x, 24), repeat(y, 30), " + a + "/4, 3)";
      default:
        return "box(mirror(x, 24), repeat(y, 20), z - 9, 3, 4, 2 + pow2(" + a + ")/40)";
    }
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  std::string number() { return std::to_string(static_cast<int>(pick(40)) - 20) + "/8"; }
  std::string leaf() {
    switch (pick(16)) {
      case 0:
        return "z/4";
      case 1:
        return "4*perlin2(30)";
      case 2:
        return "2*perlin3(16, octaves = 2)";
      case 3:
        return "wave(x, 28)";
      case 4:
        return "abs(repeat(y, 12))";
      case 5:
        return "ridged2(22)";
      case 6:
        return "billow3(12)";
      case 7:
        return "3*value2(9)";
      case 8:
        return "value3(20, octaves = 3)";
      case 9:
        return "cellular2(14)";
      case 10:
        return "cellular3(18)";
      case 11:
        return "mirror(x, 18)";
      case 12:
        return "wave(x + y, 50)";
      case 13:
        return "wave(x + 3*perlin2(60), 40)";
      case 14:
        return "repeat(x - 2*y, 40)/8";
      default:
        return number();
    }
  }
  std::mt19937& random_;
};

TEST(Analysis, HoldsForEveryWordAlone) {
  std::mt19937 random(11);
  for (const char* text : {"perlin2(8)",
                           "perlin3(8, octaves = 4)",
                           "ridged2(12, octaves = 3)",
                           "ridged3(9)",
                           "billow2(7)",
                           "value2(6)",
                           "value3(6, octaves = 2)",
                           "cellular2(9)",
                           "cellular3(9)",
                           "wave(x, 9)",
                           "repeat(x, 9)",
                           "abs(repeat(x, 9))",
                           "mirror(y, 7)",
                           "ellipsoid(repeat(x, 40), repeat(y, 40), z - 9, 9, 4, 3)",
                           "round_box(repeat(x, 40), repeat(y, 40), z - 9, 9, 4, 3, 1)",
                           "rect(repeat(x, 40), repeat(y, 40), 9, 4, 2)",
                           "cylinder(repeat(x, 40), repeat(y, 40), z - 9, 9, 4)",
                           "hexprism(repeat(x, 40), repeat(y, 40), z - 9, 9, 4)",
                           "torus(repeat(x, 40), repeat(y, 40), z - 9, 9, 2)",
                           "helix(repeat(x, 40), repeat(y, 40), z - 9, 9, 5, 1)",
                           "helix(12 + abs(repeat(x, 40)), repeat(y, 40), z - 9, 9, 5, 1)",
                           "helix(4 + abs(repeat(x, 10)), repeat(y, 20), 2*z, 9, 30, 1)",
                           "sphere(0.6*abs(repeat(x, 40)) + 0.8*z, 0.6*z - 0.8*abs(repeat(x, 40)), 1, 5)",
                           "capsule(repeat(x, 40), repeat(y, 40), z, -3, 0, 4, 5, 2, 12, 1.5)",
                           "plane(0, wave(x, 9), z, 1, 2, 2, 3)",
                           "angle(repeat(x, 30) + 20, repeat(y, 30))",
                           "mod(z, 7)",
                           "floor(z/3)",
                           "select_range(z, 4, 9, wave(x, 12), 2)",
                           "heightfield(9 + 3*perlin2(20, octaves = 3))",
                           "ceiling(20 - 4*ridged2(30))",
                           "rotate(perlin3(9), 4, 3)",
                           "warp_xy(perlin2(9), 4*perlin3(20), 2)"})
    expect_sound(text, random);
}

TEST(Analysis, HoldsForRandomFormulas) {
  std::mt19937 random(2024);
  Writer writer(random);
  int accepted = 0;
  for (int i = 0; i < 600; ++i) {
    const std::string text = writer.formula(1 + static_cast<int>(random() % 4));
    accepted += Formula(text).error.empty() ? 1 : 0;
    expect_sound(text, random);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(accepted, 480);
}

TEST(Analysis, HoldsForShapesWithVaryingParameters) {
  std::mt19937 random(12);
  for (const char* text : {"sphere(repeat(x, 40), repeat(y, 40), z - 9, 5 + wave(y, 30))",
                           "ellipsoid(repeat(x, 40), repeat(y, 40), z - 9, 9 + perlin2(20), 4, 3)",
                           "box(repeat(x, 40), repeat(y, 40), z - 9, 9, 4 + z/20, 3)",
                           "round_box(repeat(x, 40), repeat(y, 40), z - 9, 9, 4, 3, 1 + 0.5*wave(x, 90))",
                           "rect(repeat(x, 40), repeat(y, 40), 9 + perlin2(30), 4, 2)",
                           "cylinder(repeat(x, 40), repeat(y, 40), z - 9, 9 + z/9, 4)",
                           "hexprism(repeat(x, 40), repeat(y, 40), z - 9, 9, 4 + perlin2(20))",
                           "torus(repeat(x, 40), repeat(y, 40), z - 9, 9, 2 + perlin3(9))"})
    expect_sound(text, random);
}

TEST(Builder, LoweredShapesGiveTheSameBits) {
  std::mt19937 random(13);
  const std::string q = "(repeat(x, 40), repeat(y, 40), z - 9, ";
  // min(9, 200 + z) is 9 and no constant.
  for (const auto& [name, rest] : std::vector<std::pair<std::string, std::string>>{{"sphere", ""},
                                                                                   {"ellipsoid", ", 4, 3"},
                                                                                   {"box", ", 4, 3"},
                                                                                   {"round_box", ", 4, 3, 1"},
                                                                                   {"cylinder", ", 4"},
                                                                                   {"hexprism", ", 4"},
                                                                                   {"torus", ", 2"}}) {
    const Formula fat(name + q + "9" + rest + ")"), thin(name + q + "min(9, 200 + z)" + rest + ")");
    ASSERT_EQ(fat.error, "");
    ASSERT_EQ(thin.error, "");
    ASSERT_GT(thin.program->nodes.size(), fat.program->nodes.size());
    const std::vector<Vec3f> points = random_points(random);
    EXPECT_EQ(Values(fat).at(points), Values(thin).at(points)) << name;
  }
}

TEST(Analysis, HoldsForTurnedFeaturesWithNoise) {
  const test::Built b("phi = \"min(z - 8, features.a)\"", R"toml([features.a]
pitch = 40
yaw = "u1"
ground = 8
shape = "max(box(px, py, pz, r, 2, 3) - 0.4*perlin3(6), -length(px - 1, wave(x, 9))) "
extent = ["r + 0.5", 2.5]
extent_z = [-3.5, 3.5]
blend = 1.5
far = 2
[features.a.values]
r = "2 + 3*u2"
)toml",
                      "gradient_bound = 16\n");
  ASSERT_EQ(b.error, "");
  std::mt19937 random(14);
  std::vector<FeatureInstance> instances;
  for (int i = 0; i < 60; ++i) {
    FeatureInstance f;
    f.id.value = static_cast<std::uint64_t>(i);
    f.at = {static_cast<float>(random() % 60), static_cast<float>(random() % 60), 8};
    // Pythagorean turns, so that no bit is in doubt.
    f.yaw_cos = i % 2 == 0 ? 0.6F : -0.8F;
    f.yaw_sin = i % 2 == 0 ? 0.8F : 0.6F;
    f.values[0] = 2 + static_cast<float>(i % 4);
    f.extent_max = {f.values[0] + 0.5F, 2.5F, 3.5F};
    f.extent_min = f.extent_max * -1;
    f.value_box = Box3f{f.at, f.at}.grown(f.values[0] + 7);
    f.sign_box = f.value_box;
    instances.push_back(f);
  }
  const BoundField field = bind_field(b.value.density, {0, 0}, {-99, -99, 999, 999}, {instances}, 3);
  BatchEvaluator batch(field, SimdLevel::kScalar);
  const Tape tape = tape_in_box(field, full_tape(b.density()), {{0, 0, -30}, {60, 60, 60}});
  std::vector<float> x, y, z, value(4000), gx(4000), gy(4000), gz(4000);
  for (int i = 0; i < 4000; ++i) {
    x.push_back(static_cast<float>(random() % 61440) / 1024.0F);
    y.push_back(static_cast<float>(random() % 61440) / 1024.0F);
    z.push_back(static_cast<float>(random() % 16384) / 1024.0F);
  }
  PointBatch points;
  points.count = x.size();
  points.x = x.data();
  points.y = y.data();
  points.z = z.data();
  batch.gradients(tape, points, value.data(), gx.data(), gy.data(), gz.data());
  float steepest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_TRUE(b.value.facts.range.contains(value[i])) << value[i];
    const float g = std::sqrt(gx[i] * gx[i] + gy[i] * gy[i] + gz[i] * gz[i]);
    ASSERT_LE(g, b.value.facts.gradient_bound * 1.0001F);
    steepest = std::max(steepest, g);
  }
  EXPECT_GT(steepest, 0.9F);
}

TEST(Analysis, CountsTheSlopeOfExtentBoxes) {
  // Outside its extent a place is as far as its box, whatever the shape says.
  const test::Built b("phi = \"min(0.5*z - 8, 3*features.a)\"",
                      "[features.a]\npitch = 40\nshape = \"0.1*(length(px, py) - 2)\"\nextent = 2\n"
                      "extent_z = [-4, 4]\n");
  ASSERT_EQ(b.error, "");
  EXPECT_EQ(b.value.facts.gradient_bound, 3.0F);
}

TEST(Analysis, ProvesUnitSlopesOfDistances) {
  for (const char* text :
       {"length(repeat(x, 40), repeat(y, 40), z) - 3", "z - 10", "sphere(repeat(x, 9), 0, z, 2)",
        "length(length(repeat(x, 40), repeat(y, 40)) - 9, z) - 2",
        "box(repeat(x, 40), repeat(y, 40), z, 1, 2, 3)", "heightfield(perlin2(30))", "smin(z - 4, 20 - z, 3)",
        "plane(abs(repeat(x, 8)), 0, z, 3, 0, 4, 1)"}) {
    const Formula f(text);
    ASSERT_EQ(f.error, "") << text;
    EXPECT_LE(f.facts.gradient, 1.0001) << text;
  }
}

TEST(Analysis, TurnsWrittenByHandKeepTheLengthOfTheGradient) {
  for (const char* text : {"length(0.6*z + 0.8*x, 0.6*x - 0.8*z)",
                           "sphere((3*x - 4*z)/5, y, (3*z + 4*x)/5, 2)", "0.6*x + 0.8*z"}) {
    const Formula f(text);
    ASSERT_EQ(f.error, "") << text;
    EXPECT_NEAR(f.facts.gradient, 1, 1e-7) << text;
  }
  EXPECT_NEAR(Formula("length(x + z, x)").facts.gradient, std::sqrt(3.0), 1e-7)
      << "no turn: 1.618 and its bound";
}

// Where places are turned, x and y of the world are as orthogonal to each other as px and py are.
TEST(Analysis, TurnedPlacesSeeTheWorldWithoutStretch) {
  const auto gradient = [](const std::string& shape) {
    const test::Built b(
        "phi = \"min(z - 8, features.a)\"",
        "[features.a]\npitch = 40\nyaw = \"u1\"\nshape = \"" + shape + "\"\nextent = 2\nextent_z = [-4, 4]\n",
        "gradient_bound = 16\n");
    EXPECT_EQ(b.error, "");
    return b.value.facts.gradient_bound;
  };
  EXPECT_EQ(gradient("length(px, py) - 2"), 1.0F);
  EXPECT_EQ(gradient("length(abs(repeat(x, 9)), abs(repeat(y, 9))) - 2"), 1.0F);
  EXPECT_NEAR(gradient("length(px, abs(repeat(y, 9))) - 2"), std::sqrt(2.0F), 1e-6F) << "at any angle";
}

TEST(Analysis, CoilsHaveASlopeOffTheirAxisOnly) {
  EXPECT_TRUE(std::isinf(Formula("helix(repeat(x, 40), repeat(y, 40), z, 9, 5, 1)").facts.gradient));
  // Along the turns, at 4 m from the axis of a coil of radius 9 m and pitch 30 m.
  const double expected = std::hypot(1, 30 / (2 * 3.14159265 * 4)) / std::hypot(1, 30 / (2 * 3.14159265 * 9));
  EXPECT_NEAR(Formula("helix(4 + abs(repeat(x, 10)), abs(repeat(y, 20)), z, 9, 30, 1)").facts.gradient,
              expected, 1e-4);
}

TEST(Analysis, KnowsWhatIsAlongOneAxisOnly) {
  const Formula f("perlin2(20) + wave(x, 30)*0 + abs(repeat(y, 9))");
  EXPECT_EQ(f.facts.slope[2], 0);
  EXPECT_GT(f.facts.slope[1], f.facts.slope[0]);
  const Formula z("pow2(z)");
  EXPECT_EQ(z.facts.slope[0], 0);
  EXPECT_EQ(z.facts.slope[2], 2 * (30 + 32));
}

TEST(Analysis, JumpsOfRepeatDoNotCountBehindEvenWords) {
  EXPECT_TRUE(Formula("repeat(x, 9)").facts.flips);
  EXPECT_TRUE(std::isinf(Formula("repeat(x, 9) + 1").facts.gradient));
  EXPECT_TRUE(std::isinf(Formula("abs(repeat(x, 9) + 1)").facts.gradient));
  EXPECT_EQ(Formula("abs(-2*repeat(x, 9)/4)").facts.gradient, 0.5);
  EXPECT_EQ(Formula("length(repeat(x, 9), repeat(y, 9))").facts.gradient, 1);
}

TEST(Analysis, FactsOfSmallSlopesAreTight) {
  // 6 N(96) + 2.5 N(32) + 0.6 N(11): measured at most 0.572 + a little.
  const Formula f("14 + 6*perlin2(96) + 2.5*perlin2(32) + 0.6*perlin2(11)");
  EXPECT_GT(f.facts.gradient, 0.5);
  EXPECT_LT(f.facts.gradient, 0.65);
}

}  // namespace
}  // namespace vf
