#include "base/crew.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

namespace vf {
namespace {

TEST(Crew, DoesEveryPieceOnceAndKeepsWorkersApart) {
  std::atomic<int> left{0}, done{0};
  std::array<std::atomic<int>, 4> busy{};
  std::atomic<bool> shared{false};
  {
    Crew crew(4, [&](unsigned worker) {
      int n = left.load();
      while (n > 0 && !left.compare_exchange_weak(n, n - 1)) {
      }
      if (n <= 0) return false;
      if (busy.at(worker).fetch_add(1) != 0) shared = true;
      ++done;
      busy.at(worker).fetch_sub(1);
      return true;
    });
    for (int round = 1; round <= 50; ++round) {
      left += 20;
      crew.wake();
      while (done < 20 * round) std::this_thread::yield();
    }
  }
  EXPECT_EQ(done, 1000);
  EXPECT_FALSE(shared);
}

TEST(Crew, StopsWhileThereIsWork) {
  std::atomic<int> done{0};
  {
    Crew crew(2, [&](unsigned) {
      ++done;
      return true;
    });
    while (done < 10) std::this_thread::yield();
  }
  const int then = done;
  std::this_thread::yield();
  EXPECT_EQ(done, then);
}

TEST(Crew, WithoutWorkersNeverCalls) {
  bool called = false;
  {
    Crew crew(0, [&](unsigned) { return called = true; });
    crew.wake();
  }
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace vf
