#include "plan/passage_styles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "math/trig.h"
#include "plan/path_points.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

constexpr std::array kStyles{PassageStyle::kWell, PassageStyle::kSwitchback, PassageStyle::kGallery,
                             PassageStyle::kWall};
constexpr std::array kDrops{0.5, 9.0, 18.5, 31.0, 36.0, 52.25, 90.0};

struct Sample {
  PlanPoint at;
  double floor = 0, along = 0;
};

/// Points of the middle line, half a metre apart, with the floor from 0 downward.
std::vector<Sample> walk(const PassageForm& form) {
  std::vector<Sample> out;
  PlanPoint at = form.start, heading = turned({1, 0}, sincos_turns(form.heading_turns));
  double floor = 0, along = 0;
  for (const Stroke& s : form.strokes) {
    const int count = static_cast<int>(std::ceil(s.length / 0.5));
    for (int i = 0; i < count; ++i) {
      out.push_back({at, floor, along});
      const double step = s.length / count;
      const SinCos half = sincos_turns(0.5 * step * s.curvature / kTau);
      at = at + step * turned(heading, half);
      heading = turned(heading, sincos_turns(step * s.curvature / kTau));
      floor -= step * s.grade;
      along += step;
    }
  }
  out.push_back({at, floor, along});
  return out;
}

TEST(PassageStyles, DescendByTheirDropAndAreLevelAtBothMouths) {
  for (const PassageStyle style : kStyles)
    for (const double drop : kDrops)
      for (const bool leftward : {false, true}) {
        const PassageForm form = passage_form(style, drop, leftward);
        const std::vector<Sample> line = walk(form);
        EXPECT_NEAR(line.back().floor, -drop, 1e-9);
        EXPECT_TRUE(form.strokes.front().grade == 0 && form.strokes.back().grade == 0);
        EXPECT_GE(form.strokes.front().length, kApproachM);
        EXPECT_GE(form.strokes.back().length, kApproachM);
        for (const Stroke& s : form.strokes) EXPECT_LE(std::fabs(s.length * s.curvature), 0.81);
      }
}

/// The contract: 15 degrees at the inner edge of a bend too, with what a mesh needs of it, and bends of 6 m
/// at least.
TEST(PassageStyles, KeepTheGradeAtInnerEdges) {
  for (const PassageStyle style : kStyles)
    for (const double drop : kDrops)
      for (const Stroke& s : passage_form(style, drop, true).strokes) {
        const double inner = 1 - 1.5 * std::fabs(s.curvature);
        EXPECT_LE(std::fabs(s.curvature), 1.0 / 6);
        EXPECT_LE(s.grade / inner, std::tan(12.75 / 360 * kTau));
      }
}

/// Parts above each other have the clear height between them, and the floor that carries the upper one.
TEST(PassageStyles, KeepFiveMetresBetweenFloorsAboveEachOther) {
  for (const PassageStyle style : kStyles)
    for (const double drop : kDrops) {
      const std::vector<Sample> line = walk(passage_form(style, drop, false));
      for (std::size_t i = 0; i < line.size(); ++i)
        for (std::size_t j = i + 1; j < line.size(); ++j) {
          if (line[j].along - line[i].along < 15 || length(line[j].at - line[i].at) > 4.5) continue;
          EXPECT_GE(line[i].floor - line[j].floor, 5) << drop << " m, at " << line[i].along << " m";
        }
    }
}

/// From the axis of a support. [metres]
double from_axis(const PassageSupport& support, const PlanPoint& p) {
  const PlanPoint axis = support.to - support.from, off = p - support.from;
  const double share = std::clamp(dot(off, axis) / std::max(dot(axis, axis), 1e-9), 0.0, 1.0);
  return length(off - share * axis);
}

/// Clear of the clear way, and under the pad's inner edge along every bend.
TEST(PassageStyles, LeanOnTheirSupports) {
  for (const PassageStyle style : {PassageStyle::kWell, PassageStyle::kWall})
    for (const double drop : {9.0, 31.0, 90.0})
      for (const bool leftward : {false, true}) {
        const PassageForm form = passage_form(style, drop, leftward);
        ASSERT_TRUE(form.support.has_value());
        double nearest = 1e9, leaning = 0;
        for (const Sample& s : walk(form)) {
          const double off = from_axis(*form.support, s.at) - form.support->radius;
          nearest = std::min(nearest, off);
          leaning += off < 1.75 + 0.5 ? 1 : 0;
        }
        EXPECT_GT(nearest, 1.75) << drop;
        EXPECT_GT(leaning, drop / kBuiltGrade) << "half of it at least: samples are half a metre apart";
      }
  EXPECT_FALSE(passage_form(PassageStyle::kSwitchback, 31, true).support.has_value());
  EXPECT_FALSE(passage_form(PassageStyle::kGallery, 31, true).support.has_value());
}

TEST(PassageStyles, AreDescendedInAMinuteWhereTheyMay) {
  const auto seconds = [](PassageStyle style, double drop) {
    return walk(passage_form(style, drop, true)).back().along / 3;
  };
  EXPECT_LE(seconds(PassageStyle::kWell, 28.5), 60);
  EXPECT_LE(seconds(PassageStyle::kGallery, 25), 60);
}

TEST(PassageStyles, WindBothWaysAlike) {
  for (const PassageStyle style : kStyles) {
    const std::vector<Sample> left = walk(passage_form(style, 31, true)),
                              right = walk(passage_form(style, 31, false));
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      EXPECT_NEAR(left[i].at.x, right[i].at.x, 1e-4);
      EXPECT_NEAR(left[i].at.y, -right[i].at.y, 1e-4);
    }
  }
}

}  // namespace
}  // namespace vf
