// The one place where the layers of a stratum's density are put together, in their fixed order:
// 1 the type's field, with the land shaped beside paths; 2 the sealing bands; 3 routes and 4 passages; 5
// stamps; 6 edits. Steps 5 and 6 come later. Each takes the node of the step before it and returns its own,
// so that none can undo a later one.
#pragma once

#include <cstddef>
#include <optional>

#include "field/builder_graph.h"

namespace vf {

/// phi of the whole stratum from the type's phi. `place` is the author's phi. `path_sets`: index of the first
/// of the path sets (path_shapes.h) among the program's feature sets.
NodeId compose_density(Graph& graph, NodeId type_field, float height_m, std::optional<std::size_t> path_sets,
                       const Place& place);

}  // namespace vf
