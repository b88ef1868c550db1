// JSON for scripts: keys in the order they were written, two spaces.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace vf::cli {

using Json = nlohmann::ordered_json;

/// Prints a value and a line end. Text that is not UTF-8 is shown with replacement characters.
inline void print_json(const Json& value) {
  fmt::print(stdout, "{}\n", value.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace vf::cli
