// The files of a run as the tracer sees them: the analysed file, and what it imports, found by Python's rules from the
// file's folder upwards. Keeps parsed files for reuse between analyses, within a memory bound.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/tree.h"
#include "text/folder_names.h"
#include "text/line_index.h"
#include "text/source.h"

namespace ptofix::trace {

/// A parsed file. Shared and immutable.
struct SourceFile {
    std::shared_ptr<const text::Source> source;
    syntax::Tree tree;
    text::LineIndex lines;
    std::string_view whole = source->text();  // asked for at every name

    std::string_view text() const { return whole; }
    std::string_view text(syntax::NodeId node) const {
        const auto r = tree.range(node);
        return whole.substr(r.start, r.size());
    }
    const std::string& path() const { return source->path(); }
};

/// Parsed files by path, for the threads of one run: what one of them imports, another one analyses. With what folders
/// hold, where imports look for files.
class ParsedFiles {
  public:
    text::FolderNames names;

    /// Null when there is none.
    std::shared_ptr<const SourceFile> find(const std::string& path);
    void remember(const std::shared_ptr<const SourceFile>& file);
    void forget(const std::string& path);
    /// Those for which `is_meant` says so.
    void forget_if(const std::function<bool(const std::string& path)>& is_meant);

  private:
    struct Kept {
        std::shared_ptr<const SourceFile> file;
        std::uint64_t used;
    };
    std::mutex mutex_;
    std::unordered_map<std::string, Kept> files_;
    std::size_t bytes_ = 0;
    std::uint64_t clock_ = 0;
};

/// What an import was taken for.
struct Import {
    std::string module, importer_path;
    std::string path;                               // empty: no file of the project
    std::shared_ptr<const text::Source> read = {};  // null: it could not be read or parsed
};

/// For one thread.
class Project {
  public:
    explicit Project(std::shared_ptr<ParsedFiles> files = std::make_shared<ParsedFiles>());
    ~Project();

    /// Parses a source that the caller read.
    std::expected<std::shared_ptr<const SourceFile>, syntax::ParseRefusal> parse(
        std::shared_ptr<const text::Source> source, bool keep_state = false);
    /// The file that `import module` (dotted; leading dots are relative to the importer) means when written in
    /// importer_path, or null: it is not a file of the project, or it cannot be read, or it is the framework's own
    /// (pypto, pypto_pro). Never a file outside the importer's project root.
    std::shared_ptr<const SourceFile> import(std::string_view module, std::string_view importer_path);
    /// The path of that file, as the importer's is spelled; empty: none. Reads no file.
    const std::string& resolve(std::string_view module, std::string_view importer_path);
    /// From now on each different import() is added to `into`, until that is null: what a trace rests on beside the
    /// file itself.
    void record_imports(std::vector<Import>* into);

    /// Text that stands for a path instead of what is on disk (unsaved editor buffers). Null removes it.
    void set_overlay(const std::string& path, std::shared_ptr<const text::Source> source);
    /// What stands for the path, or null.
    std::shared_ptr<const text::Source> overlay(const std::string& path) const;

    syntax::Parser& parser() { return parser_; }
    /// For the project of another thread of the same run.
    const std::shared_ptr<ParsedFiles>& parsed_files() const { return files_; }

  private:
    struct State;
    std::shared_ptr<const SourceFile> read_import(const std::string& path);

    std::unique_ptr<State> state_;
    std::shared_ptr<ParsedFiles> files_;
    std::vector<Import>* recorded_ = nullptr;
    syntax::Parser parser_;
};

}  // namespace ptofix::trace
