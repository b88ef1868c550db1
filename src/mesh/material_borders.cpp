// Three passes: the edges whose ends differ; where along them the material changes, all edges a step at a
// time; triangles, cut at what was found on their edges.
#include "mesh/material_borders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/tasks.h"
#include "field/bound_field.h"
#include "field/simd_level.h"
#include "math/vec.h"
#include "mesh/surface_materials.h"
#include "mesh/tile_mesh.h"

namespace vf {

namespace {

constexpr float kUnitsPerM = 2048;
constexpr int kSteps = 10;  ///< an edge of a coarse level, 4 m, to 4 mm
/// A cut keeps this far from the ends, so that no triangle is a sliver. [share of the edge]
constexpr float kMargin = 1.0F / 32;

Vec3i units_of(Vec3f p) {
  const auto unit = [](float v) { return static_cast<std::int32_t>(v * kUnitsPerM); };
  return {unit(p.x), unit(p.y), unit(p.z)};
}

/// An edge by its places, whichever piece it is seen from.
struct EdgeKey {
  std::array<std::int32_t, 6> at{};  ///< the lower end first
  friend auto operator<=>(const EdgeKey&, const EdgeKey&) = default;
};
struct EdgeHash {
  std::size_t operator()(const EdgeKey& key) const {
    const auto two = [&](std::size_t i) {
      return std::uint64_t{static_cast<std::uint32_t>(key.at[i])} << 32 |
             static_cast<std::uint32_t>(key.at[i + 1]);
    };
    return hash_words({two(0), two(2), two(4)});
  }
};

/// An edge as one of its sides sees it, from its lower end.
struct Edge {
  EdgeKey key;
  bool swapped = false;  ///< the end that was named first is the higher one

  Edge(Vec3f a, Vec3f b) {
    const Vec3i u = units_of(a), v = units_of(b);
    const std::array<std::int32_t, 3> from{u.x, u.y, u.z}, to{v.x, v.y, v.z};
    swapped = to < from;
    const auto& low = swapped ? to : from;
    const auto& high = swapped ? from : to;
    key.at = {low[0], low[1], low[2], high[0], high[1], high[2]};
  }
};

/// An edge whose ends differ, with the normals of one side of a crease.
struct Change {
  EdgeKey key;
  std::array<OctNormal, 2> normals;  ///< of the lower end, and the higher
  std::uint32_t material = 0;        ///< of the lower end
  float low = 0, high = 1;           ///< it changes between these. [share of the edge]
  std::array<MaterialBlend, 2> blends;

  [[nodiscard]] auto order() const {
    return std::tuple(key, normals[0].u, normals[0].v, normals[1].u, normals[1].v, material);
  }
};

Vec3f between(Vec3f a, Vec3f b, float t) {
  return a + (b - a) * t;
}

Vec3f end_of(const EdgeKey& key, std::size_t end) {
  const auto metre = [&](std::size_t i) { return static_cast<float>(key.at[3 * end + i]) / kUnitsPerM; };
  return {metre(0), metre(1), metre(2)};
}

Vec3f normal_between(OctNormal a, OctNormal b, float t) {
  const Vec3f n = between(decode_normal(a), decode_normal(b), t);
  const float length2 = n.x * n.x + n.y * n.y + n.z * n.z;
  return length2 > 0 ? n * (1 / std::sqrt(length2)) : decode_normal(a);
}

/// Where an edge is cut, on the grid of 1/2048 m; nothing when that is one of its ends.
struct Cut {
  float t = 0;  ///< [share of the edge from its lower end]
  Vec3f at;
};

std::optional<Cut> cut_at(const EdgeKey& key, float t) {
  Cut cut{std::clamp(t, kMargin, 1 - kMargin), {}};
  const Vec3f a = end_of(key, 0), b = end_of(key, 1), p = between(a, b, cut.t);
  const auto snap = [](float v) { return std::floor(v * kUnitsPerM + 0.5F) / kUnitsPerM; };
  cut.at = {snap(p.x), snap(p.y), snap(p.z)};
  if (cut.at == a || cut.at == b) return std::nullopt;
  return cut;
}

/// The cuts of all edges, and what meets at them.
class Borders {
 public:
  Borders(std::vector<Change> changes) : changes_(std::move(changes)) {
    for (const Change& change : changes_) {
      const std::optional<Cut> cut = cut_at(change.key, 0.5F * (change.low + change.high));
      if (!cut) continue;
      const auto [known, fresh] = cuts_.emplace(change.key, *cut);
      // Both sides of a crease may change, each at a place of its own: the first one holds for both.
      if (!fresh && cut->t < known->second.t) known->second = *cut;
    }
  }
  [[nodiscard]] const Cut* find(const EdgeKey& key) const {
    const auto known = cuts_.find(key);
    return known == cuts_.end() ? nullptr : &known->second;
  }
  /// Null where that side does not change.
  [[nodiscard]] const Change* change(const Change& wanted) const {
    const auto at = std::lower_bound(changes_.begin(), changes_.end(), wanted,
                                     [](const Change& a, const Change& b) { return a.order() < b.order(); });
    return at != changes_.end() && at->order() == wanted.order() ? &*at : nullptr;
  }
  [[nodiscard]] bool empty() const { return cuts_.empty(); }

 private:
  std::vector<Change> changes_;                      ///< sorted
  std::unordered_map<EdgeKey, Cut, EdgeHash> cuts_;  // only looked up
};

/// One piece, its vertices in metres.
struct Source {
  const MeshPiece* piece = nullptr;
  std::span<const MaterialBlend> blends;
  std::vector<Vec3f> at;

  [[nodiscard]] std::uint32_t material(std::uint32_t v) const { return blends[v].material[0]; }
  [[nodiscard]] bool collapsed(const Triangle& t) const {
    return at[t.at[0]] == at[t.at[1]] || at[t.at[1]] == at[t.at[2]] || at[t.at[2]] == at[t.at[0]];
  }
  /// The edge between two vertices as a change, without what is to be found out.
  [[nodiscard]] Change side(std::uint32_t a, std::uint32_t b) const {
    const Edge edge(at[a], at[b]);
    if (edge.swapped) std::swap(a, b);
    return {edge.key,    {piece->vertices[a].normal, piece->vertices[b].normal},
            material(a), 0,
            1,           {blends[a], blends[b]}};
  }
};

std::vector<Change> changes_of(std::span<const Source> sources) {
  std::vector<Change> out;
  for (const Source& s : sources) {
    for (const Triangle& t : s.piece->triangles) {
      if (s.collapsed(t)) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t.at[k], b = t.at[(k + 1) % 3];
        if (s.material(a) != s.material(b)) out.push_back(s.side(a, b));
      }
    }
  }
  std::sort(out.begin(), out.end(), [](const Change& a, const Change& b) { return a.order() < b.order(); });
  const auto same = [](const Change& a, const Change& b) { return a.order() == b.order(); };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

/// Halves all of them until the change is known to a thousandth of the edge.
void find_changes(std::vector<Change>& changes, const BlendsAt& blends_at) {
  std::vector<Vec3f> points(changes.size()), normals(changes.size());
  std::vector<MaterialBlend> found(changes.size());
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const Change& c = changes[i];
      const float middle = 0.5F * (c.low + c.high);
      points[i] = between(end_of(c.key, 0), end_of(c.key, 1), middle);
      normals[i] = normal_between(c.normals[0], c.normals[1], middle);
    }
    blends_at(points, normals, found);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Change& c = changes[i];
      const bool still = found[i].material[0] == c.material;
      (still ? c.low : c.high) = 0.5F * (c.low + c.high);
      c.blends[still ? 0 : 1] = found[i];
    }
  }
}

/// The material that some corners show most together; of equals, the first in the recipe.
std::uint32_t strongest(std::span<const MaterialBlend* const> corners) {
  std::array<int, 256> sums{};
  for (const MaterialBlend* blend : corners)
    for (std::size_t k = 0; k < kBlendedMaterials; ++k) sums[blend->material[k]] += blend->weight[k];
  return static_cast<std::uint32_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

/// Cuts the triangles of one piece.
class Painter {
 public:
  Painter(const Source& source, const Borders& borders, PaintedPiece& out)
      : source_(source), borders_(borders), out_(out) {
    out_.from = source.piece;
    for (std::size_t v = 0; v < source.at.size(); ++v)
      out_.vertices.push_back({source.at[v], source.piece->vertices[v].normal, source.blends[v]});
  }

  void add(std::uint32_t index) {
    from_ = index;
    const Triangle& t = source_.piece->triangles[index];
    if (source_.collapsed(t)) return;
    corners_ = t.at;
    std::size_t cuts = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t.at[k], b = t.at[(k + 1) % 3];
      cuts_[k] = borders_.empty() ? nullptr : borders_.find(Edge(source_.at[a], source_.at[b]).key);
      cuts += cuts_[k] != nullptr ? 1U : 0U;
    }
    const auto cut = [&](std::size_t k) { return cuts_[k] != nullptr; };
    if (cuts == 0) return whole();
    // Turned so that what is to be told apart stands first.
    std::size_t first = 0;
    if (cuts == 1)
      while (!cut(first)) ++first;
    if (cuts == 2)  // the corner between the two cuts
      while (!cut(first) || !cut((first + 2) % 3)) ++first;
    const std::array<std::uint32_t, 3> corners = corners_;
    const std::array<const Cut*, 3> at = cuts_;
    for (std::size_t k = 0; k < 3; ++k)
      corners_[k] = corners[(first + k) % 3], cuts_[k] = at[(first + k) % 3];
    if (cuts == 1) return in_two();
    if (cuts == 2) return corner_and_rest();
    return corners_and_middle();
  }

 private:
  /// A corner of a part: of the triangle, or the cut on the edge after corner k.
  struct Corner {
    std::size_t k = 0;
    bool cut = false;
  };

  [[nodiscard]] std::uint32_t material_of(std::initializer_list<std::size_t> corners) const {
    std::array<const MaterialBlend*, 3> blends{};
    std::size_t n = 0;
    for (const std::size_t k : corners) blends[n++] = &source_.blends[corners_[k]];
    return strongest(std::span(blends).first(n));
  }

  /// The vertex at a cut for parts of a material.
  std::uint32_t vertex(const Corner& corner, std::uint32_t material) {
    if (!corner.cut) return corners_[corner.k];
    const std::uint32_t a = corners_[corner.k], b = corners_[(corner.k + 1) % 3];
    const Change side = source_.side(a, b);
    const Change* change =
        side.blends[0].material[0] == side.blends[1].material[0] ? nullptr : borders_.change(side);
    const Change& ends = change != nullptr ? *change : side;
    const Cut& cut = *cuts_[corner.k];
    const bool of_low = ends.blends[0].material[0] == material,
               of_high = ends.blends[1].material[0] == material;
    const std::size_t end = of_low != of_high ? (of_low ? 0U : 1U) : (cut.t < 0.5F ? 0U : 1U);
    const auto next = static_cast<std::uint32_t>(out_.vertices.size());
    out_.vertices.push_back(
        {cut.at, encode_normal(normal_between(side.normals[0], side.normals[1], cut.t)), ends.blends[end]});
    return next;
  }

  [[nodiscard]] Vec3f place(const Corner& corner) const {
    return corner.cut ? cuts_[corner.k]->at : source_.at[corners_[corner.k]];
  }

  void part(std::uint32_t material, const std::array<Corner, 3>& corners) {
    // Two cuts of a thin triangle may meet on the grid.
    for (std::size_t i = 0; i < 3; ++i)
      if (place(corners[i]) == place(corners[(i + 1) % 3])) return;
    PaintedTriangle t;
    for (std::size_t i = 0; i < 3; ++i) t.at[i] = vertex(corners[i], material);
    t.material = material;
    t.from = from_;
    out_.triangles.push_back(t);
  }

  void whole() { part(material_of({0, 1, 2}), {{{0, false}, {1, false}, {2, false}}}); }

  /// The other side of the edge is cut there.
  void in_two() {
    const Corner p{0, true};
    part(material_of({0, 2}), {{{0, false}, p, {2, false}}});
    part(material_of({1, 2}), {{p, {1, false}, {2, false}}});
  }

  void corner_and_rest() {
    const Corner p{0, true}, q{2, true};  // on the edges from corner 0 to 1 and 2
    part(material_of({0}), {{{0, false}, p, q}});
    const std::uint32_t rest = material_of({1, 2});
    const auto length2 = [](Vec3f a, Vec3f b) {
      const Vec3f d = b - a;
      return d.x * d.x + d.y * d.y + d.z * d.z;
    };
    // Along the shorter diagonal.
    if (length2(cuts_[0]->at, source_.at[corners_[2]]) <= length2(cuts_[2]->at, source_.at[corners_[1]])) {
      part(rest, {{p, {1, false}, {2, false}}});
      part(rest, {{p, {2, false}, q}});
    } else {
      part(rest, {{p, {1, false}, q}});
      part(rest, {{q, {1, false}, {2, false}}});
    }
  }

  void corners_and_middle() {
    std::uint32_t first = material_of({0});
    for (std::size_t k = 0; k < 3; ++k) {
      part(material_of({k}), {{{k, false}, {k, true}, {(k + 2) % 3, true}}});
      first = std::min(first, material_of({k}));
    }
    part(first, {{{0, true}, {1, true}, {2, true}}});
  }

  const Source& source_;
  const Borders& borders_;
  PaintedPiece& out_;
  // Of the triangle in hand.
  std::uint32_t from_ = 0;
  std::array<std::uint32_t, 3> corners_{};
  std::array<const Cut*, 3> cuts_{};  ///< on the edge after corner k
};

}  // namespace

std::vector<PaintedPiece> cut_borders(std::span<const MeshPiece* const> pieces,
                                      std::span<const std::vector<MaterialBlend>> blends,
                                      const BlendsAt& blends_at, unsigned workers) {
  VF_CHECK(pieces.size() == blends.size());
  std::vector<Source> sources(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    VF_CHECK(blends[p].size() == pieces[p]->vertices.size());
    sources[p] = {pieces[p], blends[p], {}};
    for (const MeshVertex& v : pieces[p]->vertices) sources[p].at.push_back(position_m(*pieces[p], v));
  }
  std::vector<Change> changes = changes_of(sources);
  find_changes(changes, blends_at);
  const Borders borders(std::move(changes));
  std::vector<PaintedPiece> out(pieces.size());
  parallel_for(out.size(), workers, [&](std::size_t p, unsigned) {
    Painter painter(sources[p], borders, out[p]);
    for (std::uint32_t t = 0; t < pieces[p]->triangles.size(); ++t) painter.add(t);
  });
  return out;
}

std::vector<PaintedPiece> painted_pieces(const std::shared_ptr<const BoundField>& materials,
                                         std::span<const MeshPiece* const> pieces, SimdLevel simd,
                                         unsigned workers) {
  if (workers == 0) workers = default_workers();
  const std::vector<std::vector<MaterialBlend>> blends = surface_materials(materials, pieces, simd, workers);
  // Without formulas all is of one material, and nothing asks.
  std::vector<std::unique_ptr<MaterialProbe>> crew(workers);
  const BlendsAt blends_at = [&](std::span<const Vec3f> points, std::span<const Vec3f> normals,
                                 std::span<MaterialBlend> out) {
    constexpr std::size_t kChunk = 4096;
    parallel_for((points.size() + kChunk - 1) / kChunk, workers, [&](std::size_t i, unsigned worker) {
      if (!crew[worker]) crew[worker] = std::make_unique<MaterialProbe>(*materials, simd);
      const std::size_t first = i * kChunk, count = std::min(kChunk, points.size() - first);
      crew[worker]->blend(points.subspan(first, count), normals.subspan(first, count),
                          out.subspan(first, count));
    });
  };
  return cut_borders(pieces, blends, blends_at, workers);
}

}  // namespace vf
