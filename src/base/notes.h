// Things worth telling the author that do not stop the work.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace vf {

enum class Severity : std::uint8_t { kNote, kWarning, kError };

struct Note {
  Severity severity = Severity::kNote;
  Place place;
  std::string message;
};

/// Filled by whoever has something to say, read by whoever shows it. Not thread-safe.
using Notes = std::vector<Note>;

}  // namespace vf
