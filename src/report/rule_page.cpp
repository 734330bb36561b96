#include "report/rule_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/view.h"
#include "rules/messages.h"
#include "text/display_width.h"

namespace ptofix::report {

namespace {

using rules::Language;
using rules::Rule;

std::string words(std::string_view id, Language language) {
    return rules::render({id, {}}, language);
}

std::string severity_word(rules::Severity severity, Language language) {
    return words(fmt::format("report.{}", to_string(severity)), language);
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with('\n')) text.remove_prefix(1);
    while (text.ends_with('\n')) text.remove_suffix(1);
    return text;
}

void section(std::string& out, std::string_view title, std::string_view text) {
    if (trimmed(text).empty()) return;
    out += fmt::format("\n## {}\n\n{}\n", title, trimmed(text));
}

/// "PTO201.md" and "PTO201.zh.md".
std::string file_name(std::string_view stem, Language language) {
    return fmt::format("{}{}.md", stem, language == Language::zh ? ".zh" : "");
}

std::string index_page(Language language) {
    const Language other = language == Language::zh ? Language::en : Language::zh;
    std::string out = fmt::format("# {}\n\n[{}]({})\n\n", words("docs.title", language), words("docs.language", other),
                                  file_name("README", other));
    out += fmt::format("| {} | {} | {} |\n|---|---|---|\n", words("docs.rule", language),
                       words("docs.severity", language), words("docs.finds", language));
    for (const Rule& rule : rules::catalogue()) {
        out += fmt::format("| [{} {}]({}) | {} | {} |\n", rule.id, rule.name, file_name(rule.id, language),
                           severity_word(rule.severity, language),
                           language == Language::zh ? rule.summary_zh : rule.summary_en);
    }
    return out + fmt::format("\n{}\n", words("docs.generated", language));
}

}  // namespace

std::string rule_page(const Rule& rule, Language language) {
    const rules::Page& page = language == Language::zh ? rule.zh : rule.en;
    const bool chinese = language == Language::zh;
    const std::string_view colon = chinese ? "：" : ": ", stop = chinese ? "。" : ". ",
                           comma = chinese ? "`、`" : "`, `";
    std::string out = fmt::format("# {} {}\n\n{}{}{}{}", rule.id, rule.name, severity_word(rule.severity, language),
                                  colon, chinese ? rule.summary_zh : rule.summary_en, stop);
    if (!rule.codes.empty()) {
        out += fmt::format("{}{}`{}`{}", words("docs.codes", language), colon, fmt::join(rule.codes, comma), stop);
    }
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
    section(out, words("docs.what", language), page.what);
    section(out, words("docs.why", language), page.why);
    section(out, words("docs.fix", language), page.fix);
    section(out, words("docs.silent", language), page.silent);
    for (const rules::Example& example : rule.examples) {
        out += fmt::format("\n## {}\n\n```python\n{}\n```\n", words("docs.example", language), trimmed(example.before));
        const bool from_log = !example.log.empty();
        if (from_log)
            out += fmt::format("\n{}\n\n```text\n{}\n```\n", words("docs.log", language), trimmed(example.log));
        if (trimmed(example.after).empty()) continue;
        const std::string options = example.arguments.empty() ? "" : fmt::format(" {}", example.arguments);
        out += fmt::format(
            "\n{}\n\n```python\n{}\n```\n",
            rules::render({from_log ? "docs.after.log" : "docs.after", rules::Data().set("options", options)},
                          language),
            trimmed(example.after));
    }
    return out;
}

std::string rule_table(Language language) {
    std::size_t name_width = 0;
    std::uint32_t severity_width = 0;
    for (const Rule& rule : rules::catalogue()) {
        name_width = std::max(name_width, rule.name.size());
        severity_width = std::max(severity_width, text::display_width(severity_word(rule.severity, language)));
    }
    std::string out;
    for (const Rule& rule : rules::catalogue()) {
        const std::string severity = severity_word(rule.severity, language);
        const std::string pad(severity_width - text::display_width(severity), ' ');
        out += fmt::format("{}  {:<{}}  {}{}  {}\n", rule.id, rule.name, name_width, severity, pad,
                           language == Language::zh ? rule.summary_zh : rule.summary_en);
    }
    return out;
}

std::vector<DocsFile> rule_docs() {
    std::vector<DocsFile> files;
    for (const Language language : {Language::en, Language::zh}) {
        files.push_back({file_name("README", language), index_page(language)});
        for (const Rule& rule : rules::catalogue()) {
            files.push_back({file_name(rule.id, language), rule_page(rule, language)});
        }
    }
    return files;
}

}  // namespace ptofix::report
