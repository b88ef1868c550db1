#include "exports/png.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "exports/atomic_file.h"
#include "render/image.h"

namespace vf {

namespace {

struct Writer {
  std::vector<std::byte> bytes;
  bool out_of_memory = false;
};

void append(png_structp png, png_bytep data, png_size_t size) {
  auto* writer = static_cast<Writer*>(png_get_io_ptr(png));
  const auto* first = reinterpret_cast<const std::byte*>(data);
  try {
    writer->bytes.insert(writer->bytes.end(), first, first + size);
  } catch (const std::bad_alloc&) {
    writer->out_of_memory = true;
  }
  if (writer->out_of_memory) png_error(png, "out of memory");
}

void flush(png_structp) {}
void ignore_warning(png_structp, png_const_charp) {}

/// Apart from its caller, so that no object with a destructor lives between setjmp and libpng's longjmp.
bool write_rows(png_structp png, png_infop info, const Image& image, PngValues values) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (values == PngValues::kSrgb) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, 7);
  png_write_info(png, info);
  const std::size_t stride = static_cast<std::size_t>(image.width) * 3;
  for (int y = 0; y < image.height; ++y) {
    png_write_row(png, image.rgb.data() + static_cast<std::size_t>(y) * stride);
  }
  png_write_end(png, info);
  return true;
}

const std::array<float, 256>& linear_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (std::size_t i = 0; i < t.size(); ++i) {
      const float s = static_cast<float>(i) / 255.0F;
      t[i] = s <= 0.04045F ? s / 12.92F : std::pow((s + 0.055F) / 1.055F, 2.4F);
    }
    return t;
  }();
  return table;
}

/// The mean colour of [x0, x1) x [y0, y1), with shares of the border pixels.
std::array<float, 3> area_mean(const Image& image, float x0, float x1, float y0, float y1) {
  const std::array<float, 256>& linear = linear_table();
  std::array<float, 3> sum{};
  float total = 0;
  const int last_x = std::min(static_cast<int>(std::ceil(x1)), image.width);
  const int last_y = std::min(static_cast<int>(std::ceil(y1)), image.height);
  for (int y = static_cast<int>(y0); y < last_y; ++y) {
    const float wy = std::min(static_cast<float>(y + 1), y1) - std::max(static_cast<float>(y), y0);
    for (int x = static_cast<int>(x0); x < last_x; ++x) {
      const float w = wy * (std::min(static_cast<float>(x + 1), x1) - std::max(static_cast<float>(x), x0));
      const std::size_t i = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                             static_cast<std::size_t>(x)) *
                            3;
      for (std::size_t c = 0; c < 3; ++c) sum[c] += w * linear[image.rgb[i + c]];
      total += w;
    }
  }
  for (float& c : sum) c /= total;
  return sum;
}

}  // namespace

std::uint8_t srgb_byte(float linear) {
  const float s = linear <= 0.0031308F ? linear * 12.92F : 1.055F * std::pow(linear, 1.0F / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(std::lround(std::clamp(s, 0.0F, 1.0F) * 255.0F));
}

Result<std::vector<std::byte>> encode_png(const Image& image, PngValues values) {
  VF_CHECK(image.width > 0 && image.height > 0);
  VF_CHECK(image.rgb.size() ==
           static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
  Writer writer;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, ignore_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  bool written = false;
  if (info != nullptr) {
    png_set_write_fn(png, &writer, append, flush);
    written = write_rows(png, info, image, values);
  }
  png_destroy_write_struct(&png, &info);
  if (!written) {
    return Error{
        ErrorCode::kResource,
        {},
        fmt::format("cannot encode a picture of {} x {} pixels: out of memory", image.width, image.height)};
  }
  return std::move(writer.bytes);
}

Status write_png(const std::filesystem::path& target, const Image& image) {
  const Result<std::vector<std::byte>> bytes = encode_png(image);
  if (!bytes) return bytes.error();
  return write_file(target, std::span<const std::byte>(*bytes));
}

Image shrink_to_width(const Image& image, int width) {
  VF_CHECK(width >= 1 && width <= image.width);
  if (width == image.width) return image;
  Image out;
  const float step = static_cast<float>(image.width) / static_cast<float>(width);
  out.width = width;
  out.height = std::max(1, static_cast<int>(std::lround(static_cast<float>(image.height) / step)));
  const float step_y = static_cast<float>(image.height) / static_cast<float>(out.height);
  out.rgb.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  for (int y = 0; y < out.height; ++y) {
    const float y0 = static_cast<float>(y) * step_y;
    for (int x = 0; x < out.width; ++x) {
      const float x0 = static_cast<float>(x) * step;
      for (const float c : area_mean(image, x0, x0 + step, y0, y0 + step_y)) out.rgb.push_back(srgb_byte(c));
    }
  }
  return out;
}

}  // namespace vf
