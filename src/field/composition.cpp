#include "field/composition.h"
#include "base/result.h"
#include "field/builder_graph.h"
#include "field/opcode.h"
#include "field/program.h"

namespace vf {

namespace {

/// Step 2: rock below the content floor and above the content ceiling.
NodeId bands(Graph& graph, NodeId phi, float height_m, const Place& place) {
  const NodeId z = graph.leaf(Opcode::kZ, place);
  const NodeId top = graph.binary(Opcode::kSubtract, graph.constant(height_m, place), z, place);
  return graph.binary(Opcode::kMin, graph.binary(Opcode::kMin, phi, z, place), top, place);
}

}  // namespace

NodeId compose_density(Graph& graph, NodeId type_field, float height_m, const Place& place) {
  return bands(graph, type_field, height_m, place);
}

}  // namespace vf
