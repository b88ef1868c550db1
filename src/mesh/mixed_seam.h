// The polygons of a seam between two levels, line by line of the lattice.
//
// Around a line stand four quadrants, each of a fine or a coarse tile; between a fine and a coarse one lie
// transition cells. A polygon around an edge of a fine run of quadrants goes from transition cell to
// transition cell and back through their common triangle, whose segment has a vertex of its own on the line,
// the *hub*; so does that around the coarse edge, on the other side. Seen along the line every corner lies
// anticlockwise of the one before, so that fans from the hub never fold over. See decision 6.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mesh/seam_vertices.h"
#include "mesh/tile_mesh.h"
#include "mesh/transition_face.h"

namespace vf {

/// A tile as a seam sees it.
struct SeamTile {
  const TileMesh* mesh = nullptr;
  SeamVertices::Source source = 0;
  std::array<int, 3> origin{};  ///< of its first sample. [voxels of the seam]
  int scale = 1;                ///< 2: coarse
};

/// Transition cells between two quadrants of a line.
struct SeamSide {
  TransitionFace* face = nullptr;  ///< null: the quadrants are of one level
  SeamVertices::Source source = 0;
  std::array<int, 3> origin{};  ///< of the fine tile
  int across = 0;               ///< the axis across the line in the side
  bool low = false;             ///< the side is on the low side of the line there
};

/// A line of the lattice along `axis` through `at`.
struct SeamLine {
  int axis = 0;
  std::array<int, 3> at{};                    ///< [voxels of the seam]
  std::array<const SeamTile*, 4> quadrant{};  ///< in the order of kAroundEdge
  std::array<SeamSide, 4> side{};             ///< after each quadrant, anticlockwise
};

/// Where the surface crosses the two halves of a coarse edge.
struct LineCrossings {
  std::array<const BorderCrossing*, 2> half{};  ///< null: not crossed
  std::array<int, 2> at{};                      ///< along the line. [voxel / 512 of the seam]
  [[nodiscard]] bool any() const { return half[0] != nullptr || half[1] != nullptr; }
  [[nodiscard]] bool both() const { return half[0] != nullptr && half[1] != nullptr; }
};

/// A polygon but for the hub that it is fanned from.
struct SeamPolygon {
  std::array<std::uint32_t, 16> corners{};
  std::size_t count = 0;
  bool closed = false;   ///< the hub lies inside; else it is a corner too, between the last and the first
  bool flip = false;     ///< the air is at the edge's low end
  std::size_t hub = 0;   ///< of which run of fine quadrants
  std::size_t half = 0;  ///< of the line: whose crossing gives the hub its normal
};

/// One a thread, for one seam after the other.
class MixedSeam {
 public:
  explicit MixedSeam(SeamVertices& vertices) : vertices_(&vertices) {}
  void begin(MeshPiece& out) { out_ = &out; }
  /// The polygons around a coarse edge that starts at `from` and around its two halves.
  void edges_on_coarse_line(const SeamLine& line, int from);
  /// Those around two fine edges from `from` on that cut coarse squares in half. Only the two quadrants of
  /// the fine tile are looked at.
  void edges_between(const SeamLine& line, int from);

 private:
  struct Edge;
  struct Run;
  void add_side(const SeamLine& line, std::size_t k, const Edge& edge, SeamPolygon& polygon);
  void add_side_segment(const SeamLine& line, std::size_t k, const Edge& edge, SeamPolygon& polygon);
  void add_quadrant(const SeamLine& line, std::size_t k, const Edge& edge, SeamPolygon& polygon);
  void add_quadrant_segment(const SeamLine& line, std::size_t k, const Edge& edge, SeamPolygon& polygon);
  void add_run(const SeamLine& line, const Run& run, const Edge& edge, SeamPolygon& polygon);
  void add_hubs(const SeamLine& line, int low, int high, const LineCrossings& crossings, std::size_t hubs,
                std::span<SeamPolygon> polygons);
  [[nodiscard]] bool has_area(std::uint32_t a, std::uint32_t b, const MeshVertex& c) const;
  [[nodiscard]] bool fan_has_area(const SeamPolygon& polygon, const MeshVertex& hub) const;
  void write(const SeamPolygon& polygon, std::uint32_t hub);

  SeamVertices* vertices_;
  MeshPiece* out_ = nullptr;
};

}  // namespace vf
