// voxelforge resolve: what stands in one sector, as a table, as JSON, or as a snapshot file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/ids.h"
#include "base/notes.h"
#include "base/result.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/plan_json.h"
#include "cli/verb.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "plan/cells.h"
#include "plan/identity.h"
#include "plan/origin.h"
#include "plan/path_plan.h"
#include "plan/record_boxes.h"
#include "plan/resolve.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"
#include "recipe/recipe.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  std::array<std::int64_t, 2> sector{};
  std::string out;
};

Status read_sector(const std::string& text, std::array<std::int64_t, 2>& sector) {
  const auto parts = split_list("--sector", text, 2, 2, "X,Y");
  if (!parts) return parts.error();
  for (std::size_t i = 0; i < 2; ++i) {
    const Result<std::int64_t> value = parse_whole("--sector", (*parts)[i], -kMaxSector, kMaxSector - 1);
    if (!value) return value.error();
    sector[i] = *value;
  }
  return Unit{};
}

double metres(std::int64_t um) {
  return static_cast<double>(um) / 1e6;
}

/// One line of the table: how many records, and how many of them reach into a neighbouring sector.
template <class Records, class BoxOf>
void print_records(Console& console, const std::string& name, const Records& records, const BoxOf& box) {
  std::size_t over = 0;
  for (const auto& r : records) over += sectors_of(box(r), 0, 0) != CellRange{0, 0, 0, 0} ? 1U : 0U;
  console.line(fmt::format("  {:<32} {:>7} {:>13}", name, records.size(), over));
}

/// In the order of their kinds, for people: arrivals first, and the spine before its branches.
template <class Record>
std::vector<Record> by_kind(std::vector<Record> records) {
  std::sort(records.begin(), records.end(),
            [](const Record& a, const Record& b) { return std::tie(a.kind, a.id) < std::tie(b.kind, b.id); });
  return records;
}

/// The strata above and below have the other ends of passages.
std::string end_name(Id<PathNodeTag> node, const char* elsewhere) {
  return node.value == 0 ? elsewhere : fmt::format("{:016x}", node.value);
}

void print_paths(Console& console, const PathPlan& paths) {
  console.line(fmt::format("\npaths: {} nodes, {} legs, {} pieces", paths.nodes.size(), paths.legs.size(),
                           paths.pieces.size()));
  if (paths.nodes.empty()) return;
  console.line(
      fmt::format("\n  {:<16}  {:<14} {:>10} {:>10} {:>9}", "node", "kind", "x [m]", "y [m]", "z [m]"));
  for (const PathNode& n : by_kind(paths.nodes))
    console.line(fmt::format("  {:016x}  {:<14} {:>10.3f} {:>10.3f} {:>9.3f}", n.id.value, name_of(n.kind),
                             metres(n.at.x), metres(n.at.y), metres(n.at.z)));
  console.line(fmt::format("\n  {:<16}  {:<8} {:<16}  {:<16} {:>7} {:>11}", "leg", "kind", "from", "to",
                           "pieces", "length [m]"));
  for (const PathLeg& leg : by_kind(paths.legs))
    console.line(fmt::format("  {:016x}  {:<8} {:<16}  {:<16} {:>7} {:>11.3f}", leg.id.value,
                             name_of(leg.kind), end_name(leg.from, "stratum above"),
                             end_name(leg.to, "stratum below"), leg.count, metres(leg.length_um)));
}

void print_plan(Console& console, const SectorSnapshot& snapshot, const Recipe& recipe, const Digest& world) {
  const SectorPlan& plan = snapshot.plan;
  console.line(fmt::format("{}, stratum {}, sector {}, {}", recipe.id, plan.stratum, plan.sx, plan.sy));
  console.line(fmt::format("identity {}\nlayout   {}\nworld    {}\n", to_hex(identity_of(snapshot)),
                           to_hex(identity_of(plan)), to_hex(world)));
  console.line(fmt::format("  {:<32} {:>7} {:>13}", "what", "records", "over a border"));
  for (std::size_t i = 0; i < plan.features.size(); ++i)
    print_records(console, "features." + recipe.features[i].name, plan.features[i],
                  [](const FeatureRecord& r) { return box_of(r); });
  for (std::size_t i = 0; i < recipe.lights.size(); ++i) {
    std::vector<LightRecord> lights;
    for (const LightRecord& r : plan.lights)
      if (r.light == i) lights.push_back(r);
    print_records(console, fmt::format("light \"{}\"", recipe.lights[i].name), lights,
                  [&recipe](const LightRecord& r) { return box_of(r, recipe); });
  }
  print_paths(console, plan.paths);
}

Result<int> run_resolve(const Options& options, const Input& input) {
  if (!input.out.empty()) {
    if (const Status target = can_write(input.out); !target) return target.error();
  }
  Console console(options.json);
  Notes notes;  // `check` shows them
  const Result<InputWorld> world = open_input(input.world, options, notes);
  if (!world) return world.error();
  const InputStratum where = input_stratum(*world, options.stratum);
  Result<SectorPlan> plan = resolve_sector(where, input.sector[0], input.sector[1]);
  if (!plan) return plan.error();
  const SectorSnapshot snapshot{origin_of(where.stratum), *std::move(plan)};
  if (!input.out.empty()) {
    if (const Status written = write_file(input.out, encode_snapshot(snapshot)); !written)
      return written.error();
  }
  const Digest identity = world_identity(world->world);
  if (options.json) {
    Json json = plan_json(snapshot, *where.stratum.recipe);
    json["world"] = to_hex(identity);
    print_json(json);
  } else {
    print_plan(console, snapshot, *where.stratum.recipe, identity);
  }
  return kExitGood;
}

}  // namespace

void add_resolve(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb =
      add_verb(app, session, "resolve", "what stands in one sector: records, identity, snapshot",
               kJson | kWorld | kStratum, [&session, input] { return run_resolve(session.options, *input); });
  verb.world(input->world);
  verb.checked(
      "--sector", "which sector, each 1024 m wide; without it, 0,0",
      [input](const std::string& text) { return read_sector(text, input->sector); }, "X,Y");
  verb.text("--out", input->out, "write the snapshot (docs/formats/snapshot.md)", "FILE");
}

}  // namespace vf::cli
