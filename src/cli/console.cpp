#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "base/notes.h"
#include "base/progress.h"
#include "base/result.h"

namespace vf::cli {

namespace {

constexpr std::size_t kBarCells = 24;

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "note";
}

std::string bar(std::size_t done, std::size_t total) {
  const std::size_t full = total == 0 ? kBarCells : kBarCells * done / total;
  std::string text;
  for (std::size_t i = 0; i < kBarCells; ++i) text += i < full ? "━" : "─";
  return text;
}

}  // namespace

Console::Console(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

Console::~Console() {
  clear();
}

void Console::line(std::string_view text) {
  clear();
  fmt::print(stdout, "{}\n", text);
}

void Console::notes(const Notes& notes) {
  if (quiet_) return;
  clear();
  for (const Note& note : notes) {
    std::string text = to_string(note.place);
    if (!text.empty()) text += ": ";
    // Errors look like the one that ends the run.
    if (note.severity != Severity::kError) text += fmt::format("{}: ", severity_name(note.severity));
    fmt::print(stderr, "{}{}\n", text, note.message);
  }
}

Progress Console::progress() {
  return [this](std::string_view phase, std::size_t done, std::size_t total) {
    show(phase, done, total, false);
  };
}

Progress Console::passing_progress(std::string title) {
  return [this, title = std::move(title)](std::string_view phase, std::size_t done, std::size_t total) {
    show(phase.empty() ? title : fmt::format("{}: {}", title, phase), done, total, true);
  };
}

void Console::step(std::string_view text) {
  if (quiet_) return;
  clear();
  fmt::print(stderr, "{}\n", text);
}

void Console::clear() {
  if (!dirty_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  dirty_ = false;
}

void Console::show(std::string_view phase, std::size_t done, std::size_t total, bool passing) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  if (phase != phase_) {
    phase_ = phase;
    phase_start_ = now;
    last_shown_ = {};
  }
  const double seconds = std::chrono::duration<double>(now - phase_start_).count();
  if (!terminal_) {
    if (done == total && !passing)
      fmt::print(stderr, "{}: {} of {} in {:.1f} s\n", phase, done, total, seconds);
    return;
  }
  // Ten updates a second are enough for the eye.
  if (done != total && now - last_shown_ < std::chrono::milliseconds(100)) return;
  last_shown_ = now;
  fmt::print(stderr, "\r\033[K{} {}/{}  {}", bar(done, total), done, total, phase);
  std::fflush(stderr);
  dirty_ = true;
}

int exit_code_of(ErrorCode code) {
  return code == ErrorCode::kBadInput ? kExitBadInput : kExitTrouble;
}

}  // namespace vf::cli
