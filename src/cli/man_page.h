// The man page: the help text as roff.
#pragma once

#include <string>
#include <string_view>

#include "rules/catalogue.h"

namespace ptofix::cli {

std::string man_page(std::string_view help, std::string_view version, rules::Language language);

}  // namespace ptofix::cli
