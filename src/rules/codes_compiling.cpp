#include "rules/code_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodeRules[] = {"PTO203", "PTO202", "PTO204", "PTO201"};
constexpr std::string_view kHangRules[] = {"PTO201", "PTO202", "PTO204", "PTO206", "PTO207"};
constexpr std::string_view kCountRules[] = {"PTO209", "PTO201", "PTO202", "PTO203", "PTO204", "PTO206"};
constexpr std::string_view kCodeAlso[] = {
    "F63001", "CmpCodeErr::COMPILE_CODE_FAILED", "ret 15", "ret=15", "Terminated", "stack frame size"};
constexpr std::string_view kTimeoutAlso[] = {
    "124",     "exit code 124", "timeout", "Compiler Monitor",   "Pass_27",
    "Pass_31", "Pass_04",       "Pass_05", "SubgraphToFunction", "OoOSchedule"};
constexpr std::string_view kCountAlso[] = {"DevCommonErr::PARAM_CHECK_FAILED"};

constexpr Code kCodes[] = {
    {"F0F619",
     "COMPILE_CODE_FAILED",
     kCodeAlso,
     kCodeRules,
     "make: *** [Makefile_6.compile:14: kernel_aicore/TENSOR_M_Unroll16_PATH0_hiddenfunc0_3_aic.o] Terminated\n"
     "ErrCode: F0F619! Enum: CmpCodeErr::COMPILE_CODE_FAILED kernel compilation failed, ret = 15",
     {"the generated code does not compile",
      R"x(make runs the compiler over one file for each function. "Terminated" and ret 15 say that it was killed, which is what a timeout does:
the file was too large. "stack frame size (..) exceeds limit (32768)" says that a function has too much in it at once. Any other
"error:" is the compiler's own complaint.)x",
      R"(A function with too many operations: an unroll list over a heavy body, whose factor is in the name of the make target
(TENSOR_<loop>_Unroll16_PATH0_...), small tiles, Python loops.)",
      R"(Take the unroll list away from that loop, take larger tiles, turn Python loops into pypto.loop or batched matmuls.)"},
     {"生成的代码编译失败",
      R"x(make 对每个函数的文件运行编译器。“Terminated”和 ret 15 表示它被杀掉，即超时：文件太大。“stack frame size (..) exceeds limit (32768)”表示单个函数内容过多。
其他 “error:” 是编译器自身的报错。)x",
      R"(函数中的操作过多：重循环体上的 unroll_list（make 目标 TENSOR_<循环>_Unroll16_PATH0_... 中含因子）、小 tile、Python 循环。)",
      R"(去掉该循环的 unroll_list，使用更大的 tile，把 Python 循环改为 pypto.loop 或 batch matmul。)"}},
    {"exit-124",
     "",
     kTimeoutAlso,
     kHangRules,
     "[Compiler Monitor] | [** WARNING **] Function: 3/4 | Stage [Pass] elapsed [394000.000ms] exceeded the pass stage "
     "time "
     "threshold [90000.000ms]",
     {"compiling takes so long that it was stopped",
      R"(`timeout` ended the process. What the log shows last tells the stage: Pass_27 (SubgraphToFunction), Pass_31 (OoOSchedule), from Pass_04 to
Pass_05 (ExpandFunction, MergeViewAssemble), the code generation (make), or nothing at all.)",
      R"(Too many tile operations in one function. SubgraphToFunction: an unroll list that jumps, such as [128, 1]. OoOSchedule: a Python loop
that copies its body. ExpandFunction: the cast of a large weight inside of a loop. Code generation: one unroll factor over a heavy body.
A slow pass stage: unrolled copies over tiles with a single row. No word: a Python loop, or a large tensor under a small tile.)",
      R"(What the rules below say. A longer compile_timeout changes the monitor's warnings alone.)"},
     {"编译时间过长而被终止",
      R"(`timeout` 结束了进程。日志最后的内容说明阶段：Pass_27（SubgraphToFunction）、Pass_31（OoOSchedule）、Pass_04 到 Pass_05（ExpandFunction、
MergeViewAssemble）、代码生成（make），或者什么都没有。)",
      R"(单个函数中的 tile 操作过多。SubgraphToFunction：跳跃的 unroll_list，如 [128, 1]。OoOSchedule：复制循环体的 Python 循环。ExpandFunction：循环内的大权重
cast。代码生成：重循环体上的单个展开因子。Pass 阶段慢：展开的副本配第一维为 1 的 tile。没有任何信息：Python 循环，或大张量配小 tile。)",
      R"(按下列规则处理。延长 compile_timeout 只改变监控的警告。)"}},
    {"F7A007",
     "PARAM_CHECK_FAILED",
     kCountAlso,
     kCountRules,
     "ErrCode: F7A007! Enum: DevCommonErr::PARAM_CHECK_FAILED the loop function operation: TENSOR_M_Unroll16_PATH0_7 "
     "size is "
     "67209 hitting the maxinum single-loop-operation limit:60000.",
     {"more operations in one loop function than the machine takes",
      R"(The body of one loop, with all copies that it has in one function, comes to more than 60,000 operations.)",
      R"(Unroll factors, Python loops, small tiles: they multiply.)",
      R"(Unroll less, take larger tiles, turn Python loops into pypto.loop.)"},
     {"单个循环函数的操作数超过上限", R"(一个循环体连同它在一个函数中的所有副本超过 60,000 个操作。)",
      R"(展开因子、Python 循环、小 tile：它们相乘。)", R"(减少展开、增大 tile、把 Python 循环改为 pypto.loop。)"}},
};

}  // namespace

std::span<const Code> codes_of_compiling() {
    return kCodes;
}

}  // namespace ptofix::rules
