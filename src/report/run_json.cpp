#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "report/run_report.h"

namespace ptofix::report {

std::string json_of(const RunReport& run) {
    std::vector<JsonFragment> fragments;
    fragments.reserve(run.files.size() + run.others.size() + run.problems.size());
    std::map<std::string_view, const Problem*> by_path;
    for (const Problem& problem : run.problems) by_path.emplace(problem.path, &problem);
    std::set<const Problem*> told;
    for (const FileReport& file : run.files) {
        const auto problem = by_path.find(file.path);
        fragments.push_back(json_of(file, problem == by_path.end() ? nullptr : problem->second));
        if (problem != by_path.end()) told.insert(problem->second);
    }
    for (const std::string& path : run.others) {
        FileReport nothing;
        nothing.path = path;
        fragments.push_back(json_of(nothing));
    }
    for (const Problem& problem : run.problems) {
        if (!told.contains(&problem)) fragments.push_back(json_of(problem));
    }
    std::ranges::stable_sort(fragments, {}, &JsonFragment::path);
    return json_document(run.version, fragments, run.fixing, run.has_baseline ? &run.absent : nullptr, run.shard);
}

}  // namespace ptofix::report
