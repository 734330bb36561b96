#include "cache/known_files.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

using namespace ptofix::cache;
using ptofix::text::FileIdentity;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::chrono::seconds kNow(1000);

FileIdentity file(std::uint64_t inode, std::int64_t changed_ns = kSecond) {
    FileIdentity identity;
    identity.device = 7;
    identity.inode = inode;
    identity.size = 40;
    identity.modified_ns = kSecond;
    identity.changed_ns = changed_ns;
    return identity;
}

// A file system that keeps times.
const std::string kHere = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
const KnownText kText{KnownText::Use::analysed, digest_of("text")};

std::string noted(const FileIdentity& identity) {
    KnownFiles files(kNow);
    files.note(kHere, identity, kText);
    return files.bytes();
}

bool is_known(const std::string& bytes, const FileIdentity& identity) {
    KnownFiles files(kNow);
    files.read(bytes);
    return files.find(identity).has_value();
}

}  // namespace

TEST_CASE("a file is known in the next run, with what its text came to") {
    KnownFiles files(kNow);
    CHECK(files.is_empty());
    files.read(noted(file(1)));
    CHECK_FALSE(files.is_empty());
    const auto known = files.find(file(1));
    REQUIRE(known.has_value());
    CHECK(known->use == KnownText::Use::analysed);
    CHECK(known->digest == kText.digest);
    CHECK_FALSE(files.has_news());
    CHECK_FALSE(files.find(file(2)).has_value());
}

TEST_CASE("a file is not known when the system says anything else of it") {
    const std::string bytes = noted(file(1));
    REQUIRE(is_known(bytes, file(1)));
    FileIdentity other = file(1);
    SECTION("device") {
        other.device = 8;
    }
    SECTION("inode") {
        other.inode = 2;
    }
    SECTION("size") {
        other.size = 41;
    }
    SECTION("modified") {
        other.modified_ns += 1;
    }
    SECTION("modified earlier") {
        other.modified_ns -= 1;
    }
    SECTION("changed") {
        other.changed_ns += 1;
    }
    SECTION("changed earlier") {
        other.changed_ns -= 1;
    }
    CHECK_FALSE(is_known(bytes, other));
}

TEST_CASE("a file that has just changed is not relied on, nor one of the future") {
    const std::int64_t now = 1000 * kSecond;
    CHECK(noted(file(1, now - 4 * kSecond)).size() > 0);
    CHECK(noted(file(1, now - 2 * kSecond)).empty());
    CHECK(noted(file(1, now)).empty());
    CHECK(noted(file(1, now + 3600 * kSecond)).empty());
    FileIdentity written = file(1);
    written.modified_ns = now - kSecond;
    CHECK(noted(written).empty());
}

TEST_CASE("a file is not relied on where the system makes up what it says of it") {
    KnownFiles files(kNow);
    files.note("/proc/self/status", file(1), kText);
    files.note("/nowhere/at/all", file(1), kText);
    CHECK(files.bytes().empty());
}

TEST_CASE("what nobody asked for is forgotten, the newest word of a file counts") {
    KnownFiles first(kNow);
    first.note(kHere, file(1), {KnownText::Use::mentions});
    first.note(kHere, file(2), kText);
    first.note(kHere, file(1), {KnownText::Use::idle, digest_of("idle")});
    KnownFiles second(kNow);
    second.read(first.bytes());
    const auto known = second.find(file(1));
    REQUIRE(known.has_value());
    CHECK(known->use == KnownText::Use::idle);
    CHECK(known->digest == digest_of("idle"));
    second.note(kHere, file(1), {KnownText::Use::idle, digest_of("idle")});
    CHECK_FALSE(second.has_news());
    second.note(kHere, file(3), kText);
    CHECK(second.has_news());
    const std::string bytes = second.bytes();
    CHECK(is_known(bytes, file(1)));
    CHECK_FALSE(is_known(bytes, file(2)));
    CHECK(is_known(bytes, file(3)));
}

TEST_CASE("a few files are no news, but for who knows some") {
    KnownFiles files(kNow);
    for (std::uint64_t inode = 1; inode < 16; ++inode) files.note(kHere, file(inode), kText);
    CHECK_FALSE(files.has_news());
    files.note(kHere, file(16), kText);
    CHECK(files.has_news());
    KnownFiles next(kNow);
    next.read(files.bytes());
    CHECK_FALSE(next.has_news());
    next.note(kHere, file(17), kText);
    CHECK(next.has_news());
}

TEST_CASE("bytes that are none are nothing") {
    const std::string whole = noted(file(1));
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(is_known(whole.substr(0, size), file(1)));
    CHECK_FALSE(is_known(whole + "x", file(1)));
    std::string strange = whole;
    strange[whole.size() - 8] = 99;  // a use that there is not
    CHECK_FALSE(is_known(strange, file(1)));
}
