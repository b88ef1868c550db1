// Parallel loops. The only place that knows oneTBB.
#pragma once

#include <cstddef>
#include <functional>

namespace vf {

/// Runs `body(index, worker)` for every index in [0, count) on up to `workers` threads and waits for all.
/// Each body runs inside an FpScope. `worker` is in [0, workers) and no two running bodies share it, so it
/// can pick a scratch space; it must not reach the output. Exceptions of the body end the process. workers =
/// 0 means one per core; 1 runs in the calling thread, in order.
void parallel_for(std::size_t count, unsigned workers,
                  const std::function<void(std::size_t, unsigned)>& body);

/// What `workers = 0` stands for on this machine. [>= 1]
[[nodiscard]] unsigned default_workers();

}  // namespace vf
