// What a report shows of a diagnosed log: its verdicts in words, tied to findings of the kernels that were given.
// Filled by the command line; diagnosis_text.cpp, diagnosis_json.cpp and diagnosis_sarif.cpp lay it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"
#include "report/sarif.h"
#include "report/text.h"
#include "report/view.h"

namespace ptofix::report {

struct LogMessageView {
    std::uint64_t line = 0;
    std::uint64_t count = 1;
    std::string code, text;
};

struct ShapeView {
    std::string dtype;
    std::int64_t elements = 0;
    std::vector<std::int64_t> shape;
    bool printed = false;  // by the log itself
};

struct MatchView {
    std::string path;
    std::uint32_t line = 0, column = 0;
    std::uint32_t cell = 0;       // of a notebook; 0: it is none
    std::uint32_t file_line = 0;  // as the file is on disk
    std::string kernel, operation, step, dtype;
    std::vector<std::int64_t> shape, tile;
    std::optional<std::uint32_t> tile_line;
    std::string with;  // "x.shape[0] = 2": what an open size has to be for it; may be empty
};

struct VerdictView {
    std::string_view kind, together, confidence;  // stable words
    std::string confidence_words;
    std::string code, pool, stage, pass, function;
    std::vector<LogMessageView> messages;  // the one it is about first
    std::uint64_t line = 0;                // of the log
    std::optional<std::int64_t> bytes, limit;
    std::string operation;
    std::string headline;
    std::vector<std::string> reasons, no_use, advice;
    std::vector<ShapeView> shapes;
    std::vector<MatchView> matches;
    struct FindingAt {
        std::size_t file = 0, finding = 0;  // DiagnosisReport::files and its findings
    };
    std::vector<FindingAt> findings;
};

struct DiagnosisReport {
    std::string log;  // as it is shown
    std::uint64_t lines = 0, bytes = 0;
    std::vector<VerdictView> verdicts;  // by cause
    std::vector<std::string> notes;     // about the log as a whole
    std::vector<std::string> hints;     // what to run next
    std::vector<FileReport> files;
};

/// A colleague's answer, about ten lines a verdict.
std::string text_of(const DiagnosisReport& report, const TextStyle& style);
std::string json_of(std::string_view version, const DiagnosisReport& report, const std::vector<Problem>& problems,
                    const FixingView* fixing);
/// SARIF 2.1.0, with the log's lines as related locations. `run`: what it says beside the results.
std::string sarif_of(SarifRun run, const DiagnosisReport& report);

}  // namespace ptofix::report
