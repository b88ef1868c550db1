// What must hold for any bytes as a snapshot: the fuzzer and the replay of its corpus in the tests run the
// same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/digest.h"
#include "base/result.h"
#include "plan/identity.h"
#include "plan/record_boxes.h"
#include "plan/snapshot.h"

namespace vf::fuzz {

/// Gives bytes the checksum that they should have, so that damage reaches the checks behind it.
inline std::vector<std::byte> with_checksum(std::span<const std::byte> bytes) {
  std::vector<std::byte> out(bytes.begin(), bytes.end());
  if (out.size() < kSnapshotChecksumBytes) return out;
  const std::size_t end = out.size() - kSnapshotChecksumBytes;
  const Digest digest = digest_of_bytes(std::span(out).first(end));
  for (std::size_t i = 0; i < 8; ++i) {
    out[end + i] = static_cast<std::byte>((digest.high >> (8 * i)) & 0xFF);
    out[end + 8 + i] = static_cast<std::byte>((digest.low >> (8 * i)) & 0xFF);
  }
  return out;
}

inline void check_box(const BoxUm& box, const PositionUm& at) {
  VF_CHECK(box.contains(at));
}

/// What decodes is canonical, and everything that works on plans takes it.
inline void check_decoded(const SectorSnapshot& snapshot, std::span<const std::byte> bytes) {
  const std::vector<std::byte> again = encode_snapshot(snapshot);
  VF_CHECK(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
  VF_CHECK(identity_of(snapshot) == digest_of_bytes(bytes.first(bytes.size() - kSnapshotChecksumBytes)));
  for (const PathNode& node : snapshot.plan.paths.nodes) check_box(box_of(node), node.at);
  for (const PathPiece& piece : snapshot.plan.paths.pieces) {
    check_box(box_of(piece), piece.from);
    check_box(box_of(piece), piece.to);
  }
  for (const auto& set : snapshot.plan.features)
    for (const FeatureRecord& feature : set) {
      const BoxUm box = box_of(feature);
      VF_CHECK(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z);
    }
}

inline void check_snapshot_bytes(std::span<const std::byte> bytes) {
  const Result<SectorSnapshot> snapshot = decode_snapshot(bytes);
  if (snapshot) return check_decoded(*snapshot, bytes);
  VF_CHECK(snapshot.error().code == ErrorCode::kBadInput);
  VF_CHECK(snapshot.error().message.starts_with("snapshot, byte "));
}

/// The bytes as they are, and with a good checksum.
inline void check_snapshot(std::span<const std::byte> bytes) {
  check_snapshot_bytes(bytes);
  check_snapshot_bytes(with_checksum(bytes));
}

}  // namespace vf::fuzz
