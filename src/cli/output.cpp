#include "cli/output.h"

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

}  // namespace ptofix::cli
