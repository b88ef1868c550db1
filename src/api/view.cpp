#include "voxelforge/view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "api/convert.h"
#include "api/world_impl.h"
#include "base/digest.h"
#include "base/result.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"
#include "plan/identity.h"
#include "proof/certificate.h"
#include "proof/tile_geometry.h"
#include "view/tile_payload.h"
#include "view/view_collision.h"
#include "view/view_piece.h"
#include "view/view_scheduler.h"
#include "voxelforge/surface.hpp"
#include "voxelforge/voxelforge.hpp"

namespace voxelforge {

struct ViewPiece::Impl {
  vf::ViewPiece piece;
  vf::Digest world;
  [[nodiscard]] const vf::MeshPiece& mesh() const { return piece.product->piece(); }
};

struct ViewGround::Impl {
  std::shared_ptr<const vf::ViewCollision> collision;
};

struct View::Impl {
  vf::ViewScheduler scheduler;
  vf::Digest world;

  Impl(const World::Impl& of, const vf::ViewOptions& options)
      : scheduler(of.world, of.built, options), world(vf::world_identity(of.world)) {}
};

namespace {

Point to_point(const vf::Vec3d& p) {
  return {p.x, p.y, p.z};
}
vf::Vec3d to_vec(const Point& p) {
  return {p.x, p.y, p.z};
}

}  // namespace

std::uint64_t ViewPiece::id() const {
  return impl_->piece.id.value;
}

int ViewPiece::level() const {
  return impl_->mesh().anchor.level;
}

bool ViewPiece::is_seam() const {
  return impl_->piece.product->seam() != nullptr;
}

std::int64_t ViewPiece::stratum() const {
  return impl_->piece.stratum;
}

Point ViewPiece::origin() const {
  const vf::Vec3f corner = vf::tile_origin(impl_->mesh().anchor);
  const vf::Vec3d& frame = impl_->piece.origin_m;
  return {frame.x + static_cast<double>(corner.x), frame.y + static_cast<double>(corner.y),
          frame.z + static_cast<double>(corner.z)};
}

std::vector<std::array<float, 3>> ViewPiece::positions() const {
  const vf::MeshPiece& mesh = impl_->mesh();
  const float unit = vf::voxel_m(mesh.anchor.level) / vf::kVoxelUnits;
  std::vector<std::array<float, 3>> out;
  out.reserve(mesh.vertices.size());
  for (const vf::MeshVertex& v : mesh.vertices)
    out.push_back(
        {unit * static_cast<float>(v.x), unit * static_cast<float>(v.y), unit * static_cast<float>(v.z)});
  return out;
}

std::vector<std::array<float, 3>> ViewPiece::normals() const {
  std::vector<std::array<float, 3>> out;
  out.reserve(impl_->mesh().vertices.size());
  for (const vf::MeshVertex& v : impl_->mesh().vertices) out.push_back(to_array(vf::decode_normal(v.normal)));
  return out;
}

std::vector<ViewPiece::Materials> ViewPiece::materials() const {
  std::vector<Materials> out;
  out.reserve(impl_->piece.product->blends.size());
  for (const vf::MaterialBlend& b : impl_->piece.product->blends) out.push_back({b.material, b.weight});
  return out;
}

std::vector<std::array<std::uint32_t, 3>> ViewPiece::triangles() const {
  std::vector<std::array<std::uint32_t, 3>> out;
  out.reserve(impl_->mesh().triangles.size());
  for (const vf::Triangle& t : impl_->mesh().triangles) out.push_back(t.at);
  return out;
}

std::size_t ViewPiece::bytes() const {
  return impl_->piece.product->bytes();
}

std::vector<std::byte> ViewPiece::payload() const {
  return vf::encode_payload(vf::payload_of(impl_->piece, impl_->world));
}

std::size_t ViewGround::triangle_count() const {
  return impl_->collision->triangle_count();
}

std::optional<SurfaceHit> ViewGround::ray(const Point& from, const std::array<double, 3>& direction,
                                          double most_m) const {
  const std::optional<vf::Vec3f> d = unit_direction(direction);
  if (!d || !(most_m >= 0)) return std::nullopt;
  const auto hit = impl_->collision->ray(to_vec(from), *d, static_cast<float>(most_m));
  if (!hit) return std::nullopt;
  return SurfaceHit{hit->distance_m, to_point(hit->at), to_array(hit->normal)};
}

std::vector<SurfaceContact> ViewGround::touch(const SurfaceCapsule& capsule) const {
  std::vector<vf::ViewContact> found;
  if (capsule.radius_m > 0)
    impl_->collision->touch(to_vec(capsule.from), to_vec(capsule.to), static_cast<float>(capsule.radius_m),
                            found);
  std::vector<SurfaceContact> out;
  for (const vf::ViewContact& c : found)
    out.push_back({to_point(c.at), to_array(c.normal), static_cast<double>(c.depth_m)});
  return out;
}

Result<View> View::open(const World& world, const ViewOptions& options) {
  if (options.workers > vf::kMostViewWorkers) return bad_input("view: expected at most 64 workers");
  if (options.memory_mib < vf::kLeastViewMemory >> 20 || options.memory_mib > std::size_t{1} << 20)
    return bad_input("view: expected 64 to 1048576 MiB of memory");
  const Result<vf::SimdLevel> simd = instruction_set_level(options.instruction_set);
  if (!simd) return simd.error();
  const vf::ViewOptions own{options.workers, *simd, options.memory_mib << 20, options.materials};
  return View(std::make_shared<Impl>(*world.impl_, own));
}

Status View::look(std::span<const Viewer> viewers) {
  std::vector<vf::Viewer> own;
  for (const Viewer& v : viewers)
    own.push_back({{v.id},
                   to_vec(v.at),
                   {v.facing[0], v.facing[1], v.facing[2]},
                   {static_cast<float>(v.near_m), static_cast<float>(v.view_m), false,
                    static_cast<float>(v.min_feature_m)}});
  if (const vf::Status status = impl_->scheduler.look(own); !status) return public_error(status.error());
  return std::monostate{};
}

Result<ViewUpdate> View::poll(std::uint64_t viewer, std::size_t upload_bytes) {
  const vf::Result<vf::ViewUpdate> update = impl_->scheduler.poll({viewer}, upload_bytes);
  if (!update) return public_error(update.error());
  ViewUpdate out;
  out.swap = update->swap;
  for (const vf::ViewPiece& piece : update->uploads)
    out.uploads.push_back(
        ViewPiece(std::make_shared<const ViewPiece::Impl>(ViewPiece::Impl{piece, impl_->world})));
  for (const vf::PieceId id : update->retired) out.retired.push_back(id.value);
  return out;
}

bool View::playable(std::uint64_t viewer) const {
  return impl_->scheduler.playable({viewer});
}

bool View::settled(std::uint64_t viewer) const {
  return impl_->scheduler.settled({viewer});
}

ViewGround View::ground(std::uint64_t viewer) const {
  return ViewGround(std::make_shared<const ViewGround::Impl>(impl_->scheduler.collision({viewer})));
}

bool View::work(unsigned worker) {
  return impl_->scheduler.work(worker);
}

ViewStats View::stats() const {
  const vf::ViewStats stats = impl_->scheduler.stats();
  return {stats.bytes, stats.over_budget};
}

}  // namespace voxelforge
