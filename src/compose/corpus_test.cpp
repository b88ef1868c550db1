// The corpora of the fuzzers and every file cut short or damaged: no crash, no hang, and a place that exists.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>
#include <vector>

#include "base/ids.h"
#include "fuzz/checks.h"
#include "recipe/language.h"

namespace vf {
namespace {

std::vector<std::filesystem::path> files_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(VF_SOURCE_DIR) + "/" + folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(FuzzCorpus, OfFormulasHolds) {
  const auto files = files_of("fuzz/corpus/formula");
  EXPECT_GE(files.size(), 50U);
  for (const auto& file : files) fuzz::check_formula(text_of(file));
}

TEST(FuzzCorpus, OfRecipesHolds) {
  const auto files = files_of("fuzz/corpus/recipe");
  EXPECT_GE(files.size(), 10U);
  for (const auto& file : files) fuzz::check_recipe(text_of(file));
}

TEST(FuzzCorpus, HoldsWhenAFileIsCutShort) {
  const std::string text = text_of(std::string(VF_SOURCE_DIR) + "/fuzz/corpus/recipe/complete.toml");
  for (std::size_t length = 0; length < text.size(); length += 7) fuzz::check_recipe(text.substr(0, length));
}

TEST(FuzzCorpus, HoldsWhenBytesAreDamaged) {
  const std::string text = text_of(std::string(VF_SOURCE_DIR) + "/fuzz/corpus/recipe/complete.toml");
  const std::string marks = "\"'[]{}()=.,+-*#\n\\ 0az\x80\xFF";
  for (std::uint64_t round = 0; round < 500; ++round) {
    std::string damaged = text;
    for (std::uint64_t i = 0; i < 1 + round % 4; ++i) {
      const std::uint64_t hash = hash_words({round, i});
      damaged[hash % damaged.size()] = marks[(hash >> 32) % marks.size()];
    }
    fuzz::check_recipe(damaged);
  }
}

TEST(FuzzCorpus, HoldsAtTheLimitOfSize) {
  // Each is as large as a file may be, and as hostile as its size allows.
  const auto filled = [](const std::string& start, const std::string& one) {
    std::string text = start;
    while (text.size() + one.size() < kRecipeLimits.file_bytes) text += one;
    return text;
  };
  const std::string type = "[type]\nid = \"t\"\nheight_m = 20\n";
  fuzz::check_recipe(filled("a = ", "["));
  fuzz::check_recipe(filled("a = ", "{b="));
  fuzz::check_recipe(filled("", "a."));
  fuzz::check_recipe(filled("", "[a.b.c]\n"));
  fuzz::check_recipe(filled("", "\""));
  std::string keys;
  for (int i = 0; keys.size() + 20 < kRecipeLimits.file_bytes; ++i) keys += "k" + std::to_string(i) + "=1\n";
  fuzz::check_recipe(keys + "[type]\n");
  fuzz::check_recipe(filled(type + "[field]\nphi = \"", "("));
  fuzz::check_recipe(filled(type + "[field]\nphi = \"z\"\n[[materials]]\nname = \"", "\xC3\xA4"));
  std::string names = type + "[field]\n";
  for (int i = 0; names.size() + 40 < kRecipeLimits.file_bytes; ++i)
    names += "n" + std::to_string(i) + " = \"q" + std::to_string(i) + " + min\"\n";
  fuzz::check_recipe(names);
  std::string list;
  while (list.size() < 16000) list += "q,";
  std::string lists = type + "[field]\n";
  for (int i = 0; lists.size() + 16020 < kRecipeLimits.file_bytes; ++i)
    lists += "n" + std::to_string(i) + " = \"min(" + list + "q)\"\n";
  fuzz::check_recipe(lists);
  std::string params = type + "[params]\n";
  for (int i = 0; params.size() + 60 < kRecipeLimits.file_bytes; ++i)
    params += "p" + std::to_string(i) + " = { default = 1, min = 1, max = 1 }\n";
  fuzz::check_recipe(params + "[field]\nphi = \"z\"\n");
}

}  // namespace
}  // namespace vf
