// One stratum in one frame: what the pieces of a view are made from, and how.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/result.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "mesh/collider.h"
#include "mesh/seam_key.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "plan/sector_paths.h"
#include "plan/stratum_scope.h"
#include "proof/certificate.h"
#include "view/density_store.h"

namespace vf {

/// A tile or a seam, ready to be drawn and, at level 0, to be stood on. Immutable.
struct ViewProduct {
  std::vector<MaterialBlend> blends;  ///< of each vertex of the piece; the first material without formulas
  TileCollider collider;              ///< empty beyond level 0
  ViewProduct() = default;
  ViewProduct(const ViewProduct&) = delete;  // the collider points into the piece
  ViewProduct& operator=(const ViewProduct&) = delete;
  ViewProduct(ViewProduct&&) = delete;
  ViewProduct& operator=(ViewProduct&&) = delete;
  virtual ~ViewProduct() = default;
  [[nodiscard]] virtual const MeshPiece& piece() const = 0;
  [[nodiscard]] virtual const SeamKey* seam() const { return nullptr; }  ///< null: the inside of a tile
  [[nodiscard]] virtual std::size_t bytes() const;
};
struct TileProduct final : ViewProduct {
  TileMesh mesh;
  [[nodiscard]] const MeshPiece& piece() const override { return mesh.inside; }
  [[nodiscard]] std::size_t bytes() const override;
};
struct SeamProduct final : ViewProduct {
  SeamKey key;
  MeshPiece mesh;
  [[nodiscard]] const MeshPiece& piece() const override { return mesh; }
  [[nodiscard]] const SeamKey* seam() const override { return &key; }
};

/// The density and the material formulas over a window.
struct ViewFields {
  std::shared_ptr<const BoundField> density, materials;  ///< materials: null when there are no formulas
};

/// Thread-safe.
class ViewSource {
 public:
  /// `materials`: false leaves their formulas out.
  ViewSource(StratumScope scope, Frame frame, std::size_t density_bytes, bool materials)
      : paths_(std::move(scope)), frame_(frame), materials_(materials), densities_(density_bytes) {}

  [[nodiscard]] const StratumScope& scope() const { return paths_.scope(); }
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] float height_m() const;

  /// One at a time: others wait.
  [[nodiscard]] Result<std::shared_ptr<const ViewFields>> bind(const Box2f& window);
  [[nodiscard]] DensityStore& densities() { return densities_; }

 private:
  std::mutex mutex_;
  SectorPaths paths_;
  Frame frame_;
  bool materials_;
  DensityStore densities_;
};

/// A column of tiles to make: of one level, above each other.
struct TileColumn {
  std::shared_ptr<ViewSource> source;
  std::shared_ptr<const ViewFields> fields;
  std::vector<TileKey> tiles;
  /// The squares of the tiles after the column in x and y that will be asked for themselves, so that it pays
  /// to evaluate all of them at once; by dx + 2 dy.
  std::array<bool, 4> whole{};
};

/// Makes the pieces. One a thread: owns evaluators and scratch space, for a few fields at a time.
class ViewMaker {
 public:
  explicit ViewMaker(SimdLevel simd);
  ~ViewMaker();
  ViewMaker(ViewMaker&&) noexcept;
  ViewMaker& operator=(ViewMaker&&) noexcept;

  /// Begins a column; the one before must be finished.
  void begin(TileColumn column);
  [[nodiscard]] bool at_work() const;
  /// Does a part of the column that takes a millisecond or so: a game's frame does not wait for all of it.
  /// True when it is finished: its tiles, in their order, are in `out` then.
  [[nodiscard]] bool step(std::vector<std::shared_ptr<const TileProduct>>& out);
  /// `tiles`: of tiles_of(key).
  [[nodiscard]] std::shared_ptr<const SeamProduct> make_seam(const ViewFields& fields, const SeamKey& key,
                                                             const std::array<const TileMesh*, 4>& tiles);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vf
