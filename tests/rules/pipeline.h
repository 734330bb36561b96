// The stages that the cases run through: those of the program.
#pragma once

#include "fixing/registry.h"

namespace rule_tests {

const ptofix::fixing::Pipeline& pipeline();

}  // namespace rule_tests
