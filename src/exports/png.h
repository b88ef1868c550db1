// Pictures as PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "render/image.h"

namespace vf {

/// What the bytes of a picture stand for.
enum class PngValues : std::uint8_t { kSrgb, kPlain };

/// The bytes of a PNG file. Errors: kResource when there is no memory for it.
[[nodiscard]] Result<std::vector<std::byte>> encode_png(const Image& image,
                                                        PngValues values = PngValues::kSrgb);

/// Linear light in [0, 1] as sRGB; what is beyond counts as the nearer end.
[[nodiscard]] std::uint8_t srgb_byte(float linear);

/// encode_png, then an atomic write.
Status write_png(const std::filesystem::path& target, const Image& image);

/// Area average in linear light; never enlarges. `width` in [1, image.width]; the height follows.
[[nodiscard]] Image shrink_to_width(const Image& image, int width);

}  // namespace vf
