// The graph under construction: shared, folded, analysed node by node.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>  // only looked up
#include <vector>

#include "base/result.h"
#include "field/analysis.h"
#include "field/program.h"

namespace vf {

/// Grows a program. Nodes with the same op and inputs are one node; constants are folded; rules that keep
/// every bit (up to the sign of zero) shorten it. The first error sticks: later calls return node 0 and do
/// nothing. Not thread-safe.
class Graph {
 public:
  Graph(AnalysisScope scope, float height_m);

  NodeId constant(float value, const Place& place);
  NodeId add(Opcode op, std::uint32_t param, std::span<const NodeId> in, const Place& place);
  NodeId leaf(Opcode op, const Place& place, std::uint32_t param = 0) { return add(op, param, {}, place); }
  NodeId unary(Opcode op, NodeId a, const Place& place, std::uint32_t param = 0);
  NodeId binary(Opcode op, NodeId a, NodeId b, const Place& place, std::uint32_t param = 0);
  NodeId ternary(Opcode op, NodeId a, NodeId b, NodeId c, const Place& place, std::uint32_t param = 0);
  /// min or max of any number of nodes as a balanced tree; their order is kept.
  NodeId balanced(Opcode op, std::span<const NodeId> in, const Place& place);

  /// Index of a run of constants that stand side by side.
  std::uint32_t constants(std::span<const float> run);
  std::uint32_t affine(const AffineParams& params);
  std::uint32_t axis(const FrameAxis& axis);
  std::uint32_t periodic(const PeriodicParams& params);
  std::uint32_t noise(const NoiseParams& params);
  std::uint32_t spline(const SplineParams& params);

  [[nodiscard]] std::optional<float> constant_value(NodeId node) const;
  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] const NodeFacts& facts(NodeId id) const { return facts_[id]; }
  [[nodiscard]] const AnalysisScope& scope() const { return scope_; }
  /// Plans: what the place's height ranges over, known once its formula is compiled.
  void set_ground(Interval range) { scope_.ground = range; }

  NodeId fail(const Place& place, std::string message);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] const Error& error() const { return *error_; }

  /// Refusals are skipped: for passes that only count.
  void trust_everything() { trusting_ = true; }

  /// Only what `outputs` need, in order of first use; inputs before users. Feature sets are added by the
  /// caller.
  [[nodiscard]] Program finish(std::span<const NodeId> outputs) const;

 private:
  struct NodeHash {
    std::size_t operator()(const Node& n) const;
  };
  NodeId simplify(Opcode op, std::span<const NodeId> in, const Place& place, bool& done);
  NodeId insert(const Node& node, const Place& place);

  Program program_;
  AnalysisScope scope_;
  std::vector<NodeFacts> facts_;
  std::unordered_map<Node, NodeId, NodeHash> known_;  // looked up only, never walked
  std::optional<Error> error_;
  bool trusting_ = false;
};

}  // namespace vf
