#include "exports/png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exports/base64.h"
#include "render/image.h"

namespace vf {
namespace {

Image gradient(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.rgb.push_back(static_cast<std::uint8_t>(x * 7));
      image.rgb.push_back(static_cast<std::uint8_t>(y * 5));
      image.rgb.push_back(static_cast<std::uint8_t>(x ^ y));
    }
  }
  return image;
}

TEST(Png, DecodesToTheSamePixels) {
  const Image image = gradient(37, 21);
  const Result<std::vector<std::byte>> bytes = encode_png(image);
  ASSERT_TRUE(bytes);
  png_image decoded{};
  decoded.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&decoded, bytes->data(), bytes->size()), 0);
  ASSERT_EQ(decoded.width, 37U);
  ASSERT_EQ(decoded.height, 21U);
  decoded.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(decoded));
  ASSERT_NE(png_image_finish_read(&decoded, nullptr, pixels.data(), 0, nullptr), 0);
  EXPECT_EQ(pixels, image.rgb);
}

TEST(Png, ShrinkingKeepsAnEvenColour) {
  Image image{100, 50, {}};
  image.rgb.assign(100U * 50U * 3U, 137);
  const Image small = shrink_to_width(image, 33);
  EXPECT_EQ(small.width, 33);
  EXPECT_EQ(small.height, 17);
  EXPECT_EQ(small.rgb, std::vector<std::uint8_t>(33U * 17U * 3U, 137));
}

TEST(Png, ShrinkingAveragesLight) {
  // Half black, half white is 50 % light, which is 188 in sRGB.
  const Image image{2, 1, {0, 0, 0, 255, 255, 255}};
  const Image small = shrink_to_width(image, 1);
  EXPECT_EQ(small.rgb, std::vector<std::uint8_t>(3, 188));
}

TEST(Base64, FollowsTheStandardsVectors) {
  const auto encode = [](std::string_view text) {
    return to_base64(std::as_bytes(std::span(text.data(), text.size())));
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace vf
