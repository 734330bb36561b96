// What the numbers of a finding are called where a report lists them: "data.<key>" for each key of the JSON.
#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"data.axes", "axes of the operation", "操作维数"},
    {"data.axis", "axis of the tile", "tile 的轴"},
    {"data.body_tile_operations", "tile operations of the body", "循环体的 tile 操作数"},
    {"data.budget", "tile operations that compile in time", "可及时编译的 tile 操作数"},
    {"data.bytes", "bytes", "字节数"},
    {"data.columns", "columns", "列数"},
    {"data.complete", "counted in full", "已全部计入"},
    {"data.copies", "copies", "副本数"},
    {"data.count", "numbers in the list", "列表中数的个数"},
    {"data.each_mebibytes", "MiB of one function", "单个函数的 MiB"},
    {"data.elements", "elements", "元素数"},
    {"data.factor", "factor", "倍数"},
    {"data.first_bad_rows", "rows from which on it does not fit", "从此行数起放不下"},
    {"data.from", "jump from", "跳变之前"},
    {"data.heads", "heads", "head 数"},
    {"data.k", "cube tile k", "cube tile 的 k"},
    {"data.k_a_l1", "kAL1", "kAL1"},
    {"data.k_b_l1", "kBL1", "kBL1"},
    {"data.k_extent", "K", "K"},
    {"data.k_l1", "kL1", "kL1"},
    {"data.l0", "L0 number", "L0 的数"},
    {"data.l1", "L1 number", "L1 的数"},
    {"data.limit", "limit", "上限"},
    {"data.line", "line", "行"},
    {"data.list", "unroll list", "unroll 列表"},
    {"data.loop_tile_operations", "tile operations as a device loop", "改为设备循环后的 tile 操作数"},
    {"data.m", "cube tile m", "cube tile 的 m"},
    {"data.matmuls", "matmuls", "matmul 个数"},
    {"data.meant", "tiles by the last numbers", "按后面的数切分的 tile 数"},
    {"data.mebibytes", "MiB", "MiB"},
    {"data.multiple", "must be a multiple of", "须为其整数倍"},
    {"data.n", "cube tile n", "cube tile 的 n"},
    {"data.nodes", "graph nodes", "图节点数"},
    {"data.number", "number of the tile", "tile 上的数"},
    {"data.operations", "operations", "操作个数"},
    {"data.others", "other operations", "其他操作个数"},
    {"data.percent", "percent", "百分比"},
    {"data.ratio", "times as large", "倍率"},
    {"data.rows", "rows", "行数"},
    {"data.table", "kL1 by the K table", "按 K 表的 kL1"},
    {"data.tile", "vec tile", "vec tile"},
    {"data.tile_axes", "axes of the tile", "tile 维数"},
    {"data.tile_heads", "heads in a tile", "一个 tile 中的 head 数"},
    {"data.tile_operations", "tile operations", "tile 操作数"},
    {"data.tiles", "tiles", "tile 个数"},
    {"data.to", "jump to", "跳变之后"},
    {"data.trips", "trips", "循环次数"},
    {"data.value", "value", "值"},
    {"data.vector_operations", "vector operations", "向量操作个数"},
};

}  // namespace

std::span<const Message> messages_data() {
    return kMessages;
}

}  // namespace ptofix::rules
