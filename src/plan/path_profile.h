// Heights along a way: as near to the land as the grade allows.
#pragma once

#include <vector>

namespace vf {

/// A stretch where the floor is level. [metres along the way]
struct LevelStretch {
  double from = 0, to = 0;
};

struct ProfileInput {
  std::vector<double> at;    ///< rising lengths along the way; includes both ends of every level stretch
  std::vector<double> land;  ///< height wished for there
  std::vector<LevelStretch> level;  ///< rising; they do not overlap
  double start = 0, end = 0;        ///< heights that are given
  double grade = 0;                 ///< most rise over run. [> 0]
};

/// Run that counts for climbing: the whole without the level stretches. [metres]
[[nodiscard]] double climbing_run(const ProfileInput& input);

/// A height for every entry of `at`: start and end as given, level where asked, never steeper than `grade`.
/// |end - start| <= grade * climbing_run must hold.
[[nodiscard]] std::vector<double> fit_profile(const ProfileInput& input);

}  // namespace vf
