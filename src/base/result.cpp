#include "base/result.h"

#include <fmt/format.h>
#include <string>

namespace vf {

std::string to_string(const Place& place) {
  if (place.line == 0) return place.file;
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string Error::text() const {
  const std::string where = to_string(place);
  return where.empty() ? message : where + ": " + message;
}

}  // namespace vf
