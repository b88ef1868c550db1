// Small vectors. z is up.
#pragma once

namespace vf {

struct Vec3f {
  float x = 0, y = 0, z = 0;
  friend bool operator==(const Vec3f&, const Vec3f&) = default;
  friend Vec3f operator+(Vec3f a, Vec3f b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3f operator-(Vec3f a, Vec3f b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3f operator*(Vec3f a, float s) { return {a.x * s, a.y * s, a.z * s}; }
};

struct Vec3d {
  double x = 0, y = 0, z = 0;
  friend bool operator==(const Vec3d&, const Vec3d&) = default;
};

struct Vec3i {
  int x = 0, y = 0, z = 0;
  friend bool operator==(const Vec3i&, const Vec3i&) = default;
};

}  // namespace vf
