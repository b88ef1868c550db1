// In: a recipe file. Out: this plain data: every formula parsed, with its place in the author's text.
//
// Product header of recipe/. What the sections mean is written in docs/recipes.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"

namespace vf {

// ---------------------------------------------------------------- formulas

enum class ExprKind : std::uint8_t {
  kNumber,  ///< `number`
  kName,    ///< `name`: a parameter, a named sub-expression, a context value, or a dotted name
  kCall,    ///< `name(args..., options...)`
  kNegate,  ///< -args[0]
  kAdd,     ///< args[0] + args[1]
  kSubtract,
  kMultiply,
  kDivide,
  kList,  ///< [args...]; only as the value of an option such as `at = [0, 1]`
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// `octaves = 3` inside a call.
struct NamedArgument {
  std::string name;
  Place place;
  ExprPtr value;
};

struct Expr {
  ExprKind kind = ExprKind::kNumber;
  Place place;
  double number = 0;
  std::string name;
  std::vector<ExprPtr> args;
  std::vector<NamedArgument> options;
};

/// `name = "formula"`. Later ones may use earlier ones.
struct NamedExpr {
  std::string name;
  Place place;
  ExprPtr expr;
};

/// `smooth_hill(u, v) = "..."`: expanded where it is called.
struct Function {
  std::string name;
  Place place;
  std::vector<std::string> arguments;
  ExprPtr body;
};

struct Parameter {
  std::string name;
  Place place;
  double value = 0;  ///< the default, or what `extends`, a world file or --set put in its place
  double default_value = 0;
  double min = 0;
  double max = 0;
  std::string unit;  ///< one of the units in recipe/language.h, "" for a pure number
  std::string help;
};

// ---------------------------------------------------------------- features

enum class FeatureKind : std::uint8_t {
  kScatter,  ///< one candidate a cell of a jittered hash lattice
  kLattice,  ///< one a cell, exactly on the lattice
  kList,     ///< the author's own places, repeated in every sector
};

/// Places with local formulas. `px py pz` are metres relative to the place (turned by `yaw`), `u1`...`u8`
/// random values in [0, 1) of the place, `ground` the value of `ground` at it.
struct FeatureSet {
  std::string name;
  Place place;
  FeatureKind kind = FeatureKind::kScatter;
  ExprPtr pitch;                  ///< cell edge. [metres] [rounds to 1/64 m]
  ExprPtr offset_x, offset_y;     ///< shift of the lattice. [metres]; may be null
  ExprPtr jitter;                 ///< share of the cell that the place may move in. [0..1]
  ExprPtr probability;            ///< that a cell holds one. [0..1]; may use u1..u8, x, y
  ExprPtr accept;                 ///< kept where > 0; a column formula over x, y, u1..u8, ground; may be null
  ExprPtr ground;                 ///< z of the place. [metres]; a column formula; null means 0
  ExprPtr yaw;                    ///< turn about z. [turns]; over u1..u8; null means none
  std::vector<NamedExpr> values;  ///< per-place constants, evaluated once; at most kMaxFeatureValues
  std::vector<std::array<ExprPtr, 3>> points;  ///< kList: where, z above `ground`. [metres, in the sector]
  ExprPtr shape;               ///< distance-like formula over px py pz, values, x y z; < 0 inside
  ExprPtr extent_x, extent_y;  ///< half-size of the geometry about the place. [metres]; over values
  ExprPtr extent_z_min,
      extent_z_max;   ///< height of the geometry relative to the place. [metres]; over values
  ExprPtr blend;      ///< k of the smooth union in the set. [metres] [>= 0]
  ExprPtr far;        ///< value far from every feature. [metres] [> 0]
  ExprPtr off_paths;  ///< places nearer to a clear way are left out. [metres] [>= 0]; null: none is
};
inline constexpr int kMaxFeatureValues = 16;
inline constexpr int kFeatureRandoms = 8;

// ---------------------------------------------------------------- look

using Color = std::array<float, 3>;  ///< linear RGB, 0..1

/// The pattern that breaks up a flat colour, sampled triplanar on the surface.
enum class DetailPattern : std::uint8_t {
  kNone,
  kNoise,
  kCracks,
  kTiles,
  kBricks,
  kBands,
  kGrass,
  kSpeckle,
  kPlaster,
  kLeaves
};

struct Material {
  std::string name;
  Place place;
  ExprPtr weight;  ///< >= 0; over x y z, nx ny nz (normal), slope (degrees), height (above the content
                   ///< floor), H, field names, features.NAME
  Color color{0.5F, 0.5F, 0.5F};
  Color color2{0.5F, 0.5F, 0.5F};  ///< second tone of the detail
  float roughness = 0.9F;          ///< [0..1]
  float metallic = 0;              ///< [0..1]
  Color emission{0, 0, 0};         ///< emitted light
  float emission_strength = 0;     ///< [>= 0]
  ExprPtr emission_mask;           ///< [0..1] share of the emission at a point; null means all
  float translucency = 0;          ///< [0..1] light that comes through from behind
  DetailPattern detail = DetailPattern::kNone;
  float detail_scale_m = 1;      ///< size of the pattern. [metres] [> 0]
  float detail_strength = 0.5F;  ///< [0..1]
  float bump_m = 0;              ///< height of the pattern as relief in the shading. [metres] [>= 0]
};

enum class LightPlacement : std::uint8_t { kLattice, kFeatures, kPoint, kPaths };

/// Emitters that the author places: there is no sun and no sky.
struct Light {
  std::string name;
  Place place;
  LightPlacement placement = LightPlacement::kLattice;
  std::string features;  ///< kFeatures: the set they belong to
  ExprPtr pitch;         ///< kLattice: cell edge; kPaths: from one to the next along a way. [metres]
  ExprPtr jitter;        ///< kLattice: [0..1]
  ExprPtr probability;   ///< [0..1]
  ExprPtr ground;        ///< z they stand on; column formula. null means 0
  std::array<ExprPtr, 3>
      offset;            ///< from the place; kPoint: from the corner of the sector. [metres]; null means 0
  Color color{1, 1, 1};  ///< from `color` or `kelvin`
  float intensity = 1;   ///< radiance scale at 1 m. [>= 0]
  float range_m = 20;    ///< no light beyond. [metres] [> 0]
  float size_m = 0.2F;   ///< of the glowing body; softens its shadow. [metres] [>= 0]
  bool visible_body = true;  ///< draw the glowing body
};

/// Light without a place: the even glow of a roof or a floor.
struct Ambient {
  bool given = false;               ///< the recipe has the section; without it: see default_look.h
  Color up{0.2F, 0.2F, 0.2F};       ///< arriving from above
  Color down{0.05F, 0.05F, 0.05F};  ///< arriving from below
  float strength = 1;
  Color key{0, 0, 0};                                     ///< a broad directional glow; black means none
  std::array<float, 3> key_direction{0.3F, 0.2F, 0.93F};  ///< towards the glow
  float key_softness = 0.5F;                              ///< [0..1]: 0 hard shadow edge
};

struct Fog {
  float extinction = 0.01F;  ///< [1/metres] [>= 0]
  Color color{0.42F, 0.5F, 0.58F};
  float height_m = 0;  ///< layered: density halves every height_m above floor_m; 0 means even
  float floor_m = 0;
  float glow = 0.5F;  ///< share of the emitters' light scattered into the fog. [0..1]
};

/// Instanced decoration. Validated and kept; drawn by a later engine.
struct Decor {
  std::string name;
  Place place;
  std::string model;
  ExprPtr density;  ///< per square metre
  ExprPtr accept;
  float min_scale = 1, max_scale = 1;
};

struct WaterSettings {
  bool present = false;
  Place place;
  ExprPtr level;  ///< stratum-wide level. [metres]; null means none
  Color color{0.1F, 0.3F, 0.3F};
  float attenuation_m = 8;  ///< distance at which a third of the light is left. [metres] [> 0]
  float roughness = 0.02F;
  float wave_m = 0.01F;  ///< height of the ripples. [metres]
  float glow = 0;        ///< light of the water itself
};

/// How one comes down into a stratum.
enum class PassageStyle : std::uint8_t {
  kWell,        ///< a helix about a pillar: stands free, so it suits open land and open air
  kSwitchback,  ///< straight flights beside each other, joined by half turns with landings: in rock
  kGallery,  ///< one long ramp with landings, swinging a little from side to side: in rock, for short drops
  kWall,     ///< the flights of a switchback on the outside of a wall: between rock and open space
};
inline constexpr std::array<std::string_view, 4> kPassageStyles{"well", "switchback", "gallery", "wall"};

struct RouteSettings {
  bool present = false;
  Place place;
  std::string from = "ground";  ///< ground | graph | lattice | chain
  ExprPtr anchor;               ///< floor height for mouths and portals; a column formula
  float length_min_m = 120, length_max_m = 400;
  bool ford = false;
  std::string material;  ///< of floors of paths; empty: as the land
  float kerb_m = -1;  ///< height of the kerbs everywhere. [metres]; negative: only where the land falls away
  bool banks = true;  ///< land is cut and filled beside paths on the ground
  std::optional<PassageStyle> passage;  ///< of the way from the stratum above; empty: by what is around it
};

struct Viewpoint {
  std::string name;
  Place place;
  std::array<ExprPtr, 3> eye;  ///< [metres, in sector 0,0]; z may be a column formula at x, y
  std::array<ExprPtr, 3> target;
  float fov_deg = 70;  ///< horizontal. [degrees] [10..120]
  float exposure = 1;
  std::string caption;
};

struct Sound {
  std::vector<std::string> tags;
  float reverberation_s = 1;
};

// ---------------------------------------------------------------- the whole

struct ViewSettings {
  float near_m = 32;        ///< [16..32]
  float view_m = 512;       ///< [128..512]
  float min_feature_m = 6;  ///< thinnest thing that must not vanish or break far away. [0.75..100]
};

struct Recipe {
  std::string file;  ///< as the author named it
  std::string id;    ///< [a-z0-9_]+
  Place id_place;
  std::uint32_t version = 1;
  std::uint32_t layout_version = 1;
  Digest
      text;  ///< of the text and of all texts that it extends and includes, whatever their files are called
  std::string name;
  std::string description;
  std::string family;
  std::vector<std::string> tags;
  double height_m = 0;        ///< content interval [0, H]
  double gradient_bound = 1;  ///< declared: |grad phi| <= this
  Place gradient_place;
  std::vector<Parameter> params;
  std::vector<Function> functions;
  std::vector<NamedExpr> field;  ///< in the author's order; the one named `phi` is the density
  std::vector<FeatureSet> features;
  std::vector<Material> materials;
  std::vector<Light> lights;
  Ambient ambient;
  Fog fog;
  Sound sound;
  std::vector<Decor> decor;
  WaterSettings water;
  RouteSettings route;
  std::vector<Viewpoint> viewpoints;
  ViewSettings view;

  [[nodiscard]] const NamedExpr* find_field(std::string_view field_name) const {
    for (const NamedExpr& e : field)
      if (e.name == field_name) return &e;
    return nullptr;
  }
};

}  // namespace vf
