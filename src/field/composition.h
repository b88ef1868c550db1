// The one place where the layers of a stratum's density are put together, in their fixed order:
// 1 the type's field, 2 the sealing bands, 3 the route, 4 passages, 5 stamps, 6 edits. Steps 3 to 6 come
// later; each takes the node of the step before it and returns its own, so that none can undo a later one.
#pragma once

#include "field/builder_graph.h"

namespace vf {

/// phi of the whole stratum from the type's phi. `place` is the author's phi.
NodeId compose_density(Graph& graph, NodeId type_field, float height_m, const Place& place);

}  // namespace vf
