// What the mesher does to many things alike, in the lanes of one instruction set. Every level gives the same
// bits.
//
// Arrays are read and written by whole vectors: they must be longer than `count` by kMostLanes. Those of
// points hold four floats each, side by side.
#pragma once

#include <cstddef>
#include <cstdint>

#include "field/simd_level.h"
#include "math/vec.h"

namespace vf {

class LatticeEdge;

inline constexpr std::size_t kMostLanes = 16;

/// Points on lattice edges, with the field's value and gradient there. [metres, frame]
struct HermiteArrays {
  float *x = nullptr, *y = nullptr, *z = nullptr;
  float *value = nullptr, *gx = nullptr, *gy = nullptr, *gz = nullptr;
};

/// The lattice of a tile. [metres]
struct LatticeFrame {
  Vec3f origin;
  float voxel = 1;
};

/// Crossings on the lattice edges `edge` (see LatticeEdge).
struct CrossingArrays {
  std::size_t count = 0;
  const LatticeEdge* edge = nullptr;
  float* t = nullptr;                           ///< where they are between the edge's ends
  const float *low = nullptr, *high = nullptr;  ///< values at the ends
};

/// Crossings that move: along their edge, to the zero of the parabola that has the value and slope (along t)
/// of the place and the value at an end, `end_t`, where its sign is another.
struct MovingArrays {
  std::size_t count = 0;
  const LatticeEdge* edge = nullptr;
  float* t = nullptr;
  const float *value = nullptr, *slope = nullptr, *end_t = nullptr, *end_value = nullptr;
};

/// Sums of SurfacePoints, each row on its own, and the cells they belong to: x, y, z in the lower 8 bits
/// each.
struct SumArrays {
  std::size_t count = 0;
  const float *normal = nullptr, *place = nullptr, *squares = nullptr, *mixed = nullptr;
  const std::uint32_t* cell = nullptr;
};

/// What is fitted to them.
struct FitArrays {
  float* at = nullptr;  ///< four floats: x, y, z from the tile's first sample, whole numbers, then 0
  std::uint32_t* smooth = nullptr;  ///< not 0: surely no two normals differ by more than 30 degrees
};

struct MeshKernels {
  /// Puts crossings where the line between the values at their ends is 0, and sets t.
  void (*guess)(const LatticeFrame&, const CrossingArrays&, const HermiteArrays&) = nullptr;
  void (*step)(const LatticeFrame&, const MovingArrays&, const HermiteArrays&) = nullptr;
  /// The SurfacePoint of each crossing, sixteen floats.
  void (*surface_points)(const LatticeFrame&, const CrossingArrays&, const HermiteArrays&,
                         float* points) = nullptr;
  void (*fit)(const SumArrays&, const FitArrays&) = nullptr;
  /// Of sets of six normals: which agree (see kAgree...). `normals`: the first of each set, then the second
  /// of each, and so on, `stride` floats apart; a last lane of 0 says that there is none.
  void (*agree)(std::size_t count, const float* normals, std::size_t stride, std::uint32_t* out) = nullptr;
  /// Of vertices' places and normals of any length: `corners`, a place and a normal of length 1 in turn, four
  /// floats each; `xyzu`, two words each, and `v`: places and packed normals, 16 bits each.
  void (*pack)(std::size_t count, const float* at, const float* normal, float* corners, std::uint32_t* xyzu,
               std::uint32_t* v) = nullptr;
  /// split_first of quadrilaterals around edges along `axis`; not 0 where it holds. Corner k of all is at
  /// `stride` k.
  void (*split)(std::size_t count, const std::uint32_t* axis, const float* at, const float* normal,
                std::size_t stride, std::uint32_t* out) = nullptr;
};

[[nodiscard]] const MeshKernels& mesh_kernels(SimdLevel level);

/// Bit of what `agree` says: normals i < j of six differ by no more than 30 degrees.
[[nodiscard]] constexpr int agree_bit(int i, int j) {
  return 5 * i - i * (i - 1) / 2 + (j - i - 1);
}
/// All lie within 15 degrees of their mean.
inline constexpr int kAllAgreeBit = 15;

}  // namespace vf
