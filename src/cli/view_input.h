// A place to stand in a stratum, and the field of the whole view around it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/verb.h"
#include "cli/world_input.h"
#include "field/bound_field.h"
#include "proof/certificate.h"
#include "proof/view_region.h"

namespace vf::cli {

/// World x, y in 1/1024 m.
using Place2 = std::array<std::int64_t, 2>;

/// Where a viewer stands.
using ViewPlace = FramePlace;

/// Adds --at X,Y.
void add_place2(const Verb& verb, std::optional<Place2>& target, const std::string& help);

[[nodiscard]] Result<ViewPlace> view_place(const Place2& at);
/// Where the recipe's first viewpoint stands, or the middle of sector 0, 0.
[[nodiscard]] Result<ViewPlace> default_view_place(const InputStratum& where);
/// World x, y. [metres]
[[nodiscard]] std::array<double, 2> world_place(const ViewPlace& place);

struct ViewField {
  std::shared_ptr<const BoundField> field;
  std::vector<TileKey> tiles;  ///< of all levels
};
/// The tiles of the view around a place and the field that covers them.
[[nodiscard]] Result<ViewField> open_view(const InputStratum& where, const ViewPlace& place);
/// Only the near ring of level 0.
[[nodiscard]] Result<ViewField> open_near_ring(const InputStratum& where, const ViewPlace& place);

/// The near ring, with places of features complete also around it, as far as its mesh reaches.
[[nodiscard]] Result<ViewField> open_mesh_ring(const InputStratum& where, const ViewPlace& place);

/// The whole view of the recipe's radii, with places complete as far as its mesh reaches.
[[nodiscard]] Result<ViewField> open_mesh_view(const InputStratum& where, const ViewPlace& place);

[[nodiscard]] std::vector<TileKey> tiles_of_level(const std::vector<TileKey>& tiles, int level);

}  // namespace vf::cli
