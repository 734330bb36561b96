#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO302.found", "{operation} works on {axes:axis|axes}, but the vec tile in force, {tile}, has only {tile_axes}.",
     "{operation} 作用于 {axes} 维张量，而生效的 vec tile {tile} 只有 {tile_axes} 维。"},
    {"PTO302.found.several",
     "{operation} works on {axes:axis|axes}, but the vec tile in force, {tile}, has only {tile_axes}; so it is for "
     "{others:other operation|other operations}.",
     "{operation} 作用于 {axes} 维张量，而生效的 vec tile {tile} 只有 {tile_axes} 维；另有 {others} 个操作同样如此。"},
    {"PTO302.found.exact",
     "{operation} takes a vec tile of exactly {axes:axis|axes}, as many as its tensor has; the one in force, {tile}, "
     "has "
     "{tile_axes}.",
     "{operation} 要求 vec tile 恰为 {axes} 维，与其张量一致；生效的 {tile} 是 {tile_axes} 维。"},
    {"PTO302.found.exact.several",
     "{operation} takes a vec tile of exactly {axes:axis|axes}, as many as its tensor has; the one in force, {tile}, "
     "has "
     "{tile_axes}. The tile does not suit {others:other operation|other operations} either.",
     "{operation} 要求 vec tile 恰为 {axes} 维，与其张量一致；生效的 {tile} 是 {tile_axes} 维。该 tile 也不适合另外 "
     "{others} "
     "个操作。"},
    {"PTO302.found.surplus",
     "{operation} works on {shape}, {axes:axis|axes}, under the vec tile {tile} of {tile_axes}: only the first numbers "
     "count, so its "
     "tile is {counted} and it is cut into {tiles:,} tiles; the last numbers would make {meant:,}.",
     "{operation} 作用于 {shape}（{axes} 维），而 vec tile {tile} 有 {tile_axes} 维：只有前面的数生效，实际 tile 是 "
     "{counted}，切成 "
     "{tiles:,} 个 tile；若取后面的数则为 {meant:,} 个。"},
    {"PTO302.why", "Compilation stops with {code}: \"{compiler}\".", "编译会以 {code} 终止：“{compiler}”。"},
    {"PTO302.label", "{axes:axis|axes} under a tile of {tile_axes}", "{axes} 维，tile 为 {tile_axes} 维"},
    {"PTO302.related.tile", "the tile is set here", "tile 在此处设置"},
    {"PTO302.fix.extend", "Give the vec tile the axes it lacks: {proposed}", "为 vec tile 补足维度：{proposed}"},
    {"PTO302.fix.trim", "Take the surplus axes off the vec tile: {proposed}", "去掉 vec tile 多余的维度：{proposed}"},
    {"PTO302.fix.insert", "Set the vec tile {proposed} before the operation", "在该操作之前设置 vec tile {proposed}"},
};

}  // namespace

std::span<const Message> messages_pto302() {
    return kMessages;
}

}  // namespace ptofix::rules
