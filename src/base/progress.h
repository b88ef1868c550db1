// Progress of long work, without knowing who shows it.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace vf {

/// Called with a phase's name, the steps done and the steps in all. May be empty. Called from one thread at a
/// time.
using Progress = std::function<void(std::string_view phase, std::size_t done, std::size_t total)>;

}  // namespace vf
