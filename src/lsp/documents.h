// What the editor has open, as typed. The text of a document is the client's word; what is on disk does not matter
// while it is open.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "fixing/analysis.h"
#include "text/line_index.h"
#include "text/source.h"
#include "trace/project.h"

namespace ptofix::lsp {

struct Document {
    std::string uri;
    std::string path;  // from the root; of an unsaved one a name in the first workspace folder
    std::string key;   // the same for every spelling of the path, and for links to the file
    bool is_python = false;
    std::optional<std::int64_t> version;
    std::shared_ptr<const text::Source> source;  // null: the text is refused (`refusal`)
    std::string refused_text;                    // the text then, so that changes can go on
    std::optional<text::LoadError> refusal;

    std::shared_ptr<const trace::SourceFile> file;  // of the last parse: its text may be older than `source`
    std::optional<fixing::Analysis> analysis;       // of `source`; its trace may be gone
    fixing::Config config;                          // it was analysed with
    bool excluded = false;                          // by the configuration, or that cannot be read
    bool stale = true;                              // its diagnostics are to be sent
    std::uint64_t used = 0;                         // by the analyser's clock
    std::uint64_t changed = 0;                      // by the server's
    std::optional<bool> importable;                 // by others; nothing: just opened
    bool lost = false;  // a change could not be read: its text is not known until told whole

    std::string_view text() const { return source ? source->text() : std::string_view(refused_text); }
    void set_text(std::string text);
    /// Its text is not known any more.
    void lose();
};

/// The text after the content changes of a didChange, which apply one after the other; nothing when one is malformed.
std::optional<std::string> changed_text(std::string_view text, const nlohmann::json& changes, text::ColumnUnit unit);

/// Is it the document's text, as it is now, that was read there? Two documents may be of one file, each with a text of
/// its own.
bool is_text_of(const text::Source& source, const Document& document);

class Documents {
  public:
    Document* find(std::string_view uri);
    /// Of several documents of one file (two spellings of its name, a link) the one that was changed last: what
    /// others import.
    Document* find_path(const std::string& path);
    /// The one of which this is the text, if there is one.
    Document* find_text(const text::Source& source);
    Document& open(const std::string& uri, std::string path);
    /// What it was; nothing when it was not open.
    std::optional<Document> close(std::string_view uri);
    std::map<std::string, Document, std::less<>>& all() { return by_uri_; }

  private:
    std::map<std::string, Document, std::less<>> by_uri_;
};

}  // namespace ptofix::lsp
