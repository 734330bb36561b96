#include "syntax/integer_literal.h"

#include <catch2/catch.hpp>
#include <limits>

using ptofix::syntax::integer_literal;

TEST_CASE("integer literals are read in every notation that Python has") {
    for (const char* text : {"128", "1_2_8", "0x80", "0X8_0", "0x_80", "0b1000_0000", "0B10000000", "0o200", "0O200"}) {
        INFO(text);
        CHECK(integer_literal(text) == 128);
    }
    CHECK(integer_literal("0") == 0);
    CHECK(integer_literal("00") == 0);
    CHECK(integer_literal("0xFf") == 255);
    CHECK(integer_literal("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("what is no integer literal, or beyond 63 bits, is not read") {
    for (const char* text : {"", "_", "x", "1.0", "1e3", "1j", "0x", "0b2", "0o8", "0xg", "-1", "+1", "0x-1", "12 3",
                             "9223372036854775808", "0x8000000000000000"}) {
        INFO(text);
        CHECK_FALSE(integer_literal(text));
    }
}
