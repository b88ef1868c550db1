#include "recipe/measure.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace vf {

namespace {

constexpr int kDeepest = 1 << 20;  // far above every limit, far below overflow

Measure leaf(std::size_t arguments) {
  return {1, 1, std::vector<double>(arguments, 0), std::vector<int>(arguments, -1)};
}

/// Puts `part` under `whole`, `times` times, its root `below` levels down.
void put_under(Measure& whole, const Measure& part, double times, int below) {
  whole.size += times * part.size;
  whole.depth = std::min(kDeepest, std::max(whole.depth, below + part.depth));
  for (std::size_t i = 0; i < whole.uses.size(); ++i) {
    whole.uses[i] += times * part.uses[i];
    if (part.depth_of_use[i] >= 0)
      whole.depth_of_use[i] =
          std::min(kDeepest, std::max(whole.depth_of_use[i], below + part.depth_of_use[i]));
  }
}

}  // namespace

Measure measure_formula(const Expr& expr, const std::vector<std::string>& arguments,
                        const FunctionMeasures& functions) {
  Measure whole = leaf(arguments.size());
  if (expr.kind == ExprKind::kName) {
    const auto argument = std::find(arguments.begin(), arguments.end(), expr.name);
    if (argument == arguments.end()) return whole;
    const auto i = static_cast<std::size_t>(argument - arguments.begin());
    whole.size = 0;
    whole.depth = 0;
    whole.uses[i] = 1;
    whole.depth_of_use[i] = 0;
    return whole;
  }
  const auto function = expr.kind == ExprKind::kCall ? functions.find(expr.name) : functions.end();
  if (function != functions.end()) {
    whole.size = function->second.size;
    whole.depth = function->second.depth;
    for (std::size_t i = 0; i < expr.args.size() && i < function->second.uses.size(); ++i)
      if (function->second.depth_of_use[i] >= 0)
        put_under(whole, measure_formula(*expr.args[i], arguments, functions), function->second.uses[i],
                  function->second.depth_of_use[i]);
    return whole;
  }
  for (const ExprPtr& arg : expr.args) put_under(whole, measure_formula(*arg, arguments, functions), 1, 1);
  for (const NamedArgument& option : expr.options)
    put_under(whole, measure_formula(*option.value, arguments, functions), 1, 1);
  return whole;
}

}  // namespace vf
