#include "field/composition.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "field/builder_graph.h"
#include "field/opcode.h"
#include "field/path_shapes.h"
#include "field/program.h"

namespace vf {

namespace {

class Composer {
 public:
  Composer(Graph& graph, float height_m, std::optional<std::size_t> path_sets, const Place& place)
      : graph_(graph), height_m_(height_m), path_sets_(path_sets), place_(place) {}

  /// Step 1, its second half: banks that lead the land up or down to the paths on it.
  NodeId shape_land(NodeId phi) const {
    if (!path_sets_) return phi;
    const std::uint32_t k = graph_.constants({&kBankBlendM, 1});
    phi = graph_.binary(Opcode::kSmin, phi, set(PathSet::kFill), place_, k);
    return graph_.binary(Opcode::kSmax, phi, negative(set(PathSet::kCut)), place_, k);
  }

  /// Step 2: rock below the content floor and above the content ceiling.
  NodeId seal(NodeId phi) const {
    const NodeId z = graph_.leaf(Opcode::kZ, place_);
    const NodeId top = graph_.binary(Opcode::kSubtract, graph_.constant(height_m_, place_), z, place_);
    return graph_.binary(Opcode::kMin, graph_.binary(Opcode::kMin, phi, z, place_), top, place_);
  }

  /// Steps 3 and 4: floors and casings, then clear ways and bores. One step for routes and passages, because
  /// no floor of one may stand in the way of the other; the plan keeps routes off the bands.
  NodeId carve_paths(NodeId phi) const {
    if (!path_sets_) return phi;
    phi = graph_.binary(Opcode::kMin, phi, set(PathSet::kPad), place_);
    phi = graph_.binary(Opcode::kMin, phi, set(PathSet::kCore), place_);
    return graph_.binary(Opcode::kMax, phi, negative(set(PathSet::kVoid)), place_);
  }

 private:
  [[nodiscard]] NodeId set(PathSet s) const {
    return graph_.leaf(Opcode::kFeatures, place_,
                       static_cast<std::uint32_t>(*path_sets_ + static_cast<std::size_t>(s)));
  }
  [[nodiscard]] NodeId negative(NodeId n) const { return graph_.unary(Opcode::kNegate, n, place_); }

  Graph& graph_;
  float height_m_;
  std::optional<std::size_t> path_sets_;
  const Place& place_;
};

}  // namespace

NodeId compose_density(Graph& graph, NodeId type_field, float height_m, std::optional<std::size_t> path_sets,
                       const Place& place) {
  const Composer composer(graph, height_m, path_sets, place);
  return composer.carve_paths(composer.seal(composer.shape_land(type_field)));
}

}  // namespace vf
