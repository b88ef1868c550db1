// Runs the real program and keeps what it said.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vf::cli {

struct Outcome {
  int code = -1;    ///< exit code; 128 + signal when a signal ended it
  std::string out;  ///< standard output
  std::string err;  ///< standard error

  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Runs voxelforge with these arguments, in `folder`. `redirect`: shell words put after the command (">
/// /dev/full").
[[nodiscard]] Outcome run_voxelforge(const std::vector<std::string>& arguments,
                                     const std::filesystem::path& folder = ".",
                                     const std::string& redirect = {});

[[nodiscard]] std::string file_text(const std::filesystem::path& file);

/// A folder of its own for each test, removed at the end.
class CommandLine : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  std::filesystem::path write(const std::string& name, const std::string& text);
  [[nodiscard]] std::vector<std::string> entries() const;

  std::filesystem::path folder_;
};

/// A world of one small type with everything the verbs ask for.
inline constexpr const char* kSmallRecipe = R"toml([type]
id = "small"
version = 1
name = "Small"
family = "test"
height_m = 24

[params]
amplitude = { default = 2, min = 0.5, max = 4, unit = "m", help = "height of the hills" }

[field]
ground = "8 + amplitude*perlin2(24)"
phi = "smin(min(heightfield(ground), 20 - z), features.stones, 0.5)"

[features.stones]
kind = "scatter"
pitch = 16
probability = 0.8
jitter = 0.5
ground = "ground"
shape = "sphere(px, py, pz, r)"
extent = ["r", "r"]
extent_z = ["-r", "r"]
blend = 0.5
far = 3

[features.stones.values]
r = "1 + u1"

[[materials]]
name = "moss"
weight = "clamp(nz, 0.01, 1)"
color = "#5E7A3A"

[[materials]]
name = "stone"
weight = "1.01 - clamp(nz, 0, 1)"
color = "#6B5640"

[[lights]]
name = "lamps"
placement = "lattice"
pitch = 32
ground = "18"
color = "#FFD9A0"
intensity = 4
range_m = 24

[[viewpoints]]
name = "first"
eye = [500, 500, 14]
target = [520, 510, 10]
caption = "A <small> hill"
)toml";

}  // namespace vf::cli
