#include "text/crew.h"

#include <algorithm>
#include <system_error>

#include "text/held_signals.h"
#include "text/large_pages.h"

namespace ptofix::text {

Crew::~Crew() {
    {
        const std::scoped_lock lock(mutex_);
        is_over_ = true;
    }
    wake_.notify_all();
}

Crew& Crew::of_process() {
    static Crew crew;
    return crew;
}

bool Crew::look_elsewhere() {
    const int here = ::sched_getcpu();
    has_elsewhere_ = here >= 0 && here < CPU_SETSIZE && ::sched_getaffinity(0, sizeof anywhere_, &anywhere_) == 0;
    if (!has_elsewhere_) return false;
    elsewhere_ = anywhere_;
    CPU_CLR(here, &elsewhere_);
    return has_elsewhere_ = CPU_COUNT(&elsewhere_) > 0;
}

void Crew::send_elsewhere(std::jthread& thread) const {
    ::pthread_setaffinity_np(thread.native_handle(), sizeof elsewhere_, &elsewhere_);
}

void Crew::gather(std::size_t helpers) {
    const std::scoped_lock lock(mutex_);
    if (threads_.size() >= helpers) return;
    const bool sends = look_elsewhere();
    while (threads_.size() < helpers) {
        try {
            const HeldSignals held;  // the thread is born with them
            threads_.emplace_back([this] { wait_for_work(); });
        } catch (const std::system_error&) {  // the system has no more: there are others
            return;
        }
        if (sends) send_elsewhere(threads_.back());
    }
}

void Crew::run(std::size_t helpers, const std::function<void()>& work) {
    gather(helpers);
    std::unique_lock lock(mutex_);
    if (work_ != nullptr) {
        lock.unlock();
        work();
        return;
    }
    work_ = &work;
    wanted_ = helpers;
    if (look_elsewhere()) std::ranges::for_each(threads_, [this](std::jthread& thread) { send_elsewhere(thread); });
    lock.unlock();
    for (std::size_t i = 0; i < helpers; ++i) wake_.notify_one();
    work();
    lock.lock();
    wanted_ = 0;  // who has not begun need not
    changed_.wait(lock, [&] { return working_ == 0; });
    work_ = nullptr;
}

void Crew::wait_for_work() {
    prefer_large_pages();
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [&] { return wanted_ > 0 || is_over_; });
        if (is_over_) return;
        --wanted_;
        ++working_;
        const std::function<void()>& work = *work_;
        if (has_elsewhere_) ::sched_setaffinity(0, sizeof anywhere_, &anywhere_);
        lock.unlock();
        work();
        lock.lock();
        if (--working_ == 0) changed_.notify_all();
    }
}

}  // namespace ptofix::text
