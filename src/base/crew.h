// Threads that work in the background: the only ones that outlive a call.
#pragma once

#include <functional>
#include <memory>

namespace vf {

/// A crew works until nothing is left to do, then sleeps until it is woken.
class Crew {
 public:
  /// `work(worker)` does one piece of work inside an FpScope, or returns false when there is none; worker is
  /// in [0, workers) and no two running calls share it. It may be called until the destructor returns.
  /// `workers` 0: no thread at all, for owners who work themselves.
  Crew(unsigned workers, std::function<bool(unsigned)> work);
  ~Crew();  ///< waits for the pieces in hand
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// There may be work again. Any thread may call it; never blocks for long.
  void wake();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf
