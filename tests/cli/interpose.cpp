// Preloaded into the program by tests that need something to happen while it writes. fsync() is called when a new
// version lies complete beside its file, just before it takes the file's place; the first call in a run appends a line
// to the file that PTOFIX_TEST_EDITS names, as an editor would that saves at this moment.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

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
