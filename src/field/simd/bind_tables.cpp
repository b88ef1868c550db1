#include "field/simd/bind_tables.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "field/bound_field.h"
#include "field/noise_constants.h"
#include "field/opcode.h"
#include "field/program.h"
#include "field/simd/batch_kernels.h"
#include "field/simd/bound_noise.h"
#include "field/tape.h"

namespace vf {

namespace {

float raw_maximum(NoiseBasis basis, bool three) {
  switch (basis) {
    case NoiseBasis::kPerlin:
      return three ? kPerlin3Max : kPerlin2Max;
    case NoiseBasis::kValue:
    case NoiseBasis::kCellular:
      return 1.0F;
  }
  return 1.0F;
}

BoundNoise bind_noise(const NoiseParams& params, bool three, std::span<const BoundAxis> axes,
                      std::uint32_t seed_mix) {
  BoundNoise bound;
  bound.basis = params.basis;
  bound.shape = params.shape;
  bound.count = static_cast<int>(params.octaves.size());
  VF_CHECK(!params.octaves.empty() && params.octaves.size() <= bound.octaves.size());
  for (std::size_t i = 0; i < params.octaves.size(); ++i) {
    const NoiseOctave& from = params.octaves[i];
    BoundOctave& to = bound.octaves[i];
    const auto axis = [&](std::uint32_t index, float period) {
      return BoundOctaveAxis{axes[index].offset, period, 1.0F / period, axes[index].base};
    };
    to.x = axis(from.axis[0], from.period);
    to.y = axis(from.axis[1], from.period);
    to.z = three ? axis(from.axis[2], from.period_z) : BoundOctaveAxis{};
    to.amplitude = from.amplitude;
    to.scaled_amplitude = from.amplitude / raw_maximum(params.basis, three);
    to.seed = from.seed ^ seed_mix;
  }
  return bound;
}

}  // namespace

BoundTables bind_tables(const Program& program, std::span<const BoundAxis> axes, std::uint32_t seed_mix) {
  BoundTables tables;
  tables.program = &program;
  std::vector<bool> three(program.noises.size(), false);
  for (const Node& node : program.nodes) {
    if (node.op == Opcode::kNoise3 || node.op == Opcode::kCellular3) three[node.param] = true;
  }
  for (std::size_t i = 0; i < program.noises.size(); ++i)
    tables.noises.push_back(bind_noise(program.noises[i], three[i], axes, seed_mix));
  for (const PeriodicParams& p : program.periodics)
    tables.periodics.push_back({axes[p.axis].offset, p.period, p.scale});
  return tables;
}

void BoundTables::fill(const TapeOp& op, KernelArgs& args) const {
  switch (op.op) {
    case Opcode::kSmin:
    case Opcode::kSmax:
    case Opcode::kSelectRange:
    case Opcode::kSmoothstep:
      args.constants = &program->constants[op.param];
      return;
    case Opcode::kAffine:
      args.affine = &program->affines[op.param];
      return;
    case Opcode::kSpline:
      args.spline = &program->splines[op.param];
      return;
    case Opcode::kWave:
    case Opcode::kRepeat:
      args.periodic = &periodics[op.param];
      return;
    case Opcode::kNoise2:
    case Opcode::kNoise3:
    case Opcode::kCellular2:
    case Opcode::kCellular3:
      args.noise = &noises[op.param];
      return;
    default:
      return;
  }
}

}  // namespace vf
