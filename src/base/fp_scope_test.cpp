#include "base/fp_scope.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace vf {
namespace {

// volatile keeps the arithmetic at run time.
float half_of_smallest_normal() {
  volatile float v = std::numeric_limits<float>::min();
  v = v * 0.5F;
  return v;
}

bool reads_a_denormal_as_nonzero() {
  volatile float v = std::numeric_limits<float>::denorm_min();
  return v * 2.0F != 0.0F;
}

#if defined(__x86_64__)

constexpr std::uint32_t kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;

class FlushingCaller {
 public:
  FlushingCaller() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero); }
  ~FlushingCaller() { _mm_setcsr(saved_); }
  FlushingCaller(const FlushingCaller&) = delete;
  FlushingCaller& operator=(const FlushingCaller&) = delete;

 private:
  std::uint32_t saved_;
};

TEST(FpScope, KeepsDenormalsWhenTheCallerFlushesThem) {
  const FlushingCaller caller;
  ASSERT_EQ(half_of_smallest_normal(), 0.0F) << "the caller's state must bite, or this shows nothing";
  ASSERT_FALSE(reads_a_denormal_as_nonzero());
  const FpScope scope;
  EXPECT_GT(half_of_smallest_normal(), 0.0F);
  EXPECT_TRUE(reads_a_denormal_as_nonzero());
}

TEST(FpScope, GivesTheCallersStateBack) {
  const FlushingCaller caller;
  const std::uint32_t before = _mm_getcsr();
  {
    const FpScope scope;
  }
  EXPECT_EQ(_mm_getcsr(), before);
}

TEST(FpScope, Nests) {
  const FlushingCaller caller;
  const FpScope outer;
  {
    const FpScope inner;
  }
  EXPECT_GT(half_of_smallest_normal(), 0.0F);
}

#endif

TEST(FpScope, RoundsToNearestWhateverTheCallerDoes) {
  const int saved = std::fegetround();
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  volatile float one = 1.0F, tiny = 1e-20F;
  const float caller = one + tiny;
  float inside = 0;
  {
    const FpScope scope;
    inside = one + tiny;
  }
  const float after = one + tiny;
  std::fesetround(saved);
  EXPECT_GT(caller, 1.0F);
  EXPECT_EQ(inside, 1.0F);
  EXPECT_GT(after, 1.0F);
}

}  // namespace
}  // namespace vf
