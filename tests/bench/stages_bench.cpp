// What each stage costs on one file: stages_bench FILE.py [benchmark options]. Read the times against parse_only of the
// same run; by themselves they say more about the machine than about the program.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>

#include "fixing/analysis.h"
#include "syntax/tree.h"
#include "trace/tracer.h"

namespace {

using namespace ptofix;

std::shared_ptr<const text::Source> source;

void parse_only(benchmark::State& state) {
    syntax::Parser parser;
    for (auto _ : state) benchmark::DoNotOptimize(parser.parse_only(source->text()));
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * source->text().size()));
}

void parse_and_flatten(benchmark::State& state) {
    syntax::Parser parser;
    for (auto _ : state) benchmark::DoNotOptimize(parser.parse(source->text()));
}

void trace_parsed(benchmark::State& state) {
    trace::Project project;
    const auto file = project.parse(source);
    for (auto _ : state) benchmark::DoNotOptimize(trace::trace_file(project, *file, {}));
}

void analyse(benchmark::State& state) {
    for (auto _ : state) {
        trace::Project project;
        benchmark::DoNotOptimize(fixing::analyse(project, source, {}));
    }
}

BENCHMARK(parse_only);
BENCHMARK(parse_and_flatten);
BENCHMARK(trace_parsed);
BENCHMARK(analyse);

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: stages_bench FILE.py [--benchmark_...]\n");
        return 2;
    }
    auto loaded = text::Source::load(argv[1]);
    if (!loaded) {
        std::fprintf(stderr, "stages_bench: cannot read %s\n", argv[1]);
        return 2;
    }
    source = std::make_shared<const text::Source>(std::move(*loaded));
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
