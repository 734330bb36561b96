#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO103.found.not_positive", "Every number of a cube tile must be above 0; this one is m {m}, k {k}, n {n}.",
     "cube tile 的每个数都必须大于 0；此处为 m {m}、k {k}、n {n}。"},
    {"PTO103.found.alignment", "{name} = {value} is not a multiple of 16 elements, as kL0 and nL0 must be.",
     "{name} = {value} 不是 16 的倍数；kL0 和 nL0 必须是 16 的倍数。"},
    {"PTO103.found.relation",
     "{l0_name} = {l0} and {l1_name} = {l1}: an L1 tile must be a multiple of its L0 tile and at least as large.",
     "{l0_name} = {l0}，{l1_name} = {l1}：L1 tile 必须不小于 L0 tile 且是它的整数倍。"},
    {"PTO103.found.quotient",
     "{l1_name} = {l1} is the number of steps, K / {l0_name} = {k_extent} / {l0}. {l1_name} is a length: it must be a "
     "multiple of {l0_name}; for all of K at once it is {k_extent}.",
     "{l1_name} = {l1} 是步数 K / {l0_name} = {k_extent} / {l0}。{l1_name} 是长度，必须是 {l0_name} 的整数倍；一次取完 "
     "K 时为 {k_extent}。"},
    {"PTO103.found.bytes",
     "{name} = {value} elements of {dtype} are {bytes} bytes, which is not a multiple of 32; it must be a multiple of "
     "{elements} elements.",
     "{name} = {value} 个 {dtype} 元素为 {bytes} 字节，不是 32 的倍数；它必须是 {elements} 的倍数。"},
    {"PTO103.found.layout", "{name} = {value} does not suit the NZ layout of this matmul.",
     "{name} = {value} 不满足该 matmul 的 NZ 格式要求。"},
    {"PTO103.found.scaled", "kL0 = {value} is not a multiple of 64 elements, as scaled_mm wants it.",
     "kL0 = {value} 不是 64 的倍数；scaled_mm 要求 kL0 为 64 的倍数。"},
    {"PTO103.found.l1_ratio",
     "kAL1 = {k_a_l1} and kBL1 = {k_b_l1} do not divide each other, and neither covers K = {k_extent}.",
     "kAL1 = {k_a_l1} 与 kBL1 = {k_b_l1} 互不整除，且都没有覆盖 K = {k_extent}。"},
    {"PTO103.found.length", "The list {axis} of a cube tile has {wanted} numbers, not {count}.",
     "cube tile 的列表 {axis} 应有 {wanted} 个数，而不是 {count} 个。"},
    {"PTO103.why", "PyPTO refuses it when the kernel is traced ({codes}): \"{compiler}\".",
     "PyPTO 在构图时拒绝它（{codes}）：“{compiler}”。"},
    {"PTO103.label", "not a legal cube tile", "不是合法的 cube tile"},
    {"PTO103.related.matmul", "the matmul that runs under it", "在此 tile 下执行的 matmul"},
    {"PTO103.fix.tile", "Set the cube tile to {m}, {k}, {n}", "将 cube tile 设为 {m}, {k}, {n}"},
    {"PTO103.blocked.pad_k", "K = {k_extent} holds no multiple of {step}, so there is no legal kL0: pad K to {padded}.",
     "K = {k_extent} 不足一个 {step}，没有合法的 kL0：请将 K 补齐到 {padded}。"},
    {"PTO103.blocked.no_tile", "No legal cube tile near this one fits the memories of the cube core.",
     "附近没有既合法又放得下的 cube tile。"},
    {"PTO103.blocked.tile_unknown", "Not every number of the tile is known.", "tile 的数值不全部已知。"},
};

}  // namespace

std::span<const Message> messages_pto103() {
    return kMessages;
}

}  // namespace ptofix::rules
