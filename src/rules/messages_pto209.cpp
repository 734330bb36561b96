#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO209.found",
     "The compiler expands {kernel} to about {tile_operations:,} tile operations; kernels beyond {budget:,} "
     "have taken minutes to compile.",
     "编译器把 {kernel} 展开为约 {tile_operations:,} 个 tile 操作；超过 {budget:,} 的 kernel 编译曾需数分钟。"},
    {"PTO209.found.body",
     "The body of this loop in {kernel} expands to about {body_tile_operations:,} tile operations in one function; the "
     "limit for one loop body is {limit:,} (F7A007).",
     "{kernel} 中这个循环的循环体在一个函数里展开为约 {body_tile_operations:,} 个 tile 操作；单个循环体的上限是 "
     "{limit:,}（F7A007）。"},
    {"PTO209.why",
     "Compile time follows the number of tile operations and grows faster than it. Python copies, unroll copies, small "
     "tiles and surplus tile axes all multiply it.",
     "编译时间随 tile 操作数增长，而且更快。Python 循环的副本、unroll 的副本、过小的 tile、多余的 tile 轴都会放大它。"},
    {"PTO209.label", "about {tile_operations:,} tile operations", "约 {tile_operations:,} 个 tile 操作"},
    {"PTO209.related.contributor", "{operation}: about {tile_operations:,} tile operations, {percent} %",
     "{operation}：约 {tile_operations:,} 个 tile 操作，占 {percent} %"},
    {"PTO209.related.in_loop",
     "{operation}, in the loop of line {line}: about {tile_operations:,} tile operations, {percent} %",
     "{operation}，位于第 {line} 行的循环中：约 {tile_operations:,} 个 tile 操作，占 {percent} %"},
};

}  // namespace

std::span<const Message> messages_pto209() {
    return kMessages;
}

}  // namespace ptofix::rules
