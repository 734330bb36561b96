#include "cli/report_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "text/disk_file.h"

namespace ptofix::cli {

namespace {

std::string write_in_place(const std::string& path, std::string_view text) {
    const text::FileDescriptor target(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY));
    const int error = target.is_open() ? text::write_all(target.get(), text) : errno;
    return error == 0 ? std::string() : text::error_text(error);
}

}  // namespace

std::string write_report(const std::string& path, std::string_view text) {
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) return write_in_place(path, text);
    // A link stays one: what it leads to is replaced.
    std::error_code unresolved;
    std::string target = exists ? std::filesystem::canonical(path, unresolved).string() : path;
    if (unresolved) target = path;
    std::string temporary = target + ".XXXXXX";
    const text::FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.is_open()) {
        const int error = errno;
        // A folder that takes no new file may hold one that can be written.
        return exists ? write_in_place(path, text) : text::error_text(error);
    }
    int error = text::write_all(file.get(), text);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    constexpr mode_t kNewFile = 0666;
    if (error == 0 && ::fchmod(file.get(), exists ? status.st_mode & 07777U : kNewFile & ~mask) != 0) error = errno;
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
    if (error == 0) return {};
    ::unlink(temporary.c_str());
    return text::error_text(error);
}

}  // namespace ptofix::cli
