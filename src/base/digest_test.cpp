#include "base/digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace vf {
namespace {

Digest digest_of_floats(std::span<const float> values) {
  Digester digester;
  digester.add(values);
  return digester.finish();
}

// XXH3-128 of nothing, as its specification's implementation gives it.
TEST(Digest, OfNothingIsXxh3s) {
  EXPECT_EQ(to_hex(Digester().finish()), "99aa06d3014798d86001c324468d497f");
}

TEST(Digest, ValuesArePinned) {
  Digester digester;
  digester.add(std::uint64_t{0x0123456789ABCDEFULL});
  digester.add(1.5F);
  digester.add("stratum");
  EXPECT_EQ(to_hex(digester.finish()), "6e8a35f90a0ad27f5fd99c8bb4c62e73");
}

TEST(Digest, FoldsNegativeZero) {
  const std::array<float, 3> plus{0.0F, 1.0F, 0.0F}, minus{-0.0F, 1.0F, -0.0F};
  EXPECT_EQ(digest_of_floats(plus), digest_of_floats(minus));
  Digester one, other;
  one.add(0.0F);
  other.add(-0.0F);
  EXPECT_EQ(one.finish(), other.finish());
}

TEST(Digest, SeesTheLastBitOfEveryValue) {
  std::vector<float> values(1000, 0.25F);
  const Digest before = digest_of_floats(values);
  for (const std::size_t i : {std::size_t{0}, std::size_t{255}, std::size_t{256}, std::size_t{999}}) {
    std::vector<float> changed = values;
    changed[i] = std::nextafter(changed[i], 1.0F);
    EXPECT_NE(digest_of_floats(changed), before) << "value " << i;
  }
}

TEST(Digest, KeepsDenormals) {
  const float denormal = std::numeric_limits<float>::denorm_min();
  EXPECT_NE(digest_of_floats(std::span(&denormal, 1)), digest_of_floats(std::array<float, 1>{0.0F}));
}

TEST(Digest, DoesNotDependOnHowValuesAreCutUp) {
  std::vector<float> values(777);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) - 300.0F;
  Digester pieces;
  for (std::size_t at = 0; at < values.size(); at += 50)
    pieces.add(std::span<const float>(values).subspan(at, std::min<std::size_t>(50, values.size() - at)));
  EXPECT_EQ(pieces.finish(), digest_of_floats(values));
}

TEST(Digest, TellsWhereOneTextEndsAndTheNextBegins) {
  Digester one, other;
  one.add("ab"), one.add("c");
  other.add("a"), other.add("bc");
  EXPECT_NE(one.finish(), other.finish());
}

}  // namespace
}  // namespace vf
