#include <catch2/catch.hpp>
#include <string>

#include "text/encoding.h"

namespace ptofix::text {

namespace {

std::string cookie(std::string_view source) {
    const auto found = find_cookie(source);
    return found ? std::string(*found) : "(none)";
}

std::string codec(std::string_view name) {
    const Codec* found = find_codec(name);
    return found == nullptr ? "(none)" : std::string(found->name);
}

}  // namespace

TEST_CASE("a cookie is found in every spelling that PEP 263 allows") {
    CHECK(cookie("# coding: gbk\n") == "gbk");
    CHECK(cookie("# -*- coding: latin-1 -*-\n") == "latin-1");
    CHECK(cookie("# vim: set fileencoding=utf-8 :\n") == "utf-8");
    CHECK(cookie("#coding=gb18030") == "gb18030");
    CHECK(cookie(" \t\f# encoding:\t gbk") == "gbk");
    CHECK(cookie("#!/usr/bin/python3\n# coding: gbk\n") == "gbk");
    CHECK(cookie("#!/usr/bin/python3\r\n# coding: gbk\r\n") == "gbk");
    CHECK(cookie("#!/usr/bin/python3\r# coding: gbk\r") == "gbk");
    CHECK(cookie("\n# coding: gbk\n") == "gbk");
    CHECK(cookie("  \t\n# coding: gbk\n") == "gbk");
    CHECK(cookie("# coding : x coding: gbk\n") == "gbk");
    CHECK(cookie("# coding: ! coding: gbk\n") == "gbk");
    CHECK(cookie("# coding: iso_8859.15-x!\n") == "iso_8859.15-x");
}

TEST_CASE("no cookie is found where Python looks for none") {
    CHECK(cookie("") == "(none)");
    CHECK(cookie("# coding\n") == "(none)");
    CHECK(cookie("# coding:\n") == "(none)");
    CHECK(cookie("# coding gbk\n") == "(none)");
    CHECK(cookie("x = 1  # coding: gbk\n") == "(none)");
    CHECK(cookie("x = 1\n# coding: gbk\n") == "(none)");
    CHECK(cookie("\n\n# coding: gbk\n") == "(none)");
    CHECK(cookie("# a\n# b\n# coding: gbk\n") == "(none)");
    CHECK(cookie("# a\r# b\r# coding: gbk\r") == "(none)");
    CHECK(cookie("'''\n# coding: gbk\n'''\n") == "(none)");
}

TEST_CASE("codecs are known under the names Python gives them") {
    for (const char* name : {"utf-8", "UTF8", "utf_8", "U8", "utf-8-sig", "utf-8-unix", "cp65001"}) {
        CHECK(codec(name) == "utf-8");
    }
    for (const char* name : {"latin-1", "Latin1", "iso-8859-1", "ISO_8859-1", "iso8859-1", "l1", "latin-1-unix",
                             "iso-latin-1-dos", "iso-8859-1-unix", "8859", "cp819"}) {
        CHECK(codec(name) == "iso8859-1");
    }
    CHECK(codec("iso-8859-15") == "iso8859-15");
    CHECK(codec("latin9") == "iso8859-15");
    CHECK(codec("windows-1252") == "cp1252");
    CHECK(codec("CP1252") == "cp1252");
    CHECK(codec("GBK") == "gbk");
    CHECK(codec("cp936") == "gbk");
    CHECK(codec("gb18030-2000") == "gb18030");
    CHECK(codec("chinese") == "gb2312");
    CHECK(codec("Shift-JIS") == "shift_jis");
    CHECK(codec("sjis") == "shift_jis");
    CHECK(codec("euc-kr") == "euc_kr");
    CHECK(codec("us-ascii") == "ascii");
    CHECK(codec("ansi_x3.4_1968") == "ascii");
}

TEST_CASE("names that no Python source can be written in have no codec") {
    for (const char* name : {"", "no-such-codec", "utf-16", "utf-32", "utf-7", "iso2022_jp", "hz", "cp037", "johab",
                             "rot13", "hex", "iso"}) {
        CHECK(codec(name) == "(none)");
    }
    CHECK(codec("latin") == "iso8859-1");
}

TEST_CASE("every codec we name exists and leaves ASCII alone") {
    std::string ascii;
    for (char c = 1; c < 0x7F; ++c) ascii += c;
    ascii += '\x7F';
    for (const char* name :
         {"utf-8",        "ascii",      "latin-1",      "iso8859-2",  "iso8859-3",  "iso8859-4",  "iso8859-5",
          "iso8859-6",    "iso8859-7",  "iso8859-8",    "iso8859-9",  "iso8859-10", "iso8859-11", "iso8859-13",
          "iso8859-14",   "iso8859-15", "iso8859-16",   "cp1250",     "cp1251",     "cp1252",     "cp1253",
          "cp1254",       "cp1255",     "cp1256",       "cp1257",     "cp1258",     "cp437",      "cp737",
          "cp775",        "cp850",      "cp852",        "cp855",      "cp857",      "cp858",      "cp860",
          "cp861",        "cp862",      "cp863",        "cp865",      "cp866",      "cp869",      "cp874",
          "cp1125",       "koi8-r",     "koi8-t",       "koi8-u",     "kz1048",     "ptcp154",    "hp-roman8",
          "tis-620",      "mac-roman",  "mac-cyrillic", "mac-latin2", "gb2312",     "gbk",        "gb18030",
          "big5",         "big5hkscs",  "cp950",        "shift_jis",  "cp932",      "euc_jp",     "euc_jis_2004",
          "euc_jisx0213", "euc_kr",     "cp949"}) {
        INFO(name);
        const Codec* found = find_codec(name);
        REQUIRE(found != nullptr);
        const auto decoded = decode(*found, ascii);
        REQUIRE(decoded.has_value());
        CHECK(*decoded == ascii);
        const auto encoded = encode(*found, ascii);
        REQUIRE(encoded.has_value());
        CHECK(*encoded == ascii);
    }
}

TEST_CASE("a conversion error says where") {
    const auto cut = decode(*find_codec("gbk"), "abc\xD6");
    REQUIRE_FALSE(cut.has_value());
    CHECK(cut.error().offset == 3);
    const auto missing = encode(*find_codec("latin-1"), "ab中");
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().offset == 2);
}

TEST_CASE("long texts convert whole") {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "中文x";
    const auto bytes = encode(*find_codec("gb18030"), text);
    REQUIRE(bytes.has_value());
    CHECK(bytes->size() == 500'000);
    CHECK(decode(*find_codec("gb18030"), *bytes) == text);
}

}  // namespace ptofix::text
