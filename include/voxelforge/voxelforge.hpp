// VoxelForge: open a world, sample its density, ask what is proven about boxes.
//
// Metres, right-handed, z up. World z = 0 is the top of stratum 0; strata follow downward without end.
// Density below 0 is solid, above 0 is air; near the surface it is close to the distance in metres.
// Every value is the same bits on every compiler, instruction set and thread, and at any distance from the
// origin. Nothing here reads files, clocks or the environment, and nothing throws; bad input comes back as an
// Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace voxelforge {

struct Version {
  std::uint32_t major = 0, minor = 0, patch = 0;
  std::uint32_t evaluator = 0;  ///< rises whenever any value of any world changes
};
[[nodiscard]] Version version();

enum class ErrorCode : std::uint8_t {
  kBadInput,  ///< the caller's text or arguments
  kIo,        ///< a text that could not be read
  kResource,  ///< a stated limit of the engine or the machine
};

struct Error {
  ErrorCode code = ErrorCode::kBadInput;
  std::string file;          ///< the text it is about; may be empty
  std::uint32_t line = 0;    ///< from 1; 0 means unknown
  std::uint32_t column = 0;  ///< from 1; 0 means unknown
  std::string message;       ///< what is wrong, what was expected, the nearest known name

  /// "file:line:column: message"
  [[nodiscard]] std::string text() const;
};

/// A value or an Error. Asking for the one that is not there ends the process.
template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: `return value;` and `return error;` both read well.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  explicit operator bool() const { return state_.index() == 0; }
  [[nodiscard]] T& operator*() { return *require(std::get_if<0>(&state_)); }
  [[nodiscard]] const T& operator*() const { return *require(std::get_if<0>(&state_)); }
  [[nodiscard]] T* operator->() { return require(std::get_if<0>(&state_)); }
  [[nodiscard]] const T* operator->() const { return require(std::get_if<0>(&state_)); }
  [[nodiscard]] const Error& error() const { return *require(std::get_if<1>(&state_)); }

 private:
  template <class P>
  static P* require(P* pointer) {
    if (pointer == nullptr) std::abort();
    return pointer;
  }
  std::variant<T, Error> state_;
};

/// A Result without a value.
using Status = Result<std::monostate>;

struct OpenOptions {
  std::optional<std::uint64_t> seed;                     ///< instead of the world file's
  std::vector<std::pair<std::string, std::string>> set;  ///< parameter, or type.parameter -> number
  /// Finds the texts that a world or a recipe names. Texts that ship with the library ("type:pool_rooms",
  /// "worlds/showcase.toml") are found without it.
  std::function<std::optional<std::string>(const std::string& name)> read_text;
  std::vector<std::string>* warnings = nullptr;  ///< gets what is worth saying to the author
};

/// One layer of the world.
struct Stratum {
  std::int64_t index = 0;  ///< 0 on top
  std::string type_id;
  std::uint32_t type_version = 0;
  double top_z_m = 0;    ///< world z of its top
  double height_m = 0;   ///< with its bands of sealed rock
  double floor_z_m = 0;  ///< world z of the floor of its content
  double content_height_m = 0;
};

/// An opened world. Immutable and cheap to copy; any number of threads may use it.
class World {
 public:
  /// `name`: "type:ID" (an endless stack of that type), a shipped world, or a name that `read_text` knows.
  [[nodiscard]] static Result<World> open(std::string_view name, const OpenOptions& options = {});
  /// The text of a world or of a recipe. `name` stands in error messages.
  [[nodiscard]] static Result<World> from_text(std::string_view name, std::string_view text,
                                               const OpenOptions& options = {});

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::uint64_t seed() const;
  /// Constant time at any depth. An index below 0 or beyond 10^9 is an error.
  [[nodiscard]] Result<Stratum> stratum(std::int64_t index) const;
  /// The stratum that holds a height; a border belongs to the stratum below it. z above 0 is an error.
  [[nodiscard]] Result<std::int64_t> stratum_index_at(double z_m) const;

 private:
  friend class Sampler;
  friend class Surface;
  friend class View;
  struct Impl;
  explicit World(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

struct Point {
  double x = 0, y = 0, z = 0;  ///< [metres]; |x|, |y| up to 10^12; z <= 0
};

/// min <= max on every axis.
struct Box {
  Point min, max;
};

enum class Verdict : std::uint8_t {
  kSolid,  ///< proven: every point is solid
  kAir,    ///< proven: every point is air
  kMixed,  ///< not proven either way
};

struct Bounds {
  Verdict verdict = Verdict::kMixed;
  float min = 0, max = 0;  ///< the density of every point of the box lies in [min, max]; may be infinite
};

/// The names of the instruction sets this machine can use: "scalar", "sse4", "avx2", "avx512".
[[nodiscard]] std::vector<std::string> instruction_sets();

/// Samples a world. Make one for each thread: it keeps scratch space and the places it looked at last. What
/// it answers never depends on what was asked before.
class Sampler {
 public:
  /// `instruction_set`: one of instruction_sets(), or "best". It never changes an answer.
  [[nodiscard]] static Result<Sampler> create(const World& world, std::string_view instruction_set = "best");
  ~Sampler();
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;

  /// Density at points; out.size() == points.size(). Points are moved to the nearest 1/1024 m. Points that
  /// lie together are sampled together: pass them in runs.
  [[nodiscard]] Status density(std::span<const Point> points, std::span<float> out);
  [[nodiscard]] Result<float> density(const Point& point);
  /// Bounds over a box of at most 512 m in plan and 4096 m in height.
  [[nodiscard]] Result<Bounds> bounds(const Box& box);

 private:
  struct Impl;
  explicit Sampler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace voxelforge
