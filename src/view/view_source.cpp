#include "view/view_source.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/box.h"
#include "mesh/collider.h"
#include "mesh/gradient_source.h"
#include "mesh/seam_key.h"
#include "mesh/seam_pieces.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "mesh/tile_mesher.h"
#include "mesh/tile_samples.h"
#include "plan/resolve.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"
#include "view/density_store.h"

namespace vf {

namespace {

std::size_t bytes_of(const MeshPiece& piece) {
  return piece.vertices.capacity() * sizeof(MeshVertex) + piece.triangles.capacity() * sizeof(Triangle);
}

TileKey moved(const TileKey& key, std::size_t neighbour) {
  const auto n = static_cast<std::int32_t>(neighbour);
  return {key.level, key.tx + (n & 1), key.ty + (n >> 1 & 1), key.tz + (n >> 2)};
}

/// Columns that a tile's mesh looks at: its own, and those after it in x and y.
constexpr std::size_t kAcross = 4;

}  // namespace

std::size_t ViewProduct::bytes() const {
  return bytes_of(piece()) + blends.capacity() * sizeof(MaterialBlend) + collider.bytes();
}

std::size_t TileProduct::bytes() const {
  return ViewProduct::bytes() + sizeof(TileProduct) + mesh.border.cells.capacity() * sizeof(CellVertices) +
         mesh.border.segments.capacity() * sizeof(FaceSegment) +
         mesh.border.crossings.capacity() * sizeof(BorderCrossing);
}

float ViewSource::height_m() const {
  return static_cast<float>(scope().built->recipe->height_m);
}

Result<std::shared_ptr<const ViewFields>> ViewSource::bind(const Box2f& window) {
  const std::lock_guard lock(mutex_);
  Result<BoundField> density = field_in_window(paths_, frame_, window);
  if (!density) return density.error();
  auto fields = std::make_shared<ViewFields>();
  fields->density = std::make_shared<const BoundField>(*std::move(density));
  if (materials_) fields->materials = materials_beside(*scope().built, *fields->density);
  return std::shared_ptr<const ViewFields>(std::move(fields));
}

struct ViewMaker::Impl {
  /// What is bound to a field.
  struct Tools {
    std::shared_ptr<const BoundField> density, materials;
    TileEvaluator evaluator;
    FieldGradients gradients;
    std::unique_ptr<MaterialProbe> probe;

    Tools(const ViewFields& fields, SimdLevel simd)
        : density(fields.density),
          materials(fields.materials),
          evaluator(density, {simd, true}),
          gradients(density, simd) {
      if (materials != nullptr) probe = std::make_unique<MaterialProbe>(*materials, simd);
    }
  };
  static constexpr std::size_t kMostTools = 6;  // a field a level, and one to come

  SimdLevel simd;
  TileMesher mesher;
  SeamPieceMesher seams;
  std::deque<std::unique_ptr<Tools>> tools;  // the latest first
  TileMesh scratch;
  MeshPiece scratch_piece;

  explicit Impl(SimdLevel s) : simd(s), mesher(s) {}

  // The column in hand.
  TileColumn column;
  std::vector<std::array<std::shared_ptr<const TileDensity>, 8>> held;  ///< of each tile
  std::size_t next = 0;                                                 ///< step
  std::shared_ptr<TileProduct> unfinished;  ///< meshed, without materials and collider
  std::vector<std::shared_ptr<const TileProduct>> products;

  /// False when they are there.
  bool make_tools(const ViewFields& fields) {
    const auto known =
        std::find_if(tools.begin(), tools.end(), [&](const auto& t) { return t->density == fields.density; });
    if (known != tools.end()) {
      std::rotate(tools.begin(), known, known + 1);
      return false;
    }
    tools.push_front(std::make_unique<Tools>(fields, simd));
    if (tools.size() > kMostTools) tools.pop_back();
    return true;
  }

  Tools& tools_of(const ViewFields& fields) {
    make_tools(fields);
    return *tools.front();
  }

  /// Column by column: tiles above each other share what depends on x and y alone.
  void evaluate(Tools& t, std::size_t across, std::size_t tile) {
    const DensityStore::Evaluate evaluator = [&t](const TileKey& key, BrickMask wanted, TileDensity& out) {
      ProofCounts counts;  // benchmarks of regions count; a view only shows
      t.evaluator.evaluate(key, out, counts, wanted);
    };
    // One mask for all of a column, the one that its tiles need most: no tile is evaluated twice.
    const BrickMask wanted = column.whole[across] ? kAllBricks : bricks_at_border(static_cast<int>(across));
    for (const std::size_t k : {across, across + kAcross})
      held[tile][k] = column.source->densities().get(moved(column.tiles[tile], k), wanted, evaluator);
  }

  void mesh(Tools& t, std::size_t tile) {
    TileNeighbours tiles;
    for (std::size_t k = 0; k < 8; ++k) tiles.at[k] = held[tile][k].get();
    mesher.mesh(tiles, t.gradients, scratch);
    unfinished = std::make_shared<TileProduct>();
    unfinished->mesh = scratch;  // a copy has no room to spare
  }

  void finish_tile(Tools& t) {
    finish(t, *unfinished);
    products.push_back(std::move(unfinished));
  }

  void finish(Tools& t, ViewProduct& product) {
    const MeshPiece& piece = product.piece();
    product.blends.assign(piece.vertices.size(), kFirstMaterial);
    if (t.probe && !product.blends.empty()) t.probe->blend(piece, product.blends);
    if (piece.anchor.level == 0 && !piece.triangles.empty()) {
      const MeshPiece* const pieces[] = {&piece};
      product.collider = TileCollider(pieces);
    }
  }
};

ViewMaker::ViewMaker(SimdLevel simd) : impl_(std::make_unique<Impl>(simd)) {}
ViewMaker::~ViewMaker() = default;
ViewMaker::ViewMaker(ViewMaker&&) noexcept = default;
ViewMaker& ViewMaker::operator=(ViewMaker&&) noexcept = default;

void ViewMaker::begin(TileColumn column) {
  VF_CHECK(!at_work() && !column.tiles.empty());
  impl_->column = std::move(column);
  impl_->held.assign(impl_->column.tiles.size(), {});
  impl_->next = 0;
  impl_->products.clear();
}

bool ViewMaker::at_work() const {
  return !impl_->column.tiles.empty();
}

bool ViewMaker::step(std::vector<std::shared_ptr<const TileProduct>>& out) {
  Impl& s = *impl_;
  VF_CHECK(at_work());
  const std::size_t tiles = s.column.tiles.size();
  // First of all the tools, which take a while where the field is new.
  if (s.next == 0 && s.make_tools(*s.column.fields)) return false;
  Impl::Tools& t = s.tools_of(*s.column.fields);
  const std::size_t first_mesh = kAcross * tiles;
  if (s.next < first_mesh) {
    s.evaluate(t, s.next / tiles, s.next % tiles);
  } else if (const std::size_t i = s.next - first_mesh; i % 2 == 0) {
    s.mesh(t, i / 2);
  } else {
    s.finish_tile(t);
  }
  if (++s.next < first_mesh + 2 * tiles) return false;
  out = std::move(s.products);
  s.products.clear();
  s.held.clear();
  s.column = {};
  return true;
}

std::shared_ptr<const SeamProduct> ViewMaker::make_seam(const ViewFields& fields, const SeamKey& key,
                                                        const std::array<const TileMesh*, 4>& tiles) {
  impl_->seams.mesh(key, tiles, impl_->scratch_piece);
  auto product = std::make_shared<SeamProduct>();
  product->key = key;
  product->mesh = impl_->scratch_piece;
  impl_->finish(impl_->tools_of(fields), *product);
  return product;
}

}  // namespace vf
