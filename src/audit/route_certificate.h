// The evidence that the ways of a sector can be walked: boxes of air over their floors and of rock under
// them, each with a bound of the density, as data and as bytes (docs/formats/route-certificate.md).
//
// What the prover (route_prover.h) and the verifier (route_verifier.h) share, and all that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "audit/audited_sector.h"
#include "base/digest.h"
#include "base/result.h"

namespace vf {

inline constexpr std::uint32_t kRouteCertificateVersion = 1;
inline constexpr std::int32_t kCertificateUnits = 256;  ///< a metre

/// What is swept along every way. [1/256 m]
struct SweptCorridor {
  std::int32_t half_width = 384;  ///< 1.5 m to either side of the middle line
  std::int32_t height = 768;      ///< air up to 3 m over the planned floor
  /// The floor itself lies somewhere within 3/32 m of the planned one: less than the step of 0.1 m that the
  /// strictest of the outside walkers takes.
  std::int32_t skin = 24;
  std::int32_t slab = 128;  ///< rock down to 0.5 m under the planned floor
  friend bool operator==(const SweptCorridor&, const SweptCorridor&) = default;
};

/// What a certificate is about. The density of what has the same names is the same.
struct RouteNames {
  Digest origin;  ///< evaluator, seed, recipe and its parameters
  std::int64_t stratum = 0, sx = 0, sy = 0;
  Digest ways;  ///< nodes, legs and pieces
  friend bool operator==(const RouteNames&, const RouteNames&) = default;
};

/// A closed box, from the sector's corner and the content floor [1/256 m], and what is said of it: the
/// density lies from `least` to `most` everywhere in it. [metres]
struct CertifiedBox {
  std::int32_t x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0;
  float least = 0, most = 0;
  friend bool operator==(const CertifiedBox&, const CertifiedBox&) = default;
};

/// The boxes of one piece of a way, or of the turn on a node.
struct CertifiedStrip {
  std::uint64_t id = 0;  ///< of the piece or the node
  std::vector<CertifiedBox> air, rock;
  friend bool operator==(const CertifiedStrip&, const CertifiedStrip&) = default;
};

struct RouteCertificate {
  RouteNames names;
  SweptCorridor corridor;
  std::vector<CertifiedStrip> strips;
  friend bool operator==(const RouteCertificate&, const RouteCertificate&) = default;
};

[[nodiscard]] RouteNames route_names(const AuditedSector& sector);

[[nodiscard]] std::vector<std::byte> encode_route_certificate(const RouteCertificate& certificate);

/// All bytes are untrusted: an error says at which of them what is wrong. Memory is bounded by their number.
[[nodiscard]] Result<RouteCertificate> decode_route_certificate(std::span<const std::byte> bytes);

}  // namespace vf
