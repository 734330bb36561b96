#include "cli/write_changes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>

#include "cli/dirty_tree.h"
#include "cli/problems.h"
#include "cli/run_journal.h"
#include "rules/messages.h"
#include "text/disk_file.h"
#include "text/held_signals.h"
#include "text/write_file.h"

namespace ptofix::cli {

namespace {

using rules::Language;

/// What a look at the file already tells, before any other file is touched.
std::optional<text::WriteError> foreseeable_error(const text::Source& source) {
    using Kind = text::WriteError::Kind;
    struct stat status{};
    if (!source.identity()) return text::WriteError{Kind::no_file, {}, source.path()};
    if (::stat(source.path().c_str(), &status) != 0) return text::WriteError{Kind::vanished, {}, source.path()};
    if (text::identity_of(status) != *source.identity()) {
        return text::WriteError{Kind::changed_meanwhile, {}, source.path()};
    }
    // The superuser may write anything; what is marked as not to be written is left alone all the same.
    constexpr mode_t kAnyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
    if ((status.st_mode & kAnyWrite) == 0 || (::access(source.path().c_str(), W_OK) != 0 && errno == EROFS)) {
        return text::WriteError{Kind::read_only, {}, source.path()};
    }
    return std::nullopt;
}

// So many files are prepared before the first of them takes its place: each holds three descriptors open meanwhile.
constexpr std::size_t kPreparedAtOnce = 100;

class Writer {
  public:
    Writer(const FixAnswer& answer, const ApplyOptions& options, Language language, const std::set<std::string>& kept)
        : files_(answer.changed), options_(options), language_(language), kept_(kept), journal_(language) {
        std::map<std::string_view, std::uint32_t> group_of;
        for (std::uint32_t i = 0; i < answer.groups.size(); ++i) {
            for (const std::string& path : answer.groups[i].paths) group_of.emplace(path, i);
            for (const std::vector<std::string>& paths : answer.groups[i].by_one_fix) linked_.push_back(paths);
        }
        for (const report::FileReport& report : answer.reports) {
            std::vector<std::string>& paths = linked_.emplace_back();
            for (const text::Source& source : report.files) paths.push_back(source.path());
        }
        // A file that no group names stands for itself.
        auto next = static_cast<std::uint32_t>(answer.groups.size());
        for (const ChangedFile& file : files_) {
            const auto found = group_of.find(file.path);
            groups_[found == group_of.end() ? next++ : found->second].push_back(&file);
        }
    }

    Written write() {
        if (auto problem = work_in_the_way(files_, options_, language_)) {
            refuse_all(*std::move(problem));
            return std::move(out_);
        }
        judge(true);
        if (!keep_journal()) return std::move(out_);
        for (const auto& [number, files] : groups_) write_group(files);
        journal_.close(!out_.paths.empty());
        return std::move(out_);
    }

    Written only_refuse() {
        judge(false);
        return std::move(out_);
    }

  private:
    void judge(bool on_disk) {
        for (const ChangedFile& file : files_) prepare(file, on_disk);
        refuse_companions();
    }

    void refuse(const std::string& path, report::Problem problem) {
        out_.refused.insert(path);
        out_.problems.push_back(std::move(problem));
    }

    void refuse_all(report::Problem why) {
        for (const ChangedFile& file : files_) out_.refused.insert(file.path);
        out_.problems.push_back(std::move(why));
    }

    void prepare(const ChangedFile& file, bool on_disk) {
        if (kept_.contains(file.path)) {
            const rules::Text why{"input.partly_staged", rules::Data().set("path", file.path)};
            return refuse(file.path, {file.path, "partly-staged", rules::render(why, language_)});
        }
        auto encoded = file.original->encode(file.text);
        if (!encoded) {
            refuse(file.path, problem_of(file.path, *file.original, encoded.error(), language_));
        } else if (const auto error = on_disk ? foreseeable_error(*file.original) : std::nullopt) {
            refuse(file.path, problem_of(file.path, *error, language_));
        } else {
            texts_[file.path] = std::move(*encoded);
        }
    }

    /// Files that were traced together with a refused one, or changed by the same fix.
    void refuse_companions() {
        for (bool again = !out_.refused.empty(); again;) {
            again = false;
            for (const std::vector<std::string>& paths : linked_) {
                const auto is_refused = [&](const std::string& path) { return out_.refused.contains(path); };
                const auto cause = std::ranges::find_if(paths, is_refused);
                if (cause == paths.end()) continue;
                for (const ChangedFile& file : files_) {
                    const bool together = std::ranges::find(paths, file.path) != paths.end();
                    if (!together || out_.refused.contains(file.path) || out_.paths.contains(file.path)) continue;
                    refuse_with(file, *cause);
                    again = true;
                    break;
                }
            }
        }
    }

    /// False, and everything is refused, when it cannot be kept.
    bool keep_journal() {
        if (options_.no_journal) return true;
        std::vector<changes::JournalEntry> entries;
        for (const auto& [number, files] : groups_) {
            for (const ChangedFile* file : files) {
                if (!out_.refused.contains(file->path)) entries.push_back(journal_entry(*file, number));
            }
        }
        if (entries.empty()) return true;
        auto problem = journal_.open(entries);
        if (!problem) return true;
        refuse_all(*std::move(problem));
        return false;
    }

    changes::JournalEntry journal_entry(const ChangedFile& file, std::uint32_t group) const {
        std::error_code error;
        const std::filesystem::path real = std::filesystem::canonical(file.path, error);
        struct stat status{};
        static_cast<void>(::stat(file.path.c_str(), &status));  // it was looked at a moment ago
        changes::JournalEntry entry{error ? file.path : real.string(),
                                    status.st_mode,
                                    group,
                                    status.st_nlink > 1,
                                    file.original->bytes(),
                                    texts_.at(file.path)};
        const std::filesystem::path reached = std::filesystem::absolute(file.path, error).lexically_normal();
        if (!error && reached != real) entry.alias = reached.string();
        return entry;
    }

    /// All files of the group or none. Ctrl-C waits for its end.
    void write_group(std::span<const ChangedFile* const> group) {
        const text::HeldSignals held;
        std::vector<const ChangedFile*> files;
        for (const ChangedFile* file : group) {
            if (!out_.refused.contains(file->path)) files.push_back(file);
        }
        std::vector<const ChangedFile*> done;
        for (std::size_t at = 0; at < files.size(); at += kPreparedAtOnce) {
            const auto some = std::span(files).subspan(at, std::min(kPreparedAtOnce, files.size() - at));
            if (write_some(some, done)) continue;
            take_back(done);
            for (const ChangedFile* file : files) {
                if (!out_.refused.contains(file->path)) refuse_with(*file, culprit_);
            }
            return;
        }
        for (const ChangedFile* file : done) out_.paths.insert(file->path);
    }

    /// False when one of them could not be written, which is refused then.
    bool write_some(std::span<const ChangedFile* const> files, std::vector<const ChangedFile*>& done) {
        std::vector<text::PendingWrite> pending;
        for (const ChangedFile* file : files) {
            const text::Source& read = *file->original;
            auto prepared =
                text::PendingWrite::prepare({read.path(), read.bytes(), *read.identity()}, texts_[file->path]);
            if (!prepared) return fail(*file, prepared.error());
            pending.push_back(std::move(*prepared));
        }
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (const auto written = pending[i].commit(); !written) return fail(*files[i], written.error());
            done.push_back(files[i]);
        }
        return true;
    }

    bool fail(const ChangedFile& file, const text::WriteError& error) {
        culprit_ = file.path;
        refuse(file.path, problem_of(file.path, error, language_));
        return false;
    }

    /// The old text for those of a group that have the new one already.
    void take_back(std::span<const ChangedFile* const> done) {
        for (const ChangedFile* file : done) {
            struct stat status{};
            const std::string& text = texts_[file->path];
            if (::stat(file->path.c_str(), &status) != 0) continue;
            const auto back = text::write_file({file->path, text, text::identity_of(status)}, file->original->bytes());
            if (back) continue;
            refuse(file->path, problem_of(file->path, back.error(), language_));
            out_.paths.insert(file->path);  // it has the new text
        }
    }

    void refuse_with(const ChangedFile& file, const std::string& other) {
        const rules::Data data = rules::Data().set("path", file.path).set("other", other);
        refuse(file.path, {file.path, "companion", rules::render({"input.companion", data}, language_)});
    }

    std::span<const ChangedFile> files_;
    std::vector<std::vector<std::string>> linked_;  // paths of which none is written without the others
    ApplyOptions options_;
    Language language_;
    const std::set<std::string>& kept_;
    RunJournal journal_;
    std::map<std::uint32_t, std::vector<const ChangedFile*>> groups_;
    std::map<std::string, std::string> texts_;  // encoded, by path
    std::string culprit_;                       // the last file that could not be written
    Written out_;
};

}  // namespace

Written write_changes(const FixAnswer& answer, const ApplyOptions& options, Language language,
                      const std::set<std::string>& kept) {
    return Writer(answer, options, language, kept).write();
}

Written refusals(const FixAnswer& answer, Language language, const std::set<std::string>& kept) {
    return Writer(answer, {}, language, kept).only_refuse();
}

}  // namespace ptofix::cli
