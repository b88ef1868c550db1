#include "exports/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>

#include "base/result.h"

namespace vf {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("vf_atomic_" + std::to_string(::getpid()) + "_" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  [[nodiscard]] static std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsOnlyWhenCommitted) {
  const fs::path target = folder_ / "a.txt";
  Result<AtomicFile> file = AtomicFile::create(target);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("hello "));
  ASSERT_TRUE(file->write("world"));
  EXPECT_FALSE(fs::exists(target));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(read(target), "hello world");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFileTest, LeavesNothingWhenAbandoned) {
  {
    Result<AtomicFile> file = AtomicFile::create(folder_ / "a.txt");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half"));
    EXPECT_EQ(entries(), 1U);
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(AtomicFileTest, KeepsTheOldFileUntilTheNewOneIsWhole) {
  const fs::path target = folder_ / "a.txt";
  ASSERT_TRUE(write_file(target, "old"));
  {
    Result<AtomicFile> file = AtomicFile::create(target);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new"));
  }
  EXPECT_EQ(read(target), "old");
  ASSERT_TRUE(write_file(target, "new"));
  EXPECT_EQ(read(target), "new");
}

TEST_F(AtomicFileTest, RemovesTemporariesOnASignal) {
  Result<AtomicFile> file = AtomicFile::create(folder_ / "a.txt");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("half"));
  remove_temporary_files();
  EXPECT_EQ(entries(), 0U);
}

TEST_F(AtomicFileTest, FollowsALinkToTheFileBehindIt) {
  ASSERT_TRUE(write_file(folder_ / "real.txt", "old"));
  fs::create_symlink(folder_ / "real.txt", folder_ / "link.txt");
  ASSERT_TRUE(write_file(folder_ / "link.txt", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.txt"));
  EXPECT_EQ(read(folder_ / "real.txt"), "new");
}

TEST_F(AtomicFileTest, SaysThatTheDiskIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Status status = write_file("/dev/full", "text");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kResource);
  EXPECT_EQ(status.error().message, "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, NamesTheMissingFolder) {
  const Status status = write_file(folder_ / "none" / "a.txt", "text");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_NE(status.error().message.find("there is no folder " + (folder_ / "none").string()),
            std::string::npos);
}

TEST_F(AtomicFileTest, RefusesAFolderAsTarget) {
  EXPECT_FALSE(write_file(folder_, "text"));
  EXPECT_FALSE(write_file("", "text"));
}

TEST_F(AtomicFileTest, MakesFoldersUnlessAFileIsInTheWay) {
  EXPECT_TRUE(make_folder(folder_ / "x" / "y"));
  EXPECT_TRUE(make_folder(folder_ / "x" / "y"));
  ASSERT_TRUE(write_file(folder_ / "file", "text"));
  const Status status = make_folder(folder_ / "file" / "z");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_FALSE(make_folder(folder_ / "file"));
}

}  // namespace
}  // namespace vf
