#include "exports/route_chart.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>

namespace vf {
namespace {

constexpr double kOpen = std::numeric_limits<double>::quiet_NaN();

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Level for 20 m in the open, then down at 12 degrees through rock.
ReportRoute level_then_down() {
  ReportRoute route;
  route.content_m = 20;
  for (int i = 0; i <= 20; ++i) route.points.push_back({double(i), 4, kOpen});
  for (int i = 1; i <= 40; ++i) {
    const double floor = 4 - 0.2126 * i;
    route.points.push_back({20.0 + i, floor, floor + 3.25});
  }
  route.marks = {{0, "arrival"}, {20, "departure"}};
  return route;
}

TEST(RouteChart, ColoursFloorsByTheirGrade) {
  const std::string svg = route_svg(level_then_down());
  EXPECT_EQ(count(svg, "class=\"fl flat\""), 1U);
  EXPECT_EQ(count(svg, "class=\"fl steep\""), 1U);
  EXPECT_EQ(count(svg, "class=\"fl over\""), 0U);
  ReportRoute cliff = level_then_down();
  cliff.points[30].floor_m -= 1;
  EXPECT_GE(count(route_svg(cliff), "class=\"fl over\""), 1U);
}

TEST(RouteChart, DrawsCeilingsWhereThereAreSome) {
  EXPECT_EQ(count(route_svg(level_then_down()), "class=\"rk\""), 2U)
      << "the floor, and one stretch of ceiling";
  ReportRoute open = level_then_down();
  for (RoutePoint& p : open.points) p.ceiling_m = kOpen;
  EXPECT_EQ(count(route_svg(open), "class=\"rk\""), 1U);
}

TEST(RouteChart, NamesMarksAndSeals) {
  const std::string svg = route_svg(level_then_down());
  EXPECT_EQ(count(svg, ">arrival<"), 1U);
  EXPECT_EQ(count(svg, ">departure<"), 1U);
  EXPECT_EQ(count(svg, "class=\"band\""), 2U)
      << "the way ends below 0, and what is drawn begins over the content";
}

TEST(RouteChart, IsEmptyWithoutAWay) {
  EXPECT_EQ(route_svg({}), "");
}

}  // namespace
}  // namespace vf
