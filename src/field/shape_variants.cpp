#include "field/shape_variants.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "field/kinds.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/tape.h"

namespace vf {

namespace {
constexpr std::size_t kMostVariants = 4096;
}

ShapeVariants::ShapeVariants(const Program& shape) : whole_(full_tape(shape)) {
  for (const TapeOp& op : whole_.ops) {
    bool own = op.op == Opcode::kLocalX || op.op == Opcode::kLocalY || op.op == Opcode::kLocalZ ||
               op.op == Opcode::kValue;
    for (std::size_t k = 0; k < op.inputs; ++k) own = own || of_place_[op.in[k]] != 0;
    of_place_.push_back(own ? 1 : 0);
  }
  recent_.resize(kRecent);
  static_cast<void>(of({}));
}

const ShapeVariant& ShapeVariants::of(const Decisions& decided) {
  const std::uint64_t hash = (decided.only_a * 0x9E3779B97F4A7C15U) ^ (decided.only_b * 0xC2B2AE3D27D4EB4FU);
  Recent& recent = recent_[hash >> 56];
  if (recent.variant == nullptr || recent.decided != decided) recent = {decided, find(decided)};
  return *recent.variant;
}

const ShapeVariant* ShapeVariants::find(const Decisions& decided) {
  const Decisions met = follow(decided, alive_);
  const auto found = variants_.find(met);
  if (found != variants_.end()) return &found->second;
  if (variants_.size() >= kMostVariants) return &variants_.at(Decisions{});
  ShapeVariant variant = make(met, alive_);
  variant.number = variants_.size();
  return &variants_.emplace(met, std::move(variant)).first->second;
}

std::uint32_t ShapeVariants::settled(std::uint32_t i, const Decisions& decided, Decisions& met) const {
  for (;;) {
    const TapeOp& op = whole_.ops[i];
    if (op.choice >= kTrackedChoices) return i;
    const std::size_t a = first_choice(op.op);
    const std::uint64_t bit = std::uint64_t{1} << op.choice;
    if ((decided.only_a & bit) != 0) {
      met.only_a |= bit;
      i = op.in[a];
    } else if ((decided.only_b & bit) != 0) {
      met.only_b |= bit;
      i = op.in[a + 1];
    } else {
      return i;
    }
  }
}

Decisions ShapeVariants::follow(const Decisions& decided, std::vector<std::uint8_t>& alive) const {
  Decisions met;
  alive.assign(whole_.ops.size(), 0);
  alive[settled(whole_.outputs[0], decided, met)] = 1;
  for (std::size_t i = whole_.ops.size(); i-- > 0;) {
    if (alive[i] == 0) continue;
    const TapeOp& op = whole_.ops[i];
    for (std::size_t k = 0; k < op.inputs; ++k) alive[settled(op.in[k], decided, met)] = 1;
  }
  return met;
}

ShapeVariant ShapeVariants::make(const Decisions& decided, const std::vector<std::uint8_t>& alive) const {
  Decisions met;
  ShapeVariant out;
  out.output = settled(whole_.outputs[0], decided, met);
  std::vector<Kind> kind(whole_.ops.size(), Kind::kConstant);
  for (std::uint32_t i = 0; i < whole_.ops.size(); ++i) {
    if (alive[i] == 0) continue;
    TapeOp op = whole_.ops[i];
    for (std::size_t k = 0; k < op.inputs; ++k) {
      op.in[k] = settled(op.in[k], decided, met);
      op.kind = k == 0 ? kind[op.in[k]] : join(op.kind, kind[op.in[k]]);
    }
    kind[i] = op.kind;
    out.ops.push_back(op);
    out.index.push_back(i);
  }
  return out;
}

}  // namespace vf
