// Bytes in, every fix applied, the laws of a trustworthy rewrite as the oracle: a law that does not hold aborts.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "fixing/fix_all.h"
#include "syntax/tree.h"

namespace {

using namespace ptofix;

[[noreturn]] void broken_law(const char* law, const std::string& before, const std::string& after) {
    std::fprintf(stderr, "law broken: %s\n--- before\n%s\n--- after\n%s\n", law, before.c_str(), after.c_str());
    std::abort();
}

std::shared_ptr<const text::Source> source_of(std::string bytes) {
    auto source = text::Source::from_bytes("fuzz.py", std::move(bytes));
    return source ? std::make_shared<const text::Source>(std::move(*source)) : nullptr;
}

std::size_t errors_of(std::string_view text) {
    syntax::Parser parser;
    const auto tree = parser.parse(text);
    return tree ? tree->error_count() : 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string before(reinterpret_cast<const char*>(data), size);
    const auto source = source_of(before);
    if (!source) return 0;
    const fixing::Config config;
    const fixing::FixOptions options{.threshold = rules::Applicability::unsafe};
    trace::Project project;
    const fixing::FixResult first = fixing::fix_all(project, std::span(&source, 1), config, options);
    if (!first.errors.empty()) broken_law(first.errors.front().detail.c_str(), before, "");
    if (first.stop != fixing::StopReason::no_more_fixes) broken_law("the rules come to rest", before, "");
    if (first.files.empty()) return 0;
    const std::string& after = first.files.front().text;
    if (errors_of(after) > errors_of(source->text())) broken_law("no new syntax error", before, after);
    const auto again_source = source_of(after);
    if (!again_source) broken_law("the result can be read", before, after);
    trace::Project again_project;
    const fixing::FixResult again = fixing::fix_all(again_project, std::span(&again_source, 1), config, options);
    if (!again.files.empty()) broken_law("fixing twice equals fixing once", after, again.files.front().text);
    return 0;
}
