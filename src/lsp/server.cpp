#include "lsp/server.h"

#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <string_view>

#include "lsp/diagnostics.h"
#include "rules/messages.h"
#include "text/uri.h"

namespace ptofix::lsp {

namespace {

bool is_id(const Json& id) {
    return id.is_number_integer() || id.is_string();
}

/// No message of the protocol comes near; what is written and freed level by level must not run out of stack.
bool is_nested_deeply(std::string_view json) {
    constexpr int kDeepest = 200;
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepest) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

/// An editor may hold half a character, and says "\ud83d" where no other half follows: that is no Unicode, and the
/// message would be lost with the text after it. It counts as one unit, as the character for what cannot be shown does.
std::string with_whole_characters(const std::string& json) {
    const auto unit_at = [&](std::size_t at) -> unsigned {
        if (at + 6 > json.size() || json[at] != '\\' || json[at + 1] != 'u') return 0;
        unsigned unit = 0;
        const auto [end, error] = std::from_chars(json.data() + at + 2, json.data() + at + 6, unit, 16);
        return error == std::errc() && end == json.data() + at + 6 ? unit : 0;
    };
    const auto is_high = [](unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; };
    const auto is_low = [](unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; };
    std::string out = json;
    for (std::size_t at = out.find('\\'); at != std::string::npos; at = out.find('\\', at)) {
        const unsigned unit = unit_at(at);
        if (is_high(unit) && is_low(unit_at(at + 6))) {
            at += 12;
        } else if (is_high(unit) || is_low(unit)) {
            out.replace(at, 6, "\\ufffd");
            at += 6;
        } else {
            at += 2;
        }
    }
    return out;
}

bool means_chinese(const std::string& locale) {
    return locale.starts_with("zh");
}

}  // namespace

Server::Server(Outbox::Send send, std::function<bool(const Json& id)> is_cancelled, rules::Language language,
               std::string version)
    : out_(std::move(send)), is_cancelled_(std::move(is_cancelled)), version_(std::move(version)) {
    settings_.language = language;
}

const std::map<std::string_view, Server::Request>& Server::requests() {
    static const std::map<std::string_view, Request> table{
        {"initialize", &Server::initialize},
        {"shutdown", &Server::shutdown},
        {"textDocument/diagnostic", &Server::document_diagnostic},
        {"textDocument/codeAction", &Server::code_action},
        {"codeAction/resolve", &Server::resolve_action},
        {"textDocument/hover", &Server::hover},
        {"textDocument/inlayHint", &Server::inlay_hint},
        {"textDocument/codeLens", &Server::code_lens},
        {"workspace/executeCommand", &Server::execute_command},
    };
    return table;
}

const std::map<std::string_view, Server::Notification>& Server::notifications() {
    static const std::map<std::string_view, Notification> table{
        {"initialized", &Server::initialized},
        {"textDocument/didOpen", &Server::did_open},
        {"textDocument/didChange", &Server::did_change},
        {"textDocument/didClose", &Server::did_close},
        {"workspace/didChangeConfiguration", &Server::did_change_configuration},
        {"workspace/didChangeWorkspaceFolders", &Server::did_change_folders},
        {"workspace/didChangeWatchedFiles", &Server::did_change_files},
    };
    return table;
}

void Server::unreadable(const std::string& what) {
    out_.fail(Json(), ErrorCode::parse_error, what);
}

void Server::handle(const std::string& body) {
    if (is_nested_deeply(body)) return out_.fail(Json(), ErrorCode::invalid_request, "nested too deeply");
    const Json message = Json::parse(with_whole_characters(body), nullptr, false);
    if (message.is_discarded()) return out_.fail(Json(), ErrorCode::parse_error, "not JSON");
    if (!message.is_object()) return out_.fail(Json(), ErrorCode::invalid_request, "a message is an object");
    const Json& id = member(message, "id");
    const Json& method = member(message, "method");
    if (method.is_null() && message.contains("id") && (message.contains("result") || message.contains("error"))) {
        return out_.answered(message);
    }
    if (!method.is_string()) {
        return out_.fail(is_id(id) ? id : Json(), ErrorCode::invalid_request, "a message without a method");
    }
    const std::string name = method.get<std::string>();
    const Json& params = member(message, "params");
    if (message.contains("id")) {
        if (!is_id(id)) return out_.fail(Json(), ErrorCode::invalid_request, "an id is a number or a string");
        return handle_request(id, name, params);
    }
    if (name == "exit") {
        exited_ = true;
        return;
    }
    if (state_ != State::running) return;
    const auto handler = notifications().find(name);
    if (handler == notifications().end()) return;  // optional ones begin with "$/"; all others have nothing for us
    try {
        (this->*handler->second)(params);
    } catch (const std::exception& failure) {
        out_.log(fmt::format("{}: {}", name, failure.what()));
    }
}

void Server::handle_request(const Json& id, const std::string& method, const Json& params) {
    if (is_cancelled_(id)) return out_.fail(id, ErrorCode::request_cancelled, "cancelled");
    if (state_ == State::waiting && method != "initialize") {
        return out_.fail(id, ErrorCode::server_not_initialized, "not initialized yet");
    }
    if (state_ == State::shut_down || (state_ == State::running && method == "initialize")) {
        return out_.fail(id, ErrorCode::invalid_request, method + " is not expected now");
    }
    if (method == "workspace/diagnostic") return workspace_.ask(id, params, roots_);
    const auto handler = requests().find(method);
    if (handler == requests().end()) return out_.fail(id, ErrorCode::method_not_found, method + " is not offered");
    try {
        out_.answer(id, (this->*handler->second)(params));
    } catch (const RpcError& error) {
        out_.fail(id, error.code(), error.what());
    } catch (const std::exception& failure) {
        out_.fail(id, ErrorCode::internal_error, failure.what());
    }
}

Json Server::initialize(const Json& params) {
    client_ = ClientCapabilities::of(params);
    if (const std::string locale = text_of(member(params, "locale")); !locale.empty()) {
        settings_.language = means_chinese(locale) ? rules::Language::zh : rules::Language::en;
    }
    default_settings_ = settings_;
    const Json& options = member(params, "initializationOptions");
    read_settings(member(options, "pto-fix").is_object() ? member(options, "pto-fix") : options);
    default_settings_ = settings_;
    const Json& folders = member(params, "workspaceFolders");
    if (folders.is_array()) {
        for (const Json& folder : folders) {
            if (const auto path = text::path_of_uri(text_of(member(folder, "uri"))))
                roots_.push_back(config::absolute_path(*path));
        }
    } else if (const auto root = text::path_of_uri(text_of(member(params, "rootUri")))) {
        roots_.push_back(config::absolute_path(*root));
    } else if (const std::string path = text_of(member(params, "rootPath")); !path.empty()) {
        roots_.push_back(config::absolute_path(path));
    }
    state_ = State::running;
    constexpr const char* kUnitNames[] = {"utf-8", "utf-16", "utf-32"};
    constexpr int kIncremental = 2;
    Json capabilities = {
        {"positionEncoding", kUnitNames[static_cast<int>(client_.unit)]},
        {"textDocumentSync", {{"openClose", true}, {"change", kIncremental}}},
        {"diagnosticProvider",
         {{"identifier", kSourceName}, {"interFileDependencies", true}, {"workspaceDiagnostics", true}}},
        {"hoverProvider", true},
        {"inlayHintProvider", true},
        {"codeLensProvider", Json::object()},
        {"executeCommandProvider",
         {{"commands",
           {"pto-fix.applyAction", "pto-fix.fixFile", "pto-fix.fixWorkspace", "pto-fix.explain", "pto-fix.budget"}}}},
        {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
    };
    capabilities["codeActionProvider"] = true;
    if (client_.code_action_literals) {
        capabilities["codeActionProvider"] = {{"codeActionKinds", {kQuickFix, kFixAll, kFixAllUnsafe}},
                                              {"resolveProvider", true}};
    }
    return {{"capabilities", std::move(capabilities)}, {"serverInfo", {{"name", "pto-fix"}, {"version", version_}}}};
}

Json Server::shutdown(const Json& /*params*/) {
    state_ = State::shut_down;
    workspace_.stop();
    return {};
}

void Server::initialized(const Json& /*params*/) {
    if (client_.watches_files) {
        Json watchers = Json::array();
        for (const char* glob : {"**/*.py", "**/pto-fix.toml", "**/pyproject.toml"}) {
            watchers.push_back({{"globPattern", glob}});
        }
        Json registration = {{"id", "pto-fix-files"},
                             {"method", "workspace/didChangeWatchedFiles"},
                             {"registerOptions", {{"watchers", std::move(watchers)}}}};
        out_.request("client/registerCapability", {{"registrations", Json::array({std::move(registration)})}});
    }
    ask_for_settings();
}

void Server::ask_for_settings() {
    if (!client_.has_configuration) return;
    const Json item = {{"section", "pto-fix"}};
    out_.request("workspace/configuration", {{"items", Json::array({item})}}, [this](const Json& result) {
        if (!result.is_array() || result.empty() || !result.front().is_object()) return;
        read_settings(result.front());
        analyser_.settings_changed();
        everything_changed();
    });
}

void Server::read_settings(const Json& settings) {
    // What is not given any more is as if it never was.
    settings_ = default_settings_;
    std::vector<std::string> problems;
    settings_.read(settings, problems);
    for (const std::string& problem : problems) {
        out_.show(rules::render({"lsp.bad_setting", rules::Data().set("setting", problem)}, settings_.language));
    }
}

bool Server::work() {
    if (state_ != State::running) return false;
    for (std::string& problem : analyser_.take_problems()) out_.show("pto-fix: " + problem);
    if (!client_.pulls_diagnostics) {
        // What was typed in last is looked at first.
        Document* next = nullptr;
        for (auto& [uri, document] : documents_.all()) {
            if (document.stale && (next == nullptr || document.changed > next->changed)) next = &document;
        }
        if (next != nullptr) {
            next->stale = false;
            try {
                publish(*next);
            } catch (const std::exception& failure) {
                out_.log(fmt::format("{}: {}", next->uri, failure.what()));
            }
            return true;
        }
    }
    return workspace_.work(is_cancelled_);
}

}  // namespace ptofix::lsp
