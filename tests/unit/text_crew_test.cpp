#include "text/crew.h"

#include <sched.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>

using namespace ptofix::text;

namespace {

cpu_set_t allowed() {
    cpu_set_t set;
    CPU_ZERO(&set);
    REQUIRE(::sched_getaffinity(0, sizeof set, &set) == 0);
    return set;
}

/// Calls `work` until so many threads are in it at once, or for a second.
void meet(Crew& crew, std::size_t helpers, const std::function<void()>& work) {
    std::atomic<std::size_t> inside = 0;
    crew.run(helpers, [&] {
        ++inside;
        work();
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        while (inside < helpers + 1 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
    CHECK(inside == helpers + 1);
}

}  // namespace

TEST_CASE("a crew does all of the work that it is given, again and again") {
    for (std::size_t helpers = 0; helpers < 5; ++helpers) {
        Crew crew;
        if (helpers % 2 == 0) crew.gather(helpers);
        for (int round = 0; round < 200; ++round) {
            std::atomic<int> next = 0, done = 0;
            crew.run(helpers, [&] {
                while (next++ < 50) ++done;
            });
            CHECK(done == 50);
        }
    }
}

TEST_CASE("a crew that is given nothing ends") {
    Crew crew;
    crew.gather(3);
}

TEST_CASE("work within work is done by the thread that asks") {
    Crew crew;
    std::atomic<int> inner = 0;
    meet(crew, 2, [&] { crew.run(2, [&] { ++inner; }); });
    CHECK(inner == 3);
}

TEST_CASE("a thread with work may run wherever the process may") {
    const cpu_set_t before = allowed();
    Crew crew;
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> different = 0;
        meet(crew, 2, [&] {
            const cpu_set_t here = allowed();
            if (!CPU_EQUAL(&here, &before)) ++different;
        });
        CHECK(different == 0);
    }
    const cpu_set_t after = allowed();
    CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("a crew works where there is one processor") {
    const cpu_set_t before = allowed();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
    {
        Crew crew;
        meet(crew, 2, [] {});
    }
    REQUIRE(::sched_setaffinity(0, sizeof before, &before) == 0);
}
