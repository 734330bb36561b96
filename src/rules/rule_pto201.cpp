#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"Pass_31", "OoOSchedule", "exit 124"};

constexpr Example kExamples[] = {
    {R"py(import pypto
import torch

HEADS = 128
ROWS = 16
DIM = 128


@pypto.frontend.jit
def scores(
    q: pypto.Tensor([HEADS * ROWS, DIM], pypto.DT_BF16),
    k: pypto.Tensor([HEADS * ROWS, DIM], pypto.DT_BF16),
    out: pypto.Tensor([HEADS * ROWS, ROWS], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [16, 16])
    pypto.set_vec_tile_shapes(16, 16)
    for h in range(HEADS):
        row = h * ROWS
        q_head = pypto.view(q, [ROWS, DIM], [row, 0])
        k_head = pypto.view(k, [ROWS, DIM], [row, 0])
        score = pypto.matmul(q_head, k_head, pypto.DT_FP32, b_trans=True)
        peak = pypto.amax(score, -1, True)
        weight = pypto.exp(pypto.sub(score, peak))
        total = pypto.sum(weight, -1, True)
        pypto.assemble(pypto.div(weight, total), [row, 0], out)


def attention_scores(q, k):
    out = torch.empty([HEADS * ROWS, ROWS], dtype=torch.float32, device=q.device)
    scores(q, k, out)
    return out
)py",
     R"py(import pypto
import torch

HEADS = 128
ROWS = 16
DIM = 128


@pypto.frontend.jit
def scores(
    q: pypto.Tensor([HEADS * ROWS, DIM], pypto.DT_BF16),
    k: pypto.Tensor([HEADS * ROWS, DIM], pypto.DT_BF16),
    out: pypto.Tensor([HEADS * ROWS, ROWS], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [16, 16])
    pypto.set_vec_tile_shapes(16, 16)
    for h in pypto.loop(HEADS, name="LOOP_H", idx_name="h_idx"):
        row = h * ROWS
        q_head = pypto.view(q, [ROWS, DIM], [row, 0])
        k_head = pypto.view(k, [ROWS, DIM], [row, 0])
        score = pypto.matmul(q_head, k_head, pypto.DT_FP32, b_trans=True)
        peak = pypto.amax(score, -1, True)
        weight = pypto.exp(pypto.sub(score, peak))
        total = pypto.sum(weight, -1, True)
        pypto.assemble(pypto.div(weight, total), [row, 0], out)


def attention_scores(q, k):
    out = torch.empty([HEADS * ROWS, ROWS], dtype=torch.float32, device=q.device)
    scores(q, k, out)
    return out
)py",
     ""},
    {R"py(import pypto

HEADS, TOKENS = 128, 2


@pypto.frontend.jit
def kernel(
    q_nope: pypto.Tensor([HEADS, TOKENS, 64], pypto.DT_BF16),
    w_uk: pypto.Tensor([HEADS, 64, 32], pypto.DT_BF16),
    out: pypto.Tensor([HEADS, TOKENS, 32], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [32, 32])
    # every head by itself
    for h in range(HEADS):
        q_head = pypto.view(q_nope, [1, TOKENS, 64], [h, 0, 0])
        q_head_2d = pypto.reshape(q_head, [TOKENS, 64])
        w_head = pypto.view(w_uk, [1, 64, 32], [h, 0, 0])
        w_head_2d = pypto.reshape(w_head, [64, 32])
        r = pypto.matmul(q_head_2d, w_head_2d, pypto.DT_FP32)  # (TOKENS, 32)
        pypto.assemble(pypto.reshape(r, [1, TOKENS, 32]), [h, 0, 0], out)
)py",
     R"py(import pypto

HEADS, TOKENS = 128, 2


@pypto.frontend.jit
def kernel(
    q_nope: pypto.Tensor([HEADS, TOKENS, 64], pypto.DT_BF16),
    w_uk: pypto.Tensor([HEADS, 64, 32], pypto.DT_BF16),
    out: pypto.Tensor([HEADS, TOKENS, 32], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [32, 32])
    # every head by itself
    r = pypto.matmul(q_nope, w_uk, pypto.DT_FP32)  # (TOKENS, 32)
    pypto.assemble(r, [0, 0, 0], out)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO201",
    "python-loop-in-kernel",
    Severity::warning,
    "a Python loop in a kernel that copies its body into the graph many times",
    "kernel 中的 Python 循环把循环体多次复制进计算图",
    kCodes,
    {
        R"(A Python `for` (or comprehension) that a jitted kernel runs, itself or in a helper it calls, whose copies add up to 1,000
nodes or more, where a matmul counts 10 and any other operation 1, or to 5,000 tile operations of which a device loop would
leave an eighth. Nested loops multiply. Tile operations alone inside a device loop with an unroll list are information:
no other device loop can stand there.)",
        R"(PyPTO compiles a kernel by running it once. A Python loop runs too, so that each trip is recorded, and compiled, by itself.
Pass_31 (OoOSchedule) then schedules all copies together: 128 heads of a matmul with a few vector operations take minutes,
or the process is killed by a timeout (exit 124) without any error code.)",
        R"(**Batched matmul** where the body is slice, matmul and store for each head: one matmul over all heads. **pypto.loop** in the
other cases: the body is recorded once. Both check first that nothing in the body needs the index as a Python number, that
no value is carried from trip to trip and that no two trips write the same place; otherwise the finding names the line that
is in the way.)",
        R"(Light loops; loops with an unknown number of trips; loops in host code; the gathering of blocks in paged attention, which
has to stay a Python loop; in `pypto.loop_unroll` a loop of as many trips as the factor, for which the unroll list decides.)",
    },
    {
        R"(jit kernel（或它调用的函数）执行的 Python `for` 或推导式，其副本合计达到 1,000 个节点（matmul 计 10，其他操作计 1），或达到 5,000 个
tile 操作而改用 pypto.loop 只剩八分之一。嵌套循环相乘。位于带 unroll 列表的 pypto 循环之内、只按 tile 操作数超出的，仅作提示：那里不能再放
pypto.loop。)",
        R"(PyPTO 通过执行一次 kernel 来编译它。Python 循环也随之执行，每次迭代都单独录制、单独编译。Pass_31（OoOSchedule）再把所有副本放在
一起调度：128 个 head、每个含一次 matmul 和几个向量操作，就需要数分钟，或被 timeout 终止（exit 124）且没有错误码。)",
        R"(循环体是逐 head 的切片、matmul 和写回时，改为**一次批量 matmul**；其他情形改为 **pypto.loop**，循环体只录制一次。两者都先检查：循环体
不需要把下标当作 Python 整数使用，没有值从一次迭代带到下一次，也没有两次迭代写同一位置；否则指出妨碍改写的那一行。)",
        R"(轻量循环；次数未知的循环；host 代码中的循环；分页 attention 中搬运块的循环，它必须保留为 Python 循环；`pypto.loop_unroll`
中次数等于展开因子的循环，由 unroll 列表决定。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto201() {
    return kRule;
}

}  // namespace ptofix::rules
