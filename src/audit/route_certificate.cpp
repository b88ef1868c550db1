#include "audit/route_certificate.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audited_sector.h"
#include "base/bytes.h"
#include "base/digest.h"
#include "base/result.h"
#include "plan/identity.h"
#include "plan/origin.h"
#include "plan/sector_plan.h"

namespace vf {

namespace {

constexpr std::string_view kMagic = "VFROUTES";
constexpr std::size_t kHeaderBytes = 8 + 4 + 16 + 3 * 8 + 16 + 4 * 4 + 4;
constexpr std::size_t kStripBytes = 8 + 4 + 4, kBoxBytes = 6 * 4 + 2 * 4, kChecksumBytes = 16;

void write(const CertifiedBox& box, ByteWriter& out) {
  for (const std::int32_t v : {box.x0, box.y0, box.z0, box.x1, box.y1, box.z1}) out.i32(v);
  out.f32(box.least);
  out.f32(box.most);
}

Error wrong(std::size_t at, const std::string& what) {
  return Error{ErrorCode::kBadInput, {}, fmt::format("route certificate, byte {}: {}", at, what)};
}

/// One content has one form of bytes: there is one zero.
Result<CertifiedBox> read_box(ByteReader& in) {
  CertifiedBox out;
  for (std::int32_t* v : {&out.x0, &out.y0, &out.z0, &out.x1, &out.y1, &out.z1}) *v = in.i32();
  for (float* v : {&out.least, &out.most}) {
    *v = in.f32();
    if (*v == 0 && std::signbit(*v)) return wrong(in.at() - 4, "a bound is -0; expected 0");
  }
  return out;
}

Status read_boxes(ByteReader& in, std::uint64_t count, std::vector<CertifiedBox>& out) {
  out.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Result<CertifiedBox> box = read_box(in);
    if (!box) return box.error();
    out.push_back(*box);
  }
  return Unit{};
}

Result<CertifiedStrip> read_strip(ByteReader& in) {
  if (in.left() < kStripBytes)
    return wrong(in.at(),
                 fmt::format("cut short: a strip needs {} bytes; {} are left", kStripBytes, in.left()));
  CertifiedStrip strip;
  strip.id = in.u64();
  const std::uint64_t air = in.u32(), rock = in.u32();
  if (in.left() / kBoxBytes < air + rock)
    return wrong(in.at(), fmt::format("cut short: {} boxes need {} bytes; {} are left", air + rock,
                                      (air + rock) * kBoxBytes, in.left()));
  if (const Status status = read_boxes(in, air, strip.air); !status) return status.error();
  if (const Status status = read_boxes(in, rock, strip.rock); !status) return status.error();
  return strip;
}

}  // namespace

RouteNames route_names(const AuditedSector& sector) {
  SectorPlan ways;
  ways.stratum = sector.scope.stratum.index;
  ways.sx = sector.sx;
  ways.sy = sector.sy;
  ways.paths = sector.plan;
  return {origin_digest(origin_of(sector.scope.stratum)), ways.stratum, ways.sx, ways.sy, identity_of(ways)};
}

std::vector<std::byte> encode_route_certificate(const RouteCertificate& c) {
  ByteWriter out;
  out.text(kMagic);
  out.u32(kRouteCertificateVersion);
  out.digest(c.names.origin);
  out.i64(c.names.stratum);
  out.i64(c.names.sx);
  out.i64(c.names.sy);
  out.digest(c.names.ways);
  for (const std::int32_t v : {c.corridor.half_width, c.corridor.height, c.corridor.skin, c.corridor.slab})
    out.i32(v);
  out.u32(static_cast<std::uint32_t>(c.strips.size()));
  for (const CertifiedStrip& strip : c.strips) {
    out.u64(strip.id);
    out.u32(static_cast<std::uint32_t>(strip.air.size()));
    out.u32(static_cast<std::uint32_t>(strip.rock.size()));
    for (const CertifiedBox& box : strip.air) write(box, out);
    for (const CertifiedBox& box : strip.rock) write(box, out);
  }
  out.digest(digest_of_bytes(out.written()));
  return out.take();
}

Result<RouteCertificate> decode_route_certificate(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes)
    return wrong(bytes.size(),
                 fmt::format("cut short: expected at least {} bytes", kHeaderBytes + kChecksumBytes));
  for (std::size_t i = 0; i < kMagic.size(); ++i)
    if (bytes[i] != static_cast<std::byte>(kMagic[i]))
      return wrong(i, fmt::format("no certificate of routes; they begin with \"{}\"", kMagic));
  ByteReader in(bytes.first(bytes.size() - kChecksumBytes));
  (void)in.u64();
  if (const std::uint32_t version = in.u32(); version != kRouteCertificateVersion)
    return wrong(8, fmt::format("format version {}; expected {}", version, kRouteCertificateVersion));
  RouteCertificate out;
  out.names.origin = in.digest();
  out.names.stratum = in.i64();
  out.names.sx = in.i64();
  out.names.sy = in.i64();
  out.names.ways = in.digest();
  for (std::int32_t* v :
       {&out.corridor.half_width, &out.corridor.height, &out.corridor.skin, &out.corridor.slab})
    *v = in.i32();
  const std::uint32_t strips = in.u32();
  for (std::uint32_t i = 0; i < strips; ++i) {
    Result<CertifiedStrip> strip = read_strip(in);
    if (!strip) return strip.error();
    out.strips.push_back(*std::move(strip));
  }
  if (in.left() > 0) return wrong(in.at(), fmt::format("{} bytes too many", in.left()));
  ByteReader end(bytes.last(kChecksumBytes));
  if (digest_of_bytes(bytes.first(bytes.size() - kChecksumBytes)) != end.digest())
    return wrong(bytes.size() - kChecksumBytes, "the checksum is not that of the bytes before it");
  return out;
}

}  // namespace vf
