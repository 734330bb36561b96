#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <csignal>

#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <string>

#include "text/write_file.h"
#include "unit/effective_user.h"
#include "unit/temporary_directory.h"

namespace ptofix::text {
namespace fs = std::filesystem;

namespace {

constexpr WriteOptions kUnsynced{.sync = false};

Source loaded(const std::string& path) {
    auto source = Source::load(path);
    REQUIRE(source.has_value());
    return *std::move(source);
}

struct stat status_of(const std::string& path) {
    struct stat status{};
    REQUIRE(lstat(path.c_str(), &status) == 0);
    return status;
}

WriteError refused(const Source& source, std::string_view bytes = "new\n") {
    const auto result = write_file(source, bytes, kUnsynced);
    REQUIRE_FALSE(result.has_value());
    return result.error();
}

void require_written(const Source& source, std::string_view bytes, const WriteOptions& options = kUnsynced) {
    const auto result = write_file(source, bytes, options);
    if (!result) INFO(to_string(result.error().kind) << ": " << result.error().detail);
    REQUIRE(result.has_value());
}

}  // namespace

TEST_CASE("a file gets its new bytes and nothing else is left in its directory") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    const std::string bytes = "new \xFF\r\n\xEF\xBB\xBF";
    require_written(loaded(path), bytes, {});
    CHECK(directory.read("kernel.py") == bytes);
    require_written(loaded(directory.write("kernel.py", "again\n")), "", kUnsynced);
    CHECK(directory.read("kernel.py").empty());
    CHECK(directory.names() == std::vector<std::string>{"kernel.py"});
}

TEST_CASE("a relative path and a name as long as the system allows are written") {
    const TemporaryDirectory directory;
    const std::string name = std::string(252, 'n') + ".py";
    directory.write(name, "old\n");
    const fs::path before = fs::current_path();
    fs::current_path(directory.path());
    const auto source = Source::load(name);
    const auto result = write_file(*source, "new\n", kUnsynced);
    fs::current_path(before);
    CHECK(result.has_value());
    CHECK(directory.read(name) == "new\n");
}

TEST_CASE("what is prepared and not committed leaves nothing, what is committed is there") {
    const TemporaryDirectory directory;
    const Source one = loaded(directory.write("one.py", "old\n")), two = loaded(directory.write("two.py", "old\n"));
    REQUIRE(link((directory / "two.py").c_str(), (directory / "three.py").c_str()) == 0);
    const Source linked = loaded(directory / "two.py");
    for (const bool commit : {false, true}) {
        auto first = PendingWrite::prepare({one.path(), one.bytes(), *one.identity()}, "new\n", kUnsynced);
        auto second = PendingWrite::prepare({linked.path(), linked.bytes(), *linked.identity()}, "new\n", kUnsynced);
        REQUIRE((first && second));
        CHECK(directory.read("one.py") == "old\n");
        CHECK(directory.read("three.py") == "old\n");
        if (commit) CHECK((first->commit() && second->commit()));
    }
    CHECK(directory.read("one.py") == "new\n");
    CHECK(directory.read("three.py") == "new\n");
    CHECK(directory.names().size() == 3);
}

TEST_CASE("a mode that is asked for is given, with links and without") {
    const TemporaryDirectory directory;
    for (const bool links : {false, true}) {
        const std::string path = directory.write("kernel.py", "old\n");
        if (links) REQUIRE(link(path.c_str(), (directory / "other.py").c_str()) == 0);
        require_written(loaded(path), "new\n", {.sync = false, .mode = 0750U});
        CHECK((status_of(path).st_mode & 07777U) == 0750U);
        CHECK(directory.read("kernel.py") == "new\n");
    }
}

TEST_CASE("the mode is kept") {
    const TemporaryDirectory directory;
    for (const mode_t mode : {0644U, 0600U, 0755U, 0666U, 0200U | S_IRUSR, 04755U}) {
        const std::string path = directory.write("kernel.py", "old\n");
        REQUIRE(chmod(path.c_str(), mode) == 0);
        require_written(loaded(path), "new\n");
        CHECK((status_of(path).st_mode & 07777U) == mode);
        fs::remove(path);
    }
}

TEST_CASE("extended attributes are kept") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    if (setxattr(path.c_str(), "user.origin", "here", 4, 0) != 0) {
        WARN("not tried: no extended attributes in " << directory.path());
        return;
    }
    require_written(loaded(path), "new\n");
    char value[8] = {};
    CHECK(getxattr(path.c_str(), "user.origin", value, sizeof value) == 4);
    CHECK(std::string(value) == "here");
}

TEST_CASE("the owner is kept") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    if (chown(path.c_str(), 12345, 23456) != 0) {
        WARN("not tried: only root gives files away");
        return;
    }
    require_written(loaded(path), "new\n");
    CHECK(status_of(path).st_uid == 12345);
    CHECK(status_of(path).st_gid == 23456);
}

TEST_CASE("a file whose owner cannot be kept is written in place") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old old old\n");
    if (geteuid() != 0) {
        WARN("not tried: needs two users");
        return;
    }
    REQUIRE(chmod(path.c_str(), 0666) == 0);
    REQUIRE(chmod(directory.path().c_str(), 0777) == 0);
    const auto before = status_of(path);
    {
        const AsOrdinaryUser user;
        REQUIRE(user);
        require_written(loaded(path), "new\n");
    }
    const auto after = status_of(path);
    CHECK(directory.read("kernel.py") == "new\n");
    CHECK(after.st_uid == before.st_uid);
    CHECK(after.st_ino == before.st_ino);
    CHECK(directory.names().size() == 1);
}

TEST_CASE("a chain of links, also out of the directory, stays, and its end gets the new text") {
    const TemporaryDirectory directory;
    const std::string real = directory.write("far/away/real.py", "old\n");
    fs::create_directory(directory / "near");
    fs::create_symlink("../far/away/real.py", directory / "near/second.py");
    fs::create_symlink(directory / "near/second.py", directory / "near/first.py");
    fs::create_directory_symlink("near", directory / "door");
    const std::string path = directory / "door/first.py";
    require_written(loaded(path), "new\n");
    CHECK(directory.read("far/away/real.py") == "new\n");
    CHECK(fs::is_symlink(directory / "near/first.py"));
    CHECK(fs::is_symlink(directory / "near/second.py"));
    CHECK_FALSE(fs::is_symlink(real));
    CHECK(std::distance(fs::directory_iterator(directory / "near"), {}) == 2);
    CHECK(std::distance(fs::directory_iterator(directory / "far/away"), {}) == 1);
}

TEST_CASE("all names of a hard linked file see the new text, longer or shorter") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("one.py", "old\n");
    fs::create_hard_link(path, directory / "two.py");
    for (const std::string& bytes : {std::string(100'000, 'n'), std::string("short\n"), std::string()}) {
        require_written(loaded(directory / "two.py"), bytes);
        CHECK((directory.read("one.py") == bytes));
        CHECK((directory.read("two.py") == bytes));
        CHECK(status_of(path).st_nlink == 2);
        CHECK(directory.names().size() == 2);
    }
}

TEST_CASE("a source that was not read from disk is refused") {
    const auto source = Source::from_bytes("<stdin>", "x");
    CHECK(refused(*source).kind == WriteError::Kind::no_file);
}

TEST_CASE("a file that changed since it was read keeps what it has now") {
    const TemporaryDirectory directory;
    const auto check_kept = [&](const Source& source, const std::string& now) {
        const WriteError error = refused(source);
        CHECK(error.kind == WriteError::Kind::changed_meanwhile);
        CHECK(error.path == fs::canonical(source.path()).string());
        CHECK(to_string(error.kind) == "changed-meanwhile");
        CHECK(directory.read("kernel.py") == now);
        CHECK(directory.names() == std::vector<std::string>{"kernel.py"});
    };
    const std::string path = directory.write("kernel.py", "old\n");
    Source source = loaded(path);
    directory.write("kernel.py", "someone else's longer text\n");
    check_kept(source, "someone else's longer text\n");

    // Same size, same inode, and the old modification time put back: only the contents tell.
    source = loaded(directory.write("kernel.py", "old\n"));
    const auto time = fs::last_write_time(path);
    directory.write("kernel.py", "odd\n");
    fs::last_write_time(path, time);
    check_kept(source, "odd\n");

    // Same contents, but another file: what an editor's own save by rename leaves.
    source = loaded(directory.write("kernel.py", "old\n"));
    directory.write("other.py", "old\n");
    fs::rename(directory / "other.py", path);
    check_kept(source, "old\n");
}

TEST_CASE("a link that leads elsewhere by now is a change") {
    const TemporaryDirectory directory;
    directory.write("a.py", "same\n");
    directory.write("b.py", "same\n");
    fs::create_symlink("a.py", directory / "link.py");
    const Source source = loaded(directory / "link.py");
    fs::remove(directory / "link.py");
    fs::create_symlink("b.py", directory / "link.py");
    CHECK(refused(source).kind == WriteError::Kind::changed_meanwhile);
    CHECK(directory.read("b.py") == "same\n");
}

TEST_CASE("a hard linked file that changed meanwhile is kept as well") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("one.py", "old\n");
    fs::create_hard_link(path, directory / "two.py");
    const Source source = loaded(path);
    directory.write("two.py", "odd\n");
    CHECK(refused(source).kind == WriteError::Kind::changed_meanwhile);
    CHECK(directory.read("one.py") == "odd\n");
    CHECK(directory.names().size() == 2);
}

TEST_CASE("a new modification time alone is no change") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    const Source source = loaded(path);
    fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::hours(1));
    require_written(source, "new\n");
    CHECK(directory.read("kernel.py") == "new\n");
}

TEST_CASE("a file that is gone, or is a directory by now, is an error and nothing appears") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    const Source source = loaded(path);
    fs::remove(path);
    CHECK(refused(source).kind == WriteError::Kind::vanished);
    CHECK(directory.names().empty());
    fs::create_directory(path);
    CHECK(refused(source).kind == WriteError::Kind::changed_meanwhile);
    fs::remove_all(path);
    fs::create_symlink("nowhere", path);
    CHECK(refused(source).kind == WriteError::Kind::vanished);
    fs::remove(path);
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    CHECK(refused(source).kind == WriteError::Kind::changed_meanwhile);
    CHECK(directory.names().size() == 1);
}

TEST_CASE("a read-only file is refused, also for root and although a rename would succeed") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    const Source source = loaded(path);
    REQUIRE(chmod(path.c_str(), 0444) == 0);
    CHECK(refused(source).kind == WriteError::Kind::read_only);
    CHECK(directory.read("kernel.py") == "old\n");
    CHECK(directory.names().size() == 1);
}

TEST_CASE("a file this user may not write, and a directory that takes no new file, are refused") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    if (geteuid() != 0) {
        REQUIRE(chmod(directory.path().c_str(), 0555) == 0);
        CHECK(refused(loaded(path)).kind == WriteError::Kind::not_permitted);
        REQUIRE(chmod(directory.path().c_str(), 0755) == 0);
        return;
    }
    REQUIRE(chmod(path.c_str(), 0644) == 0);
    REQUIRE(chmod(directory.path().c_str(), 0777) == 0);
    const AsOrdinaryUser user;
    REQUIRE(user);
    CHECK(refused(loaded(path)).kind == WriteError::Kind::read_only);
    REQUIRE(seteuid(0) == 0);
    REQUIRE(chmod(path.c_str(), 0666) == 0);
    REQUIRE(chmod(directory.path().c_str(), 0755) == 0);
    REQUIRE(seteuid(65534) == 0);
    const WriteError error = refused(loaded(path));
    CHECK(error.kind == WriteError::Kind::not_permitted);
    CHECK(error.detail == "create temporary file: Permission denied");
    CHECK(directory.read("kernel.py") == "old\n");
}

TEST_CASE("a write that fails half way leaves the old text and no temporary file") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "old\n");
    const std::string linked = directory.write("one.py", "old\n");
    fs::create_hard_link(linked, directory / "two.py");
    const Source source = loaded(path), hard = loaded(linked);
    const std::string large(1'000'000, 'n');
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto handler = signal(SIGXFSZ, SIG_IGN);
    const rlimit small{100'000, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const auto renamed = write_file(source, large, kUnsynced);
    const auto in_place = write_file(hard, large, kUnsynced);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    REQUIRE_FALSE(renamed.has_value());
    CHECK(renamed.error().kind == WriteError::Kind::failed);
    CHECK(renamed.error().detail == "write temporary file: File too large");
    REQUIRE_FALSE(in_place.has_value());
    CHECK(directory.read("kernel.py") == "old\n");
    CHECK(directory.read("one.py") == "old\n");
    CHECK(directory.read("two.py") == "old\n");
    CHECK(directory.names().size() == 3);
}

TEST_CASE("a full disk leaves the old text and no temporary file") {
    const TemporaryDirectory directory;
    const std::string mounted = directory / "tiny";
    fs::create_directory(mounted);
    if (mount("none", mounted.c_str(), "tmpfs", 0, "size=64k") != 0) {
        WARN("not tried: this user may not mount a file system");
        return;
    }
    const std::string old(20'000, 'o');
    const std::string path = directory.write("tiny/kernel.py", old);
    const std::string linked = directory.write("tiny/one.py", "old\n");
    fs::create_hard_link(linked, directory / "tiny/two.py");
    const auto renamed = write_file(loaded(path), std::string(200'000, 'n'), {});
    const auto in_place = write_file(loaded(linked), std::string(200'000, 'n'), {});
    const bool fits = write_file(loaded(path), std::string(20'000, 'n'), {}).has_value();
    const std::string kept = directory.read("tiny/two.py"), written = directory.read("tiny/kernel.py");
    const auto files = std::distance(fs::directory_iterator(mounted), {});
    umount(mounted.c_str());
    REQUIRE_FALSE(renamed.has_value());
    CHECK(renamed.error().kind == WriteError::Kind::no_space);
    REQUIRE_FALSE(in_place.has_value());
    CHECK(in_place.error().kind == WriteError::Kind::no_space);
    CHECK(in_place.error().detail == "reserve space: No space left on device");
    CHECK(kept == "old\n");
    CHECK(fits);
    CHECK((written == std::string(20'000, 'n')));
    CHECK(files == 3);
}

TEST_CASE("a file on a file system mounted read-only is refused") {
    const TemporaryDirectory directory;
    const std::string mounted = directory / "tiny";
    fs::create_directory(mounted);
    if (mount("none", mounted.c_str(), "tmpfs", 0, "size=64k") != 0) {
        WARN("not tried: this user may not mount a file system");
        return;
    }
    const Source source = loaded(directory.write("tiny/kernel.py", "old\n"));
    const bool remounted = mount("none", mounted.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    const auto result = write_file(source, "new\n", kUnsynced);
    umount(mounted.c_str());
    REQUIRE(remounted);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().kind == WriteError::Kind::read_only);
}

TEST_CASE("whenever the process is killed, the file holds the old text or the new") {
    const TemporaryDirectory directory;
    const std::string even(300'000, 'e'), odd(400'000, 'o');
    const std::string path = directory.write("kernel.py", even);
    std::mt19937 random(11);
    for (int round = 0; round < 15; ++round) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            while (true) {
                const auto source = Source::load(path);
                if (!source) _exit(1);
                if (!write_file(*source, source->bytes().front() == 'e' ? odd : even, kUnsynced)) _exit(1);
            }
        }
        usleep(3'000 + random() % 7'000);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        REQUIRE(WIFSIGNALED(status));
        const std::string now = directory.read("kernel.py");
        REQUIRE((now == even || now == odd));
    }
}

}  // namespace ptofix::text
