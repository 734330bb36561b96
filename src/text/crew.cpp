#include "text/crew.h"

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

void Crew::gather(std::size_t helpers) {
    std::unique_lock lock(mutex_);
    while (threads_.size() < helpers) {
        try {
            const HeldSignals held;  // the thread is born with them
            threads_.emplace_back([this] { wait_for_work(); });
        } catch (const std::system_error&) {  // the system has no more: there are others
            return;
        }
        // Sleeping here lets it run, and go to sleep in its turn: it wakes up elsewhere.
        changed_.wait(lock, [&] { return waiting_ + working_ == threads_.size(); });
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
        ++waiting_;
        changed_.notify_all();
        wake_.wait(lock, [&] { return wanted_ > 0 || is_over_; });
        --waiting_;
        if (is_over_) return;
        --wanted_;
        ++working_;
        const std::function<void()>& work = *work_;
        lock.unlock();
        work();
        lock.lock();
        --working_;
    }
}

}  // namespace ptofix::text
