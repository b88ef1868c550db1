// A file that appears whole or not at all: written under a temporary name in the same folder, then renamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vf {

/// One file being written. Until commit() succeeds the target keeps what it held; on any failure, and when
/// the object goes away uncommitted, the temporary file is removed. A target that is a device or a pipe
/// (/dev/stdout) is written to directly. Not thread-safe; separate objects may be used from several threads.
class AtomicFile {
 public:
  /// Errors: the folder does not exist or may not be written to, the target is a folder.
  static Result<AtomicFile> create(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  /// Appends. Errors: kResource when the disk is full, else kIo.
  Status write(std::span<const std::byte> bytes);
  Status write(std::string_view text) { return write(std::as_bytes(std::span(text.data(), text.size()))); }
  /// Makes the bytes durable and gives the file its name. Nothing may be written afterwards.
  Status commit();

 private:
  AtomicFile() = default;
  Status fail(const char* what, int error);
  void discard();

  std::string target_;
  std::string temporary_;  ///< empty when the target is written to directly
  int descriptor_ = -1;
  int slot_ = -1;
};

/// The whole file in one go.
Status write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);
Status write_file(const std::filesystem::path& target, std::string_view text);

/// Whether a file could be written there, without leaving a trace: asked before hours of work, not after
/// them. Errors: those of AtomicFile::create.
Status can_write(const std::filesystem::path& target);

/// Makes `folder` and its parents. Errors: a file is in the way, no permission, no space.
Status make_folder(const std::filesystem::path& folder);

/// Removes the temporary files of every AtomicFile that is being written. Async-signal-safe: for handlers of
/// SIGINT and SIGTERM, just before the process ends.
void remove_temporary_files() noexcept;

}  // namespace vf
