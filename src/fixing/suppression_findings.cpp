#include "fixing/suppression_findings.h"

#include <algorithm>
#include <string>

#include "fixing/directive_marks.h"
#include "rules/nearest.h"

namespace ptofix::fixing {

namespace {

using text::Range;

constexpr std::string_view kBlanks = " \t";

std::string_view slice(std::string_view text, Range range) {
    return text.substr(range.start, range.size());
}

std::uint32_t back_over_blanks(std::string_view text, std::uint32_t at) {
    while (at > 0 && kBlanks.contains(text[at - 1])) --at;
    return at;
}

std::uint32_t over_blanks(std::string_view text, std::uint32_t at, std::uint32_t end) {
    return static_cast<std::uint32_t>(skip_marks(text.substr(0, end), at, kBlankMarks));
}

/// Is anything in this range that is neither a blank nor a comma?
bool has_word(std::string_view text, Range range) {
    std::size_t at = range.start;
    while (at < range.end) {
        const std::size_t size = std::max(mark_at(text, at, kBlankMarks), mark_at(text, at, kCommaMarks));
        if (size == 0) return true;
        at += size;
    }
    return false;
}

/// The range to delete so that `directive` leaves its comment, and with it the comment if no other word is in it.
Range without_directive(std::string_view text, Range comment, Range directive) {
    const std::string_view before = slice(text, {comment.start, directive.start});
    const std::string_view after = slice(text, {directive.end, comment.end});
    constexpr std::string_view kNoWords = "# \t\r-:";
    const std::size_t reason = skip_marks(after, 0, kColonMarks);
    if (after.substr(reason).find_first_not_of(kNoWords) != std::string_view::npos) {
        return {directive.start, over_blanks(text, directive.end, comment.end)};
    }
    if (before.find_first_not_of(kNoWords) != std::string_view::npos) {
        const std::size_t hash = before.rfind('#');
        return {back_over_blanks(text, comment.start + static_cast<std::uint32_t>(hash)), directive.end};
    }
    const std::uint32_t code_end = back_over_blanks(text, comment.start);
    const bool alone = code_end == 0 || text[code_end - 1] == '\n' || text[code_end - 1] == '\r';
    if (!alone) return {code_end, comment.end};
    std::uint32_t line_end = comment.end;
    if (line_end < text.size() && text[line_end] == '\r') ++line_end;
    if (line_end < text.size() && text[line_end] == '\n') ++line_end;
    return {code_end, line_end};
}

/// The range to delete so that one id leaves the brackets, and with the last id the whole directive.
Range without_rule(std::string_view text, Range comment, Range directive, Range list, Range word) {
    if (has_word(text, {word.end, list.end})) {
        const std::size_t comma = find_mark(text, word.end, kCommaMarks);
        const auto next = static_cast<std::uint32_t>(comma + mark_at(text, comma, kCommaMarks));
        return {word.start, over_blanks(text, next, list.end)};
    }
    if (has_word(text, {list.start, word.start})) {
        std::uint32_t comma = list.start;
        for (std::size_t at = comma; (at = find_mark(text, at, kCommaMarks)) < word.start; ++at) {
            comma = static_cast<std::uint32_t>(at);
        }
        return {comma, word.end};
    }
    return without_directive(text, comment, directive);
}

rules::Rewrite removal(std::uint16_t file, Range range, std::string_view rule) {
    rules::Fix fix;
    // That a suppression serves no purpose may hold in this file's own analysis alone.
    fix.applicability = rules::Applicability::unsafe;
    fix.description.id = "PTO001.fix.remove";
    fix.description.data.set("rule", std::string(rule));
    fix.edits.push_back({file, range, ""});
    fix.removes_comments = true;
    rules::Rewrite rewrite;
    rewrite.fix = std::move(fix);
    return rewrite;
}

rules::Text message_of(const MalformedSuppression& malformed, std::string_view text) {
    using Why = MalformedSuppression::Why;
    const std::string written(slice(text, malformed.range));
    rules::Text message;
    switch (malformed.why) {
        case Why::unknown_verb:
        case Why::unclosed_bracket:
            message.id = "PTO001.found.malformed";
            message.data.set("detail", written);
            break;
        case Why::no_brackets:
        case Why::no_rule:
            message.id = "PTO001.found.no_rules";
            break;
        case Why::unknown_rule:
            message.id = "PTO001.found.unknown_rule";
            message.data.set("rule", written);
            if (const auto near = rules::nearest_rule(written)) {
                message.id = "PTO001.found.unknown_rule_near";
                message.data.set("near", std::string(*near));
            }
            break;
    }
    return message;
}

}  // namespace

std::vector<SuppressionProblem> suppression_problems(
    const Suppressions& suppressions, std::string_view text, std::uint16_t file,
    const std::function<bool(const Suppression&, std::string_view rule)>& is_unused) {
    std::vector<SuppressionProblem> problems;
    const auto add = [&](rules::Severity severity, Range range) -> SuppressionProblem& {
        SuppressionProblem& problem = problems.emplace_back();
        problem.finding.rule = kInvalidSuppression;
        problem.finding.severity = severity;
        problem.finding.location = {file, range};
        return problem;
    };
    for (const MalformedSuppression& malformed : suppressions.malformed()) {
        SuppressionProblem& problem = add(rules::Severity::warning, malformed.range);
        problem.finding.message = message_of(malformed, text);
        if (malformed.why == MalformedSuppression::Why::unknown_rule) {
            problem.rewrite = removal(
                file, without_rule(text, malformed.comment, malformed.directive, malformed.list, malformed.range),
                slice(text, malformed.range));
        }
    }
    for (const Suppression& item : suppressions.items()) {
        for (std::size_t i = 0; i < item.rules.size(); ++i) {
            if (!is_unused(item, item.rules[i])) continue;
            SuppressionProblem& problem = add(rules::Severity::info, item.rule_ranges[i]);
            problem.finding.message.id = rules::kUnusedSuppression;
            problem.finding.message.data.set("rule", std::string(item.rules[i]));
            problem.rewrite = removal(
                file, without_rule(text, item.comment, item.range, item.list, item.rule_ranges[i]), item.rules[i]);
        }
    }
    return problems;
}

}  // namespace ptofix::fixing
