// JSON-RPC 2.0 as the protocol uses it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace ptofix::lsp {

enum class ErrorCode : int {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    server_not_initialized = -32002,
    request_cancelled = -32800,
    content_modified = -32801,  // the document is no longer what the request is about
    request_failed = -32803,
};

/// Thrown by what answers a request; becomes the answer.
class RpcError : public std::runtime_error {
  public:
    RpcError(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ErrorCode code() const { return code_; }

  private:
    ErrorCode code_;
};

}  // namespace ptofix::lsp
