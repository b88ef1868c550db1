#include "base/tasks.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <functional>
#include <optional>

#include "base/fp_scope.h"

namespace vf {

unsigned default_workers() {
  const int n = tbb::this_task_arena::max_concurrency();
  return n < 1 ? 1U : static_cast<unsigned>(n);
}

void parallel_for(std::size_t count, unsigned workers,
                  const std::function<void(std::size_t, unsigned)>& body) {
  if (workers == 0) workers = default_workers();
  if (workers == 1 || count <= 1) {
    const FpScope scope;
    for (std::size_t i = 0; i < count; ++i) body(i, 0);
    return;
  }
  // oneTBB starts no more threads than the machine has cores unless told to; asking for more must really get
  // them, so that a two-core machine can show what eight workers do.
  std::optional<tbb::global_control> more_threads;
  if (workers > default_workers())
    more_threads.emplace(tbb::global_control::max_allowed_parallelism, workers);
  tbb::task_arena arena(static_cast<int>(workers));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          const FpScope scope;
          const auto worker = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
          for (std::size_t i = range.begin(); i != range.end(); ++i) body(i, worker);
        },
        tbb::simple_partitioner{});
  });
}

}  // namespace vf
