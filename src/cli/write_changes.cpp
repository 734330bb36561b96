#include "cli/write_changes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>

#include "cli/problems.h"
#include "rules/messages.h"
#include "text/disk_file.h"
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

class Writer {
  public:
    Writer(std::span<const report::FileReport> reports, Language language) : reports_(reports), language_(language) {}

    Written write(std::span<const ChangedFile> files) {
        for (const ChangedFile& file : files) prepare(file);
        refuse_companions(files);
        for (const ChangedFile& file : files) {
            if (out_.refused.contains(file.path)) continue;
            if (const auto done = text::write_file(*file.original, texts_[file.path]); !done) {
                refuse(file.path, problem_of(file.path, done.error(), language_));
                refuse_companions(files);
            } else {
                out_.paths.insert(file.path);
            }
        }
        return std::move(out_);
    }

  private:
    void refuse(const std::string& path, report::Problem problem) {
        out_.refused.insert(path);
        out_.problems.push_back(std::move(problem));
    }

    void prepare(const ChangedFile& file) {
        auto encoded = file.original->encode(file.text);
        if (!encoded) {
            refuse(file.path, problem_of(file.path, *file.original, encoded.error(), language_));
        } else if (const auto error = foreseeable_error(*file.original)) {
            refuse(file.path, problem_of(file.path, *error, language_));
        } else {
            texts_[file.path] = std::move(*encoded);
        }
    }

    /// Files that were traced together with a refused one.
    void refuse_companions(std::span<const ChangedFile> files) {
        for (bool again = !out_.refused.empty(); again;) {
            again = false;
            for (const report::FileReport& report : reports_) {
                const auto is_refused = [&](const text::Source& source) {
                    return out_.refused.contains(source.path());
                };
                const auto cause = std::ranges::find_if(report.files, is_refused);
                if (cause == report.files.end()) continue;
                for (const ChangedFile& file : files) {
                    const bool together =
                        std::ranges::find(report.files, file.path, &text::Source::path) != report.files.end();
                    if (!together || out_.refused.contains(file.path) || out_.paths.contains(file.path)) continue;
                    const rules::Data data = rules::Data().set("path", file.path).set("other", cause->path());
                    refuse(file.path, {file.path, "companion", rules::render({"input.companion", data}, language_)});
                    again = true;
                    break;
                }
            }
        }
    }

    std::span<const report::FileReport> reports_;
    Language language_;
    std::map<std::string, std::string> texts_;  // encoded, by path
    Written out_;
};

}  // namespace

Written write_changes(std::span<const ChangedFile> files, std::span<const report::FileReport> reports,
                      Language language) {
    return Writer(reports, language).write(files);
}

}  // namespace ptofix::cli
