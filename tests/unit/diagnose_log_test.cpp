#include <catch2/catch.hpp>
#include <string>

#include "diagnose/read_log.h"
#include "temporary_directory.h"

using namespace ptofix::diagnose;

namespace {

Log read(std::string_view text) {
    const TemporaryDirectory folder;
    auto log = read_log(folder.write("build.log", text));
    REQUIRE(log);
    return std::move(log->log);
}

}  // namespace

TEST_CASE("a code and the sentence a line below it are one message, lines of others between") {
    const Log log = read(
        "[rank0]: CHECK FAILED: ErrCode: F0000C! Enum: ExternalError::INVALID_TILE\n"
        "[rank1]: CHECK FAILED: ErrCode: FC1001! Enum: VectorErrorCode::ERR_CONFIG_ALIGNMENT\n"
        "[rank0]: kL0(72) and nL0(128) must be aligned to 16 elements\n"
        "[rank1]: The size of the tile shape along axis 1 must be a multiple of 32. Got 24.\n");
    REQUIRE(log.events.size() == 2);
    CHECK(log.events[0].code == "F0000C");
    CHECK(log.events[0].line == 1);
    CHECK(std::holds_alternative<CubeTileRefused>(log.events[0].what));
    CHECK(log.events[1].code == "FC1001");
    CHECK(std::holds_alternative<VecTileRefused>(log.events[1].what));
}

TEST_CASE("old codes stay what they are, and a sentence without its code gets the usual one") {
    CHECK(read("ErrCode: FC4001! kL0(72) and nL0(128) must be aligned to 16 elements\n").events.front().code ==
          "FC4001");
    CHECK(read("kL0(72) and nL0(128) must be aligned to 16 elements\n").events.front().code == "F0000C");
    CHECK(read("k must have 2 or 3 elements, got 1\n").events.front().code == "F00002");
}

TEST_CASE("what is said several times is one message, what wraps it is none") {
    const Log log = read(
        "ErrCode: F40005! [OoOSchedule.Operation]:Alloc tensor [16] size [262144] exceeds MEM_UB size [196608]!\n"
        "ErrCode: F4FFFF! Enum: InternalError::PASS_INNER_ERROR UB_ALLOC[1] checkOpBufferSize failed!\n"
        "ErrCode: F4FFFF! Enum: InternalError::PASS_INNER_ERROR Run pass <OoOSchedule> failed.\n"
        "PyptoGeneralError: Failed to compile function 'kernel'.\n"
        "ErrCode: F40005! [U.Operation]:Alloc tensor [16] size [262144] exceeds MEM_UB size [196608]! "
        "[FuncMagic:11]\n");
    REQUIRE(log.events.size() == 1);
    CHECK(log.events.front().count == 2);
    CHECK(log.kernels == std::vector<std::string>{"kernel"});
    REQUIRE(log.passes.size() == 1);
    CHECK(log.passes.front().failed);
}

TEST_CASE("the printed producer goes with the overflow of its own process") {
    const Log log = read(
        "[ERROR] PYPTO(1,python3): Alloc tensor [16] size [262144] exceeds MEM_UB size [196608]!\n"
        "[ERROR] PYPTO(2,python3): Alloc tensor [9] size [524288] exceeds MEM_UB size [196608]!\n"
        "[ERROR] PYPTO(1,python3):       op: CAST[1] | inputs: { <128x512xDT_BF16> } | outputs: { <128x512xDT_FP32> "
        "}.\n");
    REQUIRE(log.events.size() == 2);
    CHECK(std::get<PoolOverflow>(log.events[0].what).operations.size() == 1);
    CHECK(std::get<PoolOverflow>(log.events[1].what).operations.empty());
}

TEST_CASE("a log of nothing that is PyPTO's holds nothing") {
    for (const char* text :
         {"", "\n\n", "all tests passed\n", "error: F40005 is my favourite number\n", "make: *** [all] Error 2\n",
          "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: out of range\n"}) {
        CAPTURE(text);
        const Log log = read(text);
        CHECK(log.events.empty());
        CHECK_FALSE(log.is_pypto);
    }
}

TEST_CASE("a compile that came to its end is told from one that hangs") {
    CHECK(read("Apply pass <OoOSchedule> on function: k_PATH0_1.\n[Compiler Monitor] Compilation finished 2/2\n")
              .finished);
    CHECK_FALSE(read("[Compiler Monitor] Compilation finished 2/2\nApply pass <OoOSchedule> on function: k_PATH0_1.\n")
                    .finished);
}

TEST_CASE("only so many messages are kept, however many there are") {
    std::string text;
    for (int i = 1; i <= 2000; ++i) {
        text += "Alloc tensor [1] size [" + std::to_string(200000 + i) + "] exceeds MEM_UB size [196608]!\n";
    }
    const Log log = read(text);
    CHECK(log.events.size() <= 256);
    CHECK(log.left_out > 0);
    CHECK(log.lines == 2000);
}

TEST_CASE("the last traceback's own files are kept, the framework's are not") {
    const Log log = read(
        "Traceback (most recent call last):\n  File \"/old.py\", line 1, in f\n"
        "Traceback (most recent call last):\n  File \"ops/kernel.py\", line 12, in kernel\n"
        "  File \".venv/lib/python3/site-packages/pypto/operation.py\", line 771, in matmul\n"
        "ErrCode: F0000C! kL0(72) and nL0(128) must be aligned to 16 elements\n");
    REQUIRE(log.frames.size() == 1);
    CHECK(log.frames.front().file == "ops/kernel.py");
    CHECK(log.frames.front().line == 12);
}
