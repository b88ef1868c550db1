#include "exports/route_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

namespace vf {

namespace {

constexpr double kWidth = 1200, kMargin = 8, kAxis = 22, kHead = 26;
constexpr double kUpright = 2;  ///< heights are drawn so much taller than lengths
constexpr double kRockM = 2.5;  ///< of rock drawn under the floor and over the ceiling
constexpr double kAirM = 14;    ///< ceilings above this are left out: the chart would be all air

/// Metres to the chart's own units.
struct Scale {
  double per_m = 1, high_m = 0;

  [[nodiscard]] double x(double along) const { return kMargin + along * per_m; }
  [[nodiscard]] double y(double z) const { return kHead + (high_m - z) * per_m * kUpright; }
};

double top_of(const RoutePoint& p) {
  return std::isnan(p.ceiling_m) ? p.floor_m + kAirM : std::min(p.ceiling_m, p.floor_m + kAirM);
}

/// By what a grade asks of the walker: the contract ends at 15 degrees.
std::string_view grade_class(double degrees) {
  if (degrees < 4) return "flat";
  return degrees < 9 ? "easy" : degrees <= 15 ? "steep" : "over";
}

void put_point(std::string& out, double x, double y) {
  fmt::format_to(std::back_inserter(out), "{:.1f},{:.1f} ", x, y);
}

/// A strip of rock along the floor (`down`) or the ceiling, one polygon for each stretch that has it.
void put_rock(std::string& out, const ReportRoute& route, const Scale& scale, bool down) {
  std::string edge, back;
  const auto flush = [&] {
    if (!edge.empty())
      fmt::format_to(std::back_inserter(out), "<polygon class=\"rk\" points=\"{}{}\"/>", edge, back);
    edge.clear();
    back.clear();
  };
  for (const RoutePoint& p : route.points) {
    if (!down && (std::isnan(p.ceiling_m) || p.ceiling_m > p.floor_m + kAirM)) {
      flush();
      continue;
    }
    const double z = down ? p.floor_m : p.ceiling_m, rock = down ? z - kRockM : z + kRockM;
    put_point(edge, scale.x(p.along_m), scale.y(z));
    std::string corner;
    put_point(corner, scale.x(p.along_m), scale.y(rock));
    back.insert(0, corner);
  }
  flush();
}

/// One line for each stretch of one colour.
void put_floor(std::string& out, const ReportRoute& route, const Scale& scale) {
  std::string_view kind;
  std::string line;
  const auto flush = [&] {
    if (!line.empty())
      fmt::format_to(std::back_inserter(out), "<polyline class=\"fl {}\" points=\"{}\"/>", kind, line);
    line.clear();
  };
  for (std::size_t i = 1; i < route.points.size(); ++i) {
    const RoutePoint &a = route.points[i - 1], &b = route.points[i];
    const double run = b.along_m - a.along_m;
    if (run <= 0) continue;
    const std::string_view now =
        grade_class(std::atan(std::fabs(b.floor_m - a.floor_m) / run) * 180 / std::numbers::pi);
    if (now != kind) {
      flush();
      kind = now;
      put_point(line, scale.x(a.along_m), scale.y(a.floor_m));
    }
    put_point(line, scale.x(b.along_m), scale.y(b.floor_m));
  }
  flush();
}

}  // namespace

std::string route_svg(const ReportRoute& route) {
  if (route.points.size() < 2) return {};
  double low = 1e9, high = -1e9;
  for (const RoutePoint& p : route.points) {
    low = std::min(low, p.floor_m - kRockM);
    high = std::max(high, top_of(p) + kRockM);
  }
  const double length = route.points.back().along_m;
  const Scale scale{(kWidth - 2 * kMargin) / std::max(length, 1.0), high};
  const double bottom = scale.y(low), height = bottom + kAxis;
  std::string out = fmt::format(
      "<svg class=\"route\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"Profile of the way\">",
      kWidth, height);
  const auto put = [&out]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  for (const auto& [from, to] : {std::pair(high, route.content_m), std::pair(0.0, low)}) {  // the seals
    const double a = scale.y(std::min(from, high)), b = scale.y(std::max(to, low));
    if (b > a)
      put("<rect class=\"band\" x=\"0\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.1f}\"/>", a, kWidth, b - a);
  }
  put_rock(out, route, scale, true);
  put_rock(out, route, scale, false);
  put_floor(out, route, scale);
  for (const RouteMark& m : route.marks) {
    const double x = scale.x(m.along_m);
    const bool right = x > kWidth * 0.8;
    put("<line class=\"mk\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"4\" y2=\"{1:.1f}\"/>"
        "<text x=\"{2:.1f}\" y=\"15\"{3}>{4}</text>",
        x, bottom, x + (right ? -6 : 6), right ? " text-anchor=\"end\"" : "", m.name);
  }
  const double step = length > 900 ? 200 : length > 450 ? 100 : 50;
  for (double at = 0; at <= length; at += step)
    put("<line class=\"tk\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"n\" x=\"{0:.1f}\" y=\"{3:.1f}\"{5}>{4:.0f} m</text>",
        scale.x(at), bottom, bottom + 5, bottom + 18, at,
        at == 0                     ? ""
        : scale.x(at) > kWidth - 40 ? " text-anchor=\"end\""
                                    : " text-anchor=\"middle\"");
  out += "</svg>";
  return out;
}

}  // namespace vf
