#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F4FFFF", "FC0000", "Tile shape size X is not matched",
                                       "TileShape dim num should same to input"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def scale(
    x: pypto.Tensor([8, 32, 64], pypto.DT_FP32),
    out: pypto.Tensor([8, 32, 64], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(32, 64)
    out[:] = pypto.mul(pypto.exp(x), 0.5)
)py",
     R"py(import pypto


@pypto.frontend.jit
def scale(
    x: pypto.Tensor([8, 32, 64], pypto.DT_FP32),
    out: pypto.Tensor([8, 32, 64], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(8, 32, 64)
    out[:] = pypto.mul(pypto.exp(x), 0.5)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO302",
    "vec-tile-rank",
    Severity::error,
    "a vec tile that has not as many axes as its operation",
    "vec tile 维数与操作不符",
    kCodes,
    {
        R"(An operation whose vec tile has fewer axes than its result (of a reduction: than its operand), or, for `transpose`, any other number;
and surplus axes that multiply the number of tiles.)",
        R"(Before it cuts anything, the compiler holds the number of axes of the tile against the operation's (pass ExpandFunction, F4FFFF "Tile
shape size 1 is not matched the output shape size 2"; `transpose` checks at the call, FC0000). More axes than the tensor has are taken,
but then the first numbers count, not the last ones: [512, 256] under (1, 4, 256) is cut by (1, 4) into 32,768 tiles and did not finish
in 200 s; under (16, 256) it took 0.3 s.)",
        R"(Where every operation under the call wants the same number of axes, the call gets the leading numbers that it lacks, as long as the
longest tensor and within UB, or loses the surplus ones in front. Else a call of its own, fitted to the operation, is put in front of
the statement, and one that puts the old tile back behind it where code still needs it.)",
        R"(Operations that the compiler does not check (comparisons with a number, `reciprocal`, `cumsum`, views, `assemble`). Surplus axes that
change nothing: leading ones of a tile that would cut no finer. Tensors of unknown rank.)",
    },
    {
        R"(操作的 vec tile 维数少于其结果（归约：少于其操作数）；对 `transpose` 则是维数不相等；以及使 tile 数成倍增加的多余维度。)",
        R"(编译器在切分之前先比较 tile 与操作的维数（ExpandFunction 阶段，F4FFFF，`Tile shape size 1 is not matched the output shape size 2`；`transpose`
在调用时检查，FC0000）。维数多于张量时可以编译，但生效的是前面的数而不是后面的：[512, 256] 在 (1, 4, 256) 下按 (1, 4) 切成 32,768 个 tile，200 s
未完成；在 (16, 256) 下只需 0.3 s。)",
        R"(若该调用下的操作都需要同样的维数，则在调用前部补上缺少的数（取最长张量的长度，且在 UB 之内），或去掉前面多余的数；否则在该语句之前插入一个与操作匹配的
调用，若后面的代码仍需要原来的 tile，则在其后恢复。)",
        R"(编译器不检查的操作（与数比较、`reciprocal`、`cumsum`、视图、`assemble`）。不改变切分的多余维度。维数未知的张量。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto302() {
    return kRule;
}

}  // namespace ptofix::rules
