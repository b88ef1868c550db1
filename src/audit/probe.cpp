#include "audit/probe.h"

#include <algorithm>

#include "field/sampler.h"
#include "field/tape.h"
#include "math/box.h"

namespace vf {

void Probe::aim(FieldSampler& field, const Box3f& box) {
  tape_ = field.tape_for(box.grown(kGridM));
}

void Probe::ask(FieldSampler& field) {
  if (x_.empty()) return;
  if (tape_) return ask(field, *tape_);
  const auto [x0, x1] = std::minmax_element(x_.begin(), x_.end());
  const auto [y0, y1] = std::minmax_element(y_.begin(), y_.end());
  const auto [z0, z1] = std::minmax_element(z_.begin(), z_.end());
  const Tape tape = field.tape_for(Box3f{{*x0, *y0, *z0}, {*x1, *y1, *z1}}.grown(kGridM));
  ask(field, tape);
}

void Probe::ask(FieldSampler& field, const Tape& tape) {
  phi_.resize(x_.size());
  field.values(tape, x_.size(), x_.data(), y_.data(), z_.data(), phi_.data());
}

void Probe::clear() {
  x_.clear();
  y_.clear();
  z_.clear();
}

}  // namespace vf
