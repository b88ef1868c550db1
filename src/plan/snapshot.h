// A resolved sector <-> bytes that every machine writes the same: docs/formats/snapshot.md.
//
// The bytes are canonical: one plan of one origin has one snapshot, and what decodes encodes to the same
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "plan/origin.h"
#include "plan/sector_plan.h"

namespace vf {

inline constexpr std::uint32_t kSnapshotVersion = 1;
inline constexpr std::size_t kSnapshotChecksumBytes = 16;

struct SectorSnapshot {
  PlanOrigin origin;
  SectorPlan plan;
  friend bool operator==(const SectorSnapshot&, const SectorSnapshot&) = default;
};

/// The last 16 bytes are the digest of those before. Records are written in the order in which they are:
/// those of a plan are sorted.
[[nodiscard]] std::vector<std::byte> encode_snapshot(const SectorSnapshot& snapshot);

/// All bytes are untrusted. An error says at which byte what stands and what was expected: bad magic, another
/// version, truncated, trailing bytes, a count, kind or number out of range, records out of order or twice,
/// a wrong checksum. Memory is bounded by the size of `bytes`.
[[nodiscard]] Result<SectorSnapshot> decode_snapshot(std::span<const std::byte> bytes);

}  // namespace vf
