// Air and rock on the lattice of 0.25 m, near chosen places: bricks of 8 x 8 x 8 points, sampled where asked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "field/sampler.h"
#include "field/tape.h"

namespace vf {

/// A lattice point, or a brick: the point divided by 8, rounded down.
struct LatticeCell {
  int x = 0, y = 0, z = 0;
  friend auto operator<=>(const LatticeCell&, const LatticeCell&) = default;
};

/// One word a slice of a brick, from its lowest: bit 8 y + x.
using BrickBits = std::array<std::uint64_t, 8>;

class AirLattice {
 public:
  static constexpr float kStepM = 0.25F;

  explicit AirLattice(FieldSampler& field) : field_(field) {}

  /// Opens all bricks that hold points of [low, high]. Before the first question.
  void open(const LatticeCell& low, const LatticeCell& high);
  void close_opening();

  [[nodiscard]] std::size_t size() const { return bricks_.size(); }
  /// Number of a brick; none when it is not open.
  [[nodiscard]] std::optional<std::size_t> find(const LatticeCell& brick) const;
  [[nodiscard]] const LatticeCell& at(std::size_t brick) const { return bricks_[brick].at; }
  /// Which of its points are air.
  [[nodiscard]] const BrickBits& air(std::size_t brick);

 private:
  /// What the bounds of 4 x 4 x 4 bricks, got together, say of each.
  struct Region {
    Tape tape;
    BoxCuts cuts;
    std::size_t first = 0;  ///< of its bricks
  };
  struct Brick {
    std::uint64_t key = 0;
    LatticeCell at;
    bool sampled = false;
    Region* region = nullptr;
    BrickBits air{};
  };
  static std::uint64_t key_of(const LatticeCell& brick);
  static LatticeCell brick_of(std::uint64_t key);
  void bound_region(std::size_t brick);
  void sample(std::size_t brick);

  FieldSampler& field_;
  std::vector<std::uint64_t> opened_;  ///< keys, until opening is closed
  std::vector<Brick> bricks_;          ///< by key: those of one region of 4 x 4 x 4 are neighbours
  std::vector<std::unique_ptr<Region>> regions_;
};

}  // namespace vf
