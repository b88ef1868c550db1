// Noise parameters bound to a frame, as the kernels read them.
#pragma once

#include <array>
#include <cstdint>

#include "field/program.h"
#include "recipe/language.h"

namespace vf {

struct BoundOctaveAxis {
  float offset = 0;        ///< [0, period). [metres]
  float period = 1;        ///< [metres]
  float inverse = 1;       ///< 1 / period
  std::uint32_t base = 0;  ///< global index of cell 0, modulo 2^32
};

struct BoundOctave {
  BoundOctaveAxis x, y, z;
  float amplitude = 1;         ///< the octave lies in [-amplitude, amplitude]
  float scaled_amplitude = 1;  ///< amplitude / the proven maximum of the raw noise
  std::uint32_t seed = 0;      ///< with the stratum's seed mixed in
};

struct BoundNoise {
  NoiseBasis basis = NoiseBasis::kPerlin;
  NoiseShape shape = NoiseShape::kPlain;
  int count = 1;
  std::array<BoundOctave, static_cast<std::size_t>(kRecipeLimits.octaves)> octaves{};
};

}  // namespace vf
