#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO303.found", "No vec tile is set for {operation} on {axes:axis|axes}.",
     "{operation}（{axes} 维）没有设置 vec tile。"},
    {"PTO303.found.several",
     "No vec tile is set for {operation} on {axes:axis|axes}, nor for {others:other operation|other operations} of the "
     "kernel.",
     "{operation}（{axes} 维）没有设置 vec tile，该 kernel 中另有 {others} 个操作也没有。"},
    {"PTO303.found.left",
     "{operation} works on {axes:axis|axes} of what a matmul made, under the vec tile {tile} of {tile_axes} that was "
     "set for what "
     "came before the matmul.",
     "{operation} 作用于 matmul 之后的 {axes} 维张量，而生效的仍是 matmul 之前设置的 {tile_axes} 维 vec tile {tile}。"},
    {"PTO303.found.left.several",
     "{operation} works on {axes:axis|axes} of what a matmul made, under the vec tile {tile} of {tile_axes} that was "
     "set for what "
     "came before the matmul; so it is for {others:other operation|other operations}.",
     "{operation} 作用于 matmul 之后的 {axes} 维张量，而生效的仍是 matmul 之前设置的 {tile_axes} 维 vec tile "
     "{tile}；另有 {others} "
     "个操作同样如此。"},
    {"PTO303.why", "A matmul sets no vec tile. Compilation stops with {code}: \"{compiler}\".",
     "matmul 不会设置 vec tile。编译会以 {code} 终止：“{compiler}”。"},
    {"PTO303.label", "no vec tile for {axes:axis|axes}", "没有适合 {axes} 维的 vec tile"},
    {"PTO303.related.tile", "the tile is set here", "tile 在此处设置"},
    {"PTO303.related.kernel", "reached from the kernel {kernel}", "由 kernel {kernel} 执行到此"},
    {"PTO303.fix.insert", "Set the vec tile {proposed} before the operation", "在该操作之前设置 vec tile {proposed}"},
};

}  // namespace

std::span<const Message> messages_pto303() {
    return kMessages;
}

}  // namespace ptofix::rules
