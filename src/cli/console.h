// What a person or a script sees while a verb runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/notes.h"
#include "base/progress.h"
#include "base/result.h"

namespace vf::cli {

/// Results go to standard output; progress, notes and errors to standard error. Not thread-safe.
class Console {
 public:
  /// `quiet`: no progress and no notes (with --json).
  explicit Console(bool quiet);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// A line of the result.
  void line(std::string_view text);
  /// Notes and warnings of the author's text, each with its place.
  void notes(const Notes& notes);

  /// A plain line of progress that stays.
  void step(std::string_view text);
  /// On a terminal: one line that is updated in place. Elsewhere: one plain line when a phase ends.
  [[nodiscard]] Progress progress();
  /// Only the updated line of a terminal, `title` before the phase: for work that ends with a step().
  [[nodiscard]] Progress passing_progress(std::string title);
  /// Wipes the updated line, so that other text can follow.
  void clear();

 private:
  void show(std::string_view phase, std::size_t done, std::size_t total, bool passing);

  bool quiet_;
  bool terminal_;
  bool dirty_ = false;
  std::string phase_;
  std::chrono::steady_clock::time_point phase_start_{};
  std::chrono::steady_clock::time_point last_shown_{};
};

/// The exit code that product.md gives to a kind of trouble.
[[nodiscard]] int exit_code_of(ErrorCode code);

inline constexpr int kExitGood = 0;
inline constexpr int kExitViolation = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitTrouble = 3;

/// Seconds since construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace vf::cli
