#pragma once

// A loop over independent things, by several threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>

#include "text/crew.h"

namespace ptofix::text {

/// Beyond it threads cost more than they bring, on any machine that there is.
inline constexpr unsigned kMostThreads = 256;

/// As many as are wanted, up to that; 0: one for each processor.
inline unsigned threads_for(unsigned wanted) {
    return std::clamp(wanted != 0 ? wanted : std::thread::hardware_concurrency(), 1U, kMostThreads);
}

/// Calls a worker with 0, 1, ... count - 1, each once, in any order. `make_worker` is called once by each of at most
/// `jobs` threads, this one among them, and returns that thread's worker. The first exception ends the loop and leaves
/// by here.
template <class MakeWorker>
void in_parallel(std::size_t count, unsigned jobs, const MakeWorker& make_worker) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto run = [&] {
        try {
            auto worker = make_worker();
            for (std::size_t i = next++; i < count; i = next++) worker(i);
        } catch (...) {
            next = count;
            const std::scoped_lock lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    const std::size_t threads = std::min<std::size_t>(jobs, count);
    if (threads > 1) {
        Crew::of_process().run(threads - 1, run);
    } else {
        run();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ptofix::text
