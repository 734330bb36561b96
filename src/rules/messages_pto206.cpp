#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO206.found",
     "{operation} on {shape} under vec tile {tile} is cut into {tiles:,} tiles, {tile_operations:,} with its operands; "
     "the limit is {limit:,}.",
     "{operation} 作用于 {shape}，在 vec tile {tile} 下切成 {tiles:,} 个 tile，连同操作数共 {tile_operations:,} "
     "个；上限是 "
     "{limit:,}。"},
    {"PTO206.why",
     "Every tile becomes operations of its own, and the code generator hangs on their number without a message (exit "
     "124).",
     "每个 tile 都会变成单独的操作，数量过多时代码生成阶段会卡死且没有任何输出（exit 124）。"},
    {"PTO206.label", "{tiles:,} tiles", "{tiles:,} 个 tile"},
    {"PTO206.related.tile", "the tile is set here", "tile 在此处设置"},
    {"PTO206.fix.tile",
     "Set the vec tile to {proposed}, the largest that fits UB with every operation under it: {tiles:,} tiles",
     "把 vec tile 设为 {proposed}，这是其下每个操作都放得进 UB 的最大 tile：{tiles:,} 个 tile"},
    {"PTO206.fix.host",
     "Compute it once on the host, where {kernel} is called; at loading time is better still, as the wrapper runs at "
     "each "
     "call",
     "在调用 {kernel} 的 host 侧计算一次；wrapper 每次调用都会执行，放到加载权重时更好"},
    {"PTO206.fix.host_wrapper",
     "Compute it once on the host, in a wrapper that has the name and the parameters of {kernel}",
     "在 host 侧的 wrapper 中计算一次，wrapper 沿用 {kernel} 的名字和参数"},
    {"PTO206.fix.host_everywhere",
     "Compute it once on the host, at {calls:call|calls} of {kernel} in {files:file|files}. All of these files change, "
     "or none.",
     "在 host 侧计算一次：{files} 个文件中 {kernel} 的 {calls} 处调用。这些文件一起修改，或都不修改。"},
    {"PTO206.blocked.host_first",
     "What stands here under the same tile goes to the host first; how large the tile can then be depends on the rest.",
     "此处在同一 tile 下的操作先移到 host 侧；之后 tile 能取多大由其余操作决定。"},
    {"PTO206.blocked.no_tile",
     "Even {proposed}, the largest tile that fits UB with every operation under it, leaves {tile_operations:,} of at "
     "most "
     "{limit:,}.",
     "即使 {proposed}（其下每个操作都放得进 UB 的最大 tile）也还有 {tile_operations:,} 个，上限是 {limit:,}。"},
};

}  // namespace

std::span<const Message> messages_pto206() {
    return kMessages;
}

}  // namespace ptofix::rules
