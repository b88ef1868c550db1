#include "test_support/walkers/bullet_walker.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "base/check.h"
#include "exports/corridor_file.h"
#include "math/vec.h"

namespace vf::test {

namespace {

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kAheadM = 1;      // where it heads for: rounds corners of 6 m by 2 cm
constexpr double kWindowM =
    2;  // of the line in which the body is looked for: coils above are another part of it
constexpr double kProgressM = 0.1;

btScalar scalar(double v) {
  return static_cast<btScalar>(v);
}
btVector3 vector(const Vec3d& v) {
  return {scalar(v.x), scalar(v.y), scalar(v.z)};
}
Vec3d wide(const Vec3f& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// The route as a function of the way along it.
class Line {
 public:
  explicit Line(const std::vector<Vec3f>& points) {
    for (const Vec3f& p : points) {
      const Vec3d at = wide(p);
      const double s = points_.empty() ? 0 : way_.back() + distance(points_.back(), at);
      if (!points_.empty() && s == way_.back()) continue;
      points_.push_back(at);
      way_.push_back(s);
    }
    VF_CHECK(points_.size() >= 2);
  }

  [[nodiscard]] double length() const { return way_.back(); }
  [[nodiscard]] Vec3d at(double s) const {
    const auto next = std::upper_bound(way_.begin() + 1, way_.end() - 1, s);
    const auto i = static_cast<std::size_t>(next - way_.begin());
    return between(i, std::clamp((s - way_[i - 1]) / (way_[i] - way_[i - 1]), 0.0, 1.0));
  }
  /// Where the line comes nearest to `p`, between s and kWindowM further on.
  [[nodiscard]] double nearest(const Vec3d& p, double s) const {
    const auto first = std::upper_bound(way_.begin() + 1, way_.end() - 1, s);
    double best = s, least = distance(at(s), p);
    for (auto i = static_cast<std::size_t>(first - way_.begin()); i < way_.size(); ++i) {
      const Vec3d &a = points_[i - 1], &b = points_[i];
      const double length = way_[i] - way_[i - 1];
      const double along =
          ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y) + (p.z - a.z) * (b.z - a.z)) / length;
      const double here =
          std::clamp(way_[i - 1] + along, std::max(s, way_[i - 1]), std::min(s + kWindowM, way_[i]));
      const double off = distance(at(here), p);
      if (off < least) least = off, best = here;
      if (way_[i] >= s + kWindowM) break;
    }
    return best;
  }

 private:
  static double distance(const Vec3d& a, const Vec3d& b) {
    return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  }
  [[nodiscard]] Vec3d between(std::size_t i, double t) const {
    const Vec3d &a = points_[i - 1], &b = points_[i];
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
  }

  std::vector<Vec3d> points_;
  std::vector<double> way_;  ///< to each point
};

/// Bullet's view of the triangles, which it reads where they are.
btTriangleIndexVertexArray triangles_of(const Corridor& corridor) {
  static_assert(sizeof(Vec3f) == 3 * sizeof(float) && sizeof(int) == sizeof(std::uint32_t));
  btIndexedMesh part;
  part.m_numTriangles = static_cast<int>(corridor.triangles.size());
  part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(corridor.triangles.data());
  part.m_triangleIndexStride = sizeof(corridor.triangles[0]);
  part.m_numVertices = static_cast<int>(corridor.vertices.size());
  part.m_vertexBase = reinterpret_cast<const unsigned char*>(corridor.vertices.data());
  part.m_vertexStride = sizeof(Vec3f);
  part.m_vertexType = PHY_FLOAT;
  btTriangleIndexVertexArray out;
  out.addIndexedMesh(part, PHY_INTEGER);
  return out;
}

/// The ground and an upright capsule on it.
class Simulation {
 public:
  Simulation(const Corridor& corridor, const BulletSettings& settings, const Vec3d& foot)
      : settings_(settings),
        triangles_(triangles_of(corridor)),
        ground_shape_(&triangles_, true),
        ground_(0, nullptr, &ground_shape_),
        capsule_(scalar(settings.radius_m), scalar(settings.height_m - 2 * settings.radius_m)),
        body_(1, nullptr, &capsule_) {
    ground_shape_.setMargin(0);  // else it floats 4 cm above the floor
    world_.setGravity({0, 0, scalar(-kGravity)});
    world_.addRigidBody(&ground_);
    body_.setWorldTransform(
        btTransform(btQuaternion::getIdentity(), vector({foot.x, foot.y, foot.z + settings.height_m / 2})));
    body_.setAngularFactor(0);
    body_.setFriction(0);  // the drive is all that moves it
    body_.setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(&body_);
  }
  ~Simulation() {
    world_.removeRigidBody(&body_);
    world_.removeRigidBody(&ground_);
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] Vec3d foot() const {
    const btVector3& p = body_.getWorldTransform().getOrigin();
    return {static_cast<double>(p.x()), static_cast<double>(p.y()),
            static_cast<double>(p.z()) - settings_.height_m / 2};
  }

  /// One step, driven towards `goal` in plan.
  void step(const Vec3d& goal) {
    const Vec3d from = foot();
    const double dx = goal.x - from.x, dy = goal.y - from.y;
    const double scale = settings_.speed_mps / std::max(std::hypot(dx, dy), 1e-6);
    const btVector3 moving = body_.getLinearVelocity();
    btVector3 change(scalar(dx * scale) - moving.x(), scalar(dy * scale) - moving.y(), 0);
    const btScalar most = scalar(kGravity * settings_.step_s);
    if (change.length() > most) change *= most / change.length();
    body_.setLinearVelocity(moving + change);
    world_.stepSimulation(scalar(settings_.step_s), 0);  // 0: exactly one step, of this length
  }

 private:
  BulletSettings settings_;
  btTriangleIndexVertexArray triangles_;
  btBvhTriangleMeshShape ground_shape_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  btRigidBody ground_;
  btCapsuleShapeZ capsule_;
  btRigidBody body_;
};

Vec3d in_world(const Corridor& corridor, const Vec3d& p) {
  return {corridor.origin_m.x + p.x, corridor.origin_m.y + p.y, corridor.origin_m.z + p.z};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, WalkEnd end) {
  return out << (end == WalkEnd::kArrived ? "arrived" : end == WalkEnd::kFell ? "fell" : "stuck");
}

BulletWalk walk_with_bullet(const Corridor& corridor, const BulletSettings& settings) {
  const Line line(corridor.line);
  BulletWalk walk;
  walk.length_m = line.length();
  if (corridor.triangles.empty()) {  // Bullet has no empty meshes
    walk.end = WalkEnd::kFell;
    walk.at_m = in_world(corridor, line.at(0));
    return walk;
  }
  const Vec3d start = line.at(0), goal = line.at(line.length());
  Simulation simulation(corridor, settings, {start.x, start.y, start.z + 0.05});
  std::optional<WalkEnd> end;
  double seen_m = 0, seen_s = 0;  // when it last came further
  for (int step = 1; !end; ++step) {
    simulation.step(line.at(walk.reached_m + kAheadM));
    const Vec3d foot = simulation.foot();
    walk.simulated_s = step * settings.step_s;
    walk.reached_m = line.nearest(foot, walk.reached_m);
    walk.at_m = in_world(corridor, foot);
    if (walk.reached_m > seen_m + kProgressM) seen_m = walk.reached_m, seen_s = walk.simulated_s;
    if (foot.z < line.at(walk.reached_m).z - settings.fall_m)
      end = WalkEnd::kFell;
    else if (line.length() - walk.reached_m <= settings.arrival_m &&
             std::hypot(goal.x - foot.x, goal.y - foot.y) <= settings.arrival_m)
      end = WalkEnd::kArrived;
    else if (walk.simulated_s > seen_s + settings.patience_s)
      end = WalkEnd::kStuck;
  }
  walk.end = *end;
  return walk;
}

}  // namespace vf::test
