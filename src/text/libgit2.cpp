#include "text/libgit2.h"

#include <dlfcn.h>

#include <array>
#include <stdexcept>

namespace ptofix::text {

namespace {

constexpr const char* kFile = "libgit2.so." LIBGIT2_SOVERSION;

/// Never closed: what it has begun ends with the program.
void* load() {
    void* library = ::dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(::dlerror());
    return library;
}

template <class Function>
void find(void* library, const char* name, Function*& into) {
    into = reinterpret_cast<Function*>(::dlsym(library, name));
    if (into == nullptr) throw std::runtime_error(::dlerror());
}

class Started : public Libgit2 {
  public:
    Started() {
        void* library = load();
#define PTOFIX_FIND(name) find(library, #name, this->name);
        PTOFIX_LIBGIT2_FUNCTIONS(PTOFIX_FIND)
#undef PTOFIX_FIND
        git_libgit2_init();
        // Git refuses the repository of another user because of what its configuration may run. Nothing is run here,
        // and containers that build as root are full of such repositories.
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        // Extensions that say nothing about ignored files or the state of a work tree.
        std::array<const char*, 3> known = {"partialclone", "worktreeconfig", "preciousobjects"};
        git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known.data(), known.size());
    }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;
    ~Started() { git_libgit2_shutdown(); }
};

}  // namespace

const Libgit2& libgit2() {
    static const Started library;
    return library;
}

}  // namespace ptofix::text

/// libgit2 asks mbedTLS for the machine's certificates as soon as it is initialised, and nothing turns that off. Nobody
/// here opens a connection: what a program defines (and exports: CMakeLists.txt says so to the linker) comes before
/// what a library does, so that this, which reads none, is called. Where libgit2 is built with another library it is
/// called by no one.
extern "C" __attribute__((visibility("default"), used)) int mbedtls_x509_crt_parse_file(void* /*chain*/,
                                                                                        const char* /*path*/) {
    return 0;
}
