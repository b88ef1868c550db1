#include "base/bytes.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/digest.h"

namespace vf {

void ByteWriter::bytes(std::span<const std::byte> bytes) {
  const std::size_t at = out_.size();
  out_.resize(at + bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) out_[at + i] = bytes[i];
}

void ByteWriter::put(std::uint64_t value, std::size_t count) {
  const std::size_t at = out_.size();
  out_.resize(at + count);
  for (std::size_t i = 0; i < count; ++i) out_[at + i] = static_cast<std::byte>((value >> (8 * i)) & 0xFF);
}

void ByteWriter::f32(float value) {
  u32(value == 0 ? 0 : std::bit_cast<std::uint32_t>(value));
}

void ByteWriter::text(std::string_view text) {
  bytes(std::as_bytes(std::span(text.data(), text.size())));
}

void ByteWriter::digest(const Digest& digest) {
  u64(digest.high);
  u64(digest.low);
}

std::uint64_t ByteReader::take(std::size_t count) {
  VF_CHECK(count <= left());
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::to_integer<std::uint64_t>(bytes_[at_++]) << (8 * i);
  return value;
}

float ByteReader::f32() {
  return std::bit_cast<float>(u32());
}

Digest ByteReader::digest() {
  const std::uint64_t high = u64();
  return {high, u64()};
}

std::span<const std::byte> ByteReader::bytes(std::size_t count) {
  VF_CHECK(count <= left());
  const std::span<const std::byte> out = bytes_.subspan(at_, count);
  at_ += count;
  return out;
}

std::string ByteReader::text(std::size_t length) {
  std::string out;
  for (const std::byte b : bytes(length)) out += static_cast<char>(b);
  return out;
}

std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c >= ' ' && c <= '~' ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace vf
