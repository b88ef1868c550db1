#include <gtest/gtest.h>

#include <cmath>

#include "math/vec.h"
#include "mesh/tile_mesh.h"

namespace vf {
namespace {

TEST(OctNormal, KeepsDirectionsToAHundredthOfADegree) {
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j < 80; ++j) {
      const double polar = i * 3.14159265358979 / 40, turn = j * 3.14159265358979 / 40;
      const Vec3f n{static_cast<float>(std::sin(polar) * std::cos(turn)),
                    static_cast<float>(std::sin(polar) * std::sin(turn)),
                    static_cast<float>(std::cos(polar))};
      const Vec3f m = decode_normal(encode_normal(n));
      const float off = std::hypot(n.x - m.x, n.y - m.y, n.z - m.z);
      EXPECT_LE(off, 1.7e-4F) << i << " " << j;
    }
  }
}

TEST(OctNormal, AxesAreExact) {
  for (const Vec3f n :
       {Vec3f{1, 0, 0}, Vec3f{-1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, -1, 0}, Vec3f{0, 0, 1}, Vec3f{0, 0, -1}})
    EXPECT_EQ(decode_normal(encode_normal(n)), n);
}

}  // namespace
}  // namespace vf
