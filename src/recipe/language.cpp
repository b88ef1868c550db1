#include "recipe/language.h"

#include <array>
#include <span>
#include <string_view>

namespace vf {

namespace {

constexpr std::array kWords{
#define VF_WORD(id, name, arguments, options, help) WordInfo{Word::id, name, arguments, options, help},
#include "recipe/language.def"
#undef VF_WORD
};

constexpr std::array kContextNames{
    ContextName{"x", "everywhere", "position, east; metres"},
    ContextName{"y", "everywhere", "position, north; metres"},
    ContextName{"z", "everywhere", "height above the content floor; metres"},
    ContextName{"H", "everywhere", "height of the content interval; metres"},
    ContextName{"tau", "everywhere", "6.28318530717958648, a full turn"},
    ContextName{"water.level", "everywhere", "the level of [water]; metres"},
    ContextName{"px", "features", "position relative to the place, turned with it; metres"},
    ContextName{"py", "features", "the same, across"},
    ContextName{"pz", "features", "height above the place; metres"},
    ContextName{"u1", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"u2", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"u3", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"u4", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"u5", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"u6", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"u7", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"u8", "features", "random value of the place, 0 <= u < 1"},
    ContextName{"ground", "features", "height of the place; metres"},
    ContextName{"nx", "materials", "surface normal, east; points into the air"},
    ContextName{"ny", "materials", "surface normal, north"},
    ContextName{"nz", "materials", "surface normal, up: 1 on a floor, -1 under a ceiling"},
    ContextName{"slope", "materials", "angle between the surface and a level floor; 0 .. 180 degrees"},
    ContextName{"height", "materials", "height above the content floor; metres"},
    ContextName{"route.d", "materials",
                "distance in plan from the middle of the nearest path; on places, 1.75 at their edge; "
                "metres, 1024 far away"},
    ContextName{"route.s", "materials", "length along the nearest path; metres"},
    ContextName{"route.h", "materials", "height over the floor of the nearest path; metres"},
};

constexpr std::array<std::string_view, 9> kUnits{"", "m", "deg", "turns", "1/m", "s", "m/s", "K", "%"};

}  // namespace

std::span<const WordInfo> words() {
  return kWords;
}

const WordInfo* find_word(std::string_view name) {
  for (const WordInfo& word : kWords)
    if (word.name == name) return &word;
  return nullptr;
}

std::span<const ContextName> context_names() {
  return kContextNames;
}

std::span<const std::string_view> units() {
  return kUnits;
}

}  // namespace vf
