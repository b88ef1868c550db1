// Certificates of routes: their bytes, what their verifier refuses, and what no sample finds.
#include "audit/route_certificate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/route_prover.h"
#include "audit/route_verifier.h"
#include "audit/sector_audits.h"
#include "audit/swept_floor.h"
#include "base/bytes.h"
#include "base/digest.h"
#include "base/ids.h"
#include "base/result.h"
#include "field/bound_field.h"
#include "field/path_shapes.h"
#include "field/sampler.h"
#include "field/simd_level.h"
#include "fuzz/certificate_checks.h"
#include "plan/path_plan.h"
#include "plan/path_points.h"
#include "plan/path_walk.h"
#include "test_support/audited_paths.h"
#include "test_support/shipped_worlds.h"

namespace vf {
namespace {

using namespace test;
using Gates = std::set<std::string>;

AuditedSector straight_sector() {
  const PathPlan plan = straight_plan();
  return sector_with(kRock, plan, plan);
}

/// The box of a strip over its middle line, half-way.
std::size_t middle_box(const AuditedSector& sector, const CertifiedStrip& strip, std::size_t piece) {
  const PathPiece& p = sector.plan.pieces[piece];
  const auto x = static_cast<std::int32_t>((p.from.x + p.to.x) / 2 * kCertificateUnits / 1'000'000),
             y = static_cast<std::int32_t>((p.from.y + p.to.y) / 2 * kCertificateUnits / 1'000'000);
  for (std::size_t i = 0; i < strip.air.size(); ++i) {
    const CertifiedBox& b = strip.air[i];
    if (b.x0 <= x && x < b.x1 && b.y0 <= y && y < b.y1) return i;
  }
  ADD_FAILURE() << "no box over the middle";
  return 0;
}

/// Message of the only violation after a fault in the certificate of a sound sector.
std::string message_after(const std::function<void(RouteCertificate&)>& fault) {
  const AuditedSector sector = straight_sector();
  RouteCertificate certificate = prove_routes(sector);
  EXPECT_TRUE(verify_routes(sector, certificate).violations.empty());
  fault(certificate);
  const AuditReport report = verify_routes(sector, certificate);
  EXPECT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows.front().audit, "certificate");
  EXPECT_EQ(report.violations.size(), 1U);
  return report.violations.empty() ? "" : report.violations.front().message;
}

// ------------------------------------------------------------------------------------------------ the bytes

TEST(FuzzCorpus, OfCertificatesHolds) {
  std::size_t files = 0, read = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(VF_SOURCE_DIR) + "/fuzz/corpus/certificate")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    fuzz::check_certificate(std::as_bytes(std::span(text)));
    read += decode_route_certificate(std::as_bytes(std::span(text))) ? 1U : 0U;
    ++files;
  }
  EXPECT_GE(files, 4U);
  EXPECT_GE(read, 2U);  // they are of this version of the format
}

TEST(RouteCertificate, IsTheSameAfterBytes) {
  const RouteCertificate certificate = prove_routes(straight_sector());
  const std::vector<std::byte> bytes = encode_route_certificate(certificate);
  const Result<RouteCertificate> read = decode_route_certificate(bytes);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read, certificate);
  EXPECT_EQ(encode_route_certificate(*read), bytes);
}

TEST(RouteCertificate, SaysWhatIsWrongWithItsBytes) {
  const std::vector<std::byte> good = encode_route_certificate(prove_routes(straight_sector()));
  const auto message = [](const std::vector<std::byte>& bytes) {
    const Result<RouteCertificate> read = decode_route_certificate(bytes);
    return read ? std::string("none") : read.error().message;
  };
  std::vector<std::byte> other = good;
  other[0] = std::byte{'x'};
  EXPECT_EQ(message(other),
            "route certificate, byte 0: no certificate of routes; they begin with \"VFROUTES\"");
  other = good;
  other[8] = std::byte{9};
  EXPECT_EQ(message(other), "route certificate, byte 8: format version 9; expected 1");
  other = good;
  other[good.size() / 2] ^= std::byte{1};
  EXPECT_NE(message(other), "none");
  // The first box starts behind the header and its strip's; its bounds are the last two of eight numbers.
  other = good;
  const std::size_t bound = 8 + 4 + 16 + 24 + 16 + 16 + 4 + 16 + 24;
  for (std::size_t i = 0; i < 4; ++i)
    other[bound + i] = std::byte{i == 3 ? std::uint8_t{0x80} : std::uint8_t{0}};
  EXPECT_EQ(message(other), "route certificate, byte 128: a bound is -0; expected 0");
  other = good;
  other.insert(other.end() - 16, std::byte{0});
  EXPECT_NE(message(other).find("1 bytes too many"), std::string::npos) << message(other);
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 9)
    EXPECT_NE(message({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}), "none") << size;
}

// All bytes are untrusted: whatever they are, there is an error, or a verdict without a proof too many.
TEST(RouteCertificate, StandsAnyBytes) {
  const AuditedSector sector = straight_sector();
  const std::vector<std::byte> good = encode_route_certificate(prove_routes(sector));
  std::size_t read = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    std::vector<std::byte> bytes(good.begin(), good.end() - 16);
    const std::size_t first = i % 2 == 0 ? 0 : 88;  // half of them leave the header as it is
    for (std::uint64_t k = 0; k < 1 + i % 4; ++k) {
      const std::uint64_t hash = hash_words({i, k});
      bytes[first + hash % (bytes.size() - first)] = static_cast<std::byte>(hash >> 56);
    }
    ByteWriter sealed;
    sealed.bytes(bytes);
    sealed.digest(digest_of_bytes(bytes));
    const Result<RouteCertificate> certificate = decode_route_certificate(sealed.written());
    if (!certificate) {
      EXPECT_TRUE(certificate.error().message.starts_with("route certificate, byte "));
      continue;
    }
    ++read;
    EXPECT_EQ(verify_routes(sector, *certificate).rows.size(), 1U);
  }
  EXPECT_GT(read, 100U);
}

TEST(RouteVerifier, RefusesBoxesThatLieElsewhere) {
  const AuditedSector sector = straight_sector();
  RouteCertificate certificate = prove_routes(sector);
  constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();
  certificate.strips.at(1).air = {{-kFar, -kFar, -kFar, kFar, kFar, kFar, 0.25F, 100}};
  const AuditReport report = verify_routes(sector, certificate);
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_NE(report.violations.front().message.find("lies elsewhere"), std::string::npos);
}

// --------------------------------------------------------------------------------------------- the verifier

TEST(RouteVerifier, AcceptsWhatIsProven) {
  for (const std::string_view phi : {kRock, kAbyss}) {
    const PathPlan plan = straight_plan(phi == kAbyss ? 900 : 0);
    const AuditedSector sector = sector_with(phi, plan, plan);
    const AuditReport report = verify_routes(sector, prove_routes(sector));
    EXPECT_TRUE(report.violations.empty()) << report.violations.front().message;
    // Air and rock of four pieces, one leg, the names.
    EXPECT_EQ(report.rows.front().checked, 10U);
    EXPECT_EQ(report.rows.front().worst, 100);
  }
}

TEST(RouteVerifier, RefusesACertificateWithoutOneOfItsBoxes) {
  const AuditedSector sector = straight_sector();
  RouteCertificate certificate = prove_routes(sector);
  CertifiedStrip& strip = certificate.strips.at(1);
  const CertifiedBox box = strip.air[middle_box(sector, strip, 1)];
  std::erase(strip.air, box);
  const AuditReport report = verify_routes(sector, certificate);
  ASSERT_EQ(report.violations.size(), 1U);
  const Violation& v = report.violations.front();
  EXPECT_NE(v.message.find("no box about this place"), std::string::npos) << v.message;
  EXPECT_LT(report.rows.front().worst, 100);
  // There, and a picture of it.
  EXPECT_NEAR(v.at_m.x, 0.5 * (box.x0 + box.x1) / kCertificateUnits,
              0.5 * (box.x1 - box.x0) / kCertificateUnits);
  EXPECT_TRUE(camera_arguments(v).starts_with("--camera ")) << camera_arguments(v);
}

TEST(RouteVerifier, RefusesClaimsThatAreTooNarrow) {
  const AuditedSector sector = straight_sector();
  const auto narrowed = [&](float least, float most) {
    return message_after([&](RouteCertificate& c) {
      CertifiedStrip& strip = c.strips.at(1);
      CertifiedBox& box = strip.air[middle_box(sector, strip, 1)];
      box.least += least;
      box.most -= most;
    });
  };
  EXPECT_NE(narrowed(0.01F, 0).find("a box claims the density is from"), std::string::npos);
  EXPECT_NE(narrowed(0, 0.01F).find("a box claims the density is from"), std::string::npos);
}

TEST(RouteVerifier, RefusesClaimsThatSayNothing) {
  const AuditedSector sector = straight_sector();
  const std::string message = message_after([&](RouteCertificate& c) {
    CertifiedStrip& strip = c.strips.at(1);
    strip.air[middle_box(sector, strip, 1)].least = -1;
  });
  EXPECT_NE(message.find("a box lies elsewhere or says nothing of use"), std::string::npos) << message;
}

TEST(RouteVerifier, RefusesBoxesThatReachNotFarEnough) {
  const AuditedSector sector = straight_sector();
  const auto shrunk = [&](const std::function<void(CertifiedBox&)>& shrink) {
    return message_after([&](RouteCertificate& c) {
      CertifiedStrip& strip = c.strips.at(1);
      shrink(strip.air[middle_box(sector, strip, 1)]);
    });
  };
  EXPECT_NE(shrunk([](CertifiedBox& b) { b.z0 += 4; }).find("reaches not far enough"), std::string::npos);
  EXPECT_NE(shrunk([](CertifiedBox& b) { b.z1 -= 4; }).find("reaches not far enough"), std::string::npos);
  EXPECT_NE(shrunk([](CertifiedBox& b) { b.x1 -= 1; }).find("no box about this place"), std::string::npos);
}

TEST(RouteVerifier, RefusesOtherNamesAndWeakerContracts) {
  const std::string_view expected = "the certificate is of another";
  EXPECT_TRUE(message_after([](RouteCertificate& c) { ++c.names.sx; }).starts_with(expected));
  EXPECT_TRUE(message_after([](RouteCertificate& c) { ++c.names.origin.low; }).starts_with(expected));
  EXPECT_TRUE(message_after([](RouteCertificate& c) { ++c.names.ways.low; }).starts_with(expected));
  EXPECT_TRUE(message_after([](RouteCertificate& c) { c.corridor.half_width -= 1; }).starts_with(expected));
}

TEST(RouteVerifier, RefusesAWayThatIsNotJoinedToItsNode) {
  PathPlan plan = straight_plan();
  plan.nodes[1].at.x += 1000;
  const AuditedSector sector = sector_with(kRock, plan, plan);
  const AuditReport report = verify_routes(sector, prove_routes(sector));
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations.front().message, "the spine has a gap between its pieces, or to its nodes");
}

/// A wall of 16 mm across the way, between all places that the sampling audits look at.
AuditedSector sector_with_a_thin_wall() {
  AuditedSector sector = straight_sector();
  BoundField field = *sector.field;
  std::vector<FeatureInstance>& voids =
      field.sets[*field.program->path_sets + static_cast<std::size_t>(PathSet::kVoid)].instances;
  constexpr double kFirstM = 430.100, kLastM = 430.116;
  for (FeatureInstance& f : voids) {
    const auto end = [&](double x) {
      f.values[static_cast<std::size_t>(PathValue::kEnd)] =
          static_cast<float>(std::fabs(x - static_cast<double>(f.at.x)));
      f.values[static_cast<std::size_t>(PathValue::kOverrun)] = 0;
    };
    if (f.id.value == 101) end(kFirstM);
    if (f.id.value == 102) end(kLastM);
  }
  sector.field = std::make_shared<const BoundField>(std::move(field));
  return sector;
}

TEST(RouteVerifier, FindsARockThatNoSampleMeets) {
  const AuditedSector sector = sector_with_a_thin_wall();
  FieldSampler field(sector.field, sector.simd);
  ASSERT_LT(field.value({430.108F, 500, 13.5F}), 0) << "no wall";
  EXPECT_EQ(red_gates(sector), Gates{"certificate"});
  const AuditReport report = audit_sector(sector, {"certificate"});
  for (const Violation& v : report.violations) EXPECT_NEAR(v.at_m.x, 430.1, 0.2) << v.message;
}

// --------------------------------------------------------------------------------------------- its geometry

// Of the verifier's own geometry and that of the walker, which share nothing, one may be wrong: not both.
TEST(SweptFloor, HoldsThePointsOfTheWalk) {
  const ShippedWorld w = open_shipped("floating_islands", 3);
  const Result<AuditedSector> sector = open_audited_sector(w.world, w.built, 1, 0, 0, best_simd_level());
  ASSERT_TRUE(sector.has_value()) << sector.error().message;
  std::size_t arcs = 0, slopes = 0;
  for (const PathLeg& leg : sector->plan.legs)
    for (const WalkPoint& p : walk_leg(sector->plan, leg, 0.4)) {
      const PathPiece& piece = sector->plan.pieces[p.piece];
      arcs += piece.curvature_nano != 0 ? 1U : 0U;
      slopes += piece.from.z != piece.to.z ? 1U : 0U;
      const SweptFloor floor(piece);
      ASSERT_TRUE(floor.sound());
      for (const double side : {-1.49, -0.7, 0.0, 1.49}) {
        const PlanPoint at = p.at + side * left_of(p.heading);
        const auto x = static_cast<std::int32_t>(std::floor(at.x * kCertificateUnits)),
                   y = static_cast<std::int32_t>(std::floor(at.y * kCertificateUnits));
        const std::optional<HeightRange> z = floor.heights({x - 1, y - 1, x + 2, y + 2});
        ASSERT_TRUE(z.has_value()) << at.x << ", " << at.y;
        EXPECT_NEAR(0.5 * (z->low + z->high), p.floor, 0.003);
        EXPECT_TRUE(floor.around().holds({x, y, x + 1, y + 1}));
      }
      for (const double side : {-1.52, 1.52}) {
        const PlanPoint at = p.at + side * left_of(p.heading);
        const auto x = static_cast<std::int32_t>(std::floor(at.x * kCertificateUnits)),
                   y = static_cast<std::int32_t>(std::floor(at.y * kCertificateUnits));
        EXPECT_FALSE(floor.heights({x, y, x + 1, y + 1}).has_value());
      }
    }
  EXPECT_GT(arcs, 500U);
  EXPECT_GT(slopes, 500U);
}

}  // namespace
}  // namespace vf
