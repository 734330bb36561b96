#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <string>
#include <thread>

#include "text/disk_file.h"
#include "unit/temporary_directory.h"

namespace ptofix::text {

TEST_CASE("write_all gets everything through short writes and interruptions") {
    struct sigaction action{};
    struct sigaction before{};
    action.sa_handler = [](int) {};  // without SA_RESTART, so that it cuts a write short
    REQUIRE(sigaction(SIGUSR1, &action, &before) == 0);

    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
    std::string sent(4'000'000, '\0');
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<char>(i * 7 + i / 251);
    int error = -1;
    std::atomic<bool> done = false;
    std::thread writer([&] {
        error = write_all(ends[1], sent);
        done = true;
        close(ends[1]);
        while (done) std::this_thread::yield();
    });
    std::string received;
    std::array<char, 10'007> chunk{};
    while (true) {
        if (!done) pthread_kill(writer.native_handle(), SIGUSR1);
        const ssize_t got = read(ends[0], chunk.data(), chunk.size());
        if (got <= 0) break;
        received.append(chunk.data(), static_cast<std::size_t>(got));
    }
    done = false;
    writer.join();
    close(ends[0]);
    sigaction(SIGUSR1, &before, nullptr);
    CHECK(error == 0);
    CHECK((received == sent));
}

TEST_CASE("write_all reports the system's error") {
    CHECK(write_all(-1, "x") == EBADF);
    CHECK(write_all(-1, "") == 0);
    const FileDescriptor full(open("/dev/full", O_WRONLY | O_CLOEXEC));
    if (full.is_open()) CHECK(write_all(full.get(), "x") == ENOSPC);
}

TEST_CASE("read_all stops at the limit, at the end, and reads files whose size is not known") {
    const TemporaryDirectory directory;
    const std::string content(200'000, 'x');
    const std::string path = directory.write("file", content);
    std::string bytes;
    for (const std::size_t limit : {0UL, 1UL, 100UL, 65'536UL, 199'999UL, 200'000UL, 200'001UL, 1'000'000UL}) {
        const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        REQUIRE(read_all(file.get(), limit, bytes) == 0);
        CHECK((bytes == content.substr(0, limit)));
    }
    {  // a file that becomes longer, and one that is read from its middle on
        const FileDescriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
        struct stat before{};
        REQUIRE(fstat(file.get(), &before) == 0);
        before.st_size -= 100'000;
        REQUIRE(read_all(file.get(), before, 1'000'000, bytes) == 0);
        CHECK((bytes == content));
        before.st_size += 200'000;
        REQUIRE(lseek(file.get(), 0, SEEK_SET) == 0);
        REQUIRE(read_all(file.get(), before, 1'000'000, bytes) == 0);
        CHECK((bytes == content));
        REQUIRE(lseek(file.get(), 150'000, SEEK_SET) == 150'000);
        REQUIRE(read_all(file.get(), 1'000'000, bytes) == 0);
        CHECK((bytes == content.substr(150'000)));
    }
    const FileDescriptor status(open("/proc/self/status", O_RDONLY | O_CLOEXEC));
    if (status.is_open()) {
        REQUIRE(read_all(status.get(), 1'000'000, bytes) == 0);
        CHECK(bytes.find("Name:") == 0);
    }
    const FileDescriptor folder(open(directory.path().c_str(), O_RDONLY | O_CLOEXEC));
    CHECK(read_all(folder.get(), 10, bytes) == EISDIR);
}

TEST_CASE("a descriptor is closed once, by its last owner") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("file", "x");
    int number = -1;
    {
        FileDescriptor first(open(path.c_str(), O_RDONLY | O_CLOEXEC));
        number = first.get();
        FileDescriptor second(std::move(first));
        CHECK_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move): the state that is promised
        FileDescriptor third;
        third = std::move(second);
        CHECK(third.get() == number);
        CHECK(fcntl(number, F_GETFD) >= 0);
    }
    CHECK(fcntl(number, F_GETFD) == -1);
    CHECK(FileDescriptor().close() == 0);
}

}  // namespace ptofix::text
