// The tables that make up the catalogue of codes, one for each kind. Read by codes.cpp alone.
#pragma once

#include <span>
#include <vector>

#include "rules/codes.h"

namespace ptofix::rules {

std::span<const Code> codes_of_memory();
std::span<const Code> codes_of_tiles();
std::span<const Code> codes_of_compiling();
std::span<const Code> codes_of_calls();

}  // namespace ptofix::rules
