#include "text/large_pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace ptofix::text {

namespace {

// A sanitizer's allocator has its own ways; only glibc's grows one heap a thread.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
constexpr bool kHasHeaps = true;
#else
constexpr bool kHasHeaps = false;
#endif

constexpr std::size_t kLargePage = std::size_t{2} << 20U;
// The most that glibc takes from a heap at once: more comes from the system each time.
constexpr std::size_t kLargestPart = std::size_t{32} << 20U;
constexpr std::size_t kReach = kLargestPart - kLargePage;

std::size_t to_boundary(const void* at, std::size_t size) {
    return size - 1 - (reinterpret_cast<std::uintptr_t>(at) + size - 1) % size;
}

}  // namespace

void keep_freed_memory() {
    if (!kHasHeaps) return;
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargestPart));
    mallopt(M_TRIM_THRESHOLD, static_cast<int>(8 * kLargestPart));
    mallopt(M_TOP_PAD, static_cast<int>(2 * kLargePage));
}

void prefer_large_pages() {
    if (!kHasHeaps) return;
    // Allocated and freed at once, it is the part of the heap that is handed out next.
    auto* part = static_cast<std::byte*>(std::malloc(kReach));
    if (part == nullptr) return;
    const std::size_t before = to_boundary(part, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
    ::madvise(part + before, kReach - before, MADV_HUGEPAGE);
    std::free(part);
}

}  // namespace ptofix::text
