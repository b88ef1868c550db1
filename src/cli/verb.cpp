#include "cli/verb.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vf::cli {

namespace {

/// CLI11 knows only exceptions; run_command_line turns this one back into a message.
void throw_if_bad(const Status& status) {
  if (!status) throw CLI::Error("Argument", status.error().message, static_cast<int>(status.error().code));
}

}  // namespace

Verb Verb::verb(const std::string& name, const std::string& help) const {
  return Verb(*app_->add_subcommand(name, help));
}

void Verb::require_verb() const {
  app_->require_subcommand(1);
}

void Verb::on_chosen(std::function<void()> body) const {
  app_->callback(std::move(body));
}

void Verb::world(std::string& target) const {
  word("WORLD", target, "world file, recipe file, or type:ID");
}

void Verb::word(const std::string& name, std::string& target, const std::string& help) const {
  app_->add_option(name, target, help)->required();
}

void Verb::text(const std::string& flags, std::string& target, const std::string& help,
                const std::string& form) const {
  CLI::Option* option = app_->add_option(flags, target, help)->type_name(form);
  if (!target.empty()) option->capture_default_str();
}

void Verb::flag(const std::string& flags, bool& target, const std::string& help) const {
  app_->add_flag(flags, target, help);
}

void Verb::checked(const std::string& flags, const std::string& help,
                   std::function<Status(const std::string&)> read, const std::string& form) const {
  app_->add_option_function<std::string>(
          flags, [read = std::move(read)](const std::string& text) { throw_if_bad(read(text)); }, help)
      ->type_name(form);
}

void Verb::checked_each(const std::string& flags, const std::string& help,
                        std::function<Status(const std::string&)> read, const std::string& form) const {
  app_->add_option_function<std::vector<std::string>>(
          flags,
          [read = std::move(read)](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) throw_if_bad(read(text));
          },
          help)
      ->type_name(form)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Verb::require(const std::string& flag) const {
  app_->get_option(flag)->required();
}

void Verb::exclude(const std::string& flag, const std::string& other) const {
  app_->get_option(flag)->excludes(app_->get_option(other));
}

}  // namespace vf::cli
