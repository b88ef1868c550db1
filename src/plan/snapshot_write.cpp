#include "plan/snapshot_write.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/digest.h"
#include "math/vec.h"
#include "plan/origin.h"
#include "plan/path_plan.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"
#include "plan/snapshot_format.h"

namespace vf {

namespace {

using snapshot_format::kMagic;
using snapshot_format::kTables;
using snapshot_format::TableKind;

void write(const PositionUm& p, ByteWriter& out) {
  out.i64(p.x);
  out.i64(p.y);
  out.i64(p.z);
}
void write(const Vec3f& v, ByteWriter& out) {
  out.f32(v.x);
  out.f32(v.y);
  out.f32(v.z);
}
void write(const FeatureRecord& r, std::size_t values, ByteWriter& out) {
  out.u64(r.id.value);
  write(r.at, out);
  out.f32(r.yaw_turns);
  write(r.extent_min, out);
  write(r.extent_max, out);
  for (const float u : r.random) out.f32(u);
  for (std::size_t i = 0; i < values; ++i) out.f32(r.values[i]);
}
void write(const LightRecord& r, ByteWriter& out) {
  out.u64(r.id.value);
  write(r.at, out);
  out.u32(r.light);
}
void write(const PathNode& r, ByteWriter& out) {
  out.u64(r.id.value);
  out.u32(static_cast<std::uint32_t>(r.kind));
  write(r.at, out);
}
void write(const PathLeg& r, ByteWriter& out) {
  out.u64(r.id.value);
  out.u32(static_cast<std::uint32_t>(r.kind));
  out.u64(r.from.value);
  out.u64(r.to.value);
  out.u32(r.first);
  out.u32(r.count);
  out.i64(r.length_um);
}
void write(const PathPiece& r, ByteWriter& out) {
  out.u64(r.id.value);
  out.u32(static_cast<std::uint32_t>(r.shape));
  write(r.from, out);
  write(r.to, out);
  out.i64(r.curvature_nano);
  out.i64(r.along_um);
  out.i32(r.half_width_mm);
  out.i32(r.clear_mm);
  out.i32(r.kerb_mm);
  out.u32(r.banked ? 1 : 0);
}

/// How many values the records of a set need: the rest are 0 in all of them.
std::size_t used_values(const std::vector<FeatureRecord>& set) {
  std::size_t used = 0;
  for (const FeatureRecord& r : set)
    for (std::size_t i = used; i < r.values.size(); ++i)
      if (r.values[i] != 0) used = i + 1;
  return used;
}

void write_table_header(TableKind kind, std::size_t set, std::size_t values, std::size_t count,
                        ByteWriter& out) {
  VF_CHECK(count <= 0xFFFFFFFFU);
  out.text(kTables[static_cast<std::size_t>(kind)].tag);
  out.u32(static_cast<std::uint32_t>(set));
  out.u32(static_cast<std::uint32_t>(values));
  out.u32(static_cast<std::uint32_t>(count));
}

template <class Record>
void write_table(TableKind kind, const std::vector<Record>& records, ByteWriter& out) {
  if (records.empty()) return;
  write_table_header(kind, 0, 0, records.size(), out);
  for (const Record& r : records) write(r, out);
}

std::uint32_t table_count(const SectorPlan& plan) {
  std::uint32_t tables = 0;
  for (const auto& set : plan.features) tables += set.empty() ? 0U : 1U;
  for (const bool empty :
       {plan.lights.empty(), plan.paths.nodes.empty(), plan.paths.legs.empty(), plan.paths.pieces.empty()})
    tables += empty ? 0U : 1U;
  return tables;
}

}  // namespace

void write_layout(const SectorPlan& plan, ByteWriter& out) {
  out.i64(plan.stratum);
  out.i64(plan.sx);
  out.i64(plan.sy);
  out.u32(table_count(plan));
  for (std::size_t set = 0; set < plan.features.size(); ++set) {
    const std::vector<FeatureRecord>& records = plan.features[set];
    if (records.empty()) continue;
    const std::size_t values = used_values(records);
    write_table_header(TableKind::kFeatures, set, values, records.size(), out);
    for (const FeatureRecord& r : records) write(r, values, out);
  }
  write_table(TableKind::kLights, plan.lights, out);
  write_table(TableKind::kNodes, plan.paths.nodes, out);
  write_table(TableKind::kLegs, plan.paths.legs, out);
  write_table(TableKind::kPieces, plan.paths.pieces, out);
}

std::vector<std::byte> encode_snapshot(const SectorSnapshot& snapshot) {
  const PlanOrigin& origin = snapshot.origin;
  ByteWriter out;
  out.text(kMagic);
  out.u32(kSnapshotVersion);
  out.u32(origin.evaluator);
  out.u64(origin.world_seed.value);
  out.u32(origin.recipe_version);
  out.u32(origin.layout_version);
  out.digest(origin.parameters);
  out.u32(static_cast<std::uint32_t>(snapshot.plan.features.size()));
  out.u32(static_cast<std::uint32_t>(origin.recipe_id.size()));
  out.text(origin.recipe_id);
  write_layout(snapshot.plan, out);
  out.digest(digest_of_bytes(out.written()));
  return out.take();
}

}  // namespace vf
