#include "cli/edit_fix.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "text/disk_file.h"
#include "text/edit.h"

namespace ptofix::cli {

namespace {

namespace fs = std::filesystem;

/// Nothing where nobody sits who could use the default.
std::optional<std::string> editor() {
    for (const char* name : {"VISUAL", "EDITOR"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return value;
    }
    if (::isatty(STDIN_FILENO) != 1) return std::nullopt;
    return "vi";
}

/// A folder of its own, so that the file can have the name that editors know the language by.
class Folder {
  public:
    Folder() {
        std::error_code error;
        std::string pattern = (fs::temp_directory_path(error) / "pto-fix-edit-XXXXXX").string();
        if (!error && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// The shell reads the editor's name, which may have arguments of its own.
bool run_editor(const std::string& path) {
    const std::optional<std::string> program = editor();
    if (!program) return false;
    std::string script = *program + " \"$@\"", shell = "sh", option = "-c", name = "editor", file = path;
    char* arguments[] = {shell.data(), option.data(), script.data(), name.data(), file.data(), nullptr};
    pid_t child = 0;
    if (::posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ) != 0) return false;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::optional<std::string> in_editor(const std::string& name, const std::string& text) {
    const Folder folder;
    if (folder.path().empty()) return std::nullopt;
    const std::string path = folder.path() + "/" + name;
    {
        text::FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!file.is_open() || text::write_all(file.get(), text) != 0) return std::nullopt;
    }
    if (!run_editor(path)) return std::nullopt;
    const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string edited;
    if (!file.is_open() || text::read_all(file.get(), text::kMaxSourceBytes, edited) != 0) return std::nullopt;
    return edited;
}

}  // namespace

std::expected<rules::Fix, std::string_view> edit_fix(const rules::Fix& fix, const text::Source& source) {
    const std::uint16_t file = fix.edits.front().file;
    if (std::ranges::any_of(fix.edits, [&](const rules::FileEdit& edit) { return edit.file != file; })) {
        return std::unexpected("review.several_files");
    }
    // Whole lines, from the first edit to the last.
    text::Range lines = fix.edits.front().range;
    for (const rules::FileEdit& edit : fix.edits) {
        lines.start = std::min(lines.start, edit.range.start);
        lines.end = std::max(lines.end, edit.range.end);
    }
    const std::string_view whole = source.text();
    const std::size_t before = lines.start == 0 ? std::string_view::npos : whole.rfind('\n', lines.start - 1);
    lines.start = before == std::string_view::npos ? 0 : static_cast<std::uint32_t>(before + 1);
    const bool ends_line = lines.end > lines.start && whole[lines.end - 1] == '\n';
    const std::size_t behind = ends_line ? lines.end - 1 : whole.find('\n', lines.end);
    lines.end = static_cast<std::uint32_t>(behind == std::string_view::npos ? whole.size() : behind + 1);

    std::vector<text::Edit> edits;
    for (const rules::FileEdit& edit : fix.edits) {
        edits.push_back({{edit.range.start - lines.start, edit.range.end - lines.start}, edit.text});
    }
    const std::string_view old = whole.substr(lines.start, lines.end - lines.start);
    auto checked = text::Edits::make(std::move(edits), old.size());
    if (!checked) return std::unexpected("review.not_edited");
    const auto edited = in_editor(fs::path(source.path()).filename().string(), checked->apply(old));
    if (!edited) return std::unexpected("review.not_edited");

    // What is the same at both ends is not replaced.
    const auto head = std::ranges::mismatch(old, *edited);
    const auto same = static_cast<std::uint32_t>(head.in1 - old.begin());
    std::string_view gone = old.substr(same), come = std::string_view(*edited).substr(same);
    while (!gone.empty() && !come.empty() && gone.back() == come.back()) {
        gone.remove_suffix(1);
        come.remove_suffix(1);
    }
    if (gone.empty() && come.empty()) return std::unexpected("review.nothing_left");
    rules::Fix result = fix;
    const std::uint32_t start = lines.start + same;
    result.edits = {{file, {start, start + static_cast<std::uint32_t>(gone.size())}, std::string(come)}};
    result.removes_comments = true;  // it is their text now
    return result;
}

}  // namespace ptofix::cli
