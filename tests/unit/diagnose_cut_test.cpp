#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "diagnose/diagnose.h"
#include "diagnose/read_log.h"
#include "rules/messages.h"
#include "text/disk_file.h"

using namespace ptofix;

namespace {

std::string content_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// What stands by itself, not in a name or behind a point.
std::set<std::string> numbers_in(std::string text) {
    std::erase(text, ',');
    std::set<std::string> found;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t start = 0; start < text.size(); ++start) {
        if (!is_digit(text[start])) continue;
        std::size_t end = start;
        while (end < text.size() && is_digit(text[end])) ++end;
        const auto is_of_a_word = [](char c) {
            return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0;
        };
        const bool is_part = (start > 0 && is_of_a_word(text[start - 1])) ||
                             (end < text.size() && text[end] != '.' && is_of_a_word(text[end]));
        if (!is_part) found.insert(text.substr(start, end - start));
        start = end;
    }
    return found;
}

/// Thousands of files are written: none of them to a disk.
class MemoryFile {
  public:
    std::string with(const std::string& content) const {
        REQUIRE(::ftruncate(file_.get(), 0) == 0);
        REQUIRE(::pwrite(file_.get(), content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
        return "/proc/self/fd/" + std::to_string(file_.get());
    }

  private:
    text::FileDescriptor file_{::memfd_create("log", MFD_CLOEXEC)};
};

}  // namespace

TEST_CASE("a log that ends at any byte says no number that the whole log does not have, and leaves none empty") {
    const MemoryFile file;
    for (const auto& entry : std::filesystem::directory_iterator("fixtures/logs")) {
        const std::string log = content_of(entry.path() / "build.log");
        if (log.empty() || log.size() > 4000 || entry.path().filename().string().starts_with("noise")) continue;
        CAPTURE(entry.path().filename().string());
        const std::set<std::string> known = numbers_in(log);
        std::set<std::string> seen;
        for (std::size_t end = 0; end <= log.size(); ++end) {
            auto read = diagnose::read_log(file.with(log.substr(0, end)));
            REQUIRE(read);
            if (!diagnose::has_anything(read->log)) continue;
            for (const diagnose::Verdict& verdict : diagnose::diagnose({read->log, {}})) {
                for (const auto language : {rules::Language::en, rules::Language::zh}) {
                    const std::string headline = rules::render(verdict.headline, language);
                    if (!seen.insert(headline).second) continue;
                    CAPTURE(end, headline);
                    CHECK(headline.find_first_of("{}") == std::string::npos);
                    CHECK(headline.find("  ") == std::string::npos);
                    CHECK(headline.find("()") == std::string::npos);
                    // The log's own words, as far as they go; a second or a MiB is converted.
                    if (verdict.headline.id == "diagnose.other" || verdict.kind == diagnose::Kind::workspace) continue;
                    if (verdict.kind == diagnose::Kind::compile_time) continue;
                    for (const std::string& number : numbers_in(headline)) {
                        CAPTURE(number);
                        CHECK(known.contains(number));
                    }
                }
            }
        }
    }
}
