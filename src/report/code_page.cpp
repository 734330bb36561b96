#include "report/code_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/messages.h"

namespace ptofix::report {

namespace {

using rules::Code;
using rules::Language;

std::string words(std::string_view id, Language language) {
    return rules::render({id, {}}, language);
}

std::string file_name(std::string_view stem, Language language) {
    return fmt::format("{}{}.md", stem, language == Language::zh ? ".zh" : "");
}

const rules::CodePage& page_of(const Code& code, Language language) {
    return language == Language::zh ? code.zh : code.en;
}

std::string index_page(Language language) {
    const Language other = language == Language::zh ? Language::en : Language::zh;
    std::string out = fmt::format("# {}\n\n[{}]({})\n\n", words("docs.codes_title", language),
                                  words("docs.language", other), file_name("README", other));
    out += fmt::format("| {} | {} | {} |\n|---|---|---|\n", words("docs.code", language),
                       words("docs.code_means", language), words("docs.rule", language));
    for (const Code& code : rules::codes()) {
        out += fmt::format("| [{}]({}) | {} | {} |\n", code.id, file_name(code.id, language),
                           page_of(code, language).title, fmt::join(code.rules, ", "));
    }
    return out + fmt::format("\n{}\n", words("docs.generated", language));
}

}  // namespace

std::string code_page(const Code& code, Language language) {
    const rules::CodePage& page = page_of(code, language);
    std::string out = fmt::format("# {}{}{}\n\n{}\n", code.id, code.name.empty() ? "" : " ", code.name, page.title);
    if (!code.also.empty()) {
        out += fmt::format("\n{}: `{}`.\n", words("docs.codes", language), fmt::join(code.also, "`, `"));
    }
    out += fmt::format("\n```text\n{}\n```\n", code.example);
    out += fmt::format("\n## {}\n\n{}\n", words("docs.code_what", language), page.what);
    out += fmt::format("\n## {}\n\n{}\n", words("docs.code_cause", language), page.cause);
    out += fmt::format("\n## {}\n\n{}\n", words("docs.code_cure", language), page.cure);
    if (code.rules.empty()) return out;
    out += fmt::format("\n## {}\n\n", words("docs.code_rules", language));
    for (const std::string_view id : code.rules) {
        const rules::Rule* rule = rules::find_rule(id);
        if (rule == nullptr) continue;
        out += fmt::format("- {} {}: {}\n", rule->id, rule->name,
                           language == Language::zh ? rule->summary_zh : rule->summary_en);
    }
    return out;
}

std::vector<DocsFile> code_docs() {
    std::vector<DocsFile> files;
    for (const Language language : {Language::en, Language::zh}) {
        files.push_back({file_name("README", language), index_page(language)});
        for (const Code& code : rules::codes())
            files.push_back({file_name(code.id, language), code_page(code, language)});
    }
    return files;
}

}  // namespace ptofix::report
