// Pictures as PNG files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "render/image.h"

namespace vf {

/// The bytes of a PNG file. Errors: kResource when there is no memory for it.
[[nodiscard]] Result<std::vector<std::byte>> encode_png(const Image& image);

/// encode_png, then an atomic write.
Status write_png(const std::filesystem::path& target, const Image& image);

/// Area average in linear light; never enlarges. `width` in [1, image.width]; the height follows.
[[nodiscard]] Image shrink_to_width(const Image& image, int width);

}  // namespace vf
