#include "base/crew.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/fp_scope.h"

namespace vf {

struct Crew::Impl {
  std::function<bool(unsigned)> work;
  std::mutex mutex;
  std::condition_variable news;
  std::uint64_t wakes = 0;  // a wake that comes while a worker looks for work is not lost
  bool done = false;
  std::vector<std::thread> threads;

  void run(unsigned worker) {
    const FpScope scope;
    std::uint64_t seen = 0;
    for (;;) {
      {
        const std::lock_guard lock(mutex);
        if (done) return;
        seen = wakes;
      }
      if (work(worker)) continue;
      std::unique_lock lock(mutex);
      news.wait(lock, [&] { return done || wakes != seen; });
    }
  }
};

Crew::Crew(unsigned workers, std::function<bool(unsigned)> work) : impl_(std::make_unique<Impl>()) {
  impl_->work = std::move(work);
  for (unsigned w = 0; w < workers; ++w) impl_->threads.emplace_back([this, w] { impl_->run(w); });
}

Crew::~Crew() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->done = true;
  }
  impl_->news.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

void Crew::wake() {
  {
    const std::lock_guard lock(impl_->mutex);
    ++impl_->wakes;
  }
  impl_->news.notify_all();
}

}  // namespace vf
