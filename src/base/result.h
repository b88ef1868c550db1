// A value or an error. The names follow std::expected, which C++20 does not have yet.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace vf {

/// What kind of trouble; decides the exit code of the command line.
enum class ErrorCode : std::uint8_t {
  kBadInput,  ///< the caller's text or arguments; exit 2
  kIo,        ///< a file or folder; exit 3
  kResource,  ///< memory, disk or a stated limit of the machine; exit 3
};

/// Where in the author's text. Line and column count from 1; 0 means unknown.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// "file:line:column", leaving out what is unknown.
[[nodiscard]] std::string to_string(const Place& place);

struct Error {
  ErrorCode code = ErrorCode::kBadInput;
  Place place;
  std::string message;  ///< what is wrong, what was expected, the nearest known name

  /// "file:line:column: message"
  [[nodiscard]] std::string text() const;
};

template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose, as with std::expected: `return value;` and `return error;` both read well.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  [[nodiscard]] T& value() & { return checked(); }
  [[nodiscard]] const T& value() const& {
    VF_CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && { return std::move(checked()); }
  [[nodiscard]] const Error& error() const {
    VF_CHECK(!has_value());
    return *std::get_if<1>(&state_);
  }

  T& operator*() & { return checked(); }
  T&& operator*() && { return std::move(checked()); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &value(); }

 private:
  T& checked() {
    VF_CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

/// A Result that carries no value.
struct Unit {};
using Status = Result<Unit>;

}  // namespace vf
