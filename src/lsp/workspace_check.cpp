#include "lsp/workspace_check.h"

#include <algorithm>
#include <utility>

#include "lsp/diagnostics.h"
#include "lsp/python_files.h"
#include "rules/messages.h"
#include "text/uri.h"

namespace ptofix::lsp {

namespace {

constexpr std::uint64_t kAll = 100;

}  // namespace

void WorkspaceCheck::ask(const Json& id, const Json& params, const std::vector<std::string>& roots) {
    Question question;
    question.id = id;
    question.work_token = member(params, "workDoneToken");
    question.part_token = member(params, "partialResultToken");
    question.roots = roots;
    const Json& results = member(params, "previousResultIds");
    if (results.is_array()) {
        for (const Json& result : results) {
            question.known[text_of(member(result, "uri"))] = text_of(member(result, "value"));
        }
    }
    // A client that knows nothing yet is answered whatever has changed.
    if (question.known.empty()) answered_ = 0;
    questions_.push_back(std::move(question));
}

void WorkspaceCheck::report(const Question& question, Json value) {
    if (!question.work_token.is_null()) {
        out_.notify("$/progress", {{"token", question.work_token}, {"value", std::move(value)}});
    }
}

void WorkspaceCheck::begin(Question& question) {
    question.begun = true;
    question.state = state_;
    question.files = python_files(question.roots);
    const std::string folder = question.roots.empty() ? std::string{} : question.roots.front();
    report(question,
           {{"kind", "begin"},
            {"title", rules::render({"lsp.checking", rules::Data().set("folder", folder)}, settings_.language)},
            {"cancellable", true},
            {"percentage", 0}});
}

void WorkspaceCheck::check(Question& question, const std::string& path) {
    Json items;
    Json version;
    std::string uri = text::uri_of_path(path);
    if (Document* document = documents_.find_path(path)) {
        uri = document->uri;
        if (document->version) version = *document->version;
        const fixing::Analysis* analysis = analyser_.analysis(*document);
        items = analysis == nullptr ? Json::array() : diagnostics_.in_file(*analysis, document->path);
    } else {
        Known& known = known_[path];
        if (known.state != state_) {
            const auto analysis = analyser_.analysis_of_file(path);
            known.items = analysis ? diagnostics_.in_file(*analysis, path) : Json::array();
            known.state = state_;
        }
        items = known.items;
    }
    const std::string result = hash_of(items.dump(-1, ' ', false, Json::error_handler_t::replace));
    const auto before = question.known.find(uri);
    if (before == question.known.end() && items.empty()) return;
    Json answer = {{"uri", uri}, {"version", version}, {"resultId", result}};
    if (before != question.known.end() && before->second == result) {
        answer["kind"] = "unchanged";
    } else {
        answer["kind"] = "full";
        answer["items"] = std::move(items);
    }
    if (question.part_token.is_null()) {
        question.items.push_back(std::move(answer));
    } else if (answer["kind"] == "full") {
        out_.notify("$/progress",
                    {{"token", question.part_token}, {"value", {{"items", Json::array({std::move(answer)})}}}});
    }
}

void WorkspaceCheck::end(Question& question) {
    // Files that are gone have nothing any more.
    for (const auto& [uri, result] : question.known) {
        const auto path = text::path_of_uri(uri);
        if (!path || std::ranges::binary_search(question.files, *path) || documents_.find(uri) != nullptr) continue;
        if (result == hash_of("[]")) continue;
        question.items.push_back({{"uri", uri},
                                  {"version", nullptr},
                                  {"kind", "full"},
                                  {"resultId", hash_of("[]")},
                                  {"items", Json::array()}});
    }
    report(question, {{"kind", "end"}});
    answered_ = question.state;
    out_.answer(question.id, {{"items", std::move(question.items)}});
}

bool WorkspaceCheck::work(const std::function<bool(const Json& id)>& is_cancelled) {
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        Question& question = questions_[i];
        const auto drop = [&] { questions_.erase(questions_.begin() + static_cast<std::ptrdiff_t>(i)); };
        if (is_cancelled(question.id)) {
            if (question.begun) report(question, {{"kind", "end"}});
            out_.fail(question.id, ErrorCode::request_cancelled, "cancelled");
            drop();
            return true;
        }
        if (!question.begun) {
            if (answered_ == state_) continue;  // held until there is news
            begin(question);
            std::ranges::sort(question.files);
            return true;
        }
        if (question.next < question.files.size()) {
            const std::string path = question.files[question.next++];
            check(question, path);
            const std::uint64_t percent = question.next * kAll / question.files.size();
            if (percent != question.reported) {
                question.reported = percent;
                report(question, {{"kind", "report"}, {"percentage", percent}});
            }
            return true;
        }
        end(question);
        drop();
        return true;
    }
    return false;
}

void WorkspaceCheck::stop() {
    for (const Question& question : questions_) {
        out_.fail(question.id, ErrorCode::request_cancelled, "the server is shutting down");
    }
    questions_.clear();
}

}  // namespace ptofix::lsp
