// A verb of the command line and its options. CLI11 stays behind it: its header alone costs seconds a source.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 has it
class App;
}

namespace vf::cli {

/// A handle, as cheap as a pointer: copies are the same verb. The command line that it came from must live,
/// and so must every target, until the words are parsed.
class Verb {
 public:
  explicit Verb(CLI::App& app) : app_(&app) {}

  /// A verb of this one, as `view` in `bench view`.
  [[nodiscard]] Verb verb(const std::string& name, const std::string& help) const;
  /// One of its verbs must be said.
  void require_verb() const;
  /// Called once the words are parsed, when this verb is the one.
  void on_chosen(std::function<void()> body) const;

  /// The world that most verbs work on; must be given.
  void world(std::string& target) const;
  /// A word in its place; must be given.
  void word(const std::string& name, std::string& target, const std::string& help) const;
  /// `form` stands for the value in the help: FILE. What stands in the target is the default, and shown if
  /// any.
  void text(const std::string& flags, std::string& target, const std::string& help,
            const std::string& form) const;
  void flag(const std::string& flags, bool& target, const std::string& help) const;
  /// An option whose text `read` checks: an error ends the parsing with exit 2 and its message.
  void checked(const std::string& flags, const std::string& help,
               std::function<Status(const std::string&)> read, const std::string& form) const;

  /// The same, of an option that may be given several times: `read` is called for each, in order.
  void checked_each(const std::string& flags, const std::string& help,
                    std::function<Status(const std::string&)> read, const std::string& form) const;

  /// Of options that were added before.
  void require(const std::string& flag) const;
  void exclude(const std::string& flag, const std::string& other) const;

 private:
  CLI::App* app_;
};

}  // namespace vf::cli
