#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include "text/disk_file.h"

namespace ptofix::cli {

void Output::write(std::string_view bytes) {
    if (closed_ || bytes.empty()) return;
    const int error = text::write_all(descriptor_, bytes);
    if (error == 0) return;
    closed_ = true;
    if (error != EPIPE) error_ = error;
}

bool Output::is_terminal() const {
    return ::isatty(descriptor_) == 1;
}

std::optional<std::uint32_t> Output::columns() const {
    winsize size{};
    if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
    return size.ws_col;
}

}  // namespace ptofix::cli
