#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO203.found",
     "This loop unrolls {factor} times a body of {matmuls:matmul|matmuls} and {vector_operations} vector operations "
     "into "
     "one function.",
     "这个循环把含 {matmuls} 个 matmul 和 {vector_operations} 个向量操作的循环体展开 {factor} 次，放进同一个函数。"},
    {"PTO203.found.counted",
     "This loop unrolls {factor} times a body of {matmuls:matmul|matmuls} and {vector_operations} vector operations "
     "into "
     "one function: about {tile_operations:,} tile operations in all, {body_tile_operations:,} without the list.",
     "这个循环把含 {matmuls} 个 matmul 和 {vector_operations} 个向量操作的循环体展开 {factor} 次，放进同一个函数：共约 "
     "{tile_operations:,} 个 tile 操作，不带列表约 {body_tile_operations:,} 个。"},
    {"PTO203.why",
     "The code generator gets all copies in one function and runs until it is killed (F0F619, make target "
     "Unroll{factor} "
     "Terminated).",
     "代码生成阶段拿到的是包含全部副本的单个函数，会一直运行到被杀掉（F0F619，make 目标 Unroll{factor} Terminated）。"},
    {"PTO203.label", "{factor} copies of a heavy body", "重循环体的 {factor} 份副本"},
    {"PTO203.fix.remove", "Remove unroll_list; rows run one by one, with the same result",
     "去掉 unroll_list；逐行执行，结果相同"},
    {"PTO203.fix.one", "Unroll not at all: [1] means the same as no list", "不展开：[1] 与不带列表含义相同"},
    {"PTO203.blocked.other_list", "This loop is also reached with another list, which its caller may want.",
     "这个循环还会以另一个列表执行，调用者可能需要它。"},
};

}  // namespace

std::span<const Message> messages_pto203() {
    return kMessages;
}

}  // namespace ptofix::rules
