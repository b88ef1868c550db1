// Directions packed on the unfolded octahedron, four at a time (see OctNormal).
#pragma once

#include "mesh/lanes.h"

namespace vf {

/// As encode_normal, to the bit.
void encode_normals(Float4 x, Float4 y, Float4 z, Int4& u, Int4& v);

}  // namespace vf
