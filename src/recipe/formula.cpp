// A Pratt parser (Pratt 1973, "Top down operator precedence") over the bytes of one formula.
#include "recipe/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "recipe/language.h"
#include "recipe/parse.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c);
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

enum class TokenKind : std::uint8_t { kNumber, kName, kSign, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::size_t at = 0;
  std::string_view text;
  double number = 0;

  [[nodiscard]] bool is(char sign) const { return kind == TokenKind::kSign && text[0] == sign; }
};

/// A tree with its depth, so that the limit is held while the tree grows.
struct Tree {
  std::shared_ptr<Expr> expr;
  int depth = 1;
};

class FormulaParser {
 public:
  FormulaParser(std::string_view text, const std::string& file, std::span<const TextPosition> positions)
      : text_(text), file_(file), positions_(positions) {}

  Result<ExprPtr> parse() {
    if (text_.size() > kRecipeLimits.formula_bytes) {
      fail(0, fmt::format("the formula is longer than {} bytes", kRecipeLimits.formula_bytes));
      return *error_;
    }
    advance();
    if (!error_ && token_.kind == TokenKind::kEnd)
      fail(0, "the formula is empty; expected a number or an expression");
    Tree tree;
    if (!error_) tree = expression(0, 1);
    if (!error_ && token_.kind != TokenKind::kEnd) fail(token_.at, "expected an operator, found " + found());
    if (error_) return *error_;
    return ExprPtr(std::move(tree.expr));
  }

 private:
  // ------------------------------------------------------------ characters

  [[nodiscard]] Place place(std::size_t at) const {
    const TextPosition p = positions_[std::min(at, positions_.size() - 1)];
    return {file_, p.line, p.column};
  }

  void fail(std::size_t at, std::string message) {
    if (!error_) error_ = Error{ErrorCode::kBadInput, place(at), std::move(message)};
    token_ = Token{TokenKind::kEnd, text_.size(), {}, 0};
    next_ = text_.size();
  }

  [[nodiscard]] std::string found() const {
    switch (token_.kind) {
      case TokenKind::kNumber:
        return fmt::format("number {}", token_.text);
      case TokenKind::kName:
      case TokenKind::kSign:
        return fmt::format("\"{}\"", token_.text);
      case TokenKind::kEnd:
        break;
    }
    return "the end of the formula";
  }

  void advance() {
    while (next_ < text_.size() && is_space(text_[next_])) ++next_;
    const std::size_t at = next_;
    if (at == text_.size()) {
      token_ = Token{TokenKind::kEnd, at, {}, 0};
      return;
    }
    const char c = text_[at];
    if (is_digit(c) || (c == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]))) return lex_number(at);
    if (is_name_start(c)) return lex_name(at);
    static constexpr std::string_view kSigns = "+-*/(),=[]";
    if (kSigns.find(c) == std::string_view::npos) return unexpected_character(at);
    next_ = at + 1;
    token_ = Token{TokenKind::kSign, at, text_.substr(at, 1), 0};
  }

  void lex_number(std::size_t at) {
    std::size_t end = at;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end < text_.size() && text_[end] == '.') ++end;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && is_digit(text_[exponent])) {
        end = exponent;
        while (end < text_.size() && is_digit(text_[end])) ++end;
      }
    }
    const std::string_view digits = text_.substr(at, end - at);
    if (end < text_.size() && (is_name_start(text_[end]) || text_[end] == '.'))
      return fail(at, fmt::format("\"{}\" is not a number", text_.substr(at, end - at + 1)));
    double number = 0;
    const auto [rest, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // A number too small to tell from 0 is 0; one too large cannot be meant.
    if (code == std::errc::result_out_of_range) number = 0;
    const bool large = code == std::errc::result_out_of_range && !is_tiny(digits);
    if (large || std::abs(number) > kLargestNumber)
      return fail(at, fmt::format("number {} is too large; expected at most 1e30", digits));
    if (rest != digits.data() + digits.size()) return fail(at, fmt::format("\"{}\" is not a number", digits));
    next_ = end;
    token_ = Token{TokenKind::kNumber, at, digits, number};
  }

  /// Whether a number that does not fit lies below the range rather than above.
  static bool is_tiny(std::string_view digits) {
    const std::size_t e = digits.find_first_of("eE");
    if (e == std::string_view::npos) return digits.front() == '.' || digits.front() == '0';
    return e + 1 < digits.size() && digits[e + 1] == '-';
  }

  void lex_name(std::size_t at) {
    std::size_t end = at;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
    while (end + 1 < text_.size() && text_[end] == '.' && is_name_start(text_[end + 1])) {
      ++end;
      while (end < text_.size() && is_name_char(text_[end])) ++end;
    }
    next_ = end;
    token_ = Token{TokenKind::kName, at, text_.substr(at, end - at), 0};
  }

  void unexpected_character(std::size_t at) {
    const char c = text_[at];
    std::size_t end = at + 1;  // a whole UTF-8 character in the message
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    std::string message = fmt::format("unexpected character \"{}\"", text_.substr(at, end - at));
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F)
      message = fmt::format("unexpected character 0x{:02x}", static_cast<unsigned>(c));
    if (c == '"') message = "unexpected quotation mark";
    if (c == '^') message += "; for powers write pow2(a) or pow3(a)";
    if (c == '<' || c == '>' || c == '?' || c == '!' || c == '&' || c == '|')
      message += "; there are no comparisons: use select_range, clamp, mix or smoothstep";
    if (c == '%') message += "; write mod(a, b), or a share as a / 100";
    fail(at, std::move(message));
  }

  // ------------------------------------------------------------ grammar

  Tree make(ExprKind kind, std::size_t at, std::initializer_list<Tree> parts) {
    Tree tree{std::make_shared<Expr>(), 1};
    tree.expr->kind = kind;
    tree.expr->place = place(at);
    for (const Tree& part : parts) {
      tree.expr->args.push_back(part.expr);
      tree.depth = std::max(tree.depth, part.depth + 1);
    }
    check_depth(tree.depth, at);
    return tree;
  }

  void check_depth(int depth, std::size_t at) {
    if (depth > kRecipeLimits.nesting)
      fail(at, fmt::format("the formula is more than {} operations deep; give a part of it a name in [field]",
                           kRecipeLimits.nesting));
  }

  /// `level` counts brackets, signs and calls around: it bounds the recursion.
  Tree expression(int least_power, int level) {
    check_depth(level, token_.at);
    if (error_) return empty();
    Tree left = operand(level);
    while (!error_ && token_.kind == TokenKind::kSign) {
      const char sign = token_.text[0];
      const int power = sign == '+' || sign == '-' ? 1 : sign == '*' || sign == '/' ? 2 : 0;
      if (power == 0 || power <= least_power) break;
      const std::size_t at = token_.at;
      advance();
      Tree right = expression(power, level + 1);
      if (error_) return empty();
      left = make(kind_of(sign), at, {std::move(left), std::move(right)});
    }
    return left;
  }

  static ExprKind kind_of(char sign) {
    switch (sign) {
      case '+':
        return ExprKind::kAdd;
      case '-':
        return ExprKind::kSubtract;
      case '*':
        return ExprKind::kMultiply;
      default:
        return ExprKind::kDivide;
    }
  }

  static Tree empty() { return {std::make_shared<Expr>(), 1}; }

  Tree operand(int level) {
    const std::size_t at = token_.at;
    if (token_.kind == TokenKind::kNumber) {
      Tree tree = make(ExprKind::kNumber, at, {});
      tree.expr->number = token_.number;
      advance();
      return tree;
    }
    if (token_.kind == TokenKind::kName) return name_or_call(level);
    if (token_.is('-')) {
      advance();
      // Binds tighter than * and /, which differ from it only in the sign of zero.
      Tree inner = expression(2, level + 1);
      return error_ ? empty() : make(ExprKind::kNegate, at, {std::move(inner)});
    }
    if (token_.is('+')) {
      advance();
      return expression(2, level + 1);
    }
    if (token_.is('(')) {
      advance();
      Tree inner = expression(0, level + 1);
      expect(')', "an operator or \")\"");
      return inner;
    }
    if (token_.is('[')) {
      fail(at, "a list may stand only as the value of an option, such as at = [0, 1]");
      return empty();
    }
    fail(at, "expected a number, a name or \"(\", found " + found());
    return empty();
  }

  void expect(char sign, std::string_view expected) {
    if (error_) return;
    if (!token_.is(sign)) return fail(token_.at, fmt::format("expected {}, found {}", expected, found()));
    advance();
  }

  Tree name_or_call(int level) {
    const Token name = token_;
    advance();
    if (error_) return empty();
    Tree tree = make(token_.is('(') ? ExprKind::kCall : ExprKind::kName, name.at, {});
    tree.expr->name = std::string(name.text);
    if (tree.expr->kind == ExprKind::kName) return tree;
    advance();
    if (token_.is(')')) {
      advance();
      return tree;
    }
    while (!error_) {
      argument(tree, level);
      if (error_) break;
      if (token_.is(',')) {
        advance();
        continue;
      }
      expect(')', "an operator, \",\" or \")\"");
      break;
    }
    check_depth(tree.depth, name.at);
    return tree;
  }

  /// An argument, or an option such as `octaves = 3`.
  void argument(Tree& call, int level) {
    const Token first = token_;
    Tree value = expression(0, level + 1);
    if (error_) return;
    if (!token_.is('=')) {
      if (!call.expr->options.empty()) return fail(first.at, "arguments stand before options");
      call.expr->args.push_back(value.expr);
      call.depth = std::max(call.depth, value.depth + 1);
      return;
    }
    if (first.kind != TokenKind::kName || value.expr->kind != ExprKind::kName)
      return fail(token_.at, "unexpected \"=\"; an option is written name = value");
    NamedArgument option{value.expr->name, value.expr->place, nullptr};
    for (const NamedArgument& earlier : call.expr->options)
      if (earlier.name == option.name)
        return fail(first.at, fmt::format("option \"{}\" is given twice", option.name));
    advance();
    value = token_.is('[') ? list(level + 1) : expression(0, level + 1);
    if (error_) return;
    option.value = value.expr;
    call.expr->options.push_back(std::move(option));
    call.depth = std::max(call.depth, value.depth + 1);
  }

  Tree list(int level) {
    Tree tree = make(ExprKind::kList, token_.at, {});
    advance();
    while (!error_ && !token_.is(']')) {
      const Tree item = expression(0, level + 1);
      tree.expr->args.push_back(item.expr);
      tree.depth = std::max(tree.depth, item.depth + 1);
      if (!token_.is(',')) break;
      advance();
    }
    expect(']', "an operator, \",\" or \"]\"");
    return tree;
  }

  static constexpr double kLargestNumber = 1e30;  // well within f32; more cannot be meant

  std::string_view text_;
  const std::string& file_;
  std::span<const TextPosition> positions_;
  std::size_t next_ = 0;
  Token token_;
  std::optional<Error> error_;
};

}  // namespace

Result<ExprPtr> parse_formula_at(std::string_view text, const std::string& file,
                                 std::span<const TextPosition> positions) {
  VF_CHECK(!positions.empty());
  return FormulaParser(text, file, positions).parse();
}

Result<ExprPtr> parse_formula(std::string_view text, const Place& place) {
  std::vector<TextPosition> positions;
  TextPosition p{place.line, place.column};
  // A formula that is far too long is refused by its length; its places are not needed.
  const std::size_t used = std::min(text.size(), kRecipeLimits.formula_bytes + 1);
  positions.reserve(used + 1);
  for (const char c : text.substr(0, used)) {
    positions.push_back(p);
    if (c == '\n') {
      p = {p.line + 1, 1};
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++p.column;
    }
  }
  positions.push_back(p);
  return parse_formula_at(text, place.file, positions);
}

}  // namespace vf
