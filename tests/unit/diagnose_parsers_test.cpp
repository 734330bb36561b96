#include <catch2/catch.hpp>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

using namespace ptofix::diagnose;

TEST_CASE("both wordings of F40005, and that of the experience notes") {
    auto found = parse_pool_overflow(
        "ErrCode: F40005! Enum: TensorErr::TENSOR_MEMORY_ALLOCATION. [U.Operation]:Alloc tensor [16] size [262144] "
        "exceeds MEM_UB size [196608]! [FuncMagic:11][OpMagic:10010].");
    REQUIRE(found);
    CHECK(found->pool == "UB");
    CHECK(found->size == 262144);
    CHECK(found->limit == 196608);
    CHECK(found->operation.empty());
    CHECK(found->id == 16);
    found = parse_pool_overflow("OP ROWMAX_SINGLE[10005] in/output total size [196864] exceeds MEM_UB size [196608]!");
    REQUIRE(found);
    CHECK(found->operation == "ROWMAX_SINGLE");
    CHECK(found->size == 196864);
    CHECK(found->id == 10005);
    found = parse_pool_overflow("F40005 TENSOR_MEMORY_ALLOCATION: tensor [xxx] size [1835008] exceeds MEM_L1 [524288]");
    REQUIRE(found);
    CHECK(found->pool == "L1");
    CHECK(found->size == 1835008);
    CHECK(found->limit == 524288);
    CHECK_FALSE(found->id);
}

TEST_CASE("numbers that are missing, cut off or too large are none") {
    for (const char* line :
         {"Alloc tensor [16] size [] exceeds MEM_UB size []!", "Alloc tensor [16] size [xxx] exceeds MEM_UB",
          "size [99999999999999999999999] exceeds MEM_UB size [99999999999999999999999]!",
          "size [-5] exceeds MEM_UB size [0]!", " exceeds MEM_UB", "size [ exceeds MEM_UB size ["}) {
        CAPTURE(line);
        const auto found = parse_pool_overflow(line);
        REQUIRE(found);
        CHECK_FALSE(found->size);
        CHECK_FALSE(found->limit);
    }
    CHECK_FALSE(parse_pool_overflow("the number exceeds MEM_TYPES"));
    CHECK_FALSE(parse_pool_overflow("size (47928) exceeds limit (32768)"));
    CHECK_FALSE(parse_pool_overflow(""));
}

TEST_CASE("an operation as the compiler prints it gives up its shapes and types") {
    const auto found = parse_printed_operation(
        "op: CAST[10010] | inputs: { RawTensor [3] <128x512xDT_BF16> %14@3#(0)MEM_UB } | outputs: { RawTensor [5] "
        "<128x512xDT_FP32 / sym_3x512xDT_FP32_NZ> %16@5#(0)MEM_UB} .");
    REQUIRE(found);
    CHECK(found->name == "CAST");
    CHECK(found->inputs == std::vector<PrintedTensor>{{{128, 512}, "DT_BF16"}});
    CHECK(found->outputs == std::vector<PrintedTensor>{{{128, 512}, "DT_FP32"}});
    CHECK(parse_printed_operation("op: X[1] | inputs: { <> <x> <9999999999999999999999xDT_FP32> }")->inputs.empty());
    CHECK_FALSE(parse_printed_operation("| inputs: { <1xDT_FP32> } op: "));
}

TEST_CASE("what is said of cube tiles is kept in the framework's words") {
    for (const char* said : {"Invalid L1/L0 relation: kL0=64, kL1a=200, require kL0 <= kL1a && kL1a % kL0 == 0",
                             "kL0(72) and nL0(128) must be aligned to 16 elements",
                             "Invalid tile values: kL0=64, kL1a=256, mL0=0", "k must have 2 or 3 elements, got 1",
                             "mL0 memory not aligned when transA=true: 16 bytes, must be 32-byte aligned",
                             "Invalid tileKL1 configuration: tileKL1Max: 192, kViewA: 512, tileKL1Min: 128."}) {
        const auto found = parse_cube_tile(std::string("FeError: ErrCode: F0000C! ") + said);
        CAPTURE(said);
        REQUIRE(found);
        CHECK(found->said == said);
    }
    CHECK_FALSE(parse_cube_tile("rank must have exactly 2 elements, got 1"));
    CHECK_FALSE(parse_cube_tile("kL0("));
}

TEST_CASE("what is said of vec tiles") {
    using Fault = VecTileRefused::Fault;
    auto found = parse_vec_tile(
        "[ExpandFunction.Function]:FUnction[kernel_PATH0_hiddenfunc] ExpandFunction failed: Operation: ADD. Tile shape "
        "size "
        "1 is not matched the output shape size 2.");
    REQUIRE(found);
    CHECK(found->fault == Fault::rank);
    CHECK(found->operation == "ADD");
    CHECK(found->tile_axes == 1);
    CHECK(found->tensor_axes == 2);
    CHECK(found->function == "kernel_PATH0_hiddenfunc");
    found = parse_vec_tile("The size of the tile shape along axis 1 must be a multiple of 32. Got 24.");
    REQUIRE(found);
    CHECK(found->fault == Fault::multiple);
    CHECK(found->axis == 1);
    CHECK(found->multiple == 32);
    CHECK(found->got == 24);
    CHECK(parse_vec_tile("TileShape is no set for reduce op")->fault == Fault::missing);
    CHECK(parse_vec_tile("last axis need 32Byte align")->fault == Fault::bytes);
    CHECK(parse_vec_tile("at dimension[1] has invalid shape value: 0. Dynamic")->fault == Fault::numbers);
    // A DYNAMIC dim is no matter of the tile.
    CHECK_FALSE(parse_vec_tile("at dimension[0] has invalid shape value: -1. Dynamic shape tensors are not allowed"));
}

TEST_CASE("what is said of operations, loops and options") {
    using Fault = CallRefused::Fault;
    auto found = parse_call("The dims of tensor is out of range [1, 4], actual dims: 5 for op: ADD");
    REQUIRE(found);
    CHECK(found->fault == Fault::rank);
    CHECK(found->most == 4);
    CHECK(found->got == 5);
    CHECK(found->operation == "ADD");
    found = parse_call(
        "Operation: ADDS Input operand (name: x)  at dimension[0] has invalid shape value: -1. Dynamic shape tensors");
    REQUIRE(found);
    CHECK(found->fault == Fault::dynamic_dim);
    CHECK(found->tensor == "x");
    CHECK(found->axis == 0);
    found = parse_call("Current inner axis: 70000, when input is ND format, inner axis must be less than 65535");
    REQUIRE(found);
    CHECK(found->got == 70000);
    CHECK(found->most == 65535);
    CHECK(parse_call("Output data type only support FP32 and INT32 when using GM accumulated")->fault ==
          Fault::split_type);
    CHECK(parse_call("DispatchError: unroll factor -2 must be a positive integer")->got == -2);
    CHECK(parse_call("cur_ = 1, rlf_.CurUnrollTimes() = 0")->got == 0);
    CHECK_FALSE(parse_call("cur_ = 1, rlf_.CurUnrollTimes() = 4"));
    CHECK(parse_call("ValueError: Division or Mod by zero.")->fault == Fault::division);
    found = parse_option_range(
        "runtime.stitch_function_max_num: 0 its value doesn't within the value range. Range: [1, 1024]");
    REQUIRE(found);
    CHECK(found->option == "stitch_function_max_num");
    CHECK(found->got == 0);
    CHECK(found->most == 1024);
    CHECK(parse_option("runtime.stitch_function_max_num: 1025")->got == 1025);
    CHECK_FALSE(parse_option("the runtime.stitch_function_max_num"));
    // Cut off: a number without what stands behind it may go on.
    CHECK_FALSE(parse_call("The dims of tensor is out of range [1, 4], actual dims: 1")->got);
    CHECK_FALSE(parse_call("at dimension[0] has invalid shape value: -1"));
    CHECK_FALSE(parse_vec_tile("Tile shape size 1 is not matched the output shape size 2")->tensor_axes);
    CHECK_FALSE(parse_pool_overflow("Alloc tensor [16] size [262144] exceeds MEM_UB size [1966")->limit);
    found = parse_call("dims of tensor is out of range");
    REQUIRE(found);
    CHECK_FALSE(found->most);
}

TEST_CASE("names of functions tell the loop and the factor") {
    FunctionName name =
        function_in("make: *** [Makefile:14: out/TENSOR_M_Unroll16_PATH0_hiddenfunc0_3_aic.o] Terminated");
    CHECK(name.loop == "M");
    CHECK(name.unroll == 16);
    CHECK(name.whole == "TENSOR_M_Unroll16_PATH0_hiddenfunc0_3_aic");
    CHECK(function_named("TENSOR_LOOP_q_idx_Unroll4_PATH12_x").loop == "LOOP_q_idx");
    CHECK(function_named("MLA_BS_LOOP_LoopUnroll32_Unroll1_PATH0").loop == "MLA_BS_LOOP");
    CHECK(function_named("MLA_BS_LOOP_LoopUnroll32_Unroll1_PATH0").unroll == 32);
    CHECK(function_named("kernel_PATH0_hiddenfunc").loop == "kernel");
    CHECK(function_named("main").loop.empty());
    CHECK(function_in("nothing of the kind _Unroll _PATHx").whole.empty());
}

TEST_CASE("the code does not compile, or is killed") {
    auto found = parse_code_failed("make[1]: *** [x.mk:3: TENSOR_M_Unroll16_PATH0_0_aic.o] Terminated");
    REQUIRE(found);
    CHECK(found->killed);
    CHECK(found->function.loop == "M");
    found = parse_code_failed("ErrCode: F0F619! Enum: COMPILE_CODE_FAILED kernel compilation failed, ret = 15");
    REQUIRE(found);
    CHECK(found->killed);
    CHECK_FALSE(parse_code_failed("Parallel compilation failed with return code: 256")->killed);
    found = parse_code_failed(
        "error: stack frame size (47928) exceeds limit (32768) in function 'TENSOR_n_Unroll1_PATH0_6'");
    REQUIRE(found);
    CHECK(found->frame == 47928);
    CHECK(found->frame_limit == 32768);
    CHECK(found->function.loop == "n");
    // make fails at many things.
    CHECK_FALSE(parse_code_failed("make: *** [Makefile:10: all] Error 2"));
    CHECK_FALSE(parse_code_failed("make: Nothing to be done for 'all'."));
}

TEST_CASE("the monitor's stages and seconds") {
    auto found = parse_stage_time(
        "[Compiler Monitor] | [** WARNING **] Function: 2/2 | Stage [Pass] elapsed [394000.000ms] exceeded the pass "
        "stage "
        "time threshold [90000.000ms] | Func:[TENSOR_Q_Unroll4_PATH0_5] | Number of op: 128");
    REQUIRE(found);
    CHECK(found->stage == "Pass");
    CHECK(found->seconds == Approx(394));
    CHECK(found->warned);
    CHECK(found->function.loop == "Q");
    found = parse_stage_time(
        "[Compiler Monitor] Function: 2/2 | Stage: Pass (completed) | Stage elapsed: 6min 34s (394s) | Total elapsed: "
        "7min");
    REQUIRE(found);
    CHECK(found->seconds == Approx(394));
    CHECK_FALSE(found->warned);
    found = parse_stage_time(
        "[Compiler Monitor] Threshold: 600s | DetectedStage: CodeGen | Prepare: 12s | Pass: 45s | HostMachine: 86s | "
        "CodeGen: "
        "1712s");
    REQUIRE(found);
    CHECK(found->stage == "CodeGen");
    CHECK(found->seconds == Approx(1712));
    CHECK_FALSE(parse_stage_time("[Compiler Monitor] Monitoring stopped"));
    CHECK_FALSE(parse_stage_time("Stage: Pass | Stage elapsed: 12s"));
}

TEST_CASE("passes by number, by name, and as the monitor has them") {
    auto found = parse_pass("output/output_1/Pass_27_SubgraphToFunction/After_027.json");
    REQUIRE(found);
    CHECK(found->name == "SubgraphToFunction");
    CHECK(found->number == 27);
    found = parse_pass("[PassManager.Function]:Run pass <OoOSchedule> failed.");
    REQUIRE(found);
    CHECK(found->failed);
    CHECK(parse_pass("Apply pass <ExpandFunction> on function: TENSOR_M_Unroll8_PATH0_1.")->function.loop == "M");
    found = parse_pass("  |__ [Compiler Monitor] [33] OoOSchedule start");
    REQUIRE(found);
    CHECK(found->number == 33);
    CHECK(found->name == "OoOSchedule");
    CHECK_FALSE(parse_pass("MyPass_27_x"));
    CHECK_FALSE(parse_pass("Pass_"));
    CHECK_FALSE(parse_pass("Run pass failed."));
}

TEST_CASE("who stopped it, and what the device had no room for") {
    CHECK(parse_stopped("exit 124")->code == 124);
    CHECK(parse_stopped("Process exited with code 124")->code == 124);
    CHECK(parse_stopped("subprocess.TimeoutExpired: Command timed out after 600 seconds"));
    CHECK(parse_stopped("Terminated"));
    CHECK_FALSE(parse_stopped("exit 1"));
    CHECK_FALSE(parse_stopped("exit 1240"));
    CHECK_FALSE(parse_stopped("The workers were Terminated by hand, and went home"));
    CHECK(
        parse_out_of_memory("RuntimeError: NPU out of memory. Tried to allocate 24.50 GiB (NPU 0; 60.97 GiB)")->bytes ==
        26306674688);
    CHECK(parse_out_of_memory("NPU out of memory. Tried to allocate 512.00 MiB")->bytes == 536870912);
    CHECK_FALSE(parse_out_of_memory("NPU out of memory. Tried to allocate 1e300 GiB")->bytes);
    CHECK_FALSE(parse_out_of_memory("NPU out of memory.")->bytes);
    CHECK_FALSE(parse_out_of_memory("CUDA out of memory"));
}

TEST_CASE("too many operations, and frames of a traceback") {
    const auto found = parse_too_many_operations(
        "the loop function operation: TENSOR_M_Unroll16_PATH0_7 size is 67209 hitting the maxinum "
        "single-loop-operation "
        "limit:60000.");
    REQUIRE(found);
    CHECK(found->size == 67209);
    CHECK(found->limit == 60000);
    CHECK(found->function.loop == "M");
    const auto frame = parse_python_frame("File \"ops/my kernel.py\", line 42, in kernel");
    REQUIRE(frame);
    CHECK(frame->file == "ops/my kernel.py");
    CHECK(frame->line == 42);
    CHECK(frame->function == "kernel");
    CHECK_FALSE(parse_python_frame("File \"x.py\", line 99999999999999999999"));
    CHECK_FALSE(parse_python_frame("File \"x.py"));
}

TEST_CASE("codes stand by themselves, durations have units") {
    CHECK(code_in("ErrCode: F40005! Enum") == "F40005");
    CHECK(code_in("[FC4001]") == "FC4001");
    CHECK(code_in("0xFF40005 F4000 F400051 XF40005").empty());
    CHECK(code_in("FACADE").empty());
    CHECK(duration_at("1h 2m 3s (3723s)") == Approx(3723));
    CHECK(duration_at(" 12.5s") == Approx(12.5));
    CHECK_FALSE(duration_at("12"));
    CHECK_FALSE(duration_at("1e30s"));
    CHECK_FALSE(duration_at("seconds"));
    CHECK_FALSE(number_at("99999999999999999999"));
    CHECK(number_at("-5") == -5);
}
