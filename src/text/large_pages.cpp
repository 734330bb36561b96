#include "text/large_pages.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

// The linker's names.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char __executable_start, etext;

namespace ptofix::text {

namespace {

// A sanitizer's allocator has its own ways; only glibc's grows one heap a thread.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool kHasHeaps = true;
#else
constexpr bool kHasHeaps = false;
#endif

constexpr std::size_t kLargePage = std::size_t{2} << 20U;
// The most that glibc takes from a heap at once: more comes from the system each time.
constexpr std::size_t kLargestPart = std::size_t{32} << 20U;
constexpr std::size_t kReach = kLargestPart - kLargePage;

std::size_t to_boundary(std::uintptr_t at, std::size_t size) {
    return size - 1 - (at + size - 1) % size;
}

/// glibc puts the heaps of threads at multiples of 64 MB; the program's own begins where the system puts it, and has
/// had little in it so far.
bool is_new(std::uintptr_t at) {
    constexpr std::size_t kHeap = 2 * kLargestPart, kLittle = std::size_t{1} << 16U;
    static std::atomic<bool> first = true;
    return first.exchange(false) || at % kHeap < kLittle;
}

}  // namespace

void keep_freed_memory() {
    if (!kHasHeaps) return;
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargestPart));
    mallopt(M_TRIM_THRESHOLD, static_cast<int>(8 * kLargestPart));
    mallopt(M_TOP_PAD, static_cast<int>(2 * kLargePage));
}

void map_code() {
#if defined(MADV_POPULATE_READ)
    // Where the linker says that the code begins and ends. Older systems refuse: then nothing has changed.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(&__executable_start) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(&etext);
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
#endif
}

void prefer_large_pages() {
    if (!kHasHeaps) return;
    // Allocated and freed at once, it is the part of the heap that is handed out next.
    auto* part = static_cast<std::byte*>(std::malloc(kReach));
    if (part == nullptr) return;
    const auto at = reinterpret_cast<std::uintptr_t>(part);
    const std::size_t before = to_boundary(at, kLargePage);
    ::madvise(part + before, kReach - before, MADV_HUGEPAGE);
    std::free(part);
    // The first large page may hold small ones already. Of a heap that is new it is left alone: nothing of it is ever
    // touched, so that it costs an address. One that an earlier thread has used has been touched all over.
    static std::atomic<const void*> untouched;  // of no use but that the compiler leaves the call in
    constexpr std::size_t kOverhead = 2 * sizeof(std::size_t);
    if (before > kOverhead && is_new(at)) untouched = std::malloc(before - kOverhead);
}

}  // namespace ptofix::text
