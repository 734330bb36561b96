#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "text/utf8.h"

namespace ptofix::text {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

std::string encoded(char32_t value) {
    const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
    if (value < 0x80) return {byte(value)};
    if (value < 0x800) return {byte(0xC0 | value >> 6), byte(0x80 | (value & 0x3F))};
    if (value < 0x10000) {
        return {byte(0xE0 | value >> 12), byte(0x80 | (value >> 6 & 0x3F)), byte(0x80 | (value & 0x3F))};
    }
    return {byte(0xF0 | value >> 18), byte(0x80 | (value >> 12 & 0x3F)), byte(0x80 | (value >> 6 & 0x3F)),
            byte(0x80 | (value & 0x3F))};
}

bool is_scalar(char32_t value) {
    return value < 0xD800 || (value > 0xDFFF && value <= 0x10FFFF);
}

}  // namespace

TEST_CASE("every scalar value is valid and decodes to itself, every surrogate is invalid") {
    for (char32_t value = 0; value <= 0x10FFFF; ++value) {
        const std::string bytes = encoded(value);
        if (is_scalar(value)) {
            const CodePoint point = code_point_at(bytes, 0);
            if (find_invalid_utf8(bytes) != kNone || point.value != value || point.size != bytes.size()) {
                FAIL("U+" << std::hex << static_cast<std::uint32_t>(value));
            }
        } else if (find_invalid_utf8(bytes) != 0) {
            FAIL("surrogate U+" << std::hex << static_cast<std::uint32_t>(value));
        }
    }
}

TEST_CASE("ill-formed sequences are found at their first byte") {
    const std::pair<std::string, std::string> cases[] = {
        {"a lone continuation byte", "\x80"},
        {"an overlong NUL", "\xC0\x80"},
        {"an overlong slash", "\xE0\x80\xAF"},
        {"an overlong four byte form", "\xF0\x80\x80\x80"},
        {"a value above U+10FFFF", "\xF4\x90\x80\x80"},
        {"a five byte form", "\xF8\x88\x80\x80\x80"},
        {"a cut sequence of two", "\xC3"},
        {"a cut sequence of three", "\xE4\xB8"},
        {"a cut sequence of four", "\xF0\x9F\x98"},
        {"a sequence broken by ASCII", "\xE4\xB8x"},
        {"0xFF", "\xFF"},
    };
    for (const auto& [what, bad] : cases) {
        for (const std::size_t before : {0U, 1U, 7U, 8U, 63U, 64U, 65U, 200U}) {
            INFO(what << " after " << before << " bytes");
            CHECK(find_invalid_utf8(std::string(before, 'a') + bad + std::string(100, 'b')) == before);
            CHECK(find_invalid_utf8(std::string(before, 'a') + bad) == before);
            CHECK_FALSE(is_ascii(std::string(before, 'a') + bad));
        }
        CHECK(code_point_at(bad, 0).value == kReplacementCharacter);
        CHECK(code_point_at(bad, 0).size == 1);
    }
}

TEST_CASE("is_ascii sees a high byte at every position of a block") {
    for (std::size_t size = 0; size < 200; ++size) {
        std::string text(size, 'x');
        if (!is_ascii(text)) FAIL("size " << size);
        for (std::size_t at = 0; at < size; ++at) {
            text[at] = '\x80';
            if (is_ascii(text)) FAIL("size " << size << ", high byte at " << at);
            text[at] = 'x';
        }
    }
}

TEST_CASE("flooring goes to the start of the code point, or stays on a byte that belongs to none") {
    const std::string text = "aé中😀";
    const std::size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (std::size_t at = 0; at < std::size(expected); ++at) CHECK(floor_to_code_point(text, at) == expected[at]);
    CHECK(floor_to_code_point("\x80\x80\x80\x80\x80", 4) == 4);
    CHECK(floor_to_code_point("a\x80", 1) == 1);
    CHECK(floor_to_code_point("", 3) == 0);
}

TEST_CASE("stepping through random bytes visits all of them and agrees with flooring") {
    std::mt19937 random(20260801);
    for (int round = 0; round < 2000; ++round) {
        std::string text(random() % 40, '\0');
        for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? random() % 128 : 0x80 + random() % 128);
        bool valid = true;
        for (std::size_t at = 0; at < text.size();) {
            const CodePoint point = code_point_at(text, at);
            REQUIRE(point.size >= 1);
            REQUIRE(at + point.size <= text.size());
            if (point.value == kReplacementCharacter && point.size == 1) {
                if (valid) REQUIRE(find_invalid_utf8(text) == at);
                valid = false;
            }
            for (std::size_t inside = at; inside < at + point.size; ++inside) {
                REQUIRE(floor_to_code_point(text, inside) == at);
            }
            at += point.size;
        }
        if (valid) REQUIRE(find_invalid_utf8(text) == kNone);
    }
}

}  // namespace ptofix::text
