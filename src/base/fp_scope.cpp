#include "base/fp_scope.h"

#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace vf {

#if defined(__x86_64__) || defined(_M_X64)
namespace {
constexpr std::uint32_t kDefaultMxcsr = 0x1F80;  // all exceptions masked, round to nearest, no FTZ, no DAZ
}

FpScope::FpScope() : saved_(_mm_getcsr()) {
  _mm_setcsr(kDefaultMxcsr);
}
FpScope::~FpScope() {
  _mm_setcsr(static_cast<std::uint32_t>(saved_));
}
#elif defined(__aarch64__)
FpScope::FpScope() : saved_(0) {
  asm volatile("mrs %0, fpcr" : "=r"(saved_));
  const std::uint64_t zero = 0;
  asm volatile("msr fpcr, %0" : : "r"(zero));
}
FpScope::~FpScope() {
  asm volatile("msr fpcr, %0" : : "r"(saved_));
}
#else
// No control word to set on this architecture (WebAssembly is always IEEE).
FpScope::FpScope() : saved_(0) {}
FpScope::~FpScope() = default;
#endif

}  // namespace vf
