#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "recipe/language.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

/// The tree with every bracket written: the structure in one line.
std::string shown(const Expr& e) {
  const auto pair = [&e](const char* sign) {
    return "(" + shown(*e.args[0]) + sign + shown(*e.args[1]) + ")";
  };
  std::string list;
  switch (e.kind) {
    case ExprKind::kNumber:
      return fmt::format("{}", e.number);
    case ExprKind::kName:
      return e.name;
    case ExprKind::kNegate:
      return "(-" + shown(*e.args[0]) + ")";
    case ExprKind::kAdd:
      return pair("+");
    case ExprKind::kSubtract:
      return pair("-");
    case ExprKind::kMultiply:
      return pair("*");
    case ExprKind::kDivide:
      return pair("/");
    case ExprKind::kCall:
    case ExprKind::kList:
      break;
  }
  for (const ExprPtr& arg : e.args) list += (list.empty() ? "" : ",") + shown(*arg);
  for (const NamedArgument& o : e.options) list += (list.empty() ? "" : ",") + o.name + "=" + shown(*o.value);
  return e.kind == ExprKind::kList ? "[" + list + "]" : e.name + "(" + list + ")";
}

std::string parsed(std::string_view text) {
  const Result<ExprPtr> expr = parse_formula(text, {"f", 1, 1});
  return expr ? shown(**expr) : expr.error().text();
}

TEST(Formula, BindsAsInMathematics) {
  EXPECT_EQ(parsed("1 + 2*3"), "(1+(2*3))");
  EXPECT_EQ(parsed("a - b - c"), "((a-b)-c)");
  EXPECT_EQ(parsed("a / b * c"), "((a/b)*c)");
  EXPECT_EQ(parsed("(a + b) * c"), "((a+b)*c)");
  EXPECT_EQ(parsed("-a * b"), "((-a)*b)");
  EXPECT_EQ(parsed("a - -b"), "(a-(-b))");
  EXPECT_EQ(parsed("+a + +2"), "(a+2)");
  EXPECT_EQ(parsed("- - a"), "(-(-a))");
  EXPECT_EQ(parsed("-(a + b)"), "(-(a+b))");
}

TEST(Formula, ReadsNumbers) {
  EXPECT_EQ(parsed("0.5"), "0.5");
  EXPECT_EQ(parsed(".5"), "0.5");
  EXPECT_EQ(parsed("2."), "2");
  EXPECT_EQ(parsed("1e-3"), "0.001");
  EXPECT_EQ(parsed("2.5E+2"), "250");
  EXPECT_EQ(parsed("1e-400"), "0");
  EXPECT_EQ(parsed("0.000"), "0");
  EXPECT_EQ(parsed("1e30"), "1e+30");
}

TEST(Formula, ReadsCallsOptionsAndLists) {
  EXPECT_EQ(parsed("min(a, b, 3)"), "min(a,b,3)");
  EXPECT_EQ(parsed("perlin2(40, octaves = 3, seed=7)"), "perlin2(40,octaves=3,seed=7)");
  EXPECT_EQ(parsed("spline1d(z, at = [0, 1+1, 4], to = [0, -2, 3])"),
            "spline1d(z,at=[0,(1+1),4],to=[0,(-2),3])");
  EXPECT_EQ(parsed("f()"), "f()");
  EXPECT_EQ(parsed("f(seed = [])"), "f(seed=[])");
  EXPECT_EQ(parsed("features.columns + water.level"), "(features.columns+water.level)");
  EXPECT_EQ(parsed("base.base.phi"), "base.base.phi");
  EXPECT_EQ(parsed("min ( a ,\n\tb )"), "min(a,b)");
}

TEST(Formula, KnowsThePlaceOfEveryPart) {
  const Result<ExprPtr> expr = parse_formula("a +\n  min(b, cc,\n seed = 4)", {"f", 7, 20});
  ASSERT_TRUE(expr);
  const Expr& sum = **expr;
  EXPECT_EQ(to_string(sum.place), "f:7:22");
  EXPECT_EQ(to_string(sum.args[0]->place), "f:7:20");
  const Expr& call = *sum.args[1];
  EXPECT_EQ(to_string(call.place), "f:8:3");
  EXPECT_EQ(to_string(call.args[1]->place), "f:8:10");
  EXPECT_EQ(to_string(call.options[0].place), "f:9:2");
  EXPECT_EQ(to_string(call.options[0].value->place), "f:9:9");
}

TEST(Formula, CountsCharactersNotBytes) {
  EXPECT_EQ(parsed("\xC3\xA4"), "f:1:1: unexpected character \"\xC3\xA4\"");
  const Result<ExprPtr> expr = parse_formula("a \xE2\x80\x93 b", {"f", 1, 1});
  ASSERT_FALSE(expr);
  EXPECT_EQ(expr.error().text(), "f:1:3: unexpected character \"\xE2\x80\x93\"");
}

struct Wrong {
  std::string_view text;
  std::string_view error;
};

TEST(Formula, SaysWhatIsWrongAndWhere) {
  const Wrong cases[] = {
      {"", "f:1:1: the formula is empty; expected a number or an expression"},
      {" \n ", "f:1:1: the formula is empty; expected a number or an expression"},
      {"1 +", "f:1:4: expected a number, a name or \"(\", found the end of the formula"},
      {"1 + * 2", "f:1:5: expected a number, a name or \"(\", found \"*\""},
      {"(1 + 2", "f:1:7: expected an operator or \")\", found the end of the formula"},
      {"min(1, 2", "f:1:9: expected an operator, \",\" or \")\", found the end of the formula"},
      {"min(1,, 2)", "f:1:7: expected a number, a name or \"(\", found \",\""},
      {"min(1,)", "f:1:7: expected a number, a name or \"(\", found \")\""},
      {"1 2", "f:1:3: expected an operator, found number 2"},
      {"a b", "f:1:3: expected an operator, found \"b\""},
      {"a)", "f:1:2: expected an operator, found \")\""},
      {"a = 3", "f:1:3: expected an operator, found \"=\""},
      {"2x", "f:1:1: \"2x\" is not a number"},
      {"1.2.3", "f:1:1: \"1.2.\" is not a number"},
      {"1e", "f:1:1: \"1e\" is not a number"},
      {"1e31", "f:1:1: number 1e31 is too large; expected at most 1e30"},
      {"1e999", "f:1:1: number 1e999 is too large; expected at most 1e30"},
      {"2 ^ 3", "f:1:3: unexpected character \"^\"; for powers write pow2(a) or pow3(a)"},
      {"a < b",
       "f:1:3: unexpected character \"<\"; there are no comparisons: use select_range, clamp, mix or "
       "smoothstep"},
      {"a % b", "f:1:3: unexpected character \"%\"; write mod(a, b), or a share as a / 100"},
      {"a $ b", "f:1:3: unexpected character \"$\""},
      {"a.5", "f:1:2: expected an operator, found number .5"},
      {"features.", "f:1:9: unexpected character \".\""},
      {"[1, 2]", "f:1:1: a list may stand only as the value of an option, such as at = [0, 1]"},
      {"f(at = [1, 2)", "f:1:13: expected an operator, \",\" or \"]\", found \")\""},
      {"f(seed = 1, 2)", "f:1:13: arguments stand before options"},
      {"f(seed = 1, seed = 2)", "f:1:13: option \"seed\" is given twice"},
      {"f(1 = 2)", "f:1:5: unexpected \"=\"; an option is written name = value"},
      {"f(-a = 2)", "f:1:6: unexpected \"=\"; an option is written name = value"},
  };
  for (const Wrong& c : cases) EXPECT_EQ(parsed(c.text), c.error) << c.text;
  EXPECT_EQ(parsed(std::string("a\x01", 2)), "f:1:2: unexpected character 0x01");
}

TEST(Formula, HoldsItsLimits) {
  const int deep = kRecipeLimits.nesting;
  const std::string too_deep =
      " the formula is more than 64 operations deep; give a part of it a name in [field]";
  const auto brackets = [](int n) {
    return std::string(static_cast<std::size_t>(n), '(') + "1" +
           std::string(static_cast<std::size_t>(n), ')');
  };
  EXPECT_EQ(parsed(brackets(deep - 1)), "1");
  EXPECT_EQ(parsed(brackets(deep)), "f:1:65:" + too_deep);
  EXPECT_EQ(parsed(brackets(8000)), "f:1:65:" + too_deep);
  EXPECT_EQ(parsed(std::string(10000, '-') + "1"), "f:1:65:" + too_deep);
  std::string sum = "1";
  for (int i = 1; i < deep; ++i) sum += "+1";
  EXPECT_EQ(parsed(sum).substr(0, 5), "(((((");
  EXPECT_EQ(parsed(sum + "+1"), "f:1:128:" + too_deep);
  EXPECT_EQ(parsed("1" + std::string(kRecipeLimits.formula_bytes, ' ')),
            "f:1:1: the formula is longer than 16384 bytes");
}

}  // namespace
}  // namespace vf
