#include "cli/engine.h"

namespace ptofix::cli {

namespace {

report::FileReport empty_report(const Input& input) {
    report::FileReport report;
    report.path = input.path;
    report.files = {*input.source};
    return report;
}

}  // namespace

Answer check(std::span<const Input> inputs, const EngineOptions&) {
    Answer answer;
    for (const Input& input : inputs) answer.reports.push_back(empty_report(input));
    return answer;
}

FixAnswer fix(std::span<const Input> inputs, const EngineOptions&) {
    FixAnswer answer;
    for (const Input& input : inputs) answer.reports.push_back(empty_report(input));
    return answer;
}

}  // namespace ptofix::cli
