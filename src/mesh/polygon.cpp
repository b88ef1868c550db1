#include "mesh/polygon.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "mesh/tile_mesh.h"

namespace vf {

void write_fan(std::uint32_t centre, const std::uint32_t* corners, std::size_t count, bool flip,
               Triangle* out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    if (flip) std::swap(a, b);
    out[i] = {{centre, a, b}};
  }
}

}  // namespace vf
