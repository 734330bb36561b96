// What is known of the open documents: analysed when asked, by the functions that the command line calls, and again
// when the document, a file that it imports or a configuration has changed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/config_finder.h"
#include "fixing/fix_all.h"
#include "lsp/client.h"
#include "lsp/documents.h"
#include "trace/project.h"

namespace ptofix::lsp {

class Analyser {
  public:
    Analyser(Documents& documents, const Settings& settings);

    /// Its syntax; null when it is refused.
    std::shared_ptr<const trace::SourceFile> parsed(Document& document);
    /// Null for a document that is not looked at: no Python, refused, excluded.
    const fixing::Analysis* analysis(Document& document);
    /// The same with its trace, which is not kept for documents that were not used for a while.
    fixing::Analysis* traced(Document& document);
    /// Of a file that is not open; its own findings alone.
    std::optional<fixing::Analysis> analysis_of_file(const std::string& path);
    /// What `--apply` would leave of the document's text.
    std::optional<std::string> fixed(Document& document, const fixing::FixOptions& options);

    /// What `--apply` would change in these files together, open or not.
    std::vector<fixing::FixedFile> fixed_files(const std::vector<std::string>& paths);

    /// A document was opened or changed: what others know of it is out of date. True: some did.
    bool text_changed(Document& document);
    /// It is among the documents no more.
    void closed(const Document& document);
    /// A file was changed by someone else; if it is a configuration, all of them are read anew.
    void file_changed(const std::string& path);
    void settings_changed();

    /// What is wrong with configurations, said once each.
    std::vector<std::string> take_problems() { return std::exchange(problems_, {}); }

  private:
    std::shared_ptr<const trace::SourceFile> parsed(Document& document, std::optional<syntax::ParseRefusal>& refusal);
    /// Nothing: excluded, or the configuration cannot be read.
    std::optional<fixing::Config> config_of(const std::string& path);
    void forget_all();
    /// The analyses that read a source that is meant, but not that of the document of this key. True: there was one.
    bool forget_if(const std::function<bool(const text::Source& source)>& is_meant, const std::string& key);
    bool forget_users_of(const std::string& key);
    /// Those that read it, or speak of a module of that name.
    bool forget_who_may_import(const std::string& path, const std::string& key);
    void file_forgotten(const std::string& path);
    const std::string& key_of(const std::string& path);
    void keep_few();

    Documents& documents_;
    const Settings& settings_;
    std::optional<config::ConfigFinder> configs_;
    std::unique_ptr<trace::Project> project_;
    std::vector<std::string> problems_, said_;
    std::unordered_map<std::string, std::string> keys_;  // fixing::path_key of what was asked for
    std::uint64_t clock_ = 0;
};

}  // namespace ptofix::lsp
