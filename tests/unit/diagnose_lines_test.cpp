#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "diagnose/anchors.h"
#include "diagnose/clean_line.h"
#include "diagnose/log_lines.h"
#include "temporary_directory.h"

using namespace ptofix::diagnose;

namespace {

constexpr Anchor kWords[] = {{"ERROR", 1}, {"needle", 2}, {"a longer needle", 4}};

struct Found {
    std::uint64_t number;
    std::string text;
    bool operator==(const Found&) const = default;
};

std::vector<Found> scan(const std::string& path, ScannedLog* scanned = nullptr) {
    auto stream = LogStream::open(path);
    REQUIRE(stream);
    std::vector<Found> found;
    const Anchors anchors(kWords);
    const ScannedLog result = scan_lines(
        *stream, anchors, [&](const RawLine& line) { found.push_back({line.number, std::string(line.text)}); });
    if (scanned != nullptr) *scanned = result;
    return found;
}

std::string repeated(std::string_view part, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += part;
    return out;
}

}  // namespace

TEST_CASE("anchors are found wherever they stand, and nothing else is") {
    const Anchors anchors(kWords);
    CHECK(anchors.find("ERROR", 0) == 0);
    CHECK(anchors.find("xERROR", 0) == 1);
    CHECK(anchors.find("ERRO", 0) == std::string_view::npos);
    CHECK(anchors.find("", 0) == std::string_view::npos);
    CHECK(anchors.find("needle ERROR", 1) == 7);
    for (std::size_t before = 0; before < 20; ++before) {
        const std::string text = std::string(before, 'e') + "needle" + std::string(before, 'n');
        CAPTURE(before);
        CHECK(anchors.find(text, 0) == before);
        CHECK(anchors.find(text, before + 1) == std::string_view::npos);
    }
}

TEST_CASE("lines with an anchor come with their numbers, whatever ends them") {
    const TemporaryDirectory folder;
    ScannedLog scanned;
    CHECK(scan(folder.write("log", "one\nERROR two\nthree\r\nneedle four\r\nfive ERROR needle"), &scanned) ==
          std::vector<Found>{{2, "ERROR two"}, {4, "needle four"}, {5, "five ERROR needle"}});
    CHECK(scanned.lines == 5);
    CHECK_FALSE(scanned.error);
    CHECK(scan(folder.write("log", "")).empty());
    CHECK(scan(folder.write("log", "\n\n\nERROR\n"), &scanned) == std::vector<Found>{{4, "ERROR"}});
    CHECK(scanned.lines == 4);
}

TEST_CASE("numbers hold over blocks, and an anchor on the seam of two blocks is found") {
    const TemporaryDirectory folder;
    constexpr std::size_t kBlock = 512 * 1024;
    for (const std::size_t before : {kBlock - 12, kBlock - 6, kBlock - 3, kBlock - 1, kBlock, kBlock + 1}) {
        CAPTURE(before);
        const std::string lines = repeated("0123456789abcde\n", before / 16) + std::string(before % 16, 'x');
        const auto found = scan(folder.write("log", lines + "needle\n" + repeated("y\n", 400'000) + "ERROR\n"));
        REQUIRE(found.size() == 2);
        CHECK(found[0].number == before / 16 + 1);
        CHECK(found[1].number == before / 16 + 400'002);
    }
}

TEST_CASE("of a line that is longer than any memory the parts around its anchors are given out") {
    const TemporaryDirectory folder;
    const std::string filler(1'500'000, 'x');
    ScannedLog scanned;
    const auto found =
        scan(folder.write("log", "short\n" + filler + "ERROR 1" + filler + "ERROR 2\nneedle\n"), &scanned);
    REQUIRE(found.size() >= 3);
    CHECK(scanned.lines == 3);
    for (const Found& line : found) CHECK(line.text.size() <= kLongestLine);
    CHECK(found.front().number == 2);
    CHECK(found.front().text.find("ERROR 1") != std::string::npos);
    CHECK(found.back() == Found{3, "needle"});
}

TEST_CASE("a log may be compressed, in several parts, and cut off") {
    const TemporaryDirectory folder;
    const auto compressed = [&](const std::string& text) {
        const std::string path = folder / "part.gz";
        gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
        gzclose(file);
        return folder.read("part.gz");
    };
    const std::string one = compressed("one\nERROR two\n"), two = compressed("needle three\n");
    CHECK(scan(folder.write("whole.log", one + two)) == std::vector<Found>{{2, "ERROR two"}, {3, "needle three"}});
    std::string noise;
    for (int i = 0; i < 50'000; ++i) noise += std::to_string(i * 7919) + "\n";
    const std::string large = compressed("ERROR\n" + noise);
    ScannedLog scanned;
    CHECK(scan(folder.write("cut.gz", large.substr(0, large.size() / 2)), &scanned) ==
          std::vector<Found>{{1, "ERROR"}});
    REQUIRE(scanned.error);
    CHECK(scanned.error->kind == StreamError::Kind::cut_short);
}

TEST_CASE("what is no file of bytes is an error of the system's") {
    const TemporaryDirectory folder;
    CHECK(LogStream::open(folder / "none").error().error == ENOENT);
    CHECK(LogStream::open(folder.path().string()).error().error == EISDIR);
}

TEST_CASE("a line is cleaned of colours, control characters and bytes that are no text") {
    CHECK(clean_line("  \x1b[1;31mErrCode\x1b[0m: F40005\t!\r") == "ErrCode: F40005 !");
    CHECK(clean_line("\x1b]0;a title\a\x1b[2Kx\x1b") == "x");
    CHECK(clean_line(std::string_view("a\0b\xff\xfe c", 7)) == "a b\xEF\xBF\xBD\xEF\xBF\xBD c");
    CHECK(clean_line("\xE4\xB8\xAD\xE6\x96\x87") == "\xE4\xB8\xAD\xE6\x96\x87");
    CHECK(clean_line("").empty());
    CHECK(shortened("\xE4\xB8\xAD\xE6\x96\x87\xE4\xB8\xAD", 8) == "\xE4\xB8\xAD...");
}

TEST_CASE("a line tells its process where the framework, torchrun or MPI write it") {
    CHECK(process_of("[ERROR] PYPTO(48213,python3):2026-08-22 text").find("48213") != std::string_view::npos);
    CHECK(process_of("[rank3]: text") == "[rank3");
    CHECK(process_of("[1,2]<stderr>: text") == "[1,2");
    CHECK(process_of("(Worker pid=12) text").ends_with("12"));
    CHECK(process_of("ErrCode: F40005! Alloc tensor [16] size [262144]").empty());
}
