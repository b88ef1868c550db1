// voxelforge audit: do the contracts hold? Seeds x strata x sectors, by slow and plain re-checks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit_report.h"
#include "audit/audited_sector.h"
#include "audit/route_certificate.h"
#include "audit/route_prover.h"
#include "audit/route_verifier.h"
#include "audit/sector_audits.h"
#include "base/ids.h"
#include "base/nearest_name.h"
#include "base/notes.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/tasks.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verb.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "math/vec.h"

namespace vf::cli {

namespace {

constexpr std::uint64_t kMaxSeeds = 100'000;
constexpr std::uint64_t kMaxSectors = 1000;
constexpr std::int64_t kMaxSectorIndex = 900'000'000;  ///< its world metres are exact on the 1/1024 m grid
constexpr std::uint64_t kMaxStrata = 1000;
constexpr std::size_t kMaxCertificateBytes = std::size_t{256} << 20;

struct Sector {
  std::int64_t x = 0, y = 0;
};

struct Input {
  std::string world;
  std::uint64_t first_seed = 1, last_seed = 1;
  bool seeds_given = false;
  std::vector<Sector> sectors{{0, 0}};
  std::uint64_t strata = 1;
  std::set<std::string> audits;
  std::string certificate;  ///< file to write; empty: none
  std::string checked;      ///< file to check instead of all audits; empty: none
};

/// One sector of one stratum of one world.
struct Cell {
  std::uint64_t seed = 0;
  std::int64_t stratum = 0;
  Sector sector;
};

struct Found {
  Cell cell;
  Violation violation;
};

struct Outcome {
  AuditReport total;         ///< rows only
  std::vector<Found> found;  ///< in the order of seeds, strata, sectors
  std::size_t cells = 0;
  double seconds = 0;
};

// ---------------------------------------------------------------- what was typed

Status read_seeds(const std::string& text, Input& input) {
  const std::size_t dots = text.find("..");
  const std::string first = text.substr(0, dots),
                    last = dots == std::string::npos ? first : text.substr(dots + 2);
  const Result<std::uint64_t> a = parse_count("--seeds", first, 0, UINT64_MAX);
  if (!a) return a.error();
  const Result<std::uint64_t> b = parse_count("--seeds", last, 0, UINT64_MAX);
  if (!b) return b.error();
  if (*b < *a)
    return Error{
        ErrorCode::kBadInput, {}, fmt::format("--seeds: {}..{} is empty; expected A..B with A <= B", *a, *b)};
  if (*b - *a >= kMaxSeeds)
    return Error{ErrorCode::kBadInput, {}, fmt::format("--seeds: expected at most {} seeds", kMaxSeeds)};
  input.first_seed = *a;
  input.last_seed = *b;
  input.seeds_given = true;
  return Unit{};
}

/// "N": the first N of a fixed walk: the origin, far away on both sides of it, then hashed places.
std::vector<Sector> some_sectors(std::uint64_t count) {
  std::vector<Sector> out{{0, 0}, {-40000, 70000}, {3, -2}};
  for (std::uint64_t i = out.size(); i < count; ++i) {
    const auto pick = [&](std::uint64_t axis) {
      return static_cast<std::int64_t>(hash_words({i, axis, hash_text("audited sector")}) % 200'001) -
             100'000;
    };
    out.push_back({pick(0), pick(1)});
  }
  out.resize(count);
  return out;
}

Status read_sectors(const std::string& text, Input& input) {
  if (text.find(',') == std::string::npos) {
    const Result<std::uint64_t> count = parse_count("--sectors", text, 1, kMaxSectors);
    if (!count) return count.error();
    input.sectors = some_sectors(*count);
    return Unit{};
  }
  const Result<std::vector<std::string>> parts = split_list("--sectors", text, 2, 2, "N or X,Y");
  if (!parts) return parts.error();
  std::array<std::int64_t, 2> at{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Result<std::int64_t> value =
        parse_whole("--sectors", (*parts)[i], -kMaxSectorIndex, kMaxSectorIndex);
    if (!value) return value.error();
    at.at(i) = *value;
  }
  input.sectors = {{at[0], at[1]}};
  return Unit{};
}

Status read_audits(const std::string& text, Input& input) {
  std::vector<std::string> known;
  for (const AuditName& a : audit_names()) known.push_back(a.name);
  const Result<std::vector<std::string>> parts =
      split_list("--audits", text, 1, known.size(), "names with commas between them");
  if (!parts) return parts.error();
  input.audits.clear();
  for (const std::string& name : *parts) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string nearest = nearest_name(name, known);
      return Error{ErrorCode::kBadInput,
                   {},
                   fmt::format("--audits: there is no audit '{}'; {}", name,
                               nearest.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                               : fmt::format("did you mean {}?", nearest))};
    }
    input.audits.insert(name);
  }
  return Unit{};
}

// ---------------------------------------------------------------- the run

Result<std::vector<InputWorld>> open_worlds(const Options& options, const Input& input, Console& console) {
  std::vector<InputWorld> out;
  for (std::uint64_t seed = input.first_seed;; ++seed) {
    Options seeded = options;
    if (input.seeds_given) seeded.seed = Seed{seed};
    Notes notes;
    Result<InputWorld> world = open_input(input.world, seeded, notes);
    if (out.empty()) console.notes(notes);  // the same for every seed
    if (!world) return world.error();
    out.push_back(*std::move(world));
    if (!input.seeds_given || seed == input.last_seed) return out;
  }
}

struct Task {
  const InputWorld* world = nullptr;
  Cell cell;
};

std::vector<Task> tasks_of(const Options& options, const Input& input,
                           const std::vector<InputWorld>& worlds) {
  std::vector<Task> tasks;
  for (const InputWorld& world : worlds)
    for (std::uint64_t k = 0; k < input.strata; ++k)
      for (const Sector& sector : input.sectors)
        tasks.push_back(
            {&world, {world.world.seed.value, options.stratum + static_cast<std::int64_t>(k), sector}});
  return tasks;
}

/// Adds what was found in the cells, in their order.
void add_reports(const std::vector<Task>& tasks, std::vector<AuditReport> reports, Outcome& out) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (Violation& v : reports[i].violations) out.found.push_back({tasks[i].cell, std::move(v)});
    reports[i].violations.clear();
    out.total += reports[i];
  }
  out.cells += tasks.size();
}

Result<AuditedSector> open_task(const Options& options, const Task& t) {
  return open_audited_sector(t.world->world, t.world->built, t.cell.stratum, t.cell.sector.x, t.cell.sector.y,
                             options.simd);
}

/// Checks the certificate of the one cell, or proves and writes it.
Result<AuditReport> run_certificate(const Options& options, const Input& input, const Task& task) {
  if (!input.checked.empty()) {
    const Result<std::string> text = read_file(input.checked, kMaxCertificateBytes);
    if (!text) return text.error();
    Result<RouteCertificate> certificate =
        decode_route_certificate(std::as_bytes(std::span(text->data(), text->size())));
    if (!certificate)
      return Error{
          ErrorCode::kBadInput, {}, fmt::format("{}: {}", input.checked, certificate.error().message)};
    const Result<AuditedSector> sector = open_task(options, task);
    if (!sector) return sector.error();
    return verify_routes(*sector, *certificate);
  }
  const Result<AuditedSector> sector = open_task(options, task);
  if (!sector) return sector.error();
  if (const Status written = write_file(input.certificate, encode_route_certificate(prove_routes(*sector)));
      !written)
    return written.error();
  return AuditReport{};
}

Result<Outcome> run_cells(const Options& options, const Input& input, Console& console) {
  const Stopwatch watch;
  const Result<std::vector<InputWorld>> worlds = open_worlds(options, input, console);
  if (!worlds) return worlds.error();
  const std::vector<Task> tasks = tasks_of(options, input, *worlds);
  Outcome out;
  if (!input.certificate.empty() || !input.checked.empty()) {
    Result<AuditReport> report = run_certificate(options, input, tasks.front());
    if (!report) return report.error();
    if (!input.checked.empty()) {
      add_reports(tasks, {*std::move(report)}, out);
      out.seconds = watch.seconds();
      return out;
    }
  }
  std::vector<AuditReport> reports(tasks.size());
  const Progress progress = console.progress();
  // In groups, so that progress can be shown from this thread.
  const std::size_t group = 8 * std::size_t{options.workers == 0 ? default_workers() : options.workers};
  for (std::size_t first = 0; first < tasks.size(); first += group) {
    progress("audit sectors", first, tasks.size());
    parallel_for(std::min(group, tasks.size() - first), options.workers, [&](std::size_t i, unsigned) {
      const Task& t = tasks[first + i];
      reports[first + i] = audit_sector_of(t.world->world, t.world->built, t.cell.stratum, t.cell.sector.x,
                                           t.cell.sector.y, options.simd, input.audits);
    });
  }
  progress("audit sectors", tasks.size(), tasks.size());
  add_reports(tasks, std::move(reports), out);
  out.seconds = watch.seconds();
  return out;
}

// ---------------------------------------------------------------- what is shown

/// Everything after `voxelforge` to see the place.
std::string shot_of(const Input& input, const Found& found) {
  return fmt::format("shot {} --seed {} --stratum {} {} --out violation.png", input.world, found.cell.seed,
                     found.cell.stratum, camera_arguments(found.violation));
}

Json to_json(const Input& input, const Outcome& outcome) {
  Json rows = Json::array(), violations = Json::array();
  for (const AuditRow& r : outcome.total.rows) {
    Json row{{"audit", r.audit}, {"number", r.number}, {"checked", r.checked}, {"violations", r.violations}};
    if (r.checked > 0) row["worst"] = r.worst;
    row["limit"] = r.limit;
    row["keeps"] = r.keeps == Keeps::kAtMost ? "at most" : "at least";
    row["unit"] = r.unit;
    rows.push_back(std::move(row));
  }
  for (const Found& f : outcome.found) {
    const Violation& v = f.violation;
    violations.push_back({{"audit", v.audit},
                          {"number", v.number},
                          {"message", v.message},
                          {"seed", f.cell.seed},
                          {"stratum", f.cell.stratum},
                          {"sector", {f.cell.sector.x, f.cell.sector.y}},
                          {"at", {v.at_m.x, v.at_m.y, v.at_m.z}},
                          {"shot", shot_of(input, f)}});
  }
  return {{"world", input.world},
          {"sectors", outcome.cells},
          {"seconds", outcome.seconds},
          {"rows", rows},
          {"violations", violations}};
}

void print_outcome(Console& console, const Input& input, const Outcome& outcome) {
  console.line(fmt::format("{:>3} {:<12} {:>12} {:>11}  {}", "", "audit", "checked", "violations", "worst"));
  for (const AuditRow& r : outcome.total.rows) {
    const std::string worst =
        r.checked == 0 ? "-"
                       : fmt::format("{:.4g}, {} {:g} {}", r.worst,
                                     r.keeps == Keeps::kAtMost ? "at most" : "at least", r.limit, r.unit);
    console.line(
        fmt::format("{:>3} {:<12} {:>12} {:>11}  {}", r.number, r.audit, r.checked, r.violations, worst));
  }
  constexpr std::size_t kShown = 40;
  for (std::size_t i = 0; i < std::min(kShown, outcome.found.size()); ++i) {
    const Found& f = outcome.found[i];
    const Violation& v = f.violation;
    console.line(fmt::format("{}: {}, at {:.2f}, {:.2f}, {:.2f} (seed {}, stratum {}, sector {}, {})",
                             v.audit, v.message, v.at_m.x, v.at_m.y, v.at_m.z, f.cell.seed, f.cell.stratum,
                             f.cell.sector.x, f.cell.sector.y));
    console.line("  voxelforge " + shot_of(input, f));
  }
  if (outcome.found.size() > kShown)
    console.line(fmt::format("and {} more; --json has all", outcome.found.size() - kShown));
  console.line(fmt::format("{} sectors in {:.1f} s: {} violations", outcome.cells, outcome.seconds,
                           outcome.found.size()));
}

Result<int> run_audit(const Options& options, const Input& input) {
  Console console(options.json);
  if (input.seeds_given && options.seed)
    return Error{ErrorCode::kBadInput, {}, "--seed and --seeds exclude each other"};
  if (!input.certificate.empty() && !input.checked.empty())
    return Error{ErrorCode::kBadInput, {}, "--cert and --check-cert exclude each other"};
  const bool one = input.first_seed == input.last_seed && input.strata == 1 && input.sectors.size() == 1;
  if ((!input.certificate.empty() || !input.checked.empty()) && !one)
    return Error{
        ErrorCode::kBadInput, {}, "a certificate is of one sector: give one seed, stratum and sector"};
  if (!input.certificate.empty()) {
    if (const Status target = can_write(input.certificate); !target) return target.error();
  }
  const Result<Outcome> outcome = run_cells(options, input, console);
  if (!outcome) return outcome.error();
  if (options.json)
    print_json(to_json(input, *outcome));
  else
    print_outcome(console, input, *outcome);
  return outcome->found.empty() ? kExitGood : kExitViolation;
}

}  // namespace

void add_audit(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  for (const AuditName& a : audit_names()) input->audits.insert(a.name);
  const Verb verb = add_verb(app, session, "audit", "re-check the contracts of routes, passages and products",
                             kJson | kWorld | kWorkers | kSimd | kStratum,
                             [&session, input] { return run_audit(session.options, *input); });
  verb.world(input->world);
  verb.checked(
      "--seeds", "these seeds, instead of the world's own",
      [input](const std::string& text) { return read_seeds(text, *input); }, "A..B");
  verb.checked(
      "--sectors", "so many sectors, near and far; or this one; without it, sector 0,0",
      [input](const std::string& text) { return read_sectors(text, *input); }, "N|X,Y");
  verb.checked(
      "--strata", "so many strata, from --stratum down; without it, one",
      [input](const std::string& text) -> Status {
        const Result<std::uint64_t> count = parse_count("--strata", text, 1, kMaxStrata);
        if (!count) return count.error();
        input->strata = *count;
        return Unit{};
      },
      "N");
  verb.text("--cert", input->certificate,
            "write the sector's proof of routes (docs/formats/route-certificate.md)", "FILE");
  verb.text("--check-cert", input->checked, "check this proof of routes, and nothing else", "FILE");
  std::vector<std::string> names;
  for (const AuditName& a : audit_names()) names.push_back(a.name);
  verb.checked(
      "--audits", fmt::format("only these: {}", fmt::join(names, ", ")),
      [input](const std::string& text) { return read_audits(text, *input); }, "NAMES");
}

}  // namespace vf::cli
