#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F7A007", "exit 124", "Pass_31", "Compiler Monitor"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def scale_weight(
    w: pypto.Tensor([4096, 2048], pypto.DT_FP32),
    out: pypto.Tensor([4096, 2048], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(8, 512)
    y = pypto.exp(pypto.mul(w, 0.5))
    y = pypto.add(y, 1.0)
    y = pypto.sqrt(y)
    out[:] = pypto.mul(y, y)
)py",
     "", ""},
};

constexpr Rule kRule{
    "PTO209",
    "compile-cost",
    Severity::warning,
    "a kernel that takes minutes to compile, and what contributes most",
    "编译需要数分钟的 kernel，以及占比最大的操作",
    kCodes,
    {
        R"(The estimated [tile operations](../compile-cost.md) of a kernel after the compiler has expanded it: information from 20,000 on,
a warning where one copy of a loop's body, with all the copies that its unroll list makes in one function, reaches 60,000. The
three largest contributors are named, with the loop they stand in. What is not known counts as little as can be.)",
        R"(Compile time follows this number and grows faster than it: on the framework's own compiler one function of 12,561 tile operations
took 25 s, one of 25,121 took 114 s. Beyond 60,000 calls in one loop body the framework refuses the kernel (F7A007).)",
        R"(None of its own: the rule that owns the contributor has it (a Python loop PTO201, an unroll list PTO202, PTO203, PTO204, a small
tile PTO206). `pto-fix budget` shows the number for each tile setting and what would fit.)",
        R"(Kernels below 20,000.)",
    },
    {
        R"(kernel 经编译器展开后的 [tile 操作数](../compile-cost.zh.md)估算：达到 20,000 时给出提示；某个循环体（连同 unroll_list 在同一个函数里产生的
全部副本）达到 60,000 时告警。列出占比最大的三个操作及其所在的循环。未知的部分按最少计。)",
        R"(编译时间随这个数增长，而且更快：在框架自身的编译器上，单个函数 12,561 个 tile 操作用 25 s，25,121 个用 114 s。单个循环体超过 60,000 次
调用时框架拒绝编译（F7A007）。)",
        R"(本规则没有自己的修复，由负责该操作的规则给出（Python 循环 PTO201，unroll_list PTO202、PTO203、PTO204，过小的 tile PTO206）。
`pto-fix budget` 按每个 tile 设置列出该数以及可以放下的 tile。)",
        R"(低于 20,000 的 kernel。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto209() {
    return kRule;
}

}  // namespace ptofix::rules
