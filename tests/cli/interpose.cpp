// Preloaded into the program by tests that need something to happen while it writes. fsync() is called when a new
// version lies complete beside its file, just before it takes the file's place; the first call in a run appends a line
// to the file that PTOFIX_TEST_EDITS names, as an editor would that saves at this moment. open() fails for the file
// that PTOFIX_TEST_UNREADABLE names, as on a disk that fails.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include <cstdlib>
#include <string_view>

extern "C" int fsync(int fd) {
    using Fsync = int (*)(int);
    static const auto real = reinterpret_cast<Fsync>(dlsym(RTLD_NEXT, "fsync"));
    if (const char* path = std::getenv("PTOFIX_TEST_EDITS")) {
        constexpr std::string_view kLine = "# an editor saved this\n";
        if (const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC); file >= 0) {
            if (write(file, kLine.data(), kLine.size()) < 0) std::abort();
            close(file);
        }
        unsetenv("PTOFIX_TEST_EDITS");
    }
    return real(fd);
}

extern "C" int openat(int folder, const char* path, int flags, ...) {
    using OpenAt = int (*)(int, const char*, int, ...);
    static const auto real = reinterpret_cast<OpenAt>(dlsym(RTLD_NEXT, "openat"));
    const char* unreadable = std::getenv("PTOFIX_TEST_UNREADABLE");
    const std::string_view name(path);
    if (unreadable != nullptr && std::string_view(unreadable).ends_with(name) && !name.empty()) {
        errno = EIO;
        return -1;
    }
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return real(folder, path, flags, mode);
}
