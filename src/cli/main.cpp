// voxelforge: the command line of the engine.
#include <csignal>

#include "cli/command_line.h"
#include "exports/atomic_file.h"

namespace {

/// Leaves nothing half-written behind, then ends as the signal would have ended us.
void on_signal(int signal) {
  vf::remove_temporary_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, on_signal);
  // A reader that went away is an error of the write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that grew beyond the shell's limit.
  std::signal(SIGXFSZ, SIG_IGN);
  return vf::cli::run_command_line(argc, argv);
}
