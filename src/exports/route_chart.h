// In: what one walks on, measured. Out: a long profile as SVG.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vf {

struct RoutePoint {
  double along_m = 0;    ///< from the start of the chart
  double floor_m = 0;    ///< over the content floor
  double ceiling_m = 0;  ///< where rock begins again; NaN: above all that was looked at
};

struct RouteMark {
  double along_m = 0;
  std::string name;
};

/// One way of the sector, measured in the final density.
struct ReportWay {
  std::string name;
  double length_m = 0;
  double steepest_deg = 0;   ///< over 1 m, in the middle and at both edges
  std::size_t sections = 0;  ///< looked at
  std::size_t clear = 0;     ///< of them with 3 m of air over all of 3 m of floor
};

struct ReportRoute {
  std::vector<RoutePoint> points;  ///< down from above, across, and on down; at most 1 m apart
  std::vector<RouteMark> marks;    ///< rising
  double content_m = 0;            ///< height of the content; the bands lie above it and below 0
  std::vector<ReportWay> ways;
};

/// Rock dark, the floor coloured by its grade; heights at twice the scale of lengths. Empty for less than two
/// points.
[[nodiscard]] std::string route_svg(const ReportRoute& route);

}  // namespace vf
