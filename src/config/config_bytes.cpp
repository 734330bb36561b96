#include "config/config_bytes.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>

#include "text/disk_file.h"

namespace ptofix::config {

namespace {

constexpr std::size_t kMaxConfigBytes = 1U << 20U;

}  // namespace

bool is_project_file(const std::string& path) {
    return std::filesystem::path(path).filename() == kProjectFileName;
}

std::optional<std::string> read_config_bytes(const std::string& path, int& error) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        error = errno;
        return std::nullopt;
    }
    const text::FileDescriptor file(fd);
    std::string bytes;
    error = text::read_all(file.get(), kMaxConfigBytes + 1, bytes);
    if (error == 0 && bytes.size() > kMaxConfigBytes) error = EFBIG;  // half of it would be read as if it were all
    if (error != 0) return std::nullopt;
    return bytes;
}

}  // namespace ptofix::config
