#include "cli/problems.h"

#include <algorithm>

#include "rules/messages.h"

namespace ptofix::cli {

namespace {

using report::Problem;
using rules::Data;
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
    data.set("detail", error.detail)
        .set("offset", static_cast<std::int64_t>(error.offset))
        .set("line", std::int64_t{error.line});
    std::string_view kind = text::to_string(error.kind);
    if (error.kind == text::LoadError::Kind::too_large) {
        data.set("size", static_cast<std::int64_t>(error.offset))
            .set("limit", static_cast<std::int64_t>(text::kMaxSourceBytes));
    }
    if (error.kind == text::LoadError::Kind::binary && !error.detail.empty()) kind = "utf16";
    Problem problem = make(path, kind, std::move(data), language);
    problem.kind = text::to_string(error.kind);
    return problem;
}

Problem problem_of(const std::string& path, const text::WriteError& error, Language language) {
    return make(error.path.empty() ? path : error.path, text::to_string(error.kind), Data().set("detail", error.detail),
                language);
}

Problem problem_of(const std::string& path, const text::Source& source, const text::EncodeError& error,
                   Language language) {
    Data data;
    data.set("character", error.character).set("encoding", std::string(source.encoding_name()));
    return make(path, text::to_string(error.kind), std::move(data), language);
}

Problem problem_of(const std::string& path, std::string_view kind, std::string_view detail, Language language) {
    return make(path, kind, Data().set("detail", std::string(detail)), language);
}

Problem problem_of(const std::string& path, syntax::ParseRefusal refusal, Language language) {
    const bool deep = refusal == syntax::ParseRefusal::too_deeply_indented;
    Data data;
    data.set("limit", std::int64_t{syntax::kMaxIndentation});
    return make(path, deep ? "too-deeply-indented" : "gave-up", std::move(data), language);
}

}  // namespace ptofix::cli
