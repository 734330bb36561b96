#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "report/diagnosis_view.h"
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
}

}  // namespace

std::string sarif_of(std::string_view version, const DiagnosisReport& report, rules::Language language) {
    std::vector<SarifResult> results;
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
            results.push_back(std::move(result));
        }
        if (!verdict.findings.empty()) continue;
        // Nothing in the given files: the log itself is the place.
        SarifResult result;
        result.rule = verdict.code.empty() ? std::string(verdict.kind) : verdict.code;
        result.severity = rules::Severity::error;
        result.message = message_of(verdict, {});
        for (const std::string& advice : verdict.advice) result.message += " " + advice;
        result.place = {report.log, {.line = verdict.line}, {}};
        add_log(report, verdict, result);
        results.push_back(std::move(result));
    }
    return sarif_document({.version = version, .language = language, .results = std::move(results)});
}

}  // namespace ptofix::report
