// What the command line is told when it cannot be followed: a message in its language, and exit code 2.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/options.h"
#include "rules/finding.h"

namespace ptofix::cli {

class Refusal {
  public:
    explicit Refusal(rules::Language language) : language_(language) {}

    Leave operator()(std::string_view id, rules::Data data = {}) const;
    Leave unknown_option(const std::string& option, std::span<const std::string_view> known) const;
    Leave unknown_rule(const std::string& rule) const;
    /// The message tells of one option.
    Leave of_option(std::string_view id, std::string_view option) const;
    Leave bad_value(std::string_view option, const std::string& value, std::span<const std::string_view> known) const;

  private:
    rules::Language language_;
};

}  // namespace ptofix::cli
