#include "recipe/scaffold.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recipe/language.h"
#include "recipe/shipped.h"
#include "recipe/toml_reader.h"

namespace vf {

namespace {

struct Snippet {
  std::string_view section;
  std::string_view text;
};

/// One text for each section, in the order of docs/recipes.md. {ID} and {NAME} stand for the new type's.
constexpr std::array<Snippet, 15> kSnippets{{
    {"type", R"toml([type]
id = "{ID}"                # stable: part of every random choice
version = 1                # raise it when the shape changes
layout_version = 1         # raise it to roll the random choices anew
name = "{NAME}"
description = "Soft hills and pillars under a low roof."
family = "own"             # one family never comes twice in a row
tags = ["open"]
height_m = 28              # the content interval is [0, H]
gradient_bound = 1         # promised: the density changes by at most 1 a metre
)toml"},
    {"params", R"toml([params]
# What --set, a world file or the studio may change.
amplitude = { default = 2.5, min = 0.5, max = 4, unit = "m", help = "height of the hills" }
spacing = { default = 24, min = 16, max = 48, unit = "m", help = "cell of the pillars" }
)toml"},
    {"functions", R"toml([functions]
"hills(length)" = "wave(x, length) + wave(y, length)"
)toml"},
    {"field", R"toml([field]
# In order: each formula knows those above it. phi is the density: negative in rock, positive in air.
ground = "8 + amplitude*hills(56) + 0.4*perlin2(12, octaves = 2)"
roof = "H - 4 - 1.5*ridged2(60)"
room = "min(heightfield(ground), ceiling(roof))"
phi = "smin(room, features.pillars, 1)"
)toml"},
    {"features", R"toml([features.pillars]
kind = "scatter"           # one random place a cell; also: lattice, list
pitch = "spacing"          # edge of a cell
jitter = 0.5               # share of the cell in which the place moves
probability = 0.5          # that a cell holds one
ground = "ground"          # the places stand on the field's ground
shape = "cylinder(px, py, pz, radius, 30) + 0.2"
extent = "radius + 0.5"    # nothing beyond, in plan ...
extent_z = [-3, 30]        # ... and in height, from the place
blend = 0.5                # radius of the smooth union
far = 4                    # the value far from every pillar

[features.pillars.values]
radius = "1 + u1"          # u1 ... u8 are random values of the place
)toml"},
    {"materials", R"toml([[materials]]
name = "floor"
weight = "smoothstep(0.3, 0.7, nz)"   # nz: 1 on floors, -1 under ceilings
color = "#6CBF5B"
color2 = "#4E9A45"
roughness = 0.95
detail = "grass"
detail_scale_m = 0.3
detail_strength = 0.6
bump_m = 0.02

[[materials]]
name = "rock"
weight = "1 - smoothstep(0.3, 0.7, nz)"
color = "#D9D2C4"
color2 = "#B8AE9C"
detail = "plaster"
)toml"},
    {"ambient", R"toml([ambient]
# Light without a place: there is no sun and no sky under the rock.
up = "#BFE3FF"
down = "#5A6B50"
strength = 0.8
)toml"},
    {"lights", R"toml([[lights]]
name = "lamp"
placement = "lattice"      # also: features (one at each of a set), point
pitch = 32
jitter = 0.3
probability = 0.8
ground = "ground"
offset = [0, 0, 3.5]       # from the place
kelvin = 2700              # or color = "#FFC27A"
intensity = 30
range_m = 25
)toml"},
    {"fog", R"toml([fog]
extinction = 0.01          # 1/m
color = "#DCE8EC"
)toml"},
    {"sound", R"toml([sound]
tags = ["wind"]
reverberation_s = 1.5
)toml"},
    {"decor", R"toml([[decor]]
name = "ferns"
model = "fern"
density = 0.2              # a square metre
accept = "25 - slope"      # kept where > 0
scale = [0.7, 1.4]
)toml"},
    {"water", R"toml([water]
level = "7 - amplitude"    # formulas know it as water.level
color = "#3FA7A0"
)toml"},
    {"route", R"toml([route]
from = "ground"
anchor = "ground"          # floor height of the ways in and out
length_m = [120, 400]
)toml"},
    {"viewpoints", R"toml([[viewpoints]]
name = "first view"
eye = [512, 512, "ground + 1.7"]
target = [560, 540, 10]
fov_deg = 75
caption = "Where one comes in."
)toml"},
    {"view", R"toml([view]
near_m = 32
view_m = 512
min_feature_m = 6          # the thinnest thing that must not vanish far away; 6, 3, 1.5: the finer, the slower
)toml"},
}};

std::string title_of(std::string_view id) {
  std::string title(id);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

std::string filled_in(std::string_view snippet, std::string_view id) {
  std::string text(snippet);
  const auto put = [&text](std::string_view mark, std::string_view value) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  };
  put("{ID}", id);
  put("{NAME}", title_of(id));
  return text;
}

std::string whole_recipe(std::string_view id) {
  std::string text = "# Every section and key: docs/recipes.md. Only [type] and [field] are needed.\n";
  for (const Snippet& snippet : kSnippets) text += "\n" + filled_in(snippet.text, id);
  return text;
}

std::string as_comment(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += end == 0 ? "#\n" : fmt::format("# {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Puts another text into a quoted value that fills its line after the key.
void replace_value(const TomlFile& file, std::string_view key, std::string_view value, std::string& text) {
  const toml::node* node = file.root()["type"][key].node();
  if (node == nullptr) return;
  std::size_t start = 0;
  for (std::uint32_t line = 1; line < node->source().begin.line; ++line) start = text.find('\n', start) + 1;
  const std::size_t end = std::min(text.find('\n', start), text.size());
  const std::size_t open = text.find('"', start);
  const std::size_t close = open == std::string::npos ? open : text.find('"', open + 1);
  if (close != std::string::npos && close < end) text.replace(open + 1, close - open - 1, value);
}

Result<std::string> recipe_from(std::string_view id, const ShippedFile& shipped) {
  Result<TomlFile> file = TomlFile::parse(std::string(shipped.name), shipped.text);
  if (!file) return file.error();
  std::string text(shipped.text);
  replace_value(*file, "id", id, text);
  replace_value(*file, "name", title_of(id), text);
  std::string rest;
  for (const Snippet& snippet : kSnippets)
    if (!file->root().contains(snippet.section)) rest += "\n" + as_comment(filled_in(snippet.text, id));
  if (!rest.empty())
    text += "\n# Sections that this recipe does without, as examples (docs/recipes.md):\n" + rest;
  return text;
}

Error unknown_type(std::string_view from) {
  std::vector<std::string> known;
  for (const ShippedFile& file : shipped_files()) {
    std::string_view name = file.name;
    if (!name.starts_with("types/") || !name.ends_with(".toml")) continue;
    name.remove_prefix(std::string_view("types/").size());
    name.remove_suffix(std::string_view(".toml").size());
    known.emplace_back(name);
  }
  return {ErrorCode::kBadInput,
          {},
          fmt::format("unknown type \"{}\"{}", from.substr(0, 60), did_you_mean(from, known))};
}

}  // namespace

Result<std::string> scaffold_recipe(std::string_view name, std::string_view from) {
  if (!is_type_id(name))
    return Error{ErrorCode::kBadInput,
                 {},
                 fmt::format("\"{}\" cannot be the id of a type; expected 1 .. {} of a-z, 0-9 and _",
                             name.substr(0, 60), kRecipeLimits.name_bytes)};
  if (from.empty()) return whole_recipe(name);
  constexpr std::string_view kPrefix = "type:";
  if (from.starts_with(kPrefix)) from.remove_prefix(kPrefix.size());
  const ShippedFile* shipped = find_shipped_type(from);
  return shipped == nullptr ? Result<std::string>(unknown_type(from)) : recipe_from(name, *shipped);
}

}  // namespace vf
