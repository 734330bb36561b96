// The conversation: what the client sends is handled in order, and what is open is analysed in the pauses. Knows
// nothing of threads and descriptors.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lsp/analyser.h"
#include "lsp/client.h"
#include "lsp/code_actions.h"
#include "lsp/diagnostics.h"
#include "lsp/documents.h"
#include "lsp/outbox.h"
#include "lsp/workspace_check.h"

namespace ptofix::lsp {

class Server {
  public:
    /// is_cancelled: was the request of that id taken back by the client?
    Server(Outbox::Send send, std::function<bool(const Json& id)> is_cancelled, rules::Language language,
           std::string version);

    /// One message as it came; never throws.
    void handle(const std::string& body);
    /// A frame that is no message.
    void unreadable(const std::string& what);
    /// Work that waits for a pause; false when there is none left.
    bool work();

    bool exited() const { return exited_; }
    /// 0 after a `shutdown`, else 1.
    int exit_code() const { return state_ == State::shut_down ? 0 : 1; }
    /// The client's process; 0: it did not say, or there is no conversation yet.
    std::int64_t client_process() const { return client_.process; }

  private:
    enum class State : std::uint8_t { waiting, running, shut_down } state_ = State::waiting;
    using Request = Json (Server::*)(const Json& params);
    using Notification = void (Server::*)(const Json& params);
    static const std::map<std::string_view, Request>& requests();
    static const std::map<std::string_view, Notification>& notifications();
    void handle_request(const Json& id, const std::string& method, const Json& params);

    // lifecycle: server.cpp
    Json initialize(const Json& params);
    Json shutdown(const Json& params);
    void initialized(const Json& params);
    void read_settings(const Json& settings);
    void ask_for_settings();

    // documents: server_documents.cpp
    void did_open(const Json& params);
    void did_change(const Json& params);
    void did_close(const Json& params);
    void did_change_configuration(const Json& params);
    void did_change_folders(const Json& params);
    void did_change_files(const Json& params);
    std::string path_of(const std::string& uri) const;
    std::string uri_of(const std::string& path);
    /// Of all that is known about it, its own analysis first.
    Json diagnostics_about(Document& document);
    /// The same of a file that is not open.
    Json diagnostics_about(const std::string& path);
    void publish(const std::string& path);
    void publish(Document& document);
    void send_diagnostics(Document& document);
    void everything_changed();

    // features: server_features.cpp
    Json document_diagnostic(const Json& params);
    Json code_action(const Json& params);
    Json resolve_action(const Json& params);
    Json hover(const Json& params);
    Json inlay_hint(const Json& params);
    Json code_lens(const Json& params);
    Json execute_command(const Json& params);
    Document& document_of(const Json& params);
    Json fix_workspace();
    void apply_edit(const std::string& label, Json edit);

    Outbox out_;
    std::function<bool(const Json&)> is_cancelled_;
    std::string version_;
    ClientCapabilities client_;
    Settings settings_, default_settings_;
    std::uint64_t clock_ = 0;  // of changes
    std::vector<std::string> roots_;
    Documents documents_;
    Analyser analyser_{documents_, settings_};
    Diagnostics diagnostics_{documents_, client_, settings_};
    CodeActions actions_{documents_, analyser_, diagnostics_, client_, settings_};
    WorkspaceCheck workspace_{documents_, analyser_, diagnostics_, settings_, out_};
    std::map<std::string, std::set<std::string>> told_about_;  // by document's URI: other files that it had findings in
    std::map<std::string, Json> published_;                    // by path, of files that are not open
    bool exited_ = false;
};

}  // namespace ptofix::lsp
