#include "cli/problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hardware/soc.h"
#include "rules/messages.h"

namespace ptofix::cli {

namespace {

using report::Problem;
using rules::Data;
using rules::in_language;
using rules::Language;

Problem make(const std::string& path, std::string_view kind, Data data, Language language) {
    std::string name = "input.";
    std::ranges::replace_copy(kind, std::back_inserter(name), '-', '_');
    const rules::Message* message = rules::find_message(name);
    data.set("path", path);
    return {path, std::string(kind), message ? rules::render({message->id, std::move(data)}, language) : path};
}

}  // namespace

Problem problem_of(const std::string& path, const text::LoadError& error, Language language) {
    Data data;
    data.set("detail", in_language(error.detail, language))
        .set("offset", static_cast<std::int64_t>(error.offset))
        .set("line", std::int64_t{error.line});
    if (error.kind == text::LoadError::Kind::too_large) {
        data.set("size", static_cast<std::int64_t>(error.offset))
            .set("limit", static_cast<std::int64_t>(error.offset > text::max_bytes(path) ? text::max_bytes(path)
                                                                                         : text::kMaxSourceBytes));
    }
    // What begins with the mark of a foreign encoding is text all the same: the kind is its name.
    const bool is_foreign = error.kind == text::LoadError::Kind::binary && !error.detail.empty();
    return make(path, is_foreign ? error.detail : text::to_string(error.kind), std::move(data), language);
}

Problem problem_of(const std::string& path, const text::WriteError& error, Language language) {
    Data data = Data().set("detail", in_language(error.detail, language));
    if (error.backup.empty()) return make(path, text::to_string(error.kind), std::move(data), language);
    return make(path, "left-in-backup", std::move(data.set("backup", error.backup)), language);
}

Problem problem_of(const std::string& path, const text::Source& source, const text::EncodeError& error,
                   Language language) {
    Data data;
    data.set("character", error.character).set("encoding", std::string(source.encoding_name()));
    return make(path, text::to_string(error.kind), std::move(data), language);
}

Problem problem_of(const std::string& path, std::string_view kind, std::string_view detail, Language language) {
    return make(path, kind, Data().set("detail", in_language(detail, language)), language);
}

Problem problem_of(const std::string& path, syntax::ParseRefusal refusal, Language language) {
    const bool deep = refusal == syntax::ParseRefusal::too_deeply_indented;
    Data data;
    data.set("limit", std::int64_t{syntax::kMaxIndentation});
    return make(path, deep ? "too-deeply-indented" : "gave-up", std::move(data), language);
}

std::string soc_fault(const std::string& soc, rules::Language language) {
    if (soc.empty() || hardware::soc_of_name(soc)) return {};
    std::vector<std::string_view> known;
    for (const hardware::Pools& pools : hardware::all_pools()) known.push_back(pools.name);
    const rules::Data data = rules::Data().set("soc", soc).set("known", fmt::format("{}", fmt::join(known, ", ")));
    return fmt::format("pto-fix: {}\n", rules::render({"cli.unknown_soc", data}, language));
}

}  // namespace ptofix::cli
