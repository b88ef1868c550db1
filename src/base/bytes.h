// Values <-> bytes, little-endian: what the canonical formats are written and read with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"

namespace vf {

/// Appends values.
class ByteWriter {
 public:
  void bytes(std::span<const std::byte> bytes);
  void text(std::string_view text);  ///< without its length
  void u8(std::uint8_t value) { out_.push_back(std::byte{value}); }
  void u16(std::uint16_t value) { put(value, 2); }
  void i16(std::int16_t value) { u16(static_cast<std::uint16_t>(value)); }
  void u32(std::uint32_t value) { put(value, 4); }
  void i32(std::int32_t value) { u32(static_cast<std::uint32_t>(value)); }
  void u64(std::uint64_t value) { put(value, 8); }
  void i64(std::int64_t value) { u64(static_cast<std::uint64_t>(value)); }
  /// -0 is written as +0: no operation tells them apart.
  void f32(float value);
  void digest(const Digest& digest);  ///< high half, low half

  [[nodiscard]] std::span<const std::byte> written() const { return out_; }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(out_); }

 private:
  void put(std::uint64_t value, std::size_t count);

  std::vector<std::byte> out_;
};

/// Reads values from the front. Whoever calls made sure that they are there.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(take(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(take(2)); }
  std::int16_t i16() { return static_cast<std::int16_t>(u16()); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(take(4)); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
  std::uint64_t u64() { return take(8); }
  std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
  float f32();
  Digest digest();
  std::string text(std::size_t length);
  std::span<const std::byte> bytes(std::size_t count);

 private:
  std::uint64_t take(std::size_t count);

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// Text of strangers as a message may show it: what is not printable as \xNN.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace vf
