// A scene as a binary glTF 2.0 file: metres, y up, pictures inside.
//
// A node a stratum, named and moved to its place; a mesh of its near ring with a primitive for each part;
// asset.extras says which engine, world, seed, recipes and mesh digests it came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "exports/scene_model.h"

namespace vf {

/// Many readers count bytes in 32 bits with a sign.
inline constexpr std::uint64_t kMaxGlbBytes = 2'000'000'000;

/// The bytes of the file. Errors: kResource when it would be longer than `max_bytes`; told before the memory
/// is taken.
[[nodiscard]] Result<std::vector<std::byte>> encode_glb(const SceneModel& scene,
                                                        std::uint64_t max_bytes = kMaxGlbBytes);

}  // namespace vf
