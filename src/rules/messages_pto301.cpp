#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO301.found",
     "{operation} takes a vec tile whose axis {axis} is a multiple of {multiple} elements; the tile {tile} has "
     "{number}.",
     "{operation} 要求 vec tile 的第 {axis} 轴是 {multiple} 个元素的整数倍；tile {tile} 在该轴上是 {number}。"},
    {"PTO301.found.padded",
     "The vec tile {tile} cuts the last axis of {operation} into pieces of {number:element|elements}, which are no "
     "whole "
     "blocks of 32 bytes "
     "(a multiple of {multiple} elements).",
     "vec tile {tile} 把 {operation} 的尾轴切成每段 {number} 个元素，不是整的 32 字节块（{multiple} "
     "个元素的整数倍）。"},
    {"PTO301.found.empty",
     "Axis {axis} of the vec tile {tile} is {number}: it would cut {operation} into pieces of no elements; the least "
     "is 1.",
     "vec tile {tile} 的第 {axis} 轴是 {number}：它会把 {operation} 切成没有元素的块；最小为 1。"},
    {"PTO301.why", "The framework refuses it with {code}: \"{compiler}\".", "框架会以 {code} 拒绝：“{compiler}”。"},
    {"PTO301.label", "{number} is no multiple of {multiple}", "{number} 不是 {multiple} 的整数倍"},
    {"PTO301.related.operation", "{operation} runs under it", "{operation} 在其下执行"},
    {"PTO301.fix.tile", "Set the vec tile to {proposed}", "将 vec tile 设为 {proposed}"},
    {"PTO301.blocked.tile_unknown", "Not every number of the tile is known.", "tile 的数值不全部已知。"},
    {"PTO301.blocked.no_tile_above_0", "No tile of numbers above 0 makes every operation under it fit UB.",
     "没有各数都大于 0 的 tile 能使其下所有操作都放进 UB。"},
    {"PTO301.blocked.no_tile", "Rounded up to a multiple of {multiple}, no tile makes every operation under it fit UB.",
     "向上取整为 {multiple} 的整数倍后，没有 tile 能使其下所有操作都放进 UB。"},
};

}  // namespace

std::span<const Message> messages_pto301() {
    return kMessages;
}

}  // namespace ptofix::rules
