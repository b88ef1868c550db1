#include "test_support/walkers/recast_walker.h"

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"

namespace vf::test {

namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string file_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

RecastWalk walk_of(const nlohmann::json& line) {
  RecastWalk walk;
  walk.file = line.at("file").get<std::string>();
  walk.agent = line.at("agent").get<std::string>();
  walk.reached = line.at("reached").get<bool>();
  walk.reached_m = line.at("reached_m").get<double>();
  walk.length_m = line.at("length_m").get<double>();
  const nlohmann::json& at = line.at("at_m");
  walk.at_m = {at.at(0).get<double>(), at.at(1).get<double>(), at.at(2).get<double>()};
  walk.why = line.at("why").get<std::string>();
  walk.seconds = line.at("ms").get<double>() / 1000;
  return walk;
}

}  // namespace

Result<std::vector<RecastWalk>> walk_with_recast(const std::vector<fs::path>& files) {
  if (files.empty()) return std::vector<RecastWalk>{};
  const std::string stem = files[0].string() + ".walk";
  std::string command = "node " + quoted(VF_SOURCE_DIR "/tools/walkers/walk.mjs");
  for (const fs::path& file : files) command += " " + quoted(file.string());
  command += " > " + quoted(stem + ".out") + " 2> " + quoted(stem + ".err");
  const int status = std::system(command.c_str());
  const std::string said = file_text(stem + ".err");
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1 || !said.empty())
    return Error{ErrorCode::kIo, {}, "tools/walkers/walk.mjs: " + said};
  std::vector<RecastWalk> walks;
  std::ifstream lines(stem + ".out");
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_discarded()) return Error{ErrorCode::kIo, {}, "tools/walkers/walk.mjs said: " + line};
    walks.push_back(walk_of(json));
  }
  if (walks.size() != 2 * files.size())
    return Error{ErrorCode::kIo, {}, "tools/walkers/walk.mjs: not two walks a file"};
  return walks;
}

}  // namespace vf::test
