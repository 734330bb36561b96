// The files that a run was given, for fixes that reach beyond one trace: whoever calls a kernel may be any of them, and
// need not mention the framework. Filled before the analyses, read by all of their threads. Most runs never ask.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fixing/admission.h"
#include "fixing/analysis.h"
#include "rewrites/other_files.h"
#include "trace/project.h"

namespace ptofix::fixing {

class GivenFiles {
  public:
    void add(std::shared_ptr<const text::Source> source);  // one that was not read: as its path
    /// Read when a fix asks for it.
    void add(std::string path);

    const std::string& path(std::uint32_t index) const { return files_[index].path; }
    /// Null: it cannot be read as text. What was given by its path is read each time: a run may have many of those.
    std::shared_ptr<const text::Source> source(std::uint32_t index) const;

    /// An import in one of the files, by the last name of its module ("." for one that has dots alone).
    struct Import {
        std::uint32_t file;
        bool is_from;
        std::string module;
        std::string names;  // behind `from module import`
    };
    std::span<const Import> imports_of(std::string_view last_name) const;
    /// Files that import what a string says, and have this word.
    const std::vector<std::uint32_t>& at_run_time(std::string_view word) const;
    /// path_key(), remembered.
    const std::string& key_of(const std::string& path) const;
    bool contains_key(const std::string& key) const;
    /// By what other names the folder of the module has it, remembered.
    const std::vector<std::string>& links_to(const std::string& path) const;
    /// Files with a string that says where something of this name is.
    std::span<const std::uint32_t> with_path_to(std::string_view name) const;
    /// Files that call an attribute of this name.
    std::span<const std::uint32_t> with_attribute_call(std::string_view name) const;
    /// Files that may have the name in other characters, which are the same to Python.
    std::span<const std::uint32_t> with_disguised(std::string_view name) const;
    /// Does the file, by its key, say where else modules are looked for (sys.path)?
    bool changes_path(const std::string& key) const;
    /// Files that cannot be read as text: Python may know more encodings.
    std::span<const std::uint32_t> unread() const;

  private:
    struct File {
        std::string path;
        std::shared_ptr<const text::Source> source;
    };
    using FilesByName = std::unordered_map<std::string, std::vector<std::uint32_t>>;
    void read() const;
    static void note(FilesByName& files, std::string_view name, std::uint32_t file);
    std::span<const std::uint32_t> found(const FilesByName& files, std::string_view name) const;

    std::vector<File> files_;
    mutable std::once_flag read_, keyed_;
    mutable std::unordered_map<std::string, std::vector<Import>> imports_;  // by last name
    mutable FilesByName in_strings_, attribute_calls_, disguised_;
    mutable std::vector<std::uint32_t> run_time_, unread_;
    mutable std::vector<std::string> with_own_path_;  // keys, sorted
    mutable std::vector<std::string> own_keys_;       // sorted
    mutable std::mutex mutex_;                        // of what follows
    mutable std::map<std::string, std::vector<std::uint32_t>, std::less<>> run_time_by_word_;
    mutable std::unordered_map<std::string, std::string> keys_;
    mutable std::unordered_map<std::string, std::vector<std::string>> links_;
};

/// The given files as the rewriters of one analysis see them. A file that an edit names and that is not in the trace
/// joins Analysis::sources and `admitted`.
class ReachableFiles : public rewrites::OtherFiles {
  public:
    ReachableFiles(trace::Project& project, std::shared_ptr<const GivenFiles> given, Analysis& analysis,
                   std::vector<AdmittedFile>& admitted)
        : project_(project), given_(std::move(given)), analysis_(analysis), admitted_(admitted) {}

    std::vector<Importer> importers(const std::string& path, std::string_view name, bool is_last) override;
    std::vector<Importer> attribute_callers(std::string_view name) override;
    Means means(std::string_view module, const std::string& importer, const std::string& path) override;
    std::shared_ptr<const trace::SourceFile> import(std::string_view module, const std::string& importer) override;
    const std::string& key_of(const std::string& path) override { return given_->key_of(path); }
    trace::FileId number_of(const std::shared_ptr<const trace::SourceFile>& file) override;

  private:
    std::shared_ptr<const trace::SourceFile> parse(std::uint32_t file);
    std::shared_ptr<const text::Source> present_text(std::uint32_t file) const;

    trace::Project& project_;
    std::shared_ptr<const GivenFiles> given_;
    Analysis& analysis_;
    std::vector<AdmittedFile>& admitted_;
    std::vector<std::shared_ptr<const trace::SourceFile>> kept_;  // what `admitted` points to
};

}  // namespace ptofix::fixing
