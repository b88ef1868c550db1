#include "base/digest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/check.h"

namespace vf {

static_assert(std::endian::native == std::endian::little, "digests hash little-endian bytes in place");

struct Digester::State {
  XXH3_state_t* xxh = XXH3_createState();
};

std::string to_hex(const Digest& digest) {
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

Digester::Digester() : state_(std::make_unique<State>()) {
  VF_CHECK(state_->xxh != nullptr);
  VF_CHECK(XXH3_128bits_reset(state_->xxh) == XXH_OK);
}

Digester::~Digester() {
  XXH3_freeState(state_->xxh);
}

void Digester::add_bytes(std::span<const std::byte> bytes) {
  VF_CHECK(XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size()) == XXH_OK);
}

void Digester::add(std::uint64_t value) {
  add_bytes(std::as_bytes(std::span(&value, 1)));
}

void Digester::add(const Digest& digest) {
  add(digest.high);
  add(digest.low);
}

void Digester::add(float value) {
  const float folded = value == 0.0F ? 0.0F : value;
  add_bytes(std::as_bytes(std::span(&folded, 1)));
}

void Digester::add(std::span<const float> values) {
  std::array<float, 256> folded{};
  while (!values.empty()) {
    const std::size_t n = values.size() < folded.size() ? values.size() : folded.size();
    for (std::size_t i = 0; i < n; ++i) folded[i] = values[i] == 0.0F ? 0.0F : values[i];
    add_bytes(std::as_bytes(std::span(folded.data(), n)));
    values = values.subspan(n);
  }
}

void Digester::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  add_bytes(std::as_bytes(std::span(text.data(), text.size())));
}

Digest Digester::finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
  return {hash.high64, hash.low64};
}

Digest digest_of(std::string_view text) {
  Digester digester;
  digester.add(text);
  return digester.finish();
}

Digest digest_of_bytes(std::span<const std::byte> bytes) {
  Digester digester;
  digester.add_bytes(bytes);
  return digester.finish();
}

}  // namespace vf
