// Bytes in, every fix applied, the laws of a trustworthy rewrite as the oracle: a law that does not hold aborts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fixing/fix_all.h"
#include "line_mutator.h"
#include "syntax/tree.h"

namespace {

using namespace ptofix;

[[noreturn]] void broken_law(const char* law, const std::string& before, const std::string& after) {
    std::fprintf(stderr, "law broken: %s\n--- before\n%s\n--- after\n%s\n", law, before.c_str(), after.c_str());
    std::abort();
}

std::shared_ptr<const text::Source> source_of(std::string bytes, const char* path = "fuzz.py") {
    auto source = text::Source::from_bytes(path, std::move(bytes));
    return source ? std::make_shared<const text::Source>(std::move(*source)) : nullptr;
}

std::size_t errors_of(std::string_view text) {
    syntax::Parser parser;
    const auto tree = parser.parse(text);
    return tree ? tree->error_count() : 0;
}

// A second run of everything is dear: laws about many files are tried on one input in so many.
constexpr std::size_t kTwoFilesEvery = 8;

bool breaks_lines_only_with_crlf(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
        if (at == 0 || text[at - 1] != '\r') return false;
    }
    return text.find('\n') != std::string_view::npos;
}

fixing::FixResult fix(std::span<const std::shared_ptr<const text::Source>> sources, rules::Applicability threshold) {
    trace::Project project;
    return fixing::fix_all(project, sources, fixing::Config{}, fixing::FixOptions{.threshold = threshold});
}

/// Fixes one text and holds the result to all that one run can show; the text that comes out.
std::string fix_lawfully(const std::shared_ptr<const text::Source>& source, rules::Applicability threshold) {
    const std::string before(source->text());
    const fixing::FixResult first = fix(std::span(&source, 1), threshold);
    if (!first.errors.empty()) broken_law(first.errors.front().detail.c_str(), before, "");
    if (first.stop != fixing::StopReason::no_more_fixes) broken_law("the rules come to rest", before, "");
    if (first.files.empty()) return before;
    const std::string& after = first.files.front().text;
    if (errors_of(after) > errors_of(before)) broken_law("no new syntax error", before, after);
    if (breaks_lines_only_with_crlf(before) && !breaks_lines_only_with_crlf(after)) {
        broken_law("the line breaks of a file stay one kind", before, after);
    }
    // As it would be written and read back: in the encoding that the file declares.
    const auto written = source->encode(after);
    if (!written) broken_law("the result can be written", before, after);
    const auto again_source = source_of(*written);
    if (!again_source) broken_law("the result can be read", before, after);
    if (again_source->text() != after)
        broken_law("the result is read as it was written", after, std::string(again_source->text()));
    const fixing::FixResult again = fix(std::span(&again_source, 1), threshold);
    if (!again.files.empty()) broken_law("fixing twice equals fixing once", after, again.files.front().text);
    return after;
}

/// Two files beside each other are fixed as each alone, in either order.
void check_two_files(const std::shared_ptr<const text::Source>& source, const std::string& alone) {
    const auto bytes = source->encode(source->text());
    const auto twin = bytes ? source_of(*bytes, "twin.py") : nullptr;
    if (!twin) return;
    for (const bool swapped : {false, true}) {
        const std::shared_ptr<const text::Source> both[] = {swapped ? twin : source, swapped ? source : twin};
        for (const fixing::FixedFile& file : fix(both, rules::Applicability::unsafe).files) {
            if (file.text != alone) broken_law("the order of files makes no difference", alone, file.text);
        }
    }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
    // Bytes break the syntax of most inputs; lines keep that of many.
    if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
    const std::string text = fuzz::mutate_lines({reinterpret_cast<const char*>(data), size}, seed / 4);
    const std::size_t kept = std::min(text.size(), max_size);
    std::copy_n(text.data(), kept, reinterpret_cast<char*>(data));
    return kept;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto source = source_of(std::string(reinterpret_cast<const char*>(data), size));
    if (!source) return 0;
    fix_lawfully(source, rules::Applicability::safe);
    const std::string after = fix_lawfully(source, rules::Applicability::unsafe);
    if (size % kTwoFilesEvery == 0 && !source->has_bom()) check_two_files(source, after);
    return 0;
}
