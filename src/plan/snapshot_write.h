// A plan -> the part of a snapshot that says what stands where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "plan/sector_plan.h"

namespace vf {

/// Appends values, little-endian.
class ByteWriter {
 public:
  void bytes(std::span<const std::byte> bytes);
  void u32(std::uint32_t value) { put(value, 4); }
  void i32(std::int32_t value) { u32(static_cast<std::uint32_t>(value)); }
  void u64(std::uint64_t value) { put(value, 8); }
  void i64(std::int64_t value) { u64(static_cast<std::uint64_t>(value)); }
  /// -0 is written as +0: no operation tells them apart.
  void f32(float value);

  [[nodiscard]] std::span<const std::byte> written() const { return out_; }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(out_); }

 private:
  void put(std::uint64_t value, std::size_t count);

  std::vector<std::byte> out_;
};

/// The layout: place and tables of records, without the origin. Tables without records are left out, so that
/// a new kind of table changes no layout that has none of it.
void write_layout(const SectorPlan& plan, ByteWriter& out);

}  // namespace vf
