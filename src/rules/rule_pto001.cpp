#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr Example kExamples[] = {
    {R"py(import pypto
import torch

DIM = 512


@pypto.frontend.jit
def double(x: pypto.Tensor([16, DIM], pypto.DT_FP32), out: pypto.Tensor([16, DIM], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 512)
    out[:] = pypto.mul(x, 2.0)  # pto-fix: ignore[PTO201] the heads loop is gone


def doubled(x):
    out = torch.empty_like(x)
    double(x, out)
    return out
)py",
     R"py()py", "--select PTO001,PTO2"},
};

constexpr Rule kRule{
    "PTO001",
    "invalid-suppression",
    Severity::warning,
    "a suppression comment that cannot be read, names no known rule or suppresses nothing",
    "抑制注释无法识别、写了不存在的规则，或没有作用",
    {},
    {
        R"(A comment `# pto-fix: ignore[...]` whose form is not understood, that names no rule or one that pto-fix does not have, or that hides nothing.)",
        R"(The finding that it was written for is still reported, and the next reader believes that it is not.)",
        R"(With `--unsafe` the part that does nothing is removed; what you wrote beside it stays. A suppression that is only not needed any more
is information; whether it is not is known where the rule that it names ran.)",
        R"(A suppression that hides at least one finding, in full-width punctuation too (`# pto-fix：ignore［PTO201］`), and comments that only mention pto-fix.)",
    },
    {
        R"(注释 `# pto-fix: ignore[...]` 的写法无法识别、没有写规则、写了不存在的规则，或没有抑制任何问题。)",
        R"(原本想隐藏的问题仍会报告，而读代码的人以为它已被隐藏。)",
        R"(使用 `--unsafe` 时删除不起作用的部分，旁边的文字保留。仅仅不再需要的抑制是提示级别；它所写的规则运行过，才知道它是否多余。)",
        R"(至少隐藏了一个问题的抑制注释（全角标点也可以：`# pto-fix：ignore［PTO201］`），以及只是提到 pto-fix 的注释。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto001() {
    return kRule;
}

}  // namespace ptofix::rules
