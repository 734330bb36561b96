// JUnit's XML, as test dashboards read it: a suite for each file, a failed test case for each finding, a case that
// passes for a file without one, an error for a file that could not be read.
#include <fmt/format.h>

#include <cstdint>
#include <map>

#include "report/run_report.h"
#include "text/cell_place.h"
#include "text/utf8.h"

namespace ptofix::report {

namespace {

/// XML 1.0 has no way to write most control characters, surrogates or U+FFFE: they become U+FFFD.
bool may_be_in_xml(char32_t c) {
    constexpr char32_t kNotCharacters = 0xFFFE;
    return c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c < 0xD800) || (c > 0xDFFF && c < kNotCharacters) ||
           (c > 0xFFFF && c <= 0x10FFFF);
}

void escape_ascii(std::string& out, char c) {
    switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\n':  // an attribute would lose it
            out += "&#10;";
            break;
        case '\r':
            out += "&#13;";
            break;
        case '\t':
            out += "&#9;";
            break;
        default:
            out += c;
    }
}

std::string escaped(std::string_view text) {
    constexpr char32_t kFirstC1 = 0x7F;
    constexpr char32_t kLastC1 = 0x9F;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const text::CodePoint c = text::code_point_at(text, at);
        if (!may_be_in_xml(c.value) || c.value == text::kReplacementCharacter) {
            out += "\uFFFD";
        } else if (c.value >= kFirstC1 && c.value <= kLastC1) {
            out += fmt::format("&#{};", static_cast<std::uint32_t>(c.value));  // a terminal would obey it
        } else if (c.size == 1) {
            escape_ascii(out, text[at]);
        } else {
            out += text.substr(at, c.size);
        }
        at += c.size;
    }
    return out;
}

struct Suite {
    std::string cases;
    std::uint32_t tests = 0, failures = 0, errors = 0;
};

void add_failure(Suite& suite, const RunReport& run, const FileReport& file, const FindingView& finding) {
    const std::string path = path_for_service(run.in_repository, file.paths[finding.primary.file]);
    const text::Source& source = file.files[finding.primary.file];
    const std::string place = text::place_in(source, finding.primary.range.start);
    const std::uint32_t file_line = source.file_positions(finding.primary.range).first.line;
    std::string words = fmt::format("{}:{}: {} {} {}: {}", path, place, to_string(finding.severity), finding.rule,
                                    finding.name, finding.message);
    if (!finding.why.empty()) words += "\n" + finding.why;
    if (finding.fix) words += fmt::format("\n{} ({})", finding.fix->description, to_string(finding.fix->applicability));
    if (finding.blocked) words += "\n" + finding.blocked->reason;
    suite.cases += fmt::format(
        "    <testcase classname=\"{0}\" name=\"{1} {2}\" file=\"{0}\" line=\"{3}\">\n"
        "      <failure type=\"{4}\" message=\"{5}\">{6}</failure>\n    </testcase>\n",
        escaped(path), finding.rule, place, file_line, to_string(finding.severity), escaped(finding.message),
        escaped(words));
    ++suite.tests;
    ++suite.failures;
}

void add_pass(Suite& suite, std::string_view path) {
    suite.cases += fmt::format("    <testcase classname=\"{0}\" name=\"pto-fix\" file=\"{0}\"/>\n", escaped(path));
    ++suite.tests;
}

void add_error(Suite& suite, const std::string& path, const Problem& problem) {
    suite.cases += fmt::format(
        "    <testcase classname=\"{0}\" name=\"{1}\" file=\"{0}\">\n"
        "      <error type=\"{1}\" message=\"{2}\"/>\n    </testcase>\n",
        escaped(path), escaped(problem.kind), escaped(problem.message));
    ++suite.tests;
    ++suite.errors;
}

}  // namespace

std::string junit_of(const RunReport& run) {
    const auto shown = [&](const std::string& path) { return path_for_service(run.in_repository, path); };
    std::map<std::string, Suite> suites;
    for (const Problem& problem : run.problems) add_error(suites[shown(problem.path)], shown(problem.path), problem);
    for (const FileReport& file : run.files) {
        const std::string path = shown(file.path);
        Suite& suite = suites[path];
        for (const FindingView& finding : file.findings) {
            if (is_shown(finding)) add_failure(suite, run, file, finding);
        }
        if (suite.tests == 0) add_pass(suite, path);
    }
    for (const std::string& other : run.others) {
        const std::string path = shown(other);
        Suite& suite = suites[path];
        if (suite.tests == 0) add_pass(suite, path);
    }
    Suite all;
    std::string text;
    for (const auto& [path, suite] : suites) {
        all.tests += suite.tests;
        all.failures += suite.failures;
        all.errors += suite.errors;
        text += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n{}  </testsuite>\n",
            escaped(path), suite.tests, suite.failures, suite.errors, suite.cases);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"pto-fix\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
        all.tests, all.failures, all.errors, text);
}

}  // namespace ptofix::report
