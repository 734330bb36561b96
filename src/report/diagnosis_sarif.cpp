#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "report/diagnosis_view.h"
#include "report/fingerprint.h"
#include "report/sarif.h"

namespace ptofix::report {

namespace {

SarifPlace log_place(const DiagnosisReport& report, const LogMessageView& message) {
    return {report.log, {.line = message.line}, message.text};
}

/// Everything that a person should read of the verdict, beside the finding's own message.
std::string message_of(const VerdictView& verdict, const std::string& own) {
    std::string out = own.empty() ? verdict.headline : own + " " + verdict.headline;
    for (const std::string& reason : verdict.reasons) out += " " + reason;
    return out;
}

void add_log(const DiagnosisReport& report, const VerdictView& verdict, SarifResult& result) {
    for (const LogMessageView& message : verdict.messages) result.related.push_back(log_place(report, message));
    // A log that ends in silence has no message to point at: where it was last heard of.
    if (verdict.messages.empty()) result.related.push_back({report.log, {.line = verdict.line}, verdict.headline});
}

/// Nothing of it is a finding: what the kernel does where the log is tied to it, or else the log itself is the place.
SarifResult result_of(const DiagnosisReport& report, const VerdictView& verdict) {
    SarifResult result;
    result.rule = verdict.code.empty() ? std::string(verdict.kind) : verdict.code;
    result.severity = rules::Severity::error;
    result.message = message_of(verdict, {});
    for (const std::string& advice : verdict.advice) result.message += " " + advice;
    result.place = {report.log, {.line = verdict.line}, {}};
    if (verdict.matches.size() == 1) {
        const MatchView& match = verdict.matches.front();
        result.place = {match.path, {.line = match.file_line}, {}, match.kernel, match.cell};
    }
    add_log(report, verdict, result);
    std::vector<std::string_view> words{result.rule};
    for (const LogMessageView& message : verdict.messages) words.push_back(message.text);
    result.fingerprint = fingerprint_of(words);
    return result;
}

}  // namespace

std::string sarif_of(SarifRun run, const DiagnosisReport& report) {
    run.artifacts.push_back({report.log, report.bytes, {}, {}});
    for (const FileReport& file : report.files) run.artifacts.push_back(sarif_artifact(file));
    for (const VerdictView& verdict : report.verdicts) {
        for (const VerdictView::FindingAt& at : verdict.findings) {
            const FileReport& file = report.files[at.file];
            const FindingView& finding = file.findings[at.finding];
            SarifResult result = sarif_result(file, finding);
            result.message = message_of(verdict, finding.message);
            std::vector<SarifPlace> places = std::move(result.related);
            result.related.clear();
            add_log(report, verdict, result);
            std::ranges::move(places, std::back_inserter(result.related));
            run.results.push_back(std::move(result));
        }
        if (verdict.findings.empty()) run.results.push_back(result_of(report, verdict));
    }
    return sarif_document(run);
}

}  // namespace ptofix::report
