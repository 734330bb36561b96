#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "fixing/analysis.h"
#include "rules/messages.h"

using namespace ptofix;

namespace {

using Found = std::tuple<std::string_view, rules::Severity, text::Range, std::string, bool>;

std::vector<Found> findings(const std::string& text, bool runs_all) {
    trace::Project project;
    fixing::Config config;
    config.keep_unknowns = runs_all;  // every host function is run then
    const auto source = std::make_shared<const text::Source>(*text::Source::from_bytes("kernel.py", text));
    const fixing::Analysis analysis = fixing::analyse(project, source, config);
    std::vector<Found> found;
    for (const fixing::Diagnosis& d : analysis.findings) {
        found.emplace_back(d.finding.rule, d.finding.severity, d.finding.location.range,
                           rules::render(d.finding.message, rules::Language::en), d.rewrite.fix.has_value());
    }
    return found;
}

/// A kernel that overflows on-chip memory for what host code gives it, and the host code.
std::string called_by(const std::string& host) {
    return "import pypto\nimport torch\n"
           "@pypto.frontend.jit\n"
           "def kernel(x: pypto.Tensor([], pypto.DT_FP32), rows):\n"
           "    pypto.set_vec_tile_shapes(rows, 512)\n"
           "    y = pypto.exp(x)\n"
           "    x.move(y)\n" +
           host;
}

}  // namespace

TEST_CASE("host functions that are not run would have shown nothing") {
    std::size_t files = 0, found = 0;
    for (const char* folder : {"fixtures", "tests/data"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".py") continue;
            std::ifstream in(entry.path(), std::ios::binary);
            const std::string text(std::istreambuf_iterator<char>(in), {});
            if (!text::Source::from_bytes("kernel.py", text)) continue;
            INFO(entry.path());
            const std::vector<Found> some = findings(text, false);
            CHECK(some == findings(text, true));
            ++files;
            found += some.size();
        }
    }
    CHECK(files > 300);
    CHECK(found > 300);
}

TEST_CASE("whatever way a host function reaches a kernel, it is run") {
    const std::string call = "(torch.ones(8192, 8192), 4096)\n";
    for (const std::string& host : std::vector<std::string>{
             "def main():\n    kernel" + call,
             "def main():\n    run()\ndef run():\n    kernel" + call,
             "def main():\n    def inner():\n        kernel" + call + "    inner()\n",
             "run = kernel\ndef main():\n    run" + call,
             "def pick():\n    return kernel\ndef main():\n    pick()" + call,
             "class K:\n    def run(self):\n        kernel" + call + "def main():\n    K().run()\n",
             "class K:\n    run = kernel\ndef main():\n    K.run" + call,
             "def main():\n    (lambda: kernel" + call.substr(0, call.size() - 1) + ")()\n",
             "def main():\n    return [k" + call.substr(0, call.size() - 1) + " for k in (kernel,)]\n",
             "def a(n):\n    return b(n)\ndef b(n):\n    return a(n - 1) if n else kernel" + call,
         }) {
        const std::string text = called_by(host);
        INFO(text);
        const std::vector<Found> found = findings(text, false);
        CHECK(found == findings(text, true));
        CHECK(std::ranges::any_of(found, [](const Found& f) { return std::get<0>(f) == "PTO101"; }));
    }
}

TEST_CASE("what may be another function by then shows as little when it is run") {
    const std::string call = "(torch.ones(8192, 8192), 4096)\n";
    for (const std::string& host : std::vector<std::string>{
             "def main(k=kernel):\n    k" + call,
             "runs = [kernel]\ndef main():\n    runs[0]" + call,
             "runs = {'a': (1, [kernel])}\ndef main():\n    runs['a'][1][0]" + call,
         }) {
        INFO(host);
        CHECK(findings(called_by(host), false) == findings(called_by(host), true));
    }
}
