// Each memory of each machine, full to the byte and one step over it.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "fixing/fix_all.h"
#include "hardware/soc.h"

#include <catch2/catch.hpp>

using namespace ptofix;

namespace {

using hardware::Pools;
using hardware::Soc;

/// The rules of the errors, each followed by a blank; and that the safe fixes leave none.
std::string errors_of(const std::string& text, Soc soc) {
    INFO(hardware::pools(soc).name << "\n" << text);
    trace::Project project;
    const auto source = std::make_shared<const text::Source>(*text::Source::from_bytes("kernel.py", std::string(text)));
    fixing::Config config;
    config.soc = soc;
    const auto errors = [](const fixing::Analysis& analysis) {
        std::string rules;
        for (const fixing::Diagnosis& d : analysis.findings) {
            if (d.finding.severity == rules::Severity::error) rules += d.finding.rule;
        }
        return rules;
    };
    const std::string found = errors(fixing::analyse(project, source, config));
    if (!found.empty()) {
        const auto fixed = fixing::fix_all(project, std::span(&source, 1), config, {});
        CHECK(fixed.files.size() == 1);
        CHECK(errors(fixed.remaining.front()).empty());
    }
    return found;
}

std::string kernel(const std::string& parameters, const std::string& body) {
    return "import pypto\n\n\n@pypto.frontend.jit\ndef kernel(" + parameters + "):\n" + body;
}

std::string matmul(std::int64_t m, std::int64_t k0, std::int64_t ka, std::int64_t kb, std::int64_t n) {
    constexpr int kLong = 65536;
    return kernel(fmt::format("x: pypto.Tensor([{0}, {1}], pypto.DT_BF16), w: pypto.Tensor([{1}, {2}], "
                              "pypto.DT_BF16), out: pypto.Tensor([{0}, {2}], pypto.DT_FP32)",
                              m, kLong, n),
                  fmt::format("    pypto.set_cube_tile_shapes([{0}, {0}], [{1}, {2}, {3}], [{4}, {4}])\n"
                              "    out[:] = pypto.matmul(x, w, pypto.DT_FP32)\n",
                              m, k0, ka, kb, n));
}

std::string biased(std::int64_t n) {
    return kernel(fmt::format("x: pypto.Tensor([16, 64], pypto.DT_BF16), w: pypto.Tensor([64, {0}], pypto.DT_BF16), "
                              "b: pypto.Tensor([1, {0}], pypto.DT_FP32), out: pypto.Tensor([16, {0}], pypto.DT_FP32)",
                              n),
                  fmt::format("    pypto.set_cube_tile_shapes([16, 16], [16, 64], [{0}, {0}])\n"
                              "    out[:] = pypto.matmul(x, w, pypto.DT_FP32, extend_params={{'bias_tensor': b}})\n",
                              n));
}

std::string scaled(std::int64_t n) {
    return kernel(fmt::format("x: pypto.Tensor([16, 64], pypto.DT_INT8), w: pypto.Tensor([64, {0}], pypto.DT_INT8), "
                              "s: pypto.Tensor([1, {0}], pypto.DT_UINT64), out: pypto.Tensor([16, {0}], pypto.DT_FP16)",
                              n),
                  fmt::format("    pypto.set_cube_tile_shapes([16, 16], [32, 64], [{0}, {0}])\n"
                              "    out[:] = pypto.matmul(x, w, pypto.DT_FP16, extend_params={{'scale_tensor': s}})\n",
                              n));
}

/// `rows` rows of 32 bytes, in one buffer.
std::string vector(std::int64_t rows) {
    return kernel("x: pypto.Tensor([16384, 8], pypto.DT_FP32), out: pypto.Tensor([16384, 8], pypto.DT_FP32)",
                  fmt::format("    pypto.set_vec_tile_shapes({}, 8)\n    out[:] = pypto.exp(x)\n", rows));
}

constexpr Soc kSocs[] = {Soc::a2a3, Soc::ascend950, Soc::kirin_x90, Soc::kirin_9030};

}  // namespace

TEST_CASE("every memory of every machine may be full to the byte, and not one step more") {
    for (const Soc soc : kSocs) {
        const Pools& p = hardware::pools(soc);
        INFO(p.name);
        CHECK(errors_of(vector(p.ub / 32), soc).empty());
        CHECK(errors_of(vector(p.ub / 32 + 1), soc) == "PTO101");

        const std::int64_t l0b = p.l0b / (128 * 2), l0a = p.l0a / (64 * 2);
        CHECK(errors_of(matmul(16, 128, 128, 128, l0b), soc).empty());
        CHECK(errors_of(matmul(16, 128, 128, 128, l0b + 16), soc) == "PTO106");
        CHECK(errors_of(matmul(l0a, 64, 64, 64, 16), soc).empty());
        CHECK(errors_of(matmul(l0a + 16, 64, 64, 64, 16), soc) == "PTO108");

        const std::int64_t l0c = p.l0c / (128 * 4);
        CHECK(errors_of(matmul(128, 16, 16, 16, l0c), soc).empty());
        CHECK(errors_of(matmul(128, 16, 16, 16, l0c + 16), soc) == "PTO108");

        const std::int64_t l1 = p.l1 / (64 * 2);
        CHECK(errors_of(matmul(64, 64, l1, 64, 16), soc).empty());
        CHECK(errors_of(matmul(64, 64, l1 + 64, 64, 16), soc) == "PTO107");
        CHECK(errors_of(matmul(16, 64, 64, l1, 64), soc).empty());
        CHECK(errors_of(matmul(16, 64, 64, l1 + 64, 64), soc) == "PTO107");
        CHECK(errors_of(matmul(64, 64, l1, l1, 64), soc).empty());  // A and B each for itself

        CHECK(errors_of(biased(p.bt / 4), soc).empty());
        CHECK(errors_of(biased(p.bt / 4 + 16), soc) == "PTO108");
        CHECK(errors_of(scaled(p.fb / 8), soc).empty());
        CHECK(errors_of(scaled(p.fb / 8 + 32), soc) == "PTO108");
    }
}

TEST_CASE("the rows of a cast from BF16 to FP32 that fit UB") {
    const auto cast = [](std::int64_t rows, std::int64_t columns) {
        return kernel("x: pypto.Tensor([1024, 512], pypto.DT_BF16), out: pypto.Tensor([1024, 512], pypto.DT_FP32)",
                      fmt::format("    pypto.set_vec_tile_shapes({}, {})\n"
                                  "    out[:] = pypto.cast(x, pypto.DT_FP32)\n",
                                  rows, columns));
    };
    CHECK(errors_of(cast(64, 512), Soc::a2a3).empty());
    CHECK(errors_of(cast(80, 512), Soc::a2a3) == "PTO101");
    CHECK(errors_of(cast(80, 512), Soc::ascend950).empty());
    CHECK(errors_of(cast(96, 512), Soc::ascend950) == "PTO101");
    CHECK(errors_of(cast(64, 512), Soc::kirin_x90) == "PTO101");
    CHECK(errors_of(cast(1024, 4096), Soc::a2a3) == "PTO101");
}
