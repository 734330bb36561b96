#include "cli/path_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "cli/problems.h"
#include "text/disk_file.h"
#include "text/encoding.h"

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

std::expected<std::string, std::string> list_in_utf8(std::string bytes) {
    using namespace std::string_view_literals;
    static constexpr std::pair<std::string_view, text::Codec> kMarks[] = {
        {"\xFF\xFE\0\0"sv, {"utf-32", "UTF-32LE", {}}},  // begins as that of UTF-16 does
        {"\0\0\xFE\xFF"sv, {"utf-32", "UTF-32BE", {}}},
        {"\xFF\xFE"sv, {"utf-16", "UTF-16LE", {}}},
        {"\xFE\xFF"sv, {"utf-16", "UTF-16BE", {}}},
    };
    for (const auto& [mark, codec] : kMarks) {
        if (!bytes.starts_with(mark)) continue;
        auto decoded = text::decode(codec, std::string_view(bytes).substr(mark.size()));
        if (decoded) return *std::move(decoded);
        return std::unexpected(fmt::format("{} (byte {})", codec.iconv_name, mark.size() + decoded.error().offset));
    }
    return bytes;
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
    const auto list = list_in_utf8(std::move(bytes));
    if (!list) return std::unexpected(problem_of(from, "list-undecodable", list.error(), language));
    return paths_in(*list, null);
}

}  // namespace ptofix::cli
