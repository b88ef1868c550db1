// voxelforge digest: the canonical digests of density, mesh and plan of every stratum of a world around a
// place.
#include <fmt/format.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/notes.h"
#include "base/progress.h"
#include "base/result.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/stratum_digest.h"
#include "cli/verb.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "exports/atomic_file.h"
#include "field/program.h"
#include "field/simd_level.h"
#include "plan/identity.h"
#include "plan/origin.h"
#include "plan/resolve.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"
#include "proof/density_digest.h"

namespace vf::cli {

namespace {

struct Input {
  std::string world;
  std::optional<Place2> at;
  bool unpruned = false;
  bool flush_denormals = false;
  std::string dump;
  std::string compare;
};

struct DigestedStratum {
  std::int64_t index = 0;
  std::string type;
  StratumDigest digest;
  Digest identity;  ///< of the sector that holds the place
  Digest origin;    ///< of what it was resolved from: a change of geometry changes it
};

struct WorldDigest {
  Digest density, mesh, identity;
  Place2 at{};
  std::vector<DigestedStratum> strata;
};

/// What a host engine does to the thread that calls us: denormals read and written as zero.
class FlushedDenormals {
 public:
#if defined(__x86_64__)
  explicit FlushedDenormals(bool flush) : saved_(_mm_getcsr()) {
    constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
    if (flush) _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero);
  }
  ~FlushedDenormals() { _mm_setcsr(saved_); }
#else
  explicit FlushedDenormals(bool) {}
  ~FlushedDenormals() {}
#endif
  FlushedDenormals(const FlushedDenormals&) = delete;
  FlushedDenormals& operator=(const FlushedDenormals&) = delete;

#if defined(__x86_64__)
 private:
  unsigned saved_;
#endif
};

Result<WorldDigest> digest_world(const Options& options, const Input& input, const InputWorld& world,
                                 Console& console) {
  WorldDigest out;
  out.at = input.at.value_or(kDigestPlace);
  const Result<ViewPlace> place = view_place(out.at);
  if (!place) return place.error();
  const std::int64_t first = options.stratum_given ? options.stratum : 0;
  const std::int64_t last =
      options.stratum_given ? options.stratum + 1 : static_cast<std::int64_t>(world.world.block.size());
  const bool want_dump = !input.dump.empty() || !input.compare.empty();
  Digester density, mesh, identity;
  const auto add = [](Digester& to, std::int64_t stratum, const Digest& digest) {
    to.add(static_cast<std::uint64_t>(stratum));
    to.add(digest);
  };
  const FlushedDenormals caller(input.flush_denormals);
  const Progress progress = console.progress();
  for (std::int64_t k = first; k < last; ++k) {
    progress("digest, stratum by stratum", static_cast<std::size_t>(k - first),
             static_cast<std::size_t>(last - first));
    const InputStratum where = input_stratum(world, k);
    Result<StratumDigest> digest =
        digest_stratum(where, *place, {options.simd, !input.unpruned}, options.workers, want_dump);
    if (!digest) return digest.error();
    Result<SectorPlan> plan = resolve_sector(where, place->frame.sx, place->frame.sy);
    if (!plan) return plan.error();
    const SectorSnapshot sector{origin_of(where.stratum), *std::move(plan)};
    add(density, k, digest->region.all);
    add(mesh, k, digest->mesh);
    out.strata.push_back(
        {k, where.built->recipe->id, *std::move(digest), identity_of(sector), origin_digest(sector.origin)});
    add(identity, k, out.strata.back().identity);
  }
  progress("digest, stratum by stratum", out.strata.size(), out.strata.size());
  out.density = density.finish();
  out.mesh = mesh.finish();
  out.identity = identity.finish();
  return out;
}

std::string whole_dump(const WorldDigest& world) {
  std::string text;
  for (const DigestedStratum& s : world.strata) {
    text += fmt::format("stratum {} {}\n", s.index, s.type);
    text += s.digest.dump;
    // After the values: before them it would be the first to differ, and tell nothing.
    text += fmt::format("digest {}\n", to_hex(s.digest.region.all));
  }
  return text;
}

/// Dumps are as long as they are: unlike recipes they have no limit.
Result<std::string> read_dump(const std::string& name) {
  const auto failed = [&] {
    return Error{
        ErrorCode::kIo, {}, fmt::format("cannot read {}: {}", name, std::generic_category().message(errno))};
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  if (file == nullptr) return failed();
  std::string text;
  std::vector<char> part(1 << 16);
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), file.get()))
    text.append(part.data(), n);
  if (std::ferror(file.get()) != 0) return failed();
  if (!text.starts_with("stratum ")) {
    return Error{
        ErrorCode::kBadInput, {name, 1, 1}, "not a dump of digests; expected what `digest --dump` writes"};
  }
  return text;
}

Json to_json(const Options& options, const Input& input, const WorldDigest& digest) {
  Json strata = Json::array();
  for (const DigestedStratum& s : digest.strata) {
    strata.push_back({{"stratum", s.index},
                      {"type", s.type},
                      {"density", to_hex(s.digest.region.all)},
                      {"mesh", to_hex(s.digest.mesh)},
                      {"identity", to_hex(s.identity)},
                      {"origin", to_hex(s.origin)},
                      {"tiles", s.digest.region.tiles.size()}});
  }
  return {{"density", to_hex(digest.density)},
          {"mesh", to_hex(digest.mesh)},
          {"identity", to_hex(digest.identity)},
          {"at", {static_cast<double>(digest.at[0]) / 1024, static_cast<double>(digest.at[1]) / 1024}},
          {"evaluator", kEvaluatorVersion},
          {"simd", to_string(options.simd)},
          {"pruned", !input.unpruned},
          {"strata", strata}};
}

/// Exit 1 and the first difference when the other dump is not the same.
int compare_dumps(const Input& input, const WorldDigest& digest, const std::string& other) {
  const std::string difference = first_difference(whole_dump(digest), other);
  if (difference.empty()) return kExitGood;
  fmt::print(stderr, "this world and {} differ first here:\n{}\n", input.compare, difference);
  return kExitViolation;
}

Result<int> run_digest(const Options& options, const Input& input) {
  Console console(options.json);
  std::string other;
  if (!input.compare.empty()) {
    Result<std::string> read = read_dump(input.compare);
    if (!read) return read.error();
    other = *std::move(read);
  }
  if (!input.dump.empty()) {
    if (const Status target = can_write(input.dump); !target) return target.error();
  }
  Notes notes;  // `check` shows them
  const Result<InputWorld> world = open_input(input.world, options, notes);
  if (!world) return world.error();
  const Result<WorldDigest> digest = digest_world(options, input, *world, console);
  if (!digest) return digest.error();
  if (!input.dump.empty()) {
    if (const Status written = write_file(input.dump, whole_dump(*digest)); !written) return written.error();
  }
  if (options.json) {
    print_json(to_json(options, input, *digest));
  } else {
    console.line(fmt::format("{:<32}  {:<32}  {:<32}  stratum", "density", "mesh", "identity"));
    for (const DigestedStratum& s : digest->strata) {
      console.line(fmt::format("{}  {}  {}  {} {}", to_hex(s.digest.region.all), to_hex(s.digest.mesh),
                               to_hex(s.identity), s.index, s.type));
    }
    console.line(fmt::format("{}  {}  {}  all", to_hex(digest->density), to_hex(digest->mesh),
                             to_hex(digest->identity)));
  }
  return input.compare.empty() ? kExitGood : compare_dumps(input, *digest, other);
}

}  // namespace

void add_digest(const Verb& app, Session& session) {
  auto input = std::make_shared<Input>();
  const Verb verb =
      add_verb(app, session, "digest", "canonical digests of density, mesh and plan around a place",
               kJson | kWorld | kWorkers | kSimd | kStratum,
               [&session, input] { return run_digest(session.options, *input); });
  verb.world(input->world);
  add_place2(verb, input->at, "the place, in world metres; without it, 512,512");
  verb.flag("--unpruned", input->unpruned, "evaluate every sample; must not change a digit");
  verb.flag("--flush-denormals", input->flush_denormals,
            "call the engine with denormals flushed, as host engines do; must not change a digit");
  verb.text("--dump", input->dump, "write signs, values and meshes as text", "FILE");
  verb.text("--compare", input->compare, "print where another dump first differs", "FILE");
}

}  // namespace vf::cli
