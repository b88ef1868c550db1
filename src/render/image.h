// A picture in memory.
#pragma once

#include <cstdint>
#include <vector>

namespace vf {

/// 8-bit sRGB, row by row from the top left; `rgb` holds width * height * 3 bytes.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

}  // namespace vf
