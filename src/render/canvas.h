// A small drawing board for charts: lines, boxes and plain text on an image.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "render/image.h"

namespace vf::render {

/// 8-bit sRGB.
using Ink = std::array<std::uint8_t, 3>;

class Canvas {
 public:
  Canvas(int width, int height, Ink paper);
  [[nodiscard]] int width() const { return image_.width; }
  [[nodiscard]] int height() const { return image_.height; }
  /// Outside the image nothing happens. `cover`: 0 leaves what is there, 1 replaces it.
  void dot(int x, int y, Ink ink, float cover = 1);
  void fill(int x0, int y0, int x1, int y1, Ink ink);
  /// A line with round ends, smoothed. [pixels]
  void line(float x0, float y0, float x1, float y1, float width, Ink ink);
  /// ASCII; other bytes show as '?'. `scale`: pixels a font dot; a glyph is 5 x 8 dots, one apart.
  void text(int x, int y, std::string_view text, int scale, Ink ink);
  [[nodiscard]] static int text_width(std::string_view text, int scale) {
    return static_cast<int>(text.size()) * 6 * scale;
  }
  [[nodiscard]] Image take() && { return std::move(image_); }
  [[nodiscard]] const Image& image() const { return image_; }

 private:
  Image image_;
};

/// A round length (1, 2 or 5 times a power of ten) not above `most`. [> 0]
[[nodiscard]] float round_length(float most);

}  // namespace vf::render
