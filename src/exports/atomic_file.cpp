#include "exports/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/result.h"

namespace vf {

namespace {

// What a signal handler can walk without a lock: a fixed table of names. A file that finds no free slot is
// still written safely; only a signal would leave its temporary behind.
constexpr std::size_t kPathBytes = 4096;
enum SlotState : int { kFree, kFilling, kInUse };
struct Slot {
  std::atomic<int> state{kFree};
  std::array<char, kPathBytes> path{};
};
std::array<Slot, 64> slots;
std::atomic<unsigned> next_name{0};

int remember(const std::string& path) {
  if (path.size() >= kPathBytes) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = kFree;
    if (!slots[i].state.compare_exchange_strong(expected, kFilling)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].state.store(kInUse);
    return static_cast<int>(i);
  }
  return -1;
}

void forget(int slot) {
  if (slot >= 0) slots[static_cast<std::size_t>(slot)].state.store(kFree);
}

Error file_error(const std::string& what, const std::string& path, int error) {
  const bool full =
      error == ENOSPC || error == EDQUOT || error == EFBIG || error == EMFILE || error == ENFILE;
  return {full ? ErrorCode::kResource : ErrorCode::kIo,
          {},
          fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(error))};
}

/// Makes a rename durable. A folder that cannot be synced (some network mounts) is not an error: the file is
/// whole.
void sync_folder(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& target) {
  namespace fs = std::filesystem;
  AtomicFile file;
  file.target_ = target.string();
  if (target.empty() || target.filename().empty()) {
    return Error{
        ErrorCode::kIo, {}, fmt::format("cannot write '{}': the name of a file was expected", file.target_)};
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(target, ignored);
  if (fs::is_directory(status)) {
    return Error{ErrorCode::kIo,
                 {},
                 fmt::format("cannot write {}: it is a folder; a file was expected", file.target_)};
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file.descriptor_ = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.descriptor_ < 0) return file_error("open", file.target_, errno);
    return file;
  }
  // A link keeps pointing where it points: the file behind it is replaced.
  fs::path real = target;
  if (fs::is_symlink(fs::symlink_status(target, ignored)) && fs::exists(status)) {
    const fs::path resolved = fs::canonical(target, ignored);
    if (!resolved.empty()) real = resolved;
  }
  file.target_ = real.string();
  const fs::path folder = folder_of(real);
  if (!fs::is_directory(folder, ignored)) {
    return Error{ErrorCode::kIo,
                 {},
                 fmt::format("cannot write {}: there is no folder {}", file.target_, folder.string())};
  }
  const std::string name = fmt::format(".{}.{}-{}.tmp", real.filename().string(), ::getpid(), next_name++);
  file.temporary_ = (folder / name).string();
  file.slot_ = remember(file.temporary_);
  file.descriptor_ = ::open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) {
    const int error = errno;
    file.temporary_.clear();
    return file_error("write", file.target_, error);
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      slot_(std::exchange(other.slot_, -1)) {}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  forget(std::exchange(slot_, -1));
}

Status AtomicFile::fail(const char* what, int error) {
  discard();
  return file_error(what, target_, error);
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  if (descriptor_ < 0)
    return Error{ErrorCode::kIo, {}, fmt::format("{} is no longer open for writing", target_)};
  while (!bytes.empty()) {
    const ::ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail("write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return Unit{};
}

Status AtomicFile::commit() {
  if (descriptor_ < 0)
    return Error{ErrorCode::kIo, {}, fmt::format("{} is no longer open for writing", target_)};
  const bool direct = temporary_.empty();
  // Devices and pipes have nothing to sync.
  if (!direct && ::fsync(descriptor_) != 0) return fail("write", errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) return fail("write", errno);
  if (direct) return Unit{};
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return fail("write", errno);
  temporary_.clear();
  forget(std::exchange(slot_, -1));
  sync_folder(folder_of(target_));
  return Unit{};
}

Status write_file(const std::filesystem::path& target, std::span<const std::byte> bytes) {
  Result<AtomicFile> file = AtomicFile::create(target);
  if (!file) return file.error();
  if (Status written = file->write(bytes); !written) return written;
  return file->commit();
}

Status write_file(const std::filesystem::path& target, std::string_view text) {
  return write_file(target, std::as_bytes(std::span(text.data(), text.size())));
}

Status can_write(const std::filesystem::path& target) {
  const Result<AtomicFile> file = AtomicFile::create(target);
  if (!file) return file.error();
  return Unit{};
}

Status make_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return Error{ErrorCode::kIo, {}, "cannot make the folder '': a name was expected"};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return Unit{};
  return file_error("make the folder", folder.string(), error ? error.value() : ENOTDIR);
}

void remove_temporary_files() noexcept {
  for (Slot& slot : slots) {
    if (slot.state.load() == kInUse) ::unlink(slot.path.data());
  }
}

}  // namespace vf
