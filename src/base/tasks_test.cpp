#include "base/tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace vf {
namespace {

TEST(ParallelFor, RunsEveryIndexOnce) {
  for (const unsigned workers : {0U, 1U, 2U, 8U}) {
    std::vector<int> count(1000, 0);
    parallel_for(count.size(), workers, [&](std::size_t i, unsigned) { ++count[i]; });
    for (std::size_t i = 0; i < count.size(); ++i)
      EXPECT_EQ(count[i], 1) << i << " with " << workers << " workers";
  }
}

TEST(ParallelFor, DoesNothingForNothing) {
  int calls = 0;
  parallel_for(0, 8, [&](std::size_t, unsigned) { ++calls; });
  EXPECT_EQ(calls, 0);
}

TEST(ParallelFor, OneWorkerKeepsTheOrder) {
  std::vector<std::size_t> order;
  parallel_for(50, 1, [&](std::size_t i, unsigned worker) {
    EXPECT_EQ(worker, 0U);
    order.push_back(i);
  });
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(ParallelFor, NoTwoRunningBodiesShareAWorker) {
  constexpr unsigned kWorkers = 8;
  std::vector<std::atomic<int>> inside(kWorkers);
  std::atomic<int> clashes{0}, strangers{0};
  parallel_for(4000, kWorkers, [&](std::size_t, unsigned worker) {
    if (worker >= kWorkers) {
      ++strangers;
      return;
    }
    if (inside[worker].fetch_add(1) != 0) ++clashes;
    for (int spin = 0; spin < 50; ++spin) std::atomic_signal_fence(std::memory_order_seq_cst);
    inside[worker].fetch_sub(1);
  });
  EXPECT_EQ(clashes, 0);
  EXPECT_EQ(strangers, 0);
}

// Each body waits for all others to be running, so it ends early only with as many threads as were asked for.
TEST(ParallelFor, StartsMoreThreadsThanThereAreCores) {
  constexpr unsigned kWorkers = 8;
  std::atomic<unsigned> running{0};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  parallel_for(kWorkers, kWorkers, [&](std::size_t, unsigned) {
    ++running;
    while (running < kWorkers && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST(ParallelFor, WhatBodiesWroteIsSeenAfterwards) {
  std::vector<std::size_t> squares(2000);
  parallel_for(squares.size(), 4, [&](std::size_t i, unsigned) { squares[i] = i * i; });
  std::size_t sum = 0;
  for (const std::size_t s : squares) sum += s;
  EXPECT_EQ(sum, 2664667000U);
}

TEST(ParallelFor, RunsInsideAnother) {
  std::atomic<int> calls{0};
  parallel_for(8, 2,
               [&](std::size_t, unsigned) { parallel_for(8, 2, [&](std::size_t, unsigned) { ++calls; }); });
  EXPECT_EQ(calls, 64);
}

#if defined(__x86_64__)
TEST(ParallelFor, BodiesKeepDenormalsOnEveryWorker) {
  const std::uint32_t saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040U);
  std::atomic<int> flushed{0};
  for (const unsigned workers : {1U, 4U})
    parallel_for(500, workers, [&](std::size_t, unsigned) {
      volatile float v = std::numeric_limits<float>::min();
      if (v * 0.5F == 0.0F) ++flushed;
    });
  const std::uint32_t after = _mm_getcsr();
  _mm_setcsr(saved);
  EXPECT_EQ(flushed, 0);
  EXPECT_EQ(after & 0x8040U, 0x8040U) << "the caller's state came back";
}
#endif

TEST(Tasks, ThereIsAtLeastOneWorker) {
  EXPECT_GE(default_workers(), 1U);
}

}  // namespace
}  // namespace vf
