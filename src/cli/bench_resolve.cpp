// voxelforge bench resolve: one sector after another, at the top and far down and away.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/notes.h"
#include "base/result.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/world_input.h"
#include "plan/identity.h"
#include "plan/origin.h"
#include "plan/resolve.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"

namespace vf::cli {

namespace {

constexpr std::int64_t kFarStratum = 1'000'000, kFarX = -40'000, kFarY = 70'000;
/// Sectors hold different things: so many a side, that medians say something of all.
constexpr std::int64_t kSide = 4;

struct Block {
  InputStratum where;
  std::int64_t x = 0, y = 0;  ///< its first sector
  std::vector<double> resolve, snapshot;
  std::vector<Digest> identities;  ///< of the first run
  std::size_t records = 0, bytes = 0;
};

std::size_t records_of(const SectorPlan& plan) {
  std::size_t n =
      plan.lights.size() + plan.paths.nodes.size() + plan.paths.legs.size() + plan.paths.pieces.size();
  for (const auto& set : plan.features) n += set.size();
  return n;
}

Status measure_sector(Block& block, std::size_t i, bool first) {
  const auto n = static_cast<std::int64_t>(i);
  const Stopwatch clock;
  Result<SectorPlan> plan = resolve_sector(block.where, block.x + n % kSide, block.y + n / kSide);
  if (!plan) return plan.error();
  block.resolve.push_back(clock.seconds());
  const SectorSnapshot snapshot{origin_of(block.where.stratum), *std::move(plan)};
  const Stopwatch writing;
  const std::size_t bytes = encode_snapshot(snapshot).size();
  block.snapshot.push_back(writing.seconds());
  const Digest identity = identity_of(snapshot);
  if (first) {
    block.identities.push_back(identity);
    block.records += records_of(snapshot.plan);
    block.bytes += bytes;
  } else if (identity != block.identities[i]) {
    return Error{ErrorCode::kResource, {}, "bench resolve: two runs resolved different sectors"};
  }
  return Unit{};
}

Json to_json(const Block& block) {
  const auto count = static_cast<std::size_t>(kSide * kSide);
  return {{"stratum", block.where.stratum.index},
          {"sector", {block.x, block.y}},
          {"sectors", count},
          {"resolve_s", median(block.resolve)},
          {"snapshot_s", median(block.snapshot)},
          {"records_per_sector", static_cast<double>(block.records) / static_cast<double>(count)},
          {"snapshot_bytes_per_sector", static_cast<double>(block.bytes) / static_cast<double>(count)}};
}

void print_block(const char* name, const Block& block) {
  const auto count = static_cast<double>(kSide * kSide);
  fmt::print(stdout,
             "{:<9}{:>8.3f} ms a sector  (snapshot {:.3f} ms, {:.0f} bytes)  {:.0f} records; stratum {}, "
             "from sector {}, {}\n",
             name, median(block.resolve) * 1000, median(block.snapshot) * 1000,
             static_cast<double>(block.bytes) / count, static_cast<double>(block.records) / count,
             block.where.stratum.index, block.x, block.y);
}

}  // namespace

Result<int> bench_resolve(const Options& options, const std::string& name) {
  Notes notes;  // `check` shows them
  const Result<InputWorld> world = open_input(name, options, notes);
  if (!world) return world.error();
  // The same entry of the stack, at least a million strata down: the same type.
  const auto strata = static_cast<std::int64_t>(world->world.block.size());
  const std::int64_t deep = options.stratum + (kFarStratum + strata - 1) / strata * strata;
  Block near{input_stratum(*world, options.stratum), 0, 0, {}, {}, {}, 0, 0};
  Block far{input_stratum(*world, deep), kFarX, kFarY, {}, {}, {}, 0, 0};
  for (unsigned run = 0; run < options.runs; ++run)
    for (std::size_t i = 0; i < static_cast<std::size_t>(kSide * kSide); ++i)
      for (Block* block : {&near, &far})  // in turns, so that both see the same machine
        if (const Status status = measure_sector(*block, i, run == 0); !status) return status.error();
  Digester all;
  for (const Block* block : {&near, &far})
    for (const Digest& d : block->identities) {
      all.add(d);
    }
  const std::string digest = to_hex(all.finish());
  const double ratio = median(far.resolve) / median(near.resolve);
  const std::string scope = fmt::format(
      "{}: resolve one sector from built programs to sorted records (features, lights, paths), on one "
      "thread; nothing is kept from one to the next; medians over {} sectors from 0, 0 of stratum {} "
      "(first) and over as many from {}, {} of stratum {} (far), in turns",
      near.where.built->recipe->id, kSide * kSide, options.stratum, kFarX, kFarY, deep);
  if (options.json) {
    Json json = bench_json(options, scope, digest);
    json["resolve_s"] = median(near.resolve);
    json["far_s"] = median(far.resolve);
    json["far_over_first"] = ratio;
    json["first"] = to_json(near);
    json["far"] = to_json(far);
    print_json(json);
    return kExitGood;
  }
  print_bench(options, scope, digest);
  print_block("first", near);
  print_block("far", far);
  fmt::print(stdout, "far / first  {:.2f}\n", ratio);
  return kExitGood;
}

}  // namespace vf::cli
