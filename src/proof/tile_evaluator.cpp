#include "proof/tile_evaluator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "field/batch_evaluator.h"
#include "field/bound_field.h"
#include "field/interval_evaluator.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/tape.h"
#include "math/box.h"
#include "proof/certificate.h"
#include "proof/column_program.h"
#include "proof/columns.h"
#include "proof/lane_groups.h"
#include "proof/region_sampler.h"
#include "proof/tile_geometry.h"

namespace vf {

namespace {

constexpr std::size_t kCachedColumns = 8;
/// Ops of a tile's tape, from which on it is cut for each octant.
constexpr std::uint64_t kLongTape = 48;
/// A candidate of a feature set counts as this many.
constexpr std::uint64_t kCandidateOps = 16;

/// Everything that the tiles of one column share: they stand above each other, one a lane.
struct Column {
  bool valid = false;
  TileKey base;  ///< of lane 0
  int count = 0;
  std::uint64_t used_at = 0;
  TileColumns samples;
  Tape tape;                  ///< what matters in the column
  bool has_own_tape = false;  ///< else it is the program's
  alignas(64) std::array<float, kMaxBoxes> lo{}, hi{};
  Trace trace;
};

/// Noise in 3D outside the shapes of features: worth a first pass without its bounds.
bool has_solid_noise(const Tape& tape) {
  return std::any_of(tape.ops.begin(), tape.ops.end(), [](const TapeOp& op) {
    return op.op == Opcode::kNoise3 || op.op == Opcode::kCellular3;
  });
}

struct Judgement {
  Verdict verdict = Verdict::kMixed;
  Reason reason = Reason::kMixed;
};

/// Solid is phi < 0, air is the rest. A bound that is NaN or infinite on the side that matters decides
/// nothing.
Judgement judge(float lo, float hi) {
  if (lo >= 0) return {Verdict::kAir, Reason::kProven};
  if (hi < 0) return {Verdict::kSolid, Reason::kProven};
  const bool known = std::isfinite(lo) && std::isfinite(hi);
  return {Verdict::kMixed, known ? Reason::kMixed : Reason::kUnknown};
}

std::uint64_t candidate_count(const Tape& tape) {
  std::uint64_t n = 0;
  for (const auto& set : tape.candidates) n += set.size();
  return n;
}

}  // namespace

struct TileEvaluator::Impl {
  Impl(std::shared_ptr<const BoundField> f, const TileOptions& o)
      : field(std::move(f)),
        options(o),
        batch(*field, o.simd),
        interval(*field, o.simd),
        program(split_columns(*field->program)),
        sampler(program),
        columns(kCachedColumns) {
    for (const auto& set : field->sets) has_places = has_places || !set.instances.empty();
    if (!options.pruned) everything = whole_tape(*field);
  }

  void evaluate(const TileKey& key, TileDensity& out, ProofCounts& counts, BrickMask bricks);
  void evaluate_everything(TileDensity& out, ProofCounts& counts);
  Column& column_of(const TileKey& key);
  void prepare(Column& column);
  void classify(const Column& column, const Tape& tape, TileDensity& out, ProofCounts& counts);
  void classify_octants(const Column& column, const Tape& tape, TileDensity& out, ProofCounts& counts);
  void classify_bricks(const Column& column, const Tape& tape, int first_lane, int count, TileDensity& out,
                       ProofCounts& counts);
  std::uint64_t judge_lanes(TileDensity& out, ProofCounts& counts) const;
  std::uint64_t wanted_lanes(std::uint64_t lanes) const;
  void keep_lanes(const TileKey& key, std::uint64_t lanes);
  void evaluate_bricks(const Column& column, const Tape& tape, std::uint64_t mixed, TileDensity& out,
                       ProofCounts& counts);
  void evaluate_group(const Column& column, const Tape& whole, Tape* cut, std::uint64_t group,
                      TileDensity& out);
  void find_known(const Tape& tape, const std::vector<LaneRange>& ranges, int first_lane = 0);

  std::shared_ptr<const BoundField> field;
  TileOptions options;
  BatchEvaluator batch;
  IntervalEvaluator interval;
  ColumnProgram program;
  ColumnSampler sampler;
  Tape everything;
  bool has_places = false;
  std::vector<Column> columns;
  std::uint64_t clock = 0;
  // Scratch of one tile.
  BoxBatch boxes;
  Trace trace, octant_trace;
  Tape tile_tape, octant_tape, brick_tape;
  std::int16_t next_block = 0;
  BrickMask wanted = kAllBricks;
  std::vector<KnownRange> known_ranges;
  std::vector<std::uint32_t> known_tape_ops;
  std::vector<const float*> known_columns;
  std::vector<std::pair<std::uint32_t, std::size_t>> known_ops;  ///< op of the tape, column op
  std::vector<LaneRange> kept_ranges;
  std::array<std::uint8_t, kTileBricks> lane_brick{};  ///< which brick the box of a lane is of
  std::vector<std::uint64_t> groups;
  alignas(64) std::array<float, kMaxBoxes> lo{}, hi{};
};

void TileEvaluator::Impl::evaluate(const TileKey& key, TileDensity& out, ProofCounts& counts,
                                   BrickMask bricks) {
  VF_CHECK(key.level >= 0 && key.level <= kMaxLevel);
  out.key = key;
  wanted = bricks;
  ++counts.tiles;
  if (!options.pruned) return evaluate_everything(out, counts);

  const Column& column = column_of(key);
  const auto lane = static_cast<std::size_t>(key.tz - column.base.tz);
  const Judgement judgement = judge(column.lo[lane], column.hi[lane]);
  if (column.has_own_tape) counts.candidates += candidate_count(column.tape);
  if (judgement.reason == Reason::kProven) {
    out.verdict.fill(judgement.verdict);
    out.reason.fill(Reason::kProven);
    out.block.fill(-1);
    ++counts.tiles_proven;
    (judgement.verdict == Verdict::kSolid ? counts.solid : counts.air) += kTileBricks;
    return;
  }
  const Tape& tape = column.has_own_tape ? column.tape : program.rest;
  specialise(*field->program, tape, column.trace, static_cast<int>(lane), tile_tape);
  decide_shapes(tape, column.trace, std::uint64_t{1} << lane, tile_tape);
  classify(column, tile_tape, out, counts);
}

void TileEvaluator::Impl::evaluate_everything(TileDensity& out, ProofCounts& counts) {
  out.verdict.fill(Verdict::kMixed);
  out.reason.fill(Reason::kMixed);
  out.values.resize(std::size_t{kTileBricks} * kBrickSamples);
  batch.begin_bricks(everything, {});
  for (int b = 0; b < kTileBricks; ++b) {
    const auto k = static_cast<std::size_t>(b);
    out.block[k] = static_cast<std::int16_t>(b);
    const BrickGeometry geometry{brick_origin(out.key, b), voxel_m(out.key.level)};
    batch.brick(geometry, {}, out.values.data() + k * kBrickSamples);
  }
  counts.evaluated += kTileBricks;
  counts.samples += std::uint64_t{kTileBricks} * kBrickSamples;
  counts.candidates += candidate_count(everything);
  counts.feature_evaluations += kTileBricks * candidate_count(everything);
}

Column& TileEvaluator::Impl::column_of(const TileKey& key) {
  // Lanes cover the stratum's tiles, in chunks of 64; a tile outside the stratum gets a column of its own.
  const TileSpan span = stratum_tiles(key.level, field->program->height_m);
  TileKey base = key;
  int count = 1;
  if (key.tz >= span.first && key.tz <= span.last) {
    base.tz = span.first + (key.tz - span.first) / kMaxBoxes * kMaxBoxes;
    count = std::min(kMaxBoxes, span.last - base.tz + 1);
  }
  ++clock;
  Column* oldest = &columns.front();
  for (Column& c : columns) {
    if (c.valid && c.base == base && c.count == count) {
      c.used_at = clock;
      return c;
    }
    if (c.used_at < oldest->used_at) oldest = &c;
  }
  oldest->base = base;
  oldest->count = count;
  oldest->used_at = clock;
  prepare(*oldest);
  oldest->valid = true;
  return *oldest;
}

void TileEvaluator::Impl::prepare(Column& column) {
  sampler.sample(batch, column.base, column.samples);
  boxes.count = column.count;
  for (int i = 0; i < column.count; ++i) {
    TileKey key = column.base;
    key.tz += i;
    boxes.set(i, proof_box(tile_origin(key), key.level, kTileEdge));
  }
  column.has_own_tape = has_places;
  if (has_places) {
    Box3f all = proof_box(tile_origin(column.base), column.base.level, kTileEdge);
    all.max.z = boxes.max_z[static_cast<std::size_t>(column.count - 1)];
    column.tape = tape_in_box(*field, program.rest, all);
  }
  const Tape& tape = has_places ? column.tape : program.rest;
  find_known(tape, column.samples.tile_range);
  interval.evaluate(tape, boxes, known_ranges, column.lo.data(), column.hi.data(), &column.trace);
}

void TileEvaluator::Impl::find_known(const Tape& tape, const std::vector<LaneRange>& ranges, int first_lane) {
  known_ops.clear();
  known_ranges.clear();
  for (std::uint32_t i = 0; i < tape.ops.size(); ++i) {
    const std::int32_t column_op = program.op_of[tape.ops[i].node];
    if (column_op < 0) continue;
    const auto c = static_cast<std::size_t>(column_op);
    known_ops.emplace_back(i, c);
    known_ranges.push_back({i, ranges[c].lo.data() + first_lane, ranges[c].hi.data() + first_lane});
  }
}

void TileEvaluator::Impl::classify(const Column& column, const Tape& tape, TileDensity& out,
                                   ProofCounts& counts) {
  out.block.fill(-1);
  next_block = 0;
  if (tape.ops.size() + kCandidateOps * candidate_count(tape) > kLongTape)
    classify_octants(column, tape, out, counts);
  else
    classify_bricks(column, tape, 0, kTileBricks, out, counts);
}

/// A long tape is cut for each octant first: eight boxes are cheap, and its bricks then see the short one.
void TileEvaluator::Impl::classify_octants(const Column& column, const Tape& tape, TileDensity& out,
                                           ProofCounts& counts) {
  constexpr int kOctantBricks = kTileBricks / 8;
  boxes.count = 8;
  for (int o = 0; o < 8; ++o)
    boxes.set(
        o, proof_box(brick_origin(out.key, brick_of_lane(o * kOctantBricks)), out.key.level, kTileEdge / 2));
  find_known(tape, column.samples.octant_range);
  std::array<float, 8> octant_lo{}, octant_hi{};
  interval.evaluate(tape, boxes, known_ranges, octant_lo.data(), octant_hi.data(), &octant_trace, true);
  for (int o = 0; o < 8; ++o) {
    const auto k = static_cast<std::size_t>(o);
    const Judgement judgement = judge(octant_lo[k], octant_hi[k]);
    if (judgement.reason == Reason::kProven) {
      for (int lane = o * kOctantBricks; lane < (o + 1) * kOctantBricks; ++lane) {
        const auto brick = static_cast<std::size_t>(brick_of_lane(lane));
        out.verdict[brick] = judgement.verdict;
        out.reason[brick] = Reason::kProven;
      }
      (judgement.verdict == Verdict::kSolid ? counts.solid : counts.air) += kOctantBricks;
      continue;
    }
    if (decides(octant_trace, o) || decides_shapes(octant_trace, o)) {
      specialise(*field->program, tape, octant_trace, o, octant_tape);
      decide_shapes(tape, octant_trace, std::uint64_t{1} << o, octant_tape);
      classify_bricks(column, octant_tape, o * kOctantBricks, kOctantBricks, out, counts);
    } else {
      classify_bricks(column, tape, o * kOctantBricks, kOctantBricks, out, counts);
    }
  }
}

/// First with the mere amplitude of the noises in 3D, whose bounds cost most, then in full where that left
/// doubt.
void TileEvaluator::Impl::classify_bricks(const Column& column, const Tape& tape, int first_lane, int count,
                                          TileDensity& out, ProofCounts& counts) {
  boxes.count = count;
  for (int i = 0; i < count; ++i) {
    const int brick = brick_of_lane(first_lane + i);
    boxes.set(i, proof_box(brick_origin(out.key, brick), out.key.level, kBrickEdge));
    lane_brick[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(brick);
  }
  find_known(tape, column.samples.brick_range, first_lane);
  if (has_solid_noise(tape)) {
    interval.evaluate(tape, boxes, known_ranges, lo.data(), hi.data(), nullptr, true);
    const std::uint64_t doubt = wanted_lanes(judge_lanes(out, counts));
    if (doubt == 0) return;
    find_known(tape, column.samples.brick_range, first_lane);
    keep_lanes(out.key, doubt);
  }
  interval.evaluate(tape, boxes, known_ranges, lo.data(), hi.data(), &trace);
  const std::uint64_t mixed = wanted_lanes(judge_lanes(out, counts));
  if (mixed == 0) return;
  for (std::uint64_t rest = mixed; rest != 0; rest &= rest - 1) {
    const std::size_t brick = lane_brick[static_cast<std::size_t>(std::countr_zero(rest))];
    out.block[brick] = next_block++;
    if (out.reason[brick] == Reason::kUnknown) ++counts.unknown;
  }
  const auto evaluated = static_cast<std::uint64_t>(std::popcount(mixed));
  counts.evaluated += evaluated;
  counts.samples += evaluated * kBrickSamples;
  evaluate_bricks(column, tape, mixed, out, counts);
}

/// The lanes of bricks that the caller wants evaluated.
std::uint64_t TileEvaluator::Impl::wanted_lanes(std::uint64_t lanes) const {
  if (wanted == kAllBricks) return lanes;
  std::uint64_t kept = 0;
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if ((wanted >> lane_brick[static_cast<std::size_t>(lane)] & 1) != 0) kept |= std::uint64_t{1} << lane;
  }
  return kept;
}

/// Writes the verdicts of the boxes in hand; the lanes that stay mixed.
std::uint64_t TileEvaluator::Impl::judge_lanes(TileDensity& out, ProofCounts& counts) const {
  std::uint64_t mixed = 0;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(boxes.count); ++lane) {
    const Judgement judgement = judge(lo[lane], hi[lane]);
    out.verdict[lane_brick[lane]] = judgement.verdict;
    out.reason[lane_brick[lane]] = judgement.reason;
    if (judgement.verdict == Verdict::kSolid) ++counts.solid;
    if (judgement.verdict == Verdict::kAir) ++counts.air;
    if (judgement.verdict == Verdict::kMixed) mixed |= std::uint64_t{1} << lane;
  }
  return mixed;
}

/// Keeps only these lanes of the boxes, and of the known ranges.
void TileEvaluator::Impl::keep_lanes(const TileKey& key, std::uint64_t lanes) {
  if (std::popcount(lanes) == boxes.count) return;
  kept_ranges.resize(known_ranges.size());
  int n = 0;
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1, ++n) {
    const auto from = static_cast<std::size_t>(std::countr_zero(rest));
    const auto to = static_cast<std::size_t>(n);
    lane_brick[to] = lane_brick[from];
    boxes.set(n, proof_box(brick_origin(key, lane_brick[to]), key.level, kBrickEdge));
    for (std::size_t k = 0; k < known_ranges.size(); ++k) {
      kept_ranges[k].lo[to] = known_ranges[k].lo[from];
      kept_ranges[k].hi[to] = known_ranges[k].hi[from];
    }
  }
  boxes.count = n;
  for (std::size_t k = 0; k < known_ranges.size(); ++k) {
    known_ranges[k].lo = kept_ranges[k].lo.data();
    known_ranges[k].hi = kept_ranges[k].hi.data();
  }
}

void TileEvaluator::Impl::evaluate_bricks(const Column& column, const Tape& tape, std::uint64_t mixed,
                                          TileDensity& out, ProofCounts& counts) {
  const std::size_t need = static_cast<std::size_t>(next_block) * kBrickSamples;
  if (out.values.size() < need) out.values.resize(need);
  group_lanes(mixed, trace, groups);
  for (const std::uint64_t group : groups) {
    const auto bricks = static_cast<std::uint64_t>(std::popcount(group));
    const int lane = std::countr_zero(group);
    if (decides(trace, lane) || decides_shapes(trace, lane)) {
      specialise(*field->program, tape, trace, lane, brick_tape);
      counts.feature_evaluations += bricks * candidate_count(brick_tape);
      evaluate_group(column, tape, &brick_tape, group, out);
    } else {
      counts.feature_evaluations += bricks * candidate_count(tape);
      evaluate_group(column, tape, nullptr, group, out);
    }
  }
}

/// `cut`: null when the bricks keep the tape as it is.
void TileEvaluator::Impl::evaluate_group(const Column& column, const Tape& whole, Tape* cut,
                                         std::uint64_t group, TileDensity& out) {
  const Tape& tape = cut != nullptr ? *cut : whole;
  find_known(tape, column.samples.brick_range);
  known_tape_ops.clear();
  for (const auto& [op, c] : known_ops) known_tape_ops.push_back(op);
  batch.begin_bricks(tape, known_tape_ops);
  for (std::uint64_t rest = group; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::size_t b = lane_brick[static_cast<std::size_t>(lane)];
    if (cut != nullptr) decide_shapes(whole, trace, std::uint64_t{1} << lane, *cut);
    known_columns.clear();
    for (const auto& [op, c] : known_ops)
      known_columns.push_back(column.samples.values[c][b % kBrickColumns].data());
    const BrickGeometry geometry{brick_origin(out.key, static_cast<int>(b)), voxel_m(out.key.level)};
    batch.brick(geometry, known_columns,
                out.values.data() + static_cast<std::size_t>(out.block[b]) * kBrickSamples);
  }
}

TileEvaluator::TileEvaluator(std::shared_ptr<const BoundField> field, const TileOptions& options)
    : impl_(std::make_unique<Impl>(std::move(field), options)) {}
TileEvaluator::~TileEvaluator() = default;
TileEvaluator::TileEvaluator(TileEvaluator&&) noexcept = default;
TileEvaluator& TileEvaluator::operator=(TileEvaluator&&) noexcept = default;

void TileEvaluator::evaluate(const TileKey& key, TileDensity& out, ProofCounts& counts, BrickMask wanted) {
  impl_->evaluate(key, out, counts, wanted);
}

}  // namespace vf
