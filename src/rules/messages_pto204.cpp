#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO204.found",
     "This loop unrolls by {list} over operations under vec tile {tile}, one row at a time: about {tile_operations:,} "
     "tile operations, {body_tile_operations:,} in one copy of the body.",
     "这个循环按 {list} 展开，其中的操作在 vec tile {tile} 下逐行切分：约 {tile_operations:,} 个 tile 操作，循环体单份 "
     "{body_tile_operations:,} 个。"},
    {"PTO204.why",
     "Each copy of the body is cut into rows again: copies and tiles multiply, and a single function takes minutes in "
     "the "
     "passes ([Compiler Monitor], exit 124).",
     "循环体的每份副本都会再被切成一行一行：副本数与 tile 数相乘，单个函数在 Pass 阶段要数分钟（[Compiler "
     "Monitor]，exit "
     "124）。"},
    {"PTO204.label", "copies of thin tiles", "薄 tile 的多份副本"},
    {"PTO204.related.tile", "the tile has one row", "tile 只有一行"},
    {"PTO204.related.operation", "the first operation under it: {tiles} tiles in each copy",
     "其下的第一个操作：每份副本 {tiles} 个 tile"},
    {"PTO204.fix.both", "Unroll by {proposed} and take {rows} rows a tile, which fits UB",
     "按 {proposed} 展开，每个 tile 取 {rows} 行，放得进 UB"},
    {"PTO204.fix.list", "Unroll by {proposed}; the tile stays", "按 {proposed} 展开；tile 保持不变"},
    {"PTO204.fix.tile", "Take {rows} rows a tile, which fits UB; the list stays, as others take it",
     "每个 tile 取 {rows} 行，放得进 UB；列表还有其他使用者，保持不变"},
    {"PTO204.blocked.sum",
     "Numbers are summed along the first axis of this tile: another tile may change the last digits of the result.",
     "沿这个 tile 的第一维求和：改变 tile 可能改变结果的末位。"},
    {"PTO204.blocked.no_room", "Not even two rows of this tile fit UB with every operation under it.",
     "这个 tile 连两行也无法与其下的每个操作一起放进 UB。"},
};

}  // namespace

std::span<const Message> messages_pto204() {
    return kMessages;
}

}  // namespace ptofix::rules
