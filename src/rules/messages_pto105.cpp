#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO105.found",
     "Both operands of this matmul are INT8 tensors cast to FP32: {factor} bytes an element where 1 would do. matmul "
     "takes "
     "INT8 as it is, into INT32.",
     "该 matmul 的两个操作数都是先转成 FP32 的 INT8 张量：每个元素占 {factor} 字节，而不是 1 字节。matmul 可直接计算 "
     "INT8，结果为 INT32。"},
    {"PTO105.why",
     "Every buffer on the chip takes {factor} times the space, which ends in F40005 TENSOR_MEMORY_ALLOCATION, "
     "\"exceeds MEM_UB "
     "size\", and the casts of the operands are compiled and run tile by tile.",
     "片上每个缓冲占用 {factor} 倍空间，会以 F40005 TENSOR_MEMORY_ALLOCATION“exceeds MEM_UB size”终止；操作数的 cast "
     "还要逐 tile 编译和执行。"},
    {"PTO105.label", "FP32 made of INT8, {factor} times the bytes", "由 INT8 转成的 FP32，{factor} 倍字节"},
    {"PTO105.related.cast", "cast from INT8 here", "在此处由 INT8 转换"},
    {"PTO105.fix.int8", "Multiply the INT8 tensors into INT32 and cast the product; the sums are exact either way",
     "直接以 INT8 相乘得到 INT32，再转换乘积；两种写法的和都是精确的"},
    {"PTO105.fix.int8_more_exact",
     "Multiply the INT8 tensors into INT32 and cast the product; the sums become exact, where FP32 rounds them",
     "直接以 INT8 相乘得到 INT32，再转换乘积；FP32 会舍入的和变为精确值"},
    {"PTO105.blocked.rounding",
     "With K = {k_extent} a sum may pass 2^24, where FP32 rounds and INT32 does not: results can change in the last "
     "digit.",
     "K = {k_extent} 时和可能超过 2^24，FP32 会舍入而 INT32 不会：结果的末位可能变化。"},
    {"PTO105.blocked.in_helper", "The cast stands in another function than the matmul.",
     "cast 与 matmul 不在同一个函数中。"},
    {"PTO105.blocked.extended", "extend_params mean something else for INT8 operands.",
     "extend_params 对 INT8 操作数含义不同。"},
    {"PTO105.blocked.vec_tile",
     "No vec tile is in force at this matmul under which the cast of its product would fit UB in few enough "
     "tiles.",
     "此 matmul 处没有生效且能使其结果的 cast 放进 UB、且 tile 数不过多的 vec tile。"},
    {"PTO105.blocked.vec_tile_rank",
     "The vec tile in force at this matmul has more axes than its product, whose cast would take the first ones.",
     "此 matmul 处生效的 vec tile 的轴数多于其结果，结果的 cast 会取前面的轴。"},
    {"PTO105.blocked.written",
     "The kernel writes here into a tensor that the matmul would then take instead of its cast.",
     "kernel 在此写入张量，而修改后的 matmul 会直接使用该张量，不再使用其 cast。"},
    {"PTO105.blocked.range",
     "A sum may pass 65504, the largest FP16; the matmul's own conversion and a cast need not do the same there.",
     "和可能超过 FP16 的最大值 65504，此时 matmul 自身的转换与 cast 的结果未必相同。"},
    {"PTO105.blocked.cube_tile_not_set",
     "No cube tile is known to be set at this matmul, so none can be fitted to INT8.",
     "未见此 matmul 处设置过 cube tile，没有可以改成适合 INT8 的 tile。"},
    {"PTO105.blocked.cube_tile_unknown", "Not every number of the cube tile in force is known.",
     "生效的 cube tile 的数值不全部已知。"},
    {"PTO105.blocked.cube_tile", "No cube tile near the one in force is legal for INT8 operands.",
     "生效的 cube tile 附近没有对 INT8 操作数合法的 tile。"},
};

}  // namespace

std::span<const Message> messages_pto105() {
    return kMessages;
}

}  // namespace ptofix::rules
