// The reader trusts no byte: it looks before it reads, and allocates only for records that are there.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/digest.h"
#include "base/ids.h"
#include "base/result.h"
#include "field/program.h"
#include "math/vec.h"
#include "plan/cells.h"
#include "plan/origin.h"
#include "plan/path_plan.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"
#include "plan/snapshot_format.h"
#include "recipe/language.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

using snapshot_format::kMagic;
using snapshot_format::kTableHeaderBytes;
using snapshot_format::kTables;
using snapshot_format::TableFormat;
using snapshot_format::TableKind;

/// One snapshot, from front to end. The first fault stops it; later steps then do nothing.
class SnapshotReader {
 public:
  explicit SnapshotReader(std::span<const std::byte> bytes) : bytes_(bytes), in_(bytes) {}

  Result<SectorSnapshot> read() {
    read_origin();
    read_place();
    read_tables();
    if (!error_) check_ids();
    if (!error_) check_paths();
    if (!error_) read_checksum();
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  void fail(std::size_t at, const std::string& what) {
    if (!error_) error_ = Error{ErrorCode::kBadInput, {}, fmt::format("snapshot, byte {}: {}", at, what)};
  }
  void check(bool good, std::size_t at, const std::string& what) {
    if (!good) fail(at, what);
  }
  /// False, with an error, when fewer than `count` bytes are left.
  bool have(std::size_t count, const char* what) {
    if (error_) return false;
    if (in_.left() >= count) return true;
    fail(in_.at(), fmt::format("cut short: {} needs {} bytes; {} are left", what, count, in_.left()));
    return false;
  }

  void read_origin() {
    if (!have(kMagic.size(), "the magic")) return;
    if (const std::string magic = in_.text(kMagic.size()); magic != kMagic)
      return fail(0, fmt::format("no snapshot of a sector: it begins with \"{}\"; expected \"{}\"",
                                 shown(magic), kMagic));
    if (!have(48, "the header")) return;
    if (const std::uint32_t version = in_.u32(); version != kSnapshotVersion)
      return fail(8, fmt::format("format version {}; expected {}", version, kSnapshotVersion));
    PlanOrigin& origin = out_.origin;
    origin.evaluator = in_.u32();
    if (origin.evaluator != kEvaluatorVersion)
      return fail(12, fmt::format("of evaluator version {}; expected {}: resolve the sector anew",
                                  origin.evaluator, kEvaluatorVersion));
    origin.world_seed = {in_.u64()};
    origin.recipe_version = in_.u32();
    origin.layout_version = in_.u32();
    origin.parameters.high = in_.u64();
    origin.parameters.low = in_.u64();
    read_recipe();
  }

  void read_recipe() {
    const std::size_t at = in_.at();
    if (!have(8, "the header")) return;
    const std::uint32_t sets = in_.u32(), length = in_.u32();
    constexpr auto kMostSets = static_cast<std::uint32_t>(kRecipeLimits.features);
    if (sets > kMostSets)
      return fail(at, fmt::format("{} feature sets; expected at most {}", sets, kMostSets));
    if (length == 0 || length > kRecipeLimits.name_bytes)
      return fail(at + 4, fmt::format("the recipe's id has {} bytes; expected 1 to {}", length,
                                      kRecipeLimits.name_bytes));
    if (!have(length, "the recipe's id")) return;
    out_.origin.recipe_id = in_.text(length);
    const bool good = std::all_of(out_.origin.recipe_id.begin(), out_.origin.recipe_id.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!good)
      return fail(at + 8, fmt::format("the recipe's id is \"{}\"; expected a-z, 0-9 and _",
                                      shown(out_.origin.recipe_id)));
    out_.plan.features.resize(sets);
  }

  void read_place() {
    const std::size_t at = in_.at();
    if (!have(28, "the place")) return;
    SectorPlan& plan = out_.plan;
    plan.stratum = in_.i64();
    plan.sx = in_.i64();
    plan.sy = in_.i64();
    const auto inside = [](std::int64_t v) { return v >= -kMaxSector && v < kMaxSector; };
    if (!inside(plan.sx) || !inside(plan.sy))
      return fail(at + 8, fmt::format("sector {}, {}; expected -2^31 <= x, y < 2^31", plan.sx, plan.sy));
    tables_ = in_.u32();
    const std::size_t most = plan.features.size() + kTables.size() - 1;
    check(tables_ <= most, at + 24, fmt::format("{} tables; expected at most {}", tables_, most));
  }

  void read_tables() {
    for (std::uint32_t i = 0; i < tables_ && !error_; ++i) read_table();
  }

  void read_table() {
    const std::size_t at = in_.at();
    if (!have(kTableHeaderBytes, "a table")) return;
    const std::string tag = in_.text(4);
    const auto format =
        std::find_if(kTables.begin(), kTables.end(), [&](const TableFormat& f) { return f.tag == tag; });
    if (format == kTables.end())
      return fail(
          at, fmt::format("a table \"{}\", which version {} does not know", shown(tag), kSnapshotVersion));
    const auto kind = static_cast<TableKind>(format - kTables.begin());
    const std::uint32_t set = in_.u32(), values = in_.u32(), count = in_.u32();
    const bool features = kind == TableKind::kFeatures;
    const std::size_t sets = features ? out_.plan.features.size() : 1;
    if (set >= sets)
      return fail(at + 4, fmt::format("{} of set {}; expected less than {}", format->name, set, sets));
    const std::uint32_t most_values = features ? static_cast<std::uint32_t>(kMaxFeatureValues) : 0;
    if (values > most_values)
      return fail(at + 8,
                  fmt::format("{} with {} values; expected at most {}", format->name, values, most_values));
    const auto order = static_cast<std::int64_t>(kind) * (kRecipeLimits.features + 1) + set;
    if (order <= last_table_)
      return fail(at, fmt::format("{} of set {} after a later table; expected each once, in order",
                                  format->name, set));
    last_table_ = order;
    if (count == 0) return fail(at + 12, "a table without records; expected it to be left out");
    const std::size_t record_bytes = format->record_bytes + 4 * values;
    if (count > in_.left() / record_bytes)
      return fail(at + 12, fmt::format("cut short: {} {} of {} bytes; {} bytes are left", count, format->name,
                                       record_bytes, in_.left()));
    read_records(kind, set, values, count);
  }

  void read_records(TableKind kind, std::uint32_t set, std::uint32_t values, std::uint32_t count) {
    switch (kind) {
      case TableKind::kFeatures:
        return read_features(out_.plan.features[set], values, count);
      case TableKind::kLights:
        return fill(out_.plan.lights, count, true, [this] { return read_light(); });
      case TableKind::kNodes:
        return fill(out_.plan.paths.nodes, count, true, [this] { return read_node(); });
      case TableKind::kLegs:
        return fill(out_.plan.paths.legs, count, true, [this] { return read_leg(); });
      case TableKind::kPieces:
        return fill(out_.plan.paths.pieces, count, false, [this] { return read_piece(); });
    }
  }

  template <class Record, class ReadOne>
  void fill(std::vector<Record>& records, std::uint32_t count, bool sorted, const ReadOne& read_one) {
    records.reserve(count);
    std::uint64_t last = 0;
    for (std::uint32_t i = 0; i < count && !error_; ++i) {
      const std::size_t at = in_.at();
      records.push_back(read_one());
      const std::uint64_t id = records.back().id.value;
      if (sorted && i > 0 && id <= last)
        fail(at, fmt::format("id {:016x} after {:016x}; expected ids to rise", id, last));
      last = id;
      ids_.emplace_back(id, at);
    }
  }

  void read_features(std::vector<FeatureRecord>& set, std::uint32_t values, std::uint32_t count) {
    const std::size_t at = in_.at();
    fill(set, count, true, [this, values] { return read_feature(values); });
    if (error_ || values == 0) return;
    const bool used = std::any_of(set.begin(), set.end(),
                                  [values](const FeatureRecord& r) { return r.values[values - 1] != 0; });
    check(used, at - 8, "the last value is 0 in every record; expected it to be left out");
  }

  PositionUm read_position() {
    PositionUm p;
    p.x = in_.i64();
    p.y = in_.i64();
    p.z = in_.i64();
    return p;
  }
  float read_float(const char* what) {
    const std::size_t at = in_.at();
    const float value = in_.f32();
    if (!std::isfinite(value)) fail(at, fmt::format("{} is not finite", what));
    if (value == 0 && std::signbit(value)) fail(at, fmt::format("{} is -0; expected 0", what));
    return value;
  }
  Vec3f read_vector(const char* what) {
    Vec3f v;
    v.x = read_float(what);
    v.y = read_float(what);
    v.z = read_float(what);
    return v;
  }
  /// A number below `count`.
  std::uint32_t read_choice(const char* what, std::uint32_t count) {
    const std::size_t at = in_.at();
    const std::uint32_t value = in_.u32();
    if (value >= count) fail(at, fmt::format("{} {}; expected less than {}", what, value, count));
    return value;
  }
  std::int64_t read_length(const char* what) {
    const std::size_t at = in_.at();
    const std::int64_t value = in_.i64();
    if (value < 0) fail(at, fmt::format("{} is {}; expected >= 0", what, value));
    return value;
  }
  std::int32_t read_size(const char* what) {
    const std::size_t at = in_.at();
    const std::int32_t value = in_.i32();
    if (value < 0) fail(at, fmt::format("{} is {}; expected >= 0", what, value));
    return value;
  }

  FeatureRecord read_feature(std::uint32_t values) {
    FeatureRecord r;
    r.id = {in_.u64()};
    r.at = read_position();
    r.yaw_turns = read_float("yaw");
    const std::size_t extents = in_.at();
    r.extent_min = read_vector("an extent");
    r.extent_max = read_vector("an extent");
    check(r.extent_min.x <= r.extent_max.x && r.extent_min.y <= r.extent_max.y &&
              r.extent_min.z <= r.extent_max.z,
          extents, "extents are inside out; expected min <= max");
    for (float& u : r.random) {
      const std::size_t at = in_.at();
      u = read_float("a random value");
      if (!(u >= 0 && u < 1)) fail(at, "a random value is out of range; expected 0 <= u < 1");
    }
    for (std::uint32_t i = 0; i < values; ++i) r.values[i] = read_float("a value");
    return r;
  }

  LightRecord read_light() {
    LightRecord r;
    r.id = {in_.u64()};
    r.at = read_position();
    r.light = read_choice("light", static_cast<std::uint32_t>(kRecipeLimits.lights));
    return r;
  }

  PathNode read_node() {
    PathNode r;
    r.id = {in_.u64()};
    r.kind = static_cast<PathNodeKind>(read_choice("kind of node", kPathNodeKinds));
    r.at = read_position();
    return r;
  }

  PathLeg read_leg() {
    PathLeg r;
    r.id = {in_.u64()};
    r.kind = static_cast<PathLegKind>(read_choice("kind of leg", kPathLegKinds));
    r.from = {in_.u64()};
    r.to = {in_.u64()};
    legs_at_.push_back(in_.at());
    r.first = in_.u32();
    r.count = in_.u32();
    r.length_um = read_length("the length of a leg");
    return r;
  }

  PathPiece read_piece() {
    PathPiece r;
    r.id = {in_.u64()};
    r.shape = static_cast<PathShape>(read_choice("shape of a piece", kPathShapes));
    r.from = read_position();
    r.to = read_position();
    r.curvature_nano = in_.i64();
    r.along_um = read_length("the way to a piece");
    r.half_width_mm = read_size("half a width");
    r.clear_mm = read_size("a clear height");
    r.kerb_mm = read_size("the height of a kerb");
    r.banked = read_choice("banked", 2) == 1;
    return r;
  }

  /// No id is used twice, of whatever kind the records are.
  void check_ids() {
    std::sort(ids_.begin(), ids_.end());
    const auto twice = std::adjacent_find(ids_.begin(), ids_.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice == ids_.end()) return;
    fail((twice + 1)->second,
         fmt::format("id {:016x} is taken by the record at byte {}", twice->first, twice->second));
  }

  [[nodiscard]] bool node_exists(Id<PathNodeTag> id) const {
    const auto& nodes = out_.plan.paths.nodes;
    return std::binary_search(nodes.begin(), nodes.end(), id.value, ById{});
  }

  /// Legs join nodes of this plan; their pieces follow each other; what is left over are places.
  void check_paths() {
    const PathPlan& paths = out_.plan.paths;
    std::size_t next = 0;
    for (std::size_t i = 0; i < paths.legs.size() && !error_; ++i) {
      const PathLeg& leg = paths.legs[i];
      const std::size_t at = legs_at_[i];
      check_end(leg, leg.from, at - 16);
      check_end(leg, leg.to, at - 8);
      check(leg.from.value != 0 || leg.to.value != 0, at - 16, "a leg has no node at either end");
      check(leg.first == next, at, fmt::format("a leg begins at piece {}; expected {}", leg.first, next));
      check(leg.count > 0 && leg.count <= paths.pieces.size() - next, at + 4,
            fmt::format("a leg has {} pieces; expected 1 to {}", leg.count, paths.pieces.size() - next));
      next += leg.count;
    }
    for (std::size_t i = next; i < paths.pieces.size() && !error_; ++i)
      check(paths.pieces[i].shape == PathShape::kPlace, pieces_at(i),
            fmt::format("piece {} is of no leg and no place", i));
  }
  void check_end(const PathLeg& leg, Id<PathNodeTag> end, std::size_t at) {
    const bool open = end.value == 0 && leg.kind == PathLegKind::kPassage;
    check(open || node_exists(end), at,
          fmt::format("a leg ends at node {:016x}, which is not here", end.value));
  }
  /// Where piece i stands: pieces are the last table.
  [[nodiscard]] std::size_t pieces_at(std::size_t i) const {
    const std::size_t size = kTables[static_cast<std::size_t>(TableKind::kPieces)].record_bytes;
    return in_.at() - (out_.plan.paths.pieces.size() - i) * size;
  }

  void read_checksum() {
    const std::size_t at = in_.at();
    if (!have(kSnapshotChecksumBytes, "the checksum")) return;
    Digest found;
    found.high = in_.u64();
    found.low = in_.u64();
    if (in_.left() != 0) return fail(in_.at(), fmt::format("{} bytes after the end", in_.left()));
    const Digest expected = digest_of_bytes(bytes_.first(at));
    check(found == expected, at, fmt::format("checksum {}; expected {}", to_hex(found), to_hex(expected)));
  }

  struct ById {
    bool operator()(const PathNode& a, std::uint64_t b) const { return a.id.value < b; }
    bool operator()(std::uint64_t a, const PathNode& b) const { return a < b.id.value; }
  };

  std::span<const std::byte> bytes_;
  ByteReader in_;
  std::optional<Error> error_;
  SectorSnapshot out_;
  std::uint32_t tables_ = 0;
  std::int64_t last_table_ = -1;
  std::vector<std::pair<std::uint64_t, std::size_t>> ids_;  ///< with where each stands
  std::vector<std::size_t> legs_at_;                        ///< where `first` of each leg stands
};

}  // namespace

Result<SectorSnapshot> decode_snapshot(std::span<const std::byte> bytes) {
  return SnapshotReader(bytes).read();
}

}  // namespace vf
