#include "proof/certificate.h"

namespace vf {

ProofCounts& ProofCounts::operator+=(const ProofCounts& o) {
  tiles += o.tiles;
  tiles_proven += o.tiles_proven;
  solid += o.solid;
  air += o.air;
  evaluated += o.evaluated;
  wasted += o.wasted;
  unknown += o.unknown;
  samples += o.samples;
  candidates += o.candidates;
  feature_evaluations += o.feature_evaluations;
  return *this;
}

}  // namespace vf
