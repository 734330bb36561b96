// Threads that wait for work. Where processors share no cache, a thread that is started runs where the one runs that
// started it, though another processor is idle, until the system moves it: measured, that took 3 ms of the 10 that the
// work took. One that wakes up does so where it fell asleep, which may be the same place. These are sent elsewhere
// first; once they have work they may run anywhere.
#pragma once

#include <sched.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ptofix::text {

class Crew {
  public:
    Crew() = default;
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew();

    /// That of the process, without threads until they are asked for.
    static Crew& of_process();

    /// From now on so many threads wait, or are about to.
    void gather(std::size_t helpers);
    /// Calls `work` on this thread and on up to `helpers` others at once, and returns when it has returned everywhere.
    /// It throws nothing. While another call of this goes on, this thread does the work alone.
    void run(std::size_t helpers, const std::function<void()>& work);

  private:
    bool look_elsewhere();
    void send_elsewhere(std::jthread& thread) const;
    void wait_for_work();

    std::mutex mutex_;
    std::condition_variable wake_, changed_;
    std::vector<std::jthread> threads_;
    const std::function<void()>* work_ = nullptr;
    std::size_t wanted_ = 0;  // that are to take up the work
    std::size_t working_ = 0;
    bool is_over_ = false;
    cpu_set_t anywhere_{};   // where this process may run
    cpu_set_t elsewhere_{};  // the same but for where the caller ran
    bool has_elsewhere_ = false;
};

}  // namespace ptofix::text
