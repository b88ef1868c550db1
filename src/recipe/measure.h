// How large a formula grows when all functions are written out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace vf {

/// Linear in the sizes of a function's arguments, so that it is found without expanding anything.
struct Measure {
  double size = 1;                ///< operations of its own
  int depth = 1;                  ///< deepest path of its own
  std::vector<double> uses;       ///< how often each argument stands in it
  std::vector<int> depth_of_use;  ///< how deep each argument's deepest use stands; -1: unused
};

using FunctionMeasures = std::map<std::string, Measure, std::less<>>;

/// `arguments` are empty for a formula that is not a function's body. Unknown functions count as words.
[[nodiscard]] Measure measure_formula(const Expr& expr, const std::vector<std::string>& arguments,
                                      const FunctionMeasures& functions);

}  // namespace vf
