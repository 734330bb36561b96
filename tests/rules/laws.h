// What must hold of every case of fixtures/, whatever its rule: the laws of the engine's fixes. Called by main.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fixing/fix_all.h"
#include "fixture.h"

namespace rule_tests {

struct Failure {
    std::string law;
    std::string what;
};

/// What the program makes of a case.
struct Outcome {
    std::vector<ptofix::fixing::Analysis> before;
    std::vector<Expected> found;  // before, sorted
    ptofix::fixing::FixResult result;
    std::map<std::string, std::string> fixed;  // by path, only what changed
};

Outcome run(const Fixture& fixture, const ptofix::fixing::Pipeline& pipeline);

/// Every broken law, the expectations of the sidecar first.
std::vector<Failure> check_laws(const Fixture& fixture, const Outcome& outcome,
                                const ptofix::fixing::Pipeline& pipeline);

}  // namespace rule_tests
