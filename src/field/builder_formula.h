// Formulas -> graph nodes: names, functions, coordinates. The words are in builder_words.cpp and
// builder_shapes.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/notes.h"
#include "field/builder_graph.h"
#include "recipe/language.h"
#include "recipe/recipe.h"

namespace vf {

/// Where a formula stands decides which names it knows.
enum class FormulaKind : std::uint8_t { kField, kConstant, kColumn, kPlace, kShape, kSurface };

/// What all programs of one recipe share: the numbering of its noises, so that a noise keeps its seed
/// wherever it is used and whatever its parameters are set to.
struct NoiseNumbers {
  /// [section][text of the call] -> ordinal, in the order of first use.
  std::map<std::string, std::map<std::string, std::uint32_t>> sections;
};

/// A frame of coordinates that noise and periodic words see: x and y, turned, warped.
struct Domain {
  NodeId x = 0, y = 0;          ///< times `hypotenuse`; what noise reads
  std::int32_t ax = 1, ay = 0;  ///< x is ax X + ay Y plus warps, y is -ay X + ax Y plus warps
  std::int32_t hypotenuse = 1;
  double warp_reach = 0;  ///< how far warps may move x or y. [metres, times the hypotenuse]
  // x and y as plain numbers, made when asked for.
  int parent = -1;
  bool turned = false;
  NodeId dx = 0, dy = 0;                ///< warp
  std::int32_t pair_a = 1, pair_b = 0;  ///< turn
  NodeId plain_x = kNoNode, plain_y = kNoNode;
};

struct Scope;

/// An argument of a function: a formula in the scope of the caller, expanded where it is used.
struct Argument {
  std::string_view name;
  const Expr* expr = nullptr;
  const Scope* scope = nullptr;
  mutable std::map<int, NodeId> nodes;  ///< by domain
};

struct Scope {
  std::vector<Argument> arguments;
  std::size_t functions = 0;  ///< only functions before this one are known
};

/// Compiles formulas of one recipe into one graph. Errors stick in the graph.
class FormulaBuilder {
 public:
  FormulaBuilder(const Recipe& recipe, Graph& graph, NoiseNumbers& numbers);

  /// Formulas that come now stand in `section` ("field", "features.columns") and know the names of `kind`.
  void enter(std::string section, FormulaKind kind) {
    section_ = std::move(section);
    kind_ = kind;
  }
  NodeId compile(const ExprPtr& expr);
  /// Null expressions give `fallback`.
  NodeId compile_or(const ExprPtr& expr, float fallback);
  /// All fields in the author's order, for their errors and their noise numbers.
  void compile_all_fields();
  NodeId field(std::size_t index);

  /// Names of one place: feature values, `ground`.
  void set_local(std::string name, NodeId node) { locals_[std::move(name)] = node; }
  void clear_locals() { locals_.clear(); }

  /// A formula that must come out as a number.
  std::optional<float> constant(const ExprPtr& expr, std::string_view what);

 private:
  struct Call;  // one call under compilation
  struct Coordinate;

  NodeId compile(const Expr& e, const Scope* scope, int domain);
  NodeId compile_name(const Expr& e, const Scope* scope, int domain);
  NodeId context_name(const Expr& e, int domain, bool& known);
  NodeId feature_set(const Expr& e);
  NodeId unknown_name(const Expr& e, const Scope* scope);
  NodeId compile_call(const Expr& e, const Scope* scope, int domain);
  NodeId call_function(std::size_t index, const Expr& e, const Scope* scope, int domain);
  NodeId call_word(const WordInfo& word, const Call& call);
  NodeId named_field(std::size_t index, int domain);
  NodeId argument(const Argument& a, int domain);
  bool check_arguments(const WordInfo& word, const Expr& e);

  // builder_words.cpp
  NodeId thin_word(const WordInfo& word, const Call& call);
  NodeId select_word(const WordInfo& word, const Call& call);
  NodeId noise_word(const WordInfo& word, const Call& call);
  NodeId periodic_word(const WordInfo& word, const Call& call);
  NodeId warp_word(const Call& call);
  NodeId rotate_word(const Call& call);
  NodeId spline_word(const Call& call);
  NodeId ground_word(const WordInfo& word, const Call& call);
  /// First word of the seeds of a noise's octaves.
  std::uint64_t noise_seed(const Call& call);
  /// The call as text, arguments of functions put in, parameters left as names.
  void spell(const Expr& e, const Scope* scope, std::string& out);
  bool add_octaves(const Call& call, bool solid, NoiseParams& params);
  // builder_shapes.cpp
  NodeId shape_word(const WordInfo& word, const Call& call);
  NodeId plane_word(const Call& call);

  // builder_domain.cpp
  void coordinate(const Expr& e, const Scope* scope, double factor, bool in_field, Coordinate& out);
  NodeId coordinate_node(const Call& call, const Coordinate& c, double period, FrameAxis& axis);
  std::optional<double> literal(const Expr& e, const Scope* scope);
  NodeId plain(bool is_y, int domain, const Place& place);
  bool stays_exact(const Place& place, double coefficients, double warp, double period);
  NodeId warped(const Call& call, NodeId dx, NodeId dy);
  NodeId turned(const Call& call, std::int32_t a, std::int32_t b, std::int32_t hypotenuse);
  int add_domain(const Domain& domain);

  NodeId argument_of(const Call& call, std::size_t i);
  std::optional<float> constant_of(const Expr& e, const Scope* scope, int domain, std::string_view what);
  std::optional<float> constant_argument(const Call& call, std::size_t i, std::string_view what);
  /// The option, or `fallback`; nothing after an error.
  std::optional<double> option(const Call& call, std::string_view name, double fallback, double low,
                               double high, bool whole);
  std::vector<float> list_option(const Call& call, std::string_view name);
  [[nodiscard]] const Argument* find_argument(const Scope* scope, std::string_view name) const;
  [[nodiscard]] bool no_z() const { return kind_ == FormulaKind::kColumn || kind_ == FormulaKind::kPlace; }
  bool step(const Place& place);

  const Recipe& recipe_;
  Graph& graph_;
  NoiseNumbers& numbers_;
  std::string section_ = "field";
  FormulaKind kind_ = FormulaKind::kField;
  std::map<std::string, NodeId, std::less<>> locals_;
  std::vector<Domain> domains_;
  std::map<std::pair<std::size_t, int>, NodeId> fields_;  ///< (field, domain) -> node
  std::size_t visible_fields_;
  bool inside_field_ = false;  ///< a named field knows no names of a place
  int depth_ = 0;              ///< of the formula, with its functions
  int total_depth_ = 0;
  std::size_t steps_ = 0;
};

/// u = ax x + ay y + shift + terms, x and y of the current domain.
struct FormulaBuilder::Coordinate {
  struct Term {
    const Expr* expr;
    const Scope* scope;
    double factor;
    bool in_field;
  };
  double ax = 0, ay = 0, shift = 0;
  std::vector<Term> terms;
};

struct FormulaBuilder::Call {
  const Expr& expr;
  const Scope* scope;
  int domain;
  const Place& place;
};

}  // namespace vf
