// The vertices of a tile: of its cells, and of its ambiguous faces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "field/simd_level.h"
#include "mesh/cell_table.h"
#include "mesh/crossings.h"
#include "mesh/lanes.h"
#include "mesh/polygon.h"
#include "mesh/simd/mesh_kernels.h"
#include "mesh/smooth_groups.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_samples.h"
#include "proof/certificate.h"

namespace vf {

/// One a thread; its memory is used again from tile to tile.
class TileVertices {
 public:
  explicit TileVertices(SimdLevel simd);
  /// `out`: all vertices.
  void make(const TileSamples& samples, const Crossings& crossings, std::vector<MeshVertex>& out);

  /// Sorted by z, y, x.
  [[nodiscard]] std::span<const CellVertices> cells() const { return {cells_.data(), cell_count_}; }
  /// Those of row y of layer z.
  [[nodiscard]] std::span<const CellVertices> row(int y, int z) const {
    const auto i = static_cast<std::size_t>(z * kTileEdge + y);
    return cells().subspan(row_[i], row_[i + 1] - row_[i]);
  }
  /// By index, only where there is one. A copy stays in registers, whatever is written meanwhile.
  struct CellLookup {
    const CellVertices* cells;
    const std::uint32_t* at;
    [[nodiscard]] const CellVertices& operator[](std::size_t index) const { return cells[at[index]]; }
  };
  [[nodiscard]] CellLookup lookup() const { return {cells_.data(), cell_at_.data()}; }
  [[nodiscard]] static constexpr std::size_t cell_index(int x, int y, int z) {
    return static_cast<std::size_t>((z * kTileEdge + y) * kTileEdge + x);
  }
  /// Some cell has a face with four crossed edges.
  [[nodiscard]] bool any_ambiguous() const { return any_ambiguous_; }
  [[nodiscard]] std::span<const FaceSegment> segments() const { return segments_; }

  /// Of each vertex.
  [[nodiscard]] const PolygonCorner* corners() const { return corners_.data(); }

 private:
  /// Cycles after which the passes are made, at the end of the row.
  static constexpr std::size_t kChunk = 192, kMostCycles = kChunk + std::size_t{kTileEdge} * kMaxCycles;

  void find_cells(const TileSamples& samples);
  unsigned add_row(const TileSamples& samples, int y, int z, std::uint64_t active);
  void place_chunk();
  void fit_cycles();
  void find_creases();
  void place_cells();
  void place_groups(CellVertices& cell, std::size_t c, std::size_t cycle, Float4 at);
  [[nodiscard]] Float4 crease_sum(std::uint32_t crease, unsigned members) const;
  void place_many(CellVertices& cell, std::size_t c, Float4 at);
  [[nodiscard]] Float4 free_place(const CellVertices& cell, Float4 at) const;
  void make_segments();
  void make_segment(const CellVertices& cell, int axis, int u, int v);
  std::uint32_t centre_of(std::uint32_t crossing);
  void need_vertices(std::size_t n);
  std::uint32_t add_vertex(Float4 at, Float4 normal);
  void pack();

  const MeshKernels* kernels_;
  const Crossings* crossings_ = nullptr;
  std::size_t cell_count_ = 0, placed_ = 0;  ///< cells; of which vertices are made
  std::size_t cycle_count_ = 0;              ///< of cells since then
  std::size_t count_ = 0, packed_ = 0;       ///< vertices
  bool any_ambiguous_ = false;
  // Longer than they are full.
  std::vector<CellVertices> cells_;
  std::vector<std::uint32_t> row_, cell_at_;
  // Of each cycle since cells were placed; four floats side by side where they are places, normals or sums.
  template <class T, std::size_t kEach>
  using OfCycles = std::array<T, kEach*(kMostCycles + kMostLanes)>;
  struct {
    OfCycles<float, 4> normal{}, place{}, squares{}, mixed{};
  } sums_;
  OfCycles<std::uint32_t, 1> cycle_place_{};  ///< its cell's x, y, z and its number there, in 8 bits each
  OfCycles<std::uint32_t, 1> cycle_cell_{};
  OfCycles<float, 4> fit_at_{};
  OfCycles<std::uint32_t, 1> crease_of_{};  ///< which of the creased ones it is, or none
  // Of each cycle that may have a crease.
  OfCycles<std::uint32_t, 1> creased_{}, agree_{};
  std::array<OfCycles<float, 4>, SmoothGroups::kFew> crease_normals_{};  ///< the first of all, the second ...
  // Of each vertex.
  std::vector<PolygonCorner> corners_;
  std::vector<MeshVertex> vertices_;
  // Of each since they were packed.
  std::vector<float> at_, normal_;
  std::vector<std::uint32_t> packed_xyzu_, packed_v_;
  std::vector<std::uint32_t> centre_at_;  ///< of each crossing: the vertex that its polygon is fanned from
  std::vector<FaceSegment> segments_;     ///< sorted
};

}  // namespace vf
