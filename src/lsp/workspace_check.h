// workspace/diagnostic: every Python file below the workspace folders, a few at a time between other messages. A client
// that asks again is answered when something has changed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lsp/analyser.h"
#include "lsp/client.h"
#include "lsp/diagnostics.h"
#include "lsp/documents.h"
#include "lsp/outbox.h"
#include "text/source.h"

namespace ptofix::lsp {

class WorkspaceCheck {
  public:
    WorkspaceCheck(Documents& documents, Analyser& analyser, const Diagnostics& diagnostics, const Settings& settings,
                   Outbox& out)
        : documents_(documents), analyser_(analyser), diagnostics_(diagnostics), settings_(settings), out_(out) {}

    void ask(const Json& id, const Json& params, const std::vector<std::string>& roots);
    /// A document, a file, a folder or a setting did.
    void changed() { ++state_; }
    /// The next file; false when there is nothing to do now.
    bool work(const std::function<bool(const Json& id)>& is_cancelled);
    void stop();

  private:
    struct Question {
        Json id;
        Json work_token, part_token;  // null: not given
        std::vector<std::string> roots;
        std::map<std::string, std::string> known;  // result by URI that the client has
        bool begun = false;
        std::uint64_t state = 0;  // when the files were listed
        std::vector<std::string> files;
        std::size_t next = 0;
        Json items = Json::array();
        std::uint64_t reported = 0;  // per cent
    };
    struct Known {
        std::optional<text::FileIdentity> identity;
        std::uint64_t state = 0;
        Json items;
    };
    void begin(Question& question);
    void check(Question& question, const std::string& path);
    void end(Question& question);
    void report(const Question& question, Json value);

    Documents& documents_;
    Analyser& analyser_;
    const Diagnostics& diagnostics_;
    const Settings& settings_;
    Outbox& out_;
    std::vector<Question> questions_;
    std::map<std::string, Known> known_;  // by path, of files that are not open
    std::uint64_t state_ = 1;
    std::uint64_t answered_ = 0;  // the state that the client knows
};

}  // namespace ptofix::lsp
