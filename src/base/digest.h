// XXH3-128 over canonical bytes. Values enter little-endian; -0 is folded into +0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace vf {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// 32 lower-case hex digits.
[[nodiscard]] std::string to_hex(const Digest& digest);

/// Feeds a digest piece by piece. Not thread-safe.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  void add_bytes(std::span<const std::byte> bytes);
  void add(std::uint64_t value);
  void add(float value);
  void add(std::span<const float> values);
  void add(std::string_view text);  ///< length first, then the bytes
  void add(const Digest& digest);   ///< high half, low half
  [[nodiscard]] Digest finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] Digest digest_of(std::string_view text);
/// Of these bytes and nothing else: what other tools call the XXH3-128 of a file.
[[nodiscard]] Digest digest_of_bytes(std::span<const std::byte> bytes);

}  // namespace vf
