#include "lsp/outbox.h"

namespace ptofix::lsp {

namespace {

// MessageType
constexpr int kErrorMessage = 1, kLogMessage = 4;

}  // namespace

void Outbox::answer(const Json& id, Json result) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Outbox::fail(const Json& id, ErrorCode code, const std::string& message) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", message}}}});
}

void Outbox::notify(std::string_view method, Json params) {
    send_({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Outbox::request(std::string_view method, Json params, Answered answered) {
    const std::int64_t id = ++last_id_;
    waiting_[id] = std::move(answered);
    Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
    if (!params.is_null()) message["params"] = std::move(params);
    send_(message);
}

void Outbox::answered(const Json& message) {
    const auto id = message.find("id");
    if (id == message.end() || !id->is_number_integer()) return;
    const auto at = waiting_.find(id->get<std::int64_t>());
    if (at == waiting_.end()) return;
    const Answered answered = std::move(at->second);
    waiting_.erase(at);
    if (!answered) return;
    const auto result = message.find("result");
    answered(result == message.end() ? Json() : *result);
}

void Outbox::log(const std::string& text) {
    notify("window/logMessage", {{"type", kLogMessage}, {"message", text}});
}

void Outbox::show(const std::string& text) {
    notify("window/showMessage", {{"type", kErrorMessage}, {"message", text}});
}

}  // namespace ptofix::lsp
