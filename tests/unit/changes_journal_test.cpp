#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "changes/journal.h"
#include "changes/reach.h"
#include "changes/state_folder.h"
#include "changes/undo.h"
#include "unit/temporary_directory.h"

namespace ptofix::changes {
namespace fs = std::filesystem;

namespace {

JournalEntry entry_for(const std::string& path, std::string_view before, std::string_view after) {
    struct stat status{};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return {path, status.st_mode, 0, status.st_nlink > 1, before, after};
}

Run only_run(const std::string& folder) {
    const auto journals = journals_in(folder);
    REQUIRE(journals.size() == 1);
    auto run = read_journal(journals.front());
    REQUIRE(run.has_value());
    return *std::move(run);
}

}  // namespace

TEST_CASE("a journal gives back paths and bytes of any kind") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "state/journal";
    const std::string before("\0\n\xFFwords % \r\n", 12), after = "new";
    const std::string path = directory.write("odd \n%41\xFE.py", before);
    auto journal = Journal::write(folder, "/root of\nit", std::vector{entry_for(path, before, after)});
    REQUIRE(journal.has_value());
    {
        const Run run = only_run(folder);
        CHECK_FALSE(run.finished);
        CHECK(run.project == "/root of\nit");
        REQUIRE(run.entries.size() == 1);
        CHECK(run.entries[0].path == path);
        CHECK(run.entries[0].old_bytes == before);
        CHECK(run.entries[0].new_hash == hash_of(after));
    }
    journal->finish();
    CHECK(only_run(folder).finished);
}

TEST_CASE("the numbers of bytes are those that git gives") {
    CHECK(hash_of("") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    CHECK(hash_of("hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a");
}

TEST_CASE("a file half written in place is told from one that somebody has changed") {
    const TemporaryDirectory directory;
    std::mt19937 random(1);
    const auto text = [&](std::size_t size) {
        std::string made(size, ' ');
        for (char& c : made) c = static_cast<char>('a' + random() % 2);
        return made;
    };
    for (int round = 0; round < 300; ++round) {
        const std::string before = text(random() % 12), after = text(random() % 12);
        if (before == after) continue;
        const std::string path = directory.write("k.py", before);
        JournalEntry entry = entry_for(path, before, after);
        entry.has_links = true;
        entry.new_hash = hash_of(after);
        const std::size_t point = random() % (after.size() + 1);
        std::string torn = after.substr(0, point);
        if (point < before.size()) torn += before.substr(point);
        directory.write("k.py", torn);
        const Standing standing = look_at(entry).standing;
        CHECK(standing == (torn == before  ? Standing::as_before
                           : torn == after ? Standing::as_left
                                           : Standing::half_written));
        CHECK_FALSE(restore(entry, look_at(entry)).has_value());
        CHECK(directory.read("k.py") == before);
        directory.write("k.py", torn + "c");
        CHECK(look_at(entry).standing == Standing::changed);
        entry.has_links = false;
        if (standing == Standing::half_written) {
            directory.write("k.py", torn);
            CHECK(look_at(entry).standing == Standing::changed);
        }
    }
}

TEST_CASE("what a killed run leaves is cleared away by the next, and the run stays to be undone") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "state";
    const std::string old_text(9000, 'o'), new_text(7000, 'n');
    const std::string linked = directory.write("linked.py", old_text), whole = directory.write("whole.py", old_text);
    fs::create_hard_link(linked, directory / "other_name.py");
    const std::vector entries{entry_for(linked, old_text, new_text), entry_for(whole, old_text, new_text)};
    {
        static_cast<void>(Journal::write(folder, directory / "", entries));
    }  // and the process ends
    directory.write("linked.py", new_text.substr(0, 4096) + old_text.substr(4096));
    directory.write("whole.py", new_text);
    directory.write(".pto-fix-0123456789abcdef.tmp", old_text);
    directory.write(".pto-fix-notes.tmp", "mine");
    const Reach elsewhere(std::vector<std::string>{folder});
    CHECK(clear_up_after_killed_runs(folder, elsewhere).empty());
    const Reach reach(std::vector<std::string>{directory / ""});
    const auto found = clear_up_after_killed_runs(folder, reach);
    REQUIRE(found.size() == 1);
    CHECK(found[0].written == 1);
    CHECK(found[0].files == 2);
    CHECK(directory.read("other_name.py") == old_text);
    CHECK(directory.read("whole.py") == new_text);
    CHECK_FALSE(fs::exists(directory / ".pto-fix-0123456789abcdef.tmp"));
    CHECK(fs::exists(directory / ".pto-fix-notes.tmp"));
    CHECK(clear_up_after_killed_runs(folder, reach).empty());
    const Run run = only_run(folder);
    const auto now = look_at(run);
    CHECK(now[0].standing == Standing::as_before);
    CHECK_FALSE(restore(run.entries[1], now[1]).has_value());
    CHECK(directory.read("whole.py") == old_text);
}

TEST_CASE("runs beyond those that are kept are forgotten, the oldest first") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "state";
    const std::string path = directory.write("k.py", "0");
    for (int i = 0; i < 25; ++i) {
        const std::string before = std::to_string(i), after = std::to_string(i + 1);
        auto journal = Journal::write(folder, "/", std::vector{entry_for(path, before, after)});
        REQUIRE(journal.has_value());
        journal->finish();
    }
    const auto journals = journals_in(folder);
    REQUIRE(journals.size() == kKeptRuns);
    CHECK(read_journal(journals.front())->entries[0].old_bytes == "24");
    CHECK(read_journal(journals.back())->entries[0].old_bytes == "15");
}

TEST_CASE("the runs of each project are counted by themselves") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "state";
    const std::string path = directory.write("k.py", "old");
    for (std::size_t i = 0; i < kKeptRuns + 1; ++i) {
        for (const char* project : {"/a/models", "/b/models", "/b/my.models"}) {
            auto journal = Journal::write(folder, project, std::vector{entry_for(path, "old", "new")});
            REQUIRE(journal.has_value());
            journal->finish();
        }
    }
    const auto journals = journals_in(folder);
    CHECK(journals.size() == 3 * kKeptRuns);
    CHECK(is_of_project(journals[0], "/b/my.models"));
    CHECK(is_of_project(journals[1], "/b/models"));
    CHECK(is_of_project(journals[2], "/a/models"));
    CHECK_FALSE(is_of_project(journals[2], "/b/models"));
    CHECK(read_header(journals[2])->project == "/a/models");
}

TEST_CASE("projects of one name have numbers of their own") {
    CHECK(project_id("/a/models") != project_id("/b/models"));
    CHECK(project_id("/a/models").starts_with("models-"));
    CHECK(project_id("/").starts_with("root-"));
}

TEST_CASE("what a run reaches is found by the paths of its files") {
    const TemporaryDirectory directory;
    const std::string real = directory.write("proj/k.py", "old");
    fs::create_directory_symlink(directory / "proj", directory / "link");
    const JournalEntry entry = entry_for(fs::canonical(real).string(), "old", "new");
    const auto holds = [&](const std::string& path) { return Reach(std::vector{path}).holds(entry); };
    CHECK(holds(directory / "proj"));
    CHECK(holds(directory / "proj/"));
    CHECK(holds(directory / "link"));
    CHECK(holds(directory / "link/k.py"));
    CHECK(holds(directory / "proj/gone/.."));
    CHECK(holds("/"));
    CHECK_FALSE(holds(directory / "pro"));
    CHECK_FALSE(holds(directory / "proj/k"));
    CHECK_FALSE(holds(directory / "proj/sub"));
    JournalEntry by_link = entry;
    by_link.alias = "/elsewhere/link.py";
    CHECK(Reach(std::vector<std::string>{"/elsewhere"}).holds(by_link));
    CHECK(common_folder(std::vector{by_link}) == fs::canonical(directory / "proj").string());
    JournalEntry other = entry;
    other.path = fs::canonical(directory / "").string() + "/other/k.py";
    CHECK(common_folder(std::vector{entry, other}) + "/" == fs::canonical(directory / "").string() + "/");
    other.path = "/k.py";
    CHECK(common_folder(std::vector{entry, other}) == "/");
}

TEST_CASE("a rest keeps the place and the bytes of its run") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "state";
    const std::string a = directory.write("a.py", "a old"), b = directory.write("b.py", "b old");
    auto journal =
        Journal::write(folder, "/", std::vector{entry_for(a, "a old", "a new"), entry_for(b, "b old", "b new")});
    journal->finish();
    const Run whole = only_run(folder);
    CHECK(keep_rest(whole, std::span(whole.entries).subspan(1)));
    const Run rest = only_run(folder);
    CHECK(rest.journal == whole.journal);
    CHECK(rest.time == whole.time);
    CHECK((rest.finished && rest.is_rest && !whole.is_rest));
    REQUIRE(rest.entries.size() == 1);
    CHECK(rest.entries[0].old_bytes == "b old");
    CHECK(rest.entries[0].new_hash == hash_of("b new"));
}

}  // namespace ptofix::changes
