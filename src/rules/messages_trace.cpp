#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What `pto-fix trace` says around the names and numbers of a trace.
constexpr Message kMessages[] = {
    {"trace.kernel", "kernel {name}, as it is declared: no call of it was found",
     "kernel {name}（按声明分析：未找到调用）"},
    {"trace.kernel_called", "kernel {name}, called at {place}", "kernel {name}（调用处：{place}）"},
    {"trace.helper", "function {name}, which no kernel of this file calls",
     "函数 {name}（本文件中没有 kernel 调用它）"},
    {"trace.legacy", ", legacy frontend", "，旧前端"},
    {"trace.cut_short", ", cut short: the work bound was reached", "，未分析完：达到工作量上限"},
    {"trace.no_kernel", "{path}: no kernel", "{path}：没有 kernel"},
    {"trace.no_tile", "none set", "未设置"},
    {"trace.set_at", " line {place}", " 第 {place} 行"},
    {"trace.trips", "{count:time|times}", "{count} 次"},
    {"trace.trips_text", "{count} times", "{count} 次"},
    {"trace.head.line", "line", "行"},
    {"trace.head.operation", "operation", "操作"},
    {"trace.head.operands", "operands", "操作数"},
    {"trace.head.result", "result", "结果"},
    {"trace.head.tile", "tile", "tile"},
    {"trace.unknown", "not known:", "未知："},
    {"trace.all_unknown", "everything that could not be followed:", "所有未能分析之处："},
    {"trace.why.dynamic_dim", "a dim that only running tells; `assume` in the configuration can give it",
     "运行时才确定的维度；可在配置的 `assume` 中给出"},
    {"trace.why.parameter", "no call, assert or declaration tells; `assume` in the configuration can give it",
     "调用、assert 和声明都没有给出；可在配置的 `assume` 中给出"},
    {"trace.why.shape", "the shape of the result could not be worked out", "无法推出结果的形状"},
    {"trace.coverage.sites", "sites", "总数"},
    {"trace.coverage.full", "known", "已知"},
    {"trace.coverage.in_part", "in part", "部分已知"},
    {"trace.coverage.run_time", "at run time", "运行时确定"},
    {"trace.coverage.unknown", "unknown", "未知"},
    {"trace.coverage.unreached", "not reached", "未执行到"},
    {"trace.coverage.vec_tiles", "vec tiles", "vec tile"},
    {"trace.coverage.cube_tiles", "cube tiles", "cube tile"},
    {"trace.coverage.unroll_lists", "unroll lists", "unroll_list"},
};

}  // namespace

std::span<const Message> messages_trace() {
    return kMessages;
}

}  // namespace ptofix::rules
