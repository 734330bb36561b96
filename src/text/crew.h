// Threads that wait for work. A thread that is started for each piece of it runs where the one runs that started it,
// until the system moves it: measured, that took 3 ms of the 10 that the work took. One that wakes up gets a processor
// of its own at once.
#pragma once

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

    /// From now on so many threads wait.
    void gather(std::size_t helpers);
    /// Calls `work` on this thread and on up to `helpers` others at once, and returns when it has returned everywhere.
    /// It throws nothing. While another call of this goes on, this thread does the work alone.
    void run(std::size_t helpers, const std::function<void()>& work);

  private:
    void wait_for_work();

    std::mutex mutex_;
    std::condition_variable wake_, changed_;
    std::vector<std::jthread> threads_;
    const std::function<void()>* work_ = nullptr;
    std::size_t waiting_ = 0;  // threads
    std::size_t wanted_ = 0;   // that are to take up the work
    std::size_t working_ = 0;
    bool is_over_ = false;
};

}  // namespace ptofix::text
