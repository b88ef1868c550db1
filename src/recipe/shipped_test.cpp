#include "recipe/shipped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <set>
#include <string>

namespace vf {
namespace {

std::filesystem::path worlds_folder() {
  return std::filesystem::path(VF_SOURCE_DIR) / "worlds";
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(Shipped, EveryFileIsInsideByteForByte) {
  std::set<std::string> on_disk;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(worlds_folder()))
    if (entry.path().extension() == ".toml")
      on_disk.insert(std::filesystem::relative(entry.path(), worlds_folder()).generic_string());
  std::set<std::string> inside;
  for (const ShippedFile& file : shipped_files()) {
    inside.emplace(file.name);
    EXPECT_TRUE(file.text == text_of(worlds_folder() / file.name)) << file.name << " differs from the file";
  }
  EXPECT_EQ(inside, on_disk);
  EXPECT_FALSE(inside.empty());
}

TEST(Shipped, FilesAreSortedByName) {
  const auto files = shipped_files();
  EXPECT_TRUE(std::is_sorted(files.begin(), files.end(),
                             [](const ShippedFile& a, const ShippedFile& b) { return a.name < b.name; }));
}

TEST(Shipped, TypesAreFoundByTheirId) {
  std::size_t types = 0;
  for (const ShippedFile& file : shipped_files()) {
    if (!file.name.starts_with("types/")) continue;
    ++types;
    const std::string id = std::filesystem::path(file.name).stem().string();
    const ShippedFile* found = find_shipped_type(id);
    ASSERT_NE(found, nullptr) << id;
    EXPECT_EQ(found->name, file.name);
    EXPECT_NE(found->text.find("id = \"" + id + "\""), std::string_view::npos) << "a file is named by its id";
  }
  EXPECT_GT(types, 0U);
  EXPECT_EQ(find_shipped_type("no_such_type"), nullptr);
  EXPECT_EQ(find_shipped_type("../showcase"), nullptr);
  EXPECT_EQ(find_shipped_type(""), nullptr);
}

TEST(Shipped, TheShowcaseHoldsEveryType) {
  const std::string showcase = text_of(worlds_folder() / "showcase.toml");
  for (const ShippedFile& file : shipped_files()) {
    if (!file.name.starts_with("types/")) continue;
    const std::string id = std::filesystem::path(file.name).stem().string();
    EXPECT_NE(showcase.find("type = \"" + id + "\""), std::string::npos) << id;
  }
}

}  // namespace
}  // namespace vf
