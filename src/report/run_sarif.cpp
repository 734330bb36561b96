#include "report/run_report.h"
#include "report/sarif.h"

namespace ptofix::report {

std::string sarif_of(const RunReport& run) {
    SarifRun out;
    out.version = run.version;
    out.homepage = run.homepage;
    out.language = run.language;
    out.rules = run.rules;
    out.problems.assign(run.problems.begin(), run.problems.end());
    out.exit_code = run.exit_code;
    out.shard = run.shard;
    out.in_repository = run.in_repository;
    for (const FileReport& file : run.files) {
        out.artifacts.push_back(sarif_artifact(file));
        for (const FindingView& finding : file.findings) out.results.push_back(sarif_result(file, finding));
        for (const FindingView& finding : file.silenced) out.results.push_back(sarif_result(file, finding));
    }
    for (const AbsentView& gone : run.absent) {
        SarifResult result;
        result.rule = gone.rule;
        result.severity = gone.severity;
        result.message = gone.message;
        result.place = {gone.path, {.line = gone.line}, {}};
        result.fingerprint = gone.fingerprint;
        result.state = SarifState::absent;
        out.results.push_back(std::move(result));
    }
    return sarif_document(out);
}

}  // namespace ptofix::report
