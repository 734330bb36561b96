#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "rules/catalogue.h"
#include "rules/messages.h"
#include "text/disk_file.h"

using namespace ptofix::rules;

namespace {

std::set<std::string_view> names(std::string_view pattern) {
    const auto list = placeholders(pattern);
    return {list.begin(), list.end()};
}

std::string file_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

bool has_chinese(std::string_view text) {
    // The first byte of U+3000...U+FFFF, which holds the ideographs and the punctuation.
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
}

}  // namespace

TEST_CASE("every message is in both languages, with the same placeholders, under an id of its own") {
    std::set<std::string_view> ids;
    for (const auto table : message_tables()) {
        for (const Message& message : table) {
            CAPTURE(message.id);
            CHECK(ids.insert(message.id).second);
            CHECK_FALSE(message.en.empty());
            CHECK_FALSE(message.zh.empty());
            CHECK_FALSE(has_chinese(message.en));
            CHECK(names(message.en) == names(message.zh));
            CHECK(std::ranges::count(message.en, '{') == std::ranges::count(message.en, '}'));
            CHECK(std::ranges::count(message.zh, '{') == std::ranges::count(message.zh, '}'));
        }
    }
}

TEST_CASE("every message id that the code names is in the catalogue") {
    const std::regex id("\"((?:PTO[0-9]{3}|blocked|report|cli|input|config|unknown|docs|diagnose)\\.[a-z0-9_.]+)\"");
    std::size_t found = 0;
    const auto is_file = [](const std::string& word) { return word.ends_with(".md"); };
    for (const char* root : {"src", "rewrites"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".cpp" && extension != ".h") continue;
            const std::string text = file_text(entry.path());
            for (std::sregex_iterator it(text.begin(), text.end(), id), end; it != end; ++it) {
                if (is_file((*it)[1].str())) continue;
                CAPTURE(entry.path().string(), (*it)[1].str());
                CHECK(find_message((*it)[1].str()) != nullptr);
                ++found;
            }
        }
    }
    CHECK(found > 100);
}

TEST_CASE("every message is used") {
    // Some ids are put together: a rule's own three, a severity's, an applicability's, a kind of trouble with a file.
    std::string code;
    for (const char* root : {"src", "rewrites"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
            const std::string name = entry.path().filename().string();
            const bool is_code = name.ends_with(".cpp") || name.ends_with(".h");
            if (is_code && !name.starts_with("messages_")) code += file_text(entry.path());
        }
    }
    const std::string page = file_text("src/report/html/page.js") + file_text("src/report/html/page.html");
    const auto is_named = [&](std::string word) { return code.find('"' + word + '"') != std::string::npos; };
    for (const auto table : message_tables()) {
        for (const Message& message : table) {
            const std::string id(message.id), last = id.substr(id.rfind('.') + 1);
            std::string kind = last;
            std::ranges::replace(kind, '_', '-');
            if (id.starts_with("system.") || is_named(id)) continue;
            const bool is_put_together = code.find('"' + id.substr(0, id.rfind('.') + 1) + '{') != std::string::npos;
            const bool is_of_rule = id.starts_with("PTO") && (last == "why" || last == "label");
            const bool is_word = id.starts_with("report.") && is_named(last);
            const bool is_trouble = id.starts_with("input.") && is_named(kind);
            const auto in_page = [&](const std::string& word) {
                return page.find('"' + word + '"') != std::string::npos;
            };
            const bool is_of_page =
                id.starts_with("html.") && (in_page(last) || in_page(last.substr(0, last.find('_') + 1)));
            CAPTURE(id);
            CHECK((is_put_together || is_of_rule || is_word || is_trouble || is_of_page));
        }
    }
}

TEST_CASE("every number that a finding carries has a name that a person can read") {
    // Texts stand in the message itself.
    const std::set<std::string_view> texts{
        "code",    "codes",   "compiler", "consumer", "counted", "detail",   "dtype",     "formula",   "kernel",
        "l0_name", "l1_name", "name",     "near",     "names",   "operands", "operation", "parameter", "path",
        "pool",    "rule",    "rules",    "shape",    "step",    "wanted",   "companions"};
    const std::regex key("(?:[.]|->)set\\(\"([a-z0-9_]+)\"");
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator("src/detectors")) {
        const std::string text = file_text(entry.path());
        for (std::sregex_iterator it(text.begin(), text.end(), key), end; it != end; ++it) {
            found.insert((*it)[1].str());
        }
    }
    for (const std::string& name : found) {
        CAPTURE(name);
        CHECK((texts.contains(name) || find_message("data." + name) != nullptr));
    }
    CHECK(found.size() > 40);
    for (const auto table : message_tables()) {
        for (const Message& message : table) {
            if (!message.id.starts_with("data.")) continue;
            CAPTURE(message.id);
            CHECK(found.contains(std::string(message.id.substr(5))));
            CHECK(message.en.find('_') == std::string_view::npos);
        }
    }
}

TEST_CASE("a fixture shows each reason why a fix is held back") {
    std::string expected;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("fixtures")) {
        if (entry.path().extension() == ".json") expected += file_text(entry.path());
    }
    expected += "\"blocked.other_rules_first\"";  // said of what is left after --apply: tests/cli/writing_test.py
    expected += "\"blocked.spans_cells\"";        // of notebooks, which are no fixtures: tests/cli/notebook_test.py
    for (const auto table : message_tables()) {
        for (const Message& message : table) {
            const std::string id(message.id);
            if (!id.starts_with("blocked.") && id.find(".blocked.") == std::string::npos) continue;
            CAPTURE(id);
            CHECK(expected.find('"' + id + '"') != std::string::npos);
        }
    }
}

TEST_CASE("what the system says is known in both languages") {
    for (const int error : {EACCES, EBUSY,  EDQUOT, EFBIG,  EINVAL,  EIO,   EISDIR, ELOOP, EMFILE, ENAMETOOLONG, ENFILE,
                            ENODEV, ENOENT, ENOMEM, ENOSPC, ENOTDIR, ENXIO, EPERM,  EROFS, ESTALE, ETXTBSY}) {
        const std::string words = ptofix::text::error_text(error);
        CAPTURE(words);
        CHECK(in_language(words, Language::en) == words);
        CHECK(has_chinese(in_language(words, Language::zh)));
    }
    CHECK(in_language("rename: No space left on device", Language::zh) == "重命名：设备空间不足");
    CHECK(in_language("rename: what nobody knows", Language::zh) == "重命名：what nobody knows");
    CHECK(in_language("", Language::zh).empty());
    // The steps that src/text and src/changes name.
    const std::string code = file_text("src/text/write_file.cpp") + file_text("src/changes/journal.cpp");
    const std::regex step("(?:failed|error_of|JournalError)[({](?:[a-z_.()]+), \"([a-z ]+)\"");
    std::size_t found = 0;
    for (std::sregex_iterator it(code.begin(), code.end(), step), end; it != end; ++it, ++found) {
        CAPTURE((*it)[1].str());
        CHECK(has_chinese(in_language((*it)[1].str(), Language::zh)));
    }
    CHECK(found > 10);
}

TEST_CASE("placeholders take numbers, groups of digits, counted words, lists and texts") {
    Data data;
    data.set("elements", std::int64_t{11'010'048}).set("parameter", std::string("w")).set("from", std::string("INT8"));
    data.set("to", std::string("FP32"));
    CHECK(render({"PTO207.found", data}, Language::en) ==
          "w, 11,010,048 elements of INT8, is cast to FP32 in every trip of this loop, and no trip changes it.");
    data = Data().set("count", std::int64_t{1}).set("kernel", std::string("k"));
    CHECK(render({"report.more_lines", data}, Language::en) == "... 1 more line; --diff shows all");
    data.set("count", std::int64_t{2000});
    CHECK(render({"report.more_lines", data}, Language::en) == "... 2,000 more lines; --diff shows all");
    data = Data().set("proposed", std::vector<std::int64_t>{8, 4, 2, 1});
    CHECK(render({"PTO202.fix.progressive", data}, Language::en) == "Halve step by step: [8, 4, 2, 1]");
    CHECK(render({"PTO202.fix.progressive", data}, Language::zh) == "逐级减半：[8, 4, 2, 1]");
}

TEST_CASE("what is beyond counting is no estimate any more") {
    Data data;
    data.set("kernel", std::string("k")).set("budget", std::int64_t{2'000'000});
    data.set("tile_operations", INT64_MAX).set("copies", INT64_MAX / 8).set("loop_tile_operations", std::int64_t{7});
    CHECK(render({"PTO209.label", data}, Language::en) == "more than 10^18 tile operations");
    CHECK(render({"PTO209.label", data}, Language::zh) == "超过 10^18 个 tile 操作");
    CHECK(render({"PTO201.found.tiles", data}, Language::en) ==
          "This Python loop puts more than 10^18 copies of its body into the graph of k: more than 10^18 tile "
          "operations; "
          "a device loop has about 7.");
    CHECK(show(INT64_MAX) == "> 10^18");
    CHECK(show(std::int64_t{999'999'999'999'999'999}) == "999,999,999,999,999,999");
}

TEST_CASE("texts hold nothing that a terminal would obey") {
    const Data data = Data().set("path", std::string("a\nb\x1b[31m\tc\x7f\xff\u202e中.py"));
    CHECK(render({"input.not_found", data}, Language::en) == "a␊b␛[31m␉c␡��中.py: no such file or folder");
}

TEST_CASE("a placeholder without data and an id without a message show themselves") {
    CHECK(render({"PTO202.fix.progressive", {}}, Language::en) == "Halve step by step: {proposed}");
    CHECK(render({"PTO999.nothing", {}}, Language::en) == "PTO999.nothing");
}

TEST_CASE("rules are complete and found by id and name, whatever the case") {
    std::set<std::string_view> seen;
    for (const Rule& rule : catalogue()) {
        CAPTURE(rule.id);
        CHECK(seen.insert(rule.id).second);
        CHECK(seen.insert(rule.name).second);
        CHECK(find_rule(rule.id) == &rule);
        CHECK(find_rule(rule.name) == &rule);
        for (const Page* page : {&rule.en, &rule.zh}) {
            CHECK_FALSE(page->what.empty());
            CHECK_FALSE(page->why.empty());
            CHECK_FALSE(page->fix.empty());
            CHECK_FALSE(page->silent.empty());
        }
        CHECK(has_chinese(rule.zh.what));
        CHECK(has_chinese(rule.summary_zh));
    }
    CHECK(std::ranges::is_sorted(catalogue(), {}, &Rule::id));
    CHECK(find_rule("pto201") == find_rule("Python-Loop-In-Kernel"));
    CHECK(find_rule("PTO2") == nullptr);
}

TEST_CASE("data keeps the order in which it was set and replaces a key in place") {
    Data data;
    data.set("b", std::int64_t{1}).set("a", std::int64_t{2}).set("b", std::int64_t{3});
    REQUIRE(data.items().size() == 2);
    CHECK(data.items()[0].first == "b");
    CHECK(*data.find("b") == DataValue{std::int64_t{3}});
    CHECK(data.find("c") == nullptr);
}
