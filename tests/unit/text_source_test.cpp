#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <clocale>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "text/source.h"
#include "unit/effective_user.h"
#include "unit/temporary_directory.h"

namespace ptofix::text {
using namespace std::string_literals;

namespace {

Source source_of(std::string bytes) {
    auto source = Source::from_bytes("kernel.py", std::move(bytes));
    REQUIRE(source.has_value());
    return *std::move(source);
}

LoadError error_of(std::string bytes) {
    const auto source = Source::from_bytes("kernel.py", std::move(bytes));
    REQUIRE_FALSE(source.has_value());
    return source.error();
}

/// Every offset of a character in the text must lead to the same character in the file.
void check_offsets(const Source& source) {
    for (std::uint32_t at = 0; at <= source.text().size(); ++at) {
        if (at < source.text().size() && (static_cast<unsigned char>(source.text()[at]) & 0xC0U) == 0x80U) continue;
        const auto encoded = source.encode(source.text().substr(0, at));
        REQUIRE(encoded.has_value());
        CHECK(source.file_offset(at) == encoded->size());
    }
}

}  // namespace

TEST_CASE("the text of a UTF-8 file is its bytes, byte order mark included") {
    for (const std::string& bytes :
         {""s, "x = 1\n"s, "\xEF\xBB\xBFx = 1\r\n"s, "\xEF\xBB\xBF"s, "# 中文 é 😀 e\u0301 👩\u200D👧\rx\r\n"s,
          "# coding: utf-8\nx = '中'\n"s, "\xEF\xBB\xBF# coding: utf-8-sig\nx = '中'\n"s, "no newline"s}) {
        const Source source = source_of(bytes);
        CHECK(source.text() == bytes);
        CHECK(source.bytes() == bytes);
        CHECK(source.encoding_name() == "utf-8");
        CHECK(source.has_bom() == bytes.starts_with("\xEF\xBB\xBF"));
        CHECK(source.rewritable());
        CHECK(source.encode(source.text()) == bytes);
        CHECK(source.path() == "kernel.py");
        CHECK_FALSE(source.identity().has_value());
        for (std::uint32_t at = 0; at <= bytes.size(); ++at) CHECK(source.file_offset(at) == at);
    }
}

TEST_CASE("a file in a declared encoding is decoded, and encodes back to its bytes") {
    struct Case {
        std::string bytes, text, encoding;
    };
    const Case cases[] = {
        {"# coding: gbk\nx = '\xD6\xD0\xCE\xC4'\n", "# coding: gbk\nx = '中文'\n", "gbk"},
        {"# coding: gb18030\r\nx = '\x94\x39\xFC\x36'\r\n", "# coding: gb18030\r\nx = '😀'\r\n", "gb18030"},
        {"# coding: latin-1\nx = '\xE9\xFF'\n", "# coding: latin-1\nx = 'éÿ'\n", "iso8859-1"},
        {"# coding: iso-8859-15\nx = '\xA4'\n", "# coding: iso-8859-15\nx = '€'\n", "iso8859-15"},
        {"# coding: cp1252\nx = '\x80'\n", "# coding: cp1252\nx = '€'\n", "cp1252"},
        // The second byte of the first character is a backslash, which must not become one.
        {"# coding: shift_jis\nx = '\x83\x5C\x82\xA0' + r'\\~'\n", "# coding: shift_jis\nx = 'ソあ' + r'\\~'\n",
         "shift_jis"},
        {"# coding: euc-kr\nx = '\xC7\xD1'\n", "# coding: euc-kr\nx = '한'\n", "euc_kr"},
        {"# coding: euc-jp\nx = '\xA4\xA2'\n", "# coding: euc-jp\nx = 'あ'\n", "euc_jp"},
        {"# coding: big5\nx = '\xA4\xA4\xA4\xE5'\n", "# coding: big5\nx = '中文'\n", "big5"},
        {"# coding: koi8-r\nx = '\xC1'\n", "# coding: koi8-r\nx = 'а'\n", "koi8-r"},
        {"#!/usr/bin/env python\r# coding: gbk\rx = '\xD6\xD0'\r", "#!/usr/bin/env python\r# coding: gbk\rx = '中'\r",
         "gbk"},
    };
    for (const Case& c : cases) {
        INFO(c.encoding);
        const Source source = source_of(c.bytes);
        CHECK(source.text() == c.text);
        CHECK(source.bytes() == c.bytes);
        CHECK(source.encoding_name() == c.encoding);
        CHECK(source.rewritable());
        CHECK_FALSE(source.has_bom());
        CHECK(source.encode(source.text()) == c.bytes);
        check_offsets(source);
    }
}

TEST_CASE("an ASCII file with a cookie is taken as it is, and text added to it is encoded") {
    const Source source = source_of("# coding: gbk\nx = 1\n");
    CHECK(source.encoding_name() == "gbk");
    CHECK(source.encode("# coding: gbk\nx = '中'\n") == "# coding: gbk\nx = '\xD6\xD0'\n");
}

TEST_CASE("text that the file's encoding lacks is refused, with the character and its place") {
    const Source source = source_of("# coding: latin-1\nx = '\xE9'\n");
    const auto result = source.encode("# coding: latin-1\nx = 'é中'\n");
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().kind == EncodeError::Kind::not_in_encoding);
    CHECK(result.error().character == "中");
    CHECK(result.error().offset == 25);
    CHECK(to_string(result.error().kind) == "not-in-encoding");

    const auto dropped = source.encode("x = 'a\U000E0041b'\n");  // iconv drops tag characters without a word
    REQUIRE_FALSE(dropped.has_value());
    CHECK(dropped.error().offset == 6);

    const auto broken = source_of("x\n").encode("ab\xFF");
    REQUIRE_FALSE(broken.has_value());
    CHECK(broken.error().offset == 2);
}

TEST_CASE("a file whose decoding loses something is read but not rewritten") {
    // CP932 has two codes for this sign, and encoding picks the other one.
    const Source source = source_of("# coding: cp932\nx = '\xFA\x54\x82\xA0'\ny = 1\n");
    CHECK(source.text() == "# coding: cp932\nx = '￢あ'\ny = 1\n");
    CHECK_FALSE(source.rewritable());
    const auto result = source.encode(source.text());
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().kind == EncodeError::Kind::not_rewritable);
    const auto y = static_cast<std::uint32_t>(source.text().find('y'));
    CHECK(source.bytes()[source.file_offset(y)] == 'y');
}

TEST_CASE("columns of a decoded file are counted in its text") {
    const Source source = source_of("# coding: gbk\nx = '\xD6\xD0\xCE\xC4' + 1\n");
    const auto plus = static_cast<std::uint32_t>(source.text().find('+'));
    CHECK(source.lines().position(plus) == Position{2, 10});
    CHECK(source.bytes()[source.file_offset(plus)] == '+');
}

TEST_CASE("invalid UTF-8 is refused with offset and line") {
    const LoadError error = error_of("a\r\nb\rc\n\xE4\xB8 d\n");
    CHECK(error.kind == LoadError::Kind::invalid_utf8);
    CHECK(error.offset == 7);
    CHECK(error.line == 4);
    CHECK(to_string(error.kind) == "invalid-utf8");
    CHECK(error_of("# coding: utf-8\n\xFF").kind == LoadError::Kind::invalid_utf8);
    CHECK(error_of("\xEF\xBB\xBF\xFF").offset == 3);
}

TEST_CASE("bytes that the declared encoding cannot hold are refused with offset and line") {
    const LoadError error = error_of("# coding: gbk\nx = '\xD6'\n");
    CHECK(error.kind == LoadError::Kind::undecodable);
    CHECK(error.detail == "gbk");
    CHECK(error.offset == 19);
    CHECK(error.line == 2);
    CHECK(error_of("# coding: ascii\n\xE9").kind == LoadError::Kind::undecodable);
    CHECK(error_of("# coding: cp1252\n\x81").kind == LoadError::Kind::undecodable);
}

TEST_CASE("unknown encodings and a byte order mark that contradicts the cookie are told apart") {
    CHECK(error_of("# coding: klingon\n").kind == LoadError::Kind::unknown_encoding);
    CHECK(error_of("# coding: klingon\n").detail == "klingon");
    CHECK(error_of("# coding: utf-16\n").kind == LoadError::Kind::unknown_encoding);
    CHECK(error_of("\xEF\xBB\xBF# coding: gbk\n").kind == LoadError::Kind::bom_conflicts_with_cookie);
    CHECK(error_of("\xEF\xBB\xBF# coding: gbk\n").detail == "gbk");
    CHECK(error_of("\xEF\xBB\xBF# coding: klingon\n").kind == LoadError::Kind::unknown_encoding);
}

TEST_CASE("binary files are refused, UTF-16 and UTF-32 by name") {
    const LoadError nul = error_of("x = 1\ny = '\0'\n"s);
    CHECK(nul.kind == LoadError::Kind::binary);
    CHECK(nul.offset == 11);
    CHECK(nul.line == 2);
    CHECK(nul.detail.empty());
    CHECK(error_of("\xFF\xFEx\0"s).detail == "utf-16");
    CHECK(error_of("\xFE\xFF\0x"s).detail == "utf-16");
    CHECK(error_of("\xFF\xFE\0\0x\0\0\0"s).detail == "utf-32");
    CHECK(error_of("\0\0\xFE\xFF\0\0\0x"s).detail == "utf-32");
}

TEST_CASE("sources up to the limit are read, larger ones are refused with their size") {
    CHECK(source_of(std::string(kMaxSourceBytes, '\n')).text().size() == kMaxSourceBytes);
    const LoadError error = error_of(std::string(kMaxSourceBytes + 1, '\n'));
    CHECK(error.kind == LoadError::Kind::too_large);
    CHECK(error.offset == kMaxSourceBytes + 1);

    const TemporaryDirectory directory;
    const std::string path = directory.write("large.py", "");
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40U);  // sparse; refused before a byte is read
    const auto large = Source::load(path);
    REQUIRE_FALSE(large.has_value());
    CHECK(large.error().kind == LoadError::Kind::too_large);
    CHECK(large.error().offset == std::uint64_t{1} << 40U);
}

TEST_CASE("a file on disk is loaded with its identity, also through a link") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("kernel.py", "x = '中'\n");
    std::filesystem::create_symlink("kernel.py", directory / "link.py");
    const auto direct = Source::load(path);
    const auto linked = Source::load(directory / "link.py");
    REQUIRE(direct.has_value());
    REQUIRE(linked.has_value());
    CHECK(direct->text() == "x = '中'\n");
    REQUIRE(direct->identity().has_value());
    CHECK(direct->identity() == linked->identity());
    CHECK(direct->identity()->size == direct->bytes().size());
    CHECK(linked->path() == directory / "link.py");

    CHECK(Source::load(directory.write("empty.py", ""))->text().empty());
    const std::string big(3'000'000, 'x');
    CHECK(Source::load(directory.write("big.py", big))->text() == big);
}

TEST_CASE("what is not a readable regular file is refused with its kind") {
    const TemporaryDirectory directory;
    const auto error = [](const std::string& path) {
        const auto source = Source::load(path);
        REQUIRE_FALSE(source.has_value());
        return source.error();
    };
    CHECK(error(directory / "missing.py").kind == LoadError::Kind::not_found);
    CHECK(error("").kind == LoadError::Kind::not_found);
    CHECK(error(directory.write("file.py", "x") + "/below.py").kind == LoadError::Kind::not_found);
    CHECK(error(directory.path().string()).kind == LoadError::Kind::not_a_file);
    CHECK(error(directory.path().string()).detail == "directory");
    CHECK(error("/dev/null").detail == "character device");

    REQUIRE(mkfifo((directory / "fifo.py").c_str(), 0600) == 0);
    CHECK(error(directory / "fifo.py").detail == "fifo");  // and does not wait for a writer

    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string socket_path = directory / "s.py";
    REQUIRE(socket_path.size() < sizeof address.sun_path);
    socket_path.copy(address.sun_path, socket_path.size());
    REQUIRE(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    CHECK(error(socket_path).detail == "socket");
    close(fd);

    std::filesystem::create_symlink("loop.py", directory / "loop.py");
    CHECK(error(directory / "loop.py").kind == LoadError::Kind::not_readable);
    std::filesystem::create_symlink("nowhere.py", directory / "dangling.py");
    CHECK(error(directory / "dangling.py").kind == LoadError::Kind::not_found);
    CHECK(error(directory / std::string(5000, 'n')).kind == LoadError::Kind::not_readable);
}

TEST_CASE("a file without read permission is refused with the system's words") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("secret.py", "x");
    REQUIRE(chmod(path.c_str(), 0) == 0);
    REQUIRE(chmod(directory.path().c_str(), 0755) == 0);
    const AsOrdinaryUser user;
    REQUIRE(user);
    const auto source = Source::load(path);
    REQUIRE_FALSE(source.has_value());
    CHECK(source.error().kind == LoadError::Kind::not_readable);
    CHECK(source.error().detail == "Permission denied");
}

TEST_CASE("the locale changes nothing") {
    const std::string bytes = "# coding: latin-1\nx = '\xE9'\n";
    const std::string expected(source_of(bytes).text());
    for (const char* locale : {"C", "C.UTF-8", "POSIX"}) {
        if (std::setlocale(LC_ALL, locale) == nullptr) continue;
        CHECK(source_of(bytes).text() == expected);
        CHECK_FALSE(source_of(bytes).encode("中").has_value());
    }
    std::setlocale(LC_ALL, "C");
}

TEST_CASE("copies share the text and threads may ask for the lines at once") {
    const Source source = source_of(std::string(100'000, '\n') + "中");
    const Source copy = source;  // NOLINT(performance-unnecessary-copy-initialization): what is tried
    CHECK(copy.text().data() == source.text().data());
    std::vector<std::thread> threads;
    std::vector<std::uint32_t> counts(8);
    threads.reserve(counts.size());
    for (std::uint32_t& count : counts)
        threads.emplace_back([&source, &count] { count = source.lines().line_count(); });
    for (std::thread& thread : threads) thread.join();
    for (const std::uint32_t count : counts) CHECK(count == 100'001);
    CHECK(&copy.lines() == &source.lines());
}

}  // namespace ptofix::text
