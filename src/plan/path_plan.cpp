#include "plan/path_plan.h"

#include <string_view>

namespace vf {

std::string_view name_of(PathNodeKind kind) {
  switch (kind) {
    case PathNodeKind::kArrival:
      return "arrival";
    case PathNodeKind::kDeparture:
      return "departure";
    case PathNodeKind::kPortalWest:
      return "portal west";
    case PathNodeKind::kPortalEast:
      return "portal east";
    case PathNodeKind::kPortalSouth:
      return "portal south";
    case PathNodeKind::kPortalNorth:
      return "portal north";
    case PathNodeKind::kJunction:
      return "junction";
  }
  return "?";
}

std::string_view name_of(PathLegKind kind) {
  switch (kind) {
    case PathLegKind::kSpine:
      return "spine";
    case PathLegKind::kPortal:
      return "portal";
    case PathLegKind::kPassage:
      return "passage";
  }
  return "?";
}

std::string_view name_of(PathShape shape) {
  switch (shape) {
    case PathShape::kWay:
      return "way";
    case PathShape::kPlace:
      return "place";
    case PathShape::kSupport:
      return "support";
  }
  return "?";
}

}  // namespace vf
