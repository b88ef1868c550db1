// Any bytes as a recipe, and what parses through the field builder.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "field/builder.h"
#include "fuzz/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  vf::Notes notes;
  const vf::Result<vf::Recipe> recipe = vf::parse_recipe("f", text, vf::fuzz::base_loader(text), {}, notes);
  if (!recipe) return 0;
  const vf::Result<vf::BuiltRecipe> built =
      vf::build_recipe(std::make_shared<const vf::Recipe>(*recipe), notes);
  if (!built) {
    VF_CHECK(!built.error().message.empty());
    return 0;
  }
  VF_CHECK(built->density != nullptr && !built->density->outputs.empty());
  VF_CHECK(built->density->nodes.size() <= static_cast<std::size_t>(vf::kRecipeLimits.nodes));
  VF_CHECK(built->places.size() == recipe->features.size());
  VF_CHECK(built->lights.size() == recipe->lights.size());
  return 0;
}
