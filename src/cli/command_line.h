// The command line: finds the verb, runs it, turns what it says into messages and an exit code.
#pragma once

namespace vf::cli {

/// 0 good; 1 an audit or a proof found a violation; 2 bad input; 3 I/O or resource failure.
[[nodiscard]] int run_command_line(int argc, const char* const* argv);

}  // namespace vf::cli
