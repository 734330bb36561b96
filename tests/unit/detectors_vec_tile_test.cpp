// What the compiler itself checks of a vec tile, on both sides of each limit: axes, multiples, and that there is one.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "fixing/fix_all.h"
#include "hardware/soc.h"

#include <catch2/catch.hpp>

using namespace ptofix;

namespace {

struct Found {
    std::string errors;    // "PTO302 F4FFFF" of each, with a blank between them
    std::string compiler;  // what the first of them quotes
};

Found errors_of(const fixing::Analysis& analysis) {
    Found found;
    const auto text = [](const fixing::Diagnosis& d, std::string_view key) {
        const auto* value = d.finding.message.data.find(key);
        return value != nullptr ? std::get<std::string>(*value) : std::string();
    };
    for (const fixing::Diagnosis& d : analysis.findings) {
        if (d.finding.severity != rules::Severity::error) continue;
        if (found.errors.empty()) found.compiler = text(d, "compiler");
        found.errors += fmt::format("{}{} {}", found.errors.empty() ? "" : " ", d.finding.rule, text(d, "code"));
    }
    return found;
}

/// What is found in a kernel of this body; and that the safe fixes leave no error.
Found found_in(const std::string& parameters, const std::string& body, const std::string& options = "") {
    const std::string text =
        fmt::format("import pypto\n\n\n@pypto.frontend.jit{}\ndef kernel({}):\n{}", options, parameters, body);
    INFO(text);
    trace::Project project;
    const auto source = std::make_shared<const text::Source>(*text::Source::from_bytes("kernel.py", std::string(text)));
    Found found = errors_of(fixing::analyse(project, source, {}));
    if (!found.errors.empty()) {
        const auto fixed = fixing::fix_all(project, std::span(&source, 1), {}, {});
        CHECK(fixed.files.size() == 1);
        CHECK(errors_of(fixed.remaining.front()).errors.empty());
    }
    return found;
}

std::string tensor(const std::string& name, const std::string& shape, const std::string& dtype = "FP32") {
    return fmt::format("{}: pypto.Tensor([{}], pypto.DT_{})", name, shape, dtype);
}

std::string on_two_axes(const std::string& tile, const std::string& expression) {
    const std::string set = tile.empty() ? "" : fmt::format("    pypto.set_vec_tile_shapes({})\n", tile);
    return found_in(tensor("x", "32, 64") + ", " + tensor("out", "32, 64"), set + "    out[:] = " + expression + "\n")
        .errors;
}

}  // namespace

TEST_CASE("every number of a tile that counts is above 0") {
    CHECK(on_two_axes("1, 8", "x + x").empty());
    CHECK(on_two_axes("1, 1", "x + x").empty());
    for (const std::string tile : {"0, 8", "1, 0", "1, -8", "0, 0", "-1, 64"}) {
        CAPTURE(tile);
        CHECK(on_two_axes(tile, "x + x") == "PTO301 F0000A");
        CHECK(on_two_axes(tile, "pypto.exp(x)") == "PTO301 F0000A");
        CHECK(on_two_axes(tile, "pypto.softmax(x, -1)") == "PTO301 F0000A");
    }
    CHECK(on_two_axes("0", "x + x") == "PTO302 F4FFFF");  // the number of axes is looked at first
    // Surplus numbers are not looked at, and what computes nothing has no tiles.
    CHECK(on_two_axes("16, 64, 0", "x + x").empty());
    CHECK(on_two_axes("16, 0", "pypto.view(x, [32, 64], [0, 0])").empty());
    CHECK(on_two_axes("16, 0", "pypto.cast(x, pypto.DT_FP32)").empty());
    const Found found = found_in(tensor("x", "32, 64, 16") + ", " + tensor("out", "32, 64, 1"),
                                 "    pypto.set_vec_tile_shapes(8, 8, 0)\n    out[:] = pypto.sum(x, -1, True)\n");
    CHECK(found.errors == "PTO301 F0000A");
    CHECK(found.compiler ==
          "Operation: ROWSUM_SINGLE Input operand (name: ..)  at dimension[2] has invalid shape value: 0.");
}

TEST_CASE("a tile has at least as many axes as what is computed under it") {
    CHECK(on_two_axes("16", "x + x") == "PTO302 F4FFFF");
    CHECK(on_two_axes("16, 64", "x + x").empty());
    CHECK(on_two_axes("16, 64, 1", "x + x").empty());
    CHECK(on_two_axes("16, 64, 1, 1, 1", "x + x").empty());
    CHECK(on_two_axes("", "x + x") == "PTO303 F4FFFF");
    CHECK(on_two_axes("", "pypto.softmax(x, -1)") == "PTO303 FC1000");
    // These have no verifier, or compute nothing.
    CHECK(on_two_axes("16", "pypto.reciprocal(x)").empty());
    CHECK(on_two_axes("16", "pypto.cumsum(x, -1)").empty());
    CHECK(on_two_axes("16", "x").empty());
}

TEST_CASE("a reduction is checked with the axes of its operand, and says first that there is no tile") {
    const std::string parameters = tensor("x", "8, 64") + ", " + tensor("out", "8");
    CHECK(found_in(parameters, "    pypto.set_vec_tile_shapes(8)\n    out[:] = pypto.amax(x, -1)\n").errors ==
          "PTO302 F4FFFF");
    CHECK(
        found_in(parameters, "    pypto.set_vec_tile_shapes(8, 64)\n    out[:] = pypto.amax(x, -1)\n").errors.empty());
    const Found found = found_in(parameters, "    y = x + 1.0\n    out[:] = pypto.amax(y, -1)\n");
    CHECK(found.errors == "PTO303 FC1000");
    CHECK(found.compiler == "TileShape is no set for reduce op");
}

TEST_CASE("a transpose takes exactly as many axes as its tensor has, unless it moves nothing") {
    const auto turned = [](const std::string& shape, const std::string& tile, const std::string& axes) {
        return found_in(tensor("x", shape) + ", " + tensor("out", "64, 64"),
                        fmt::format("    pypto.set_vec_tile_shapes({})\n    y = pypto.transpose(x, {})\n"
                                    "    pypto.set_vec_tile_shapes(64, 64)\n    out[:] = pypto.reshape(y, [64, 64])\n",
                                    tile, axes))
            .errors;
    };
    CHECK(turned("64, 64", "64, 64", "0, 1").empty());
    CHECK(turned("64, 64", "1, 64, 64", "0, 1") == "PTO302 FC0000");
    CHECK(turned("64, 64", "64", "0, 1") == "PTO302 FC0000");
    CHECK(turned("1, 1, 64, 64", "64, 64", "0, 1").empty());
    CHECK(turned("64, 64", "1, 64, 64", "1, -1").empty());
}

TEST_CASE("the words of the compiler name its opcode and both numbers of axes") {
    const std::string parameters = tensor("x", "32, 64", "BF16") + ", " + tensor("out", "32, 64", "BF16");
    const auto said = [&](const std::string& expression) {
        return found_in(parameters, "    pypto.set_vec_tile_shapes(16)\n    out[:] = " + expression + "\n").compiler;
    };
    CHECK(said("pypto.mul(x, 0.5)") == "Operation: CAST. Tile shape size 1 is not matched the output shape size 2.");
    const std::string plain = tensor("x", "32, 64") + ", " + tensor("out", "32, 64");
    const auto said_of_fp32 = [&](const std::string& expression) {
        return found_in(plain, "    pypto.set_vec_tile_shapes(16)\n    out[:] = " + expression + "\n").compiler;
    };
    CHECK(said_of_fp32("pypto.mul(x, 0.5)") ==
          "Operation: MULS. Tile shape size 1 is not matched the output shape size 2.");
    CHECK(said_of_fp32("x * x") == "Operation: MUL. Tile shape size 1 is not matched the output shape size 2.");
    CHECK(said_of_fp32("pypto.sum(x, 0, True) + x") ==
          "Operation: ROWSUM_SINGLE. Tile shape size 1 is not matched the output shape size 2.");
}

TEST_CASE("a sort takes whole runs of 32 along its axis") {
    const auto sorted = [](int number, const std::string& axis) {
        const std::string tile = axis == "0" ? fmt::format("{}, 64", number) : fmt::format("8, {}", number);
        return found_in(
                   tensor("x", "64, 64") + ", " + tensor("out", "64, 64", "INT32"),
                   fmt::format("    pypto.set_vec_tile_shapes({})\n    out[:] = pypto.argsort(x, {})\n", tile, axis))
            .errors;
    };
    for (const std::string axis : {"-1", "1", "None", "0"}) {
        INFO(axis);
        CHECK(sorted(31, axis) == "PTO301 FC1001");
        CHECK(sorted(32, axis).empty());
        CHECK(sorted(33, axis) == "PTO301 FC1001");
        CHECK(sorted(64, axis).empty());
    }
}

TEST_CASE("a concat copies its parts in whole blocks") {
    const auto joined = [](const std::string& dtype, int number) {
        return found_in(
                   tensor("x", "8, 64", dtype) + ", " + tensor("out", "8, 128", dtype),
                   fmt::format("    pypto.set_vec_tile_shapes(8, {})\n    out[:] = pypto.concat([x, x], 1)\n", number))
            .errors;
    };
    CHECK(joined("FP32", 8).empty());
    CHECK(joined("FP32", 12) == "PTO301 CHECK FAILED");
    CHECK(joined("BF16", 16).empty());
    CHECK(joined("BF16", 8) == "PTO301 CHECK FAILED");
    CHECK(joined("INT8", 32).empty());
    CHECK(joined("INT8", 16) == "PTO301 CHECK FAILED");
}

TEST_CASE("a tile set in a loop or under a condition of the device ends there, but not under the legacy frontend") {
    const std::string parameters = tensor("x", "64, 64") + ", " + tensor("out", "64, 64");
    const std::string loop =
        "    for i in pypto.loop(0, 2, 1, name=\"L\", idx_name=\"i\"):\n        pypto.set_vec_tile_shapes(32, 64)\n"
        "        pypto.assemble(pypto.exp(pypto.view(x, [32, 64], [i * 32, 0])), [i * 32, 0], out)\n";
    CHECK(found_in(parameters, loop + "    out[:] = pypto.exp(x)\n").errors == "PTO303 F4FFFF");
    CHECK(found_in(parameters, loop + "    out[:] = pypto.exp(x)\n", "(new_ir=False)").errors.empty());
    // A Python loop is run: what it sets stays.
    const std::string ran = "    for i in range(2):\n        pypto.set_vec_tile_shapes(32, 64)\n";
    CHECK(found_in(parameters, ran + "    out[:] = pypto.exp(x)\n").errors.empty());
}

TEST_CASE("a tile that is one in the first round of a loop and another in the next is neither") {
    // Before, a round traced again could take the joined setting for one that the round made itself.
    const std::string parameters =
        tensor("x", "64, 64") + ", " + tensor("y", "4, 64, 64") + ", " + tensor("out", "4, 64, 64");
    CHECK(found_in(parameters,
                   "    pypto.set_vec_tile_shapes(64, 64)\n    for i in range(2):\n        z = pypto.exp(x)\n"
                   "        pypto.set_vec_tile_shapes(2, 64, 64)\n        out[:] = pypto.mul(y, 0.5)\n")
              .errors.empty());
}
