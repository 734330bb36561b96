#include "trace/vector_buffers.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "hardware/soc.h"
#include "text/source.h"
#include "trace/tracer.h"

using namespace ptofix;

namespace {

std::unique_ptr<trace::Trace> trace_of(trace::Project& project, std::string text) {
    auto source = text::Source::from_bytes("kernel.py", std::move(text)).value();
    auto file = project.parse(std::make_shared<const text::Source>(std::move(source))).value();
    return trace::trace_file(project, file, {});
}

/// The largest need of the kernel's operations.
trace::BufferBytes largest(const trace::Trace& trace) {
    trace::BufferBytes all;
    for (const trace::Operation& op : trace.operations) {
        if (const auto bytes = trace::vector_buffers(trace, op)) {
            all.least = std::max(all.least, bytes->least);
            all.most = std::max(all.most, bytes->most);
        }
    }
    return all;
}

struct Judged {
    std::string kind, source, message;
    bool fails;
};

std::vector<Judged> judged_kernels() {
    std::ifstream file("tests/data/measured/judged.jsonl");
    std::vector<Judged> kernels;
    for (std::string line; std::getline(file, line);) {
        const auto row = nlohmann::json::parse(line);
        const auto message = row["message"];
        kernels.push_back({row["kind"], row["source"], message.is_string() ? message.get<std::string>() : std::string(),
                           row["status"] != "OK"});
    }
    return kernels;
}

}  // namespace

TEST_CASE("the buffers of vector operations overflow UB in exactly the measured kernels that the compiler refused") {
    const std::int64_t ub = hardware::pools(hardware::Soc::a2a3).ub;
    trace::Project project;
    int seen = 0;
    for (const Judged& kernel : judged_kernels()) {
        if (!kernel.kind.starts_with("vec") && kernel.kind != "heads") continue;
        ++seen;
        INFO(kernel.message << "\n" << kernel.source);
        const auto trace = trace_of(project, kernel.source);
        const trace::BufferBytes need = largest(*trace);
        const bool refused = kernel.fails && kernel.message.find("MEM_UB") != std::string::npos;
        CHECK((need.least > ub) == refused);
        if (need.most <= ub) CHECK_FALSE(refused);
        CHECK(need.least <= need.most);
    }
    CHECK(seen > 80);
}
