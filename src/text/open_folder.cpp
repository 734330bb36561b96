#include "text/open_folder.h"

#include <dirent.h>
#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

namespace ptofix::text {

int each_entry(const std::string& folder, const std::function<void(const Entry&)>& visit, FileDescriptor* keep) {
    // As readdir does, without its look at what was opened and its memory for each folder.
    FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_DIRECTORY));
    if (!opened.is_open()) return errno;
    alignas(dirent64) std::array<std::byte, std::size_t{32} << 10U> some;
    while (true) {
        const ssize_t size = ::getdents64(opened.get(), some.data(), some.size());
        if (size < 0 && errno != ENOENT) return errno;
        if (size <= 0) {  // the end, or it was removed meanwhile
            if (keep != nullptr) *keep = std::move(opened);
            return 0;
        }
        for (ssize_t at = 0; at < size;) {
            const auto* entry = reinterpret_cast<const dirent64*>(&some[static_cast<std::size_t>(at)]);
            at += entry->d_reclen;
            const std::string_view name = static_cast<const char*>(entry->d_name);
            if (name != "." && name != "..") visit({name, entry->d_type});
        }
    }
}

}  // namespace ptofix::text
