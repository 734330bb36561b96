#include "report/fingerprint.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace ptofix::report {

namespace {

/// FNV-1a, 64 bits.
class Hash {
  public:
    void add(char c) {
        value_ ^= static_cast<unsigned char>(c);
        value_ *= 0x100000001b3U;
    }
    void add(std::string_view text) {
        for (const char c : text) add(c);
        add('\0');
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

std::uint64_t hash_of(const FindingView& finding, const FileReport& report) {
    Hash hash;
    hash.add(finding.rule);
    hash.add(finding.function);
    hash.add(flagged_words(report.files[finding.primary.file], finding.primary.range));
    return hash.value();
}

}  // namespace

std::string flagged_words(const text::Source& source, text::Range range) {
    const text::LineIndex& lines = source.lines();
    std::string_view line = lines.line_text(lines.line_of(range.start));
    // A comment is no part of the code: the one that silences the finding is written there.
    const std::size_t hash_sign = line.find('#');
    const bool may_be_in_a_string = line.substr(0, hash_sign).find_first_of("\"'") != std::string_view::npos;
    if (hash_sign != std::string_view::npos && !may_be_in_a_string) line = line.substr(0, hash_sign);
    // Blanks do not count: a formatter may change them.
    std::string words(line);
    std::erase_if(words, [](char c) { return std::string_view(" \t\r\n\f").contains(c); });
    return words;
}

void add_fingerprints(std::span<FileReport> reports) {
    std::map<std::pair<std::string_view, std::uint64_t>, std::uint32_t> seen;
    const auto number = [&](FindingView& finding, const FileReport& report) {
        const std::uint64_t hash = hash_of(finding, report);
        const std::uint32_t which = seen[{report.paths[finding.primary.file], hash}]++;
        finding.fingerprint = fmt::format("{:016x}:{}", hash, which + 1);
    };
    for (FileReport& report : reports) {
        for (FindingView& finding : report.findings) number(finding, report);
    }
    for (FileReport& report : reports) {
        for (FindingView& finding : report.silenced) number(finding, report);
    }
}

std::string fingerprint_of(std::span<const std::string_view> words) {
    Hash hash;
    for (const std::string_view word : words) hash.add(word);
    return fmt::format("{:016x}:1", hash.value());
}

}  // namespace ptofix::report
