// The floating-point environment that every job runs in.
#pragma once

#include <cstdint>

namespace vf {

/// Sets round-to-nearest with denormals kept for its lifetime, then restores the caller's state: host engines
/// like to flush denormals, and a flushed value would break the promise of one value everywhere.
class FpScope {
 public:
  FpScope();
  ~FpScope();
  FpScope(const FpScope&) = delete;
  FpScope& operator=(const FpScope&) = delete;

 private:
  std::uint64_t saved_;
};

}  // namespace vf
