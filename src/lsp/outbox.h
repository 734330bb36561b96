// What the server says: answers, notifications, and requests of its own with what is to be done with their answers.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "lsp/rpc.h"

namespace ptofix::lsp {

using Json = nlohmann::json;

class Outbox {
  public:
    using Send = std::function<void(const Json& message)>;
    using Answered = std::function<void(const Json& result)>;  // null when it failed

    explicit Outbox(Send send) : send_(std::move(send)) {}

    void answer(const Json& id, Json result);
    void fail(const Json& id, ErrorCode code, const std::string& message);
    void notify(std::string_view method, Json params);
    void request(std::string_view method, Json params, Answered answered = {});
    /// A message without a method: the answer to a request of ours, or nothing that is known.
    void answered(const Json& message);

    /// window/logMessage and window/showMessage.
    void log(const std::string& text);
    void show(const std::string& text);

  private:
    Send send_;
    std::int64_t last_id_ = 0;
    std::map<std::int64_t, Answered> waiting_;
};

}  // namespace ptofix::lsp
