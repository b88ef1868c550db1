// What must hold for any bytes as a certificate of routes: the fuzzer and the replay of its corpus in the
// tests run the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "audit/route_certificate.h"
#include "base/check.h"
#include "base/result.h"
#include "fuzz/snapshot_checks.h"

namespace vf::fuzz {

inline void check_certificate_bytes(std::span<const std::byte> bytes) {
  const Result<RouteCertificate> certificate = decode_route_certificate(bytes);
  if (!certificate) {
    VF_CHECK(certificate.error().code == ErrorCode::kBadInput);
    VF_CHECK(certificate.error().message.starts_with("route certificate, byte "));
    return;
  }
  const std::vector<std::byte> again = encode_route_certificate(*certificate);
  VF_CHECK(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
}

/// The bytes as they are, and with a good checksum, which stands at the end as that of snapshots does.
inline void check_certificate(std::span<const std::byte> bytes) {
  check_certificate_bytes(bytes);
  check_certificate_bytes(with_checksum(bytes));
}

}  // namespace vf::fuzz
