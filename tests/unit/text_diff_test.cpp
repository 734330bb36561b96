#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "text/diff.h"
#include "unit/temporary_directory.h"

namespace ptofix::text {

namespace {

/// Both programs must turn the old file into the new one, and back again.
void check_applies(const std::string& path, const std::string& before, const std::string& after) {
    INFO(path << ": " << before.size() << " -> " << after.size() << " bytes");
    const std::string diff = unified_diff(path, path, before, after);
    INFO(diff);
    const TemporaryDirectory directory;
    directory.write("change.diff", diff);
    for (const std::string tool : {"git apply --whitespace=nowarn", "patch -p1 --binary -s -i"}) {
        INFO(tool);
        directory.write(path, before);
        const int applied = directory.run(tool + " change.diff");
        INFO(directory.read("log"));
        REQUIRE(applied == 0);
        CHECK(directory.read(path) == after);
        const int reversed = directory.run(tool + (tool.front() == 'g' ? " -R change.diff" : " change.diff -R"));
        INFO(directory.read("log"));
        REQUIRE(reversed == 0);
        CHECK(directory.read(path) == before);
    }
}

}  // namespace

TEST_CASE("a diff has one header, hunks and context as git writes them") {
    CHECK(unified_diff("models/a.py", "models/a.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
          "--- a/models/a.py\n"
          "+++ b/models/a.py\n"
          "@@ -2,7 +2,7 @@\n"
          " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    CHECK(unified_diff("a.py", "a.py", "1\n2\n3\n", "1\nx\n3\n", 0) == "--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-2\n+x\n");
}

TEST_CASE("equal texts have no diff") {
    CHECK(unified_diff("a.py", "a.py", "x\n", "x\n").empty());
    CHECK(unified_diff("a.py", "a.py", "", "").empty());
}

TEST_CASE("a missing final newline is marked on either side") {
    CHECK(unified_diff("a", "a", "x\ny", "x\nz\n") ==
          "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n+z\n");
    CHECK(unified_diff("a", "a", "x\ny\n", "x\nz") ==
          "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n\\ No newline at end of file\n");
    CHECK(unified_diff("a", "a", "x\ny", "z\ny") ==
          "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+z\n y\n\\ No newline at end of file\n");
}

TEST_CASE("paths are quoted as git quotes them") {
    const auto header = [](const std::string& path) {
        const std::string diff = unified_diff(path, path, "x\n", "y\n");
        return diff.substr(0, diff.find('\n'));
    };
    CHECK(header("plain.py") == "--- a/plain.py");
    CHECK(header("with space.py") == "--- a/with space.py\t");
    CHECK(header("quote\".py") == "--- \"a/quote\\\".py\"");
    CHECK(header("back\\slash.py") == "--- \"a/back\\\\slash.py\"");
    CHECK(header("tab\t.py") == "--- \"a/tab\\t.py\"");
    CHECK(header("中.py") == "--- \"a/\\344\\270\\255.py\"");
    CHECK(header("中 文.py") == "--- \"a/\\344\\270\\255 \\346\\226\\207.py\"\t");
    CHECK(header("bell\x01.py") == "--- \"a/bell\\001.py\"");
    CHECK(header("/absolute/path.py") == "--- a/absolute/path.py");
}

TEST_CASE("git and patch apply diffs of every newline kind, with and without a final newline") {
    for (const std::string newline : {"\n", "\r\n", "\r"}) {
        for (const bool before_ends : {true, false}) {
            for (const bool after_ends : {true, false}) {
                std::string before, after;
                for (int line = 0; line < 40; ++line) {
                    const std::string text = "line " + std::to_string(line) + " 中 😀";
                    before += text + newline;
                    after += (line % 13 == 5 ? "changed" : text) + newline;
                    if (line == 20) after += "added" + newline;
                }
                if (!before_ends) before.resize(before.size() - newline.size());
                if (!after_ends) after.resize(after.size() - newline.size());
                check_applies("kernel.py", before, after);
            }
        }
    }
    check_applies("mixed.py", "a\nb\r\nc\rd\n\r\ne", "a\r\nb\r\nc\rD\n\r\ne\n");
    check_applies("bom.py", "\xEF\xBB\xBFimport a\n", "\xEF\xBB\xBFimport b\nimport a\n");
    check_applies("gbk.py", "# coding: gbk\nx = '\xD6\xD0'\n", "# coding: gbk\nx = '\xCE\xC4'\n");
    check_applies("formfeed.py", "a\f\n\v\nb\n", "a\f\n\v\nc\n");
}

TEST_CASE("git and patch apply diffs of files with awkward names") {
    for (const std::string path : {"with space.py", "中文.py", "a b/中 文.py", "quote\".py", "back\\slash.py",
                                   "-dash.py", "deep/down/there.py", "tab\there.py", "é😀.py"}) {
        check_applies(path, "a\nb\nc\n", "a\nB\nc\n");
    }
}

TEST_CASE("git and patch apply diffs from and to nearly nothing") {
    check_applies("a.py", "", "x = 1\n");
    check_applies("a.py", "x", "y");
    check_applies("a.py", "x\n", "\n");
    check_applies("a.py", "x", "x\n");
    check_applies("a.py", "x\r\n", "x\n");
}

TEST_CASE("bytes that look binary are diffed as text") {
    std::string before = "first\n";
    for (int byte = 1; byte < 256; ++byte) before += static_cast<char>(byte);
    before += "\nlast\n";
    std::string after = before;
    after.replace(0, 5, "FIRST");
    check_applies("odd.py", before, after);
    CHECK(unified_diff("a", "a", std::string("a\0\n", 3), std::string("b\0\n", 3)).find("@@") != std::string::npos);
}

TEST_CASE("random changes to a file apply") {
    std::mt19937 random(5);
    for (int round = 0; round < 12; ++round) {
        std::string before, after;
        for (std::size_t line = random() % 120; line > 0; --line) {
            const std::string text = std::to_string(random() % 7) + (random() % 5 == 0 ? "\r\n" : "\n");
            if (random() % 10 != 0) before += text;
            if (random() % 10 != 0) after += text;
        }
        if (before.empty() || after.empty() || before == after) continue;
        check_applies("random.py", before, after);
    }
}

}  // namespace ptofix::text
