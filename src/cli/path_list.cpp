#include "cli/path_list.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "cli/problems.h"
#include "text/disk_file.h"

namespace ptofix::cli {

std::vector<std::string> paths_in(std::string_view list, bool null) {
    const char end = null || list.find('\0') != std::string_view::npos ? '\0' : '\n';
    std::vector<std::string> paths;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (list.starts_with(kByteOrderMark)) list.remove_prefix(kByteOrderMark.size());
    while (!list.empty()) {
        std::string_view path = list.substr(0, list.find(end));
        list.remove_prefix(std::min(path.size() + 1, list.size()));
        if (end == '\n' && path.ends_with('\r')) path.remove_suffix(1);
        if (!path.empty()) paths.emplace_back(path);
    }
    return paths;
}

std::expected<std::vector<std::string>, report::Problem> read_path_list(const std::string& from, bool null,
                                                                        rules::Language language) {
    std::string bytes;
    int error = 0;
    if (from == "-") {
        error = text::read_all(STDIN_FILENO, SIZE_MAX, bytes);
    } else {
        const text::FileDescriptor file(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
        error = file.is_open() ? text::read_all(file.get(), SIZE_MAX, bytes) : errno;
    }
    if (error != 0) return std::unexpected(problem_of(from, "list-unreadable", text::error_text(error), language));
    return paths_in(bytes, null);
}

}  // namespace ptofix::cli
