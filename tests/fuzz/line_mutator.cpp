#include "line_mutator.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace fuzz {

namespace {

/// Lines with their line breaks.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
        lines.emplace_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return lines;
}

std::string_view indent_of(std::string_view line) {
    return line.substr(0, std::min(line.size(), line.find_first_not_of(" \t")));
}

std::string_view body_of(std::string_view line) {
    return line.substr(0, std::min(line.size(), line.find_first_of("\r\n")));
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

void replace_number(std::string& line, std::string_view by) {
    constexpr std::string_view kDigits = "0123456789";
    const std::size_t start = line.find_first_of(kDigits);
    if (start == std::string::npos) return;
    const std::size_t end = std::min(line.size(), line.find_first_not_of(kDigits, start));
    line.replace(start, end - start, by);
}

}  // namespace

std::string mutate_lines(std::string_view text, unsigned int seed) {
    std::minstd_rand random(seed);
    const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
    std::vector<std::string> lines = lines_of(text);
    if (lines.empty()) return "import pypto\n";
    const std::size_t at = below(lines.size()), other = below(lines.size());
    std::string& line = lines[at];
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
    constexpr std::string_view kComments[] = {"# note", "# \xE4\xB8\xAD\xE6\x96\x87", "# pto-fix: ignore[PTO201]", "#"};
    constexpr std::string_view kNumbers[] = {"0", "1", "2", "7", "16", "64", "128", "1024", "4096", "99999999999"};
    const std::string_view comment = kComments[below(std::size(kComments))];
    switch (below(12)) {
        case 0:
            lines.insert(place, std::string(line));
            break;
        case 1:
            lines.erase(place);
            break;
        case 2:
            std::swap(line, lines[other]);
            break;
        case 3: {
            std::string moved(lines[other]);
            lines.insert(place, std::string(indent_of(line)) + moved.substr(indent_of(moved).size()));
            break;
        }
        case 4:
            lines.insert(place, std::string(indent_of(line)) + std::string(comment) + "\n");
            break;
        case 5:
            line.insert(body_of(line).size(), "  " + std::string(comment));
            break;
        case 6:
            if (const std::size_t gap = line.find(" = "); gap != std::string::npos)
                line.insert(gap + 3, "\\\n        ");
            break;
        case 7:
            if (const std::size_t gap = line.find(", "); gap != std::string::npos)
                line.replace(gap, 2, ",  # c\n        ");
            break;
        case 8:
            for (std::string& each : lines) replace_all(each, "    ", "\t");
            break;
        case 9:
            for (std::string& each : lines) {
                if (each.ends_with('\n') && !each.ends_with("\r\n")) each.insert(each.size() - 1, "\r");
            }
            break;
        case 10:
            replace_number(line, kNumbers[below(std::size(kNumbers))]);
            break;
        default:  // two statements on one line
            if (at + 1 < lines.size() && line.ends_with('\n')) {
                line.resize(body_of(line).size());
                line += "; ";
                lines[at + 1].erase(0, indent_of(lines[at + 1]).size());
            }
    }
    std::string result;
    for (const std::string& each : lines) result += each;
    return result;
}

}  // namespace fuzz
