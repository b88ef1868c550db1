// In: linear light. Out: a picture for screens: glare around what is bright, film-like tones, sRGB bytes.
#pragma once

#include <vector>

#include "render/image.h"
#include "render/vec_ops.h"

namespace vf::render {

/// Light that scatters in the lens: adds a broad halo around what is much brighter than white. In place.
void add_glare(std::vector<Vec3f>& light, int width, int height, float amount, unsigned workers);

/// One colour through the film curve, to display values in [0, 1] (AgX by T. Sobotka, polynomial by B.
/// Wrensch).
[[nodiscard]] Vec3f film_tone(Vec3f light);

/// What a camera would set by itself: brings the middle of the picture towards middle grey, not all the way,
/// so that dark places stay dark.
[[nodiscard]] float metered_exposure(const std::vector<Vec3f>& light);

[[nodiscard]] Image to_image(const std::vector<Vec3f>& light, int width, int height, float exposure,
                             unsigned workers);

}  // namespace vf::render
