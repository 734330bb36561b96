#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO201.found",
     "This Python loop puts {copies:copy|copies} of its body into the graph of {kernel}: {nodes:,} nodes (10 for each "
     "matmul, 1 for any other operation).",
     "这个 Python 循环把循环体复制 {copies} 份放进 {kernel} 的计算图：共 {nodes:,} 个节点（每个 matmul 计 "
     "10，其他操作计 1）。"},
    {"PTO201.found.tiles",
     "This Python loop puts {copies:copy|copies} of its body into the graph of {kernel}: about {tile_operations:,} "
     "tile operations; a device loop has about {loop_tile_operations:,}.",
     "这个 Python 循环把循环体复制 {copies} 份放进 {kernel} 的计算图：约 {tile_operations:,} 个 tile 操作；改用 "
     "pypto.loop 约 {loop_tile_operations:,} 个。"},
    {"PTO201.found.tiles.unrolled",
     "This Python loop puts {copies:copy|copies} of its body into the graph of {kernel}: about {tile_operations:,} "
     "tile operations; the unroll list of the device loop around it keeps another device loop out.",
     "这个 Python 循环把循环体复制 {copies} 份放进 {kernel} 的计算图：约 {tile_operations:,} 个 tile "
     "操作；外层循环有 unroll 列表，内部不能再用 pypto.loop。"},
    {"PTO201.why",
     "PyPTO runs Python loops while it records, so every trip is compiled by itself. Pass_31 (OoOSchedule) then "
     "schedules all copies together, which takes minutes or ends in a timeout (exit 124) without an error code.",
     "PyPTO 在录制时直接执行 Python "
     "循环，每次迭代都单独编译。Pass_31（OoOSchedule）要同时调度所有副本，耗时数分钟，或被 timeout 终止（exit "
     "124）且没有错误码。"},
    {"PTO201.label", "{trips:trip|trips}", "{trips} 次"},
    {"PTO201.related.outer", "inside this Python loop of {trips:trip|trips}", "位于这个 {trips} 次的 Python 循环内"},
    {"PTO201.related.call", "called here from the kernel", "kernel 在此调用"},
    {"PTO201.fix.pypto_loop", "Make it a pypto.loop, whose body is compiled once", "改为 pypto.loop，循环体只编译一次"},
    {"PTO201.fix.batched_matmul", "Compute all {heads} heads with one batched matmul",
     "用一次批量 matmul 计算全部 {heads} 个 head"},
    {"PTO201.blocked.list_append",
     "`{name}` is changed by every trip; the body of a device loop is recorded once, so this would happen once only.",
     "`{name}` 在每次迭代中被修改；pypto.loop 的循环体只录制一次，修改也只会发生一次。"},
    {"PTO201.blocked.list_index", "`{name}` is a Python list; it cannot be indexed with the index of a device loop.",
     "`{name}` 是 Python 列表，不能用 pypto.loop 的下标索引。"},
    {"PTO201.blocked.carried_value", "`{name}` carries a value from one trip to the next.",
     "`{name}` 把值从一次迭代带到下一次。"},
    {"PTO201.blocked.index_in_shape",
     "The loop's index decides a shape here; shapes must be numbers when the kernel is recorded.",
     "循环下标在此决定 shape；录制时 shape 必须是确定的数。"},
    {"PTO201.blocked.index_in_tile",
     "The loop's index decides a tile shape here; tile shapes must be numbers when the kernel is recorded.",
     "循环下标在此决定 tile 大小；录制时 tile 必须是确定的数。"},
    {"PTO201.blocked.index_in_condition",
     "This condition depends on the loop's index; in a device loop the index is not known when the kernel is recorded.",
     "此条件依赖循环下标；pypto.loop 的下标在录制时未知。"},
    {"PTO201.blocked.index_in_text",
     "The loop's index is part of a text here (a name, an f-string); every trip of a device loop would have the same "
     "one.",
     "循环下标在此成为文本的一部分（名字、f-string）；在 pypto.loop 中各次迭代的文本会相同。"},
    {"PTO201.blocked.index_as_key", "The loop's index is a key of `{name}`; the index of a device loop cannot be one.",
     "循环下标是 `{name}` 的键；pypto.loop 的下标不能作键。"},
    {"PTO201.blocked.index_escapes",
     "The loop's index is passed to {name}, which cannot be followed; it may need a Python number.",
     "循环下标传给了 {name}，无法分析；它可能需要 Python 整数。"},
    {"PTO201.blocked.index_as_operand",
     "The loop's index is a number that {name} computes with; the index of a device loop can only say where data lies.",
     "循环下标在此作为 {name} 的运算数；pypto.loop 的下标只能用来表示数据的位置。"},
    {"PTO201.blocked.index_divided",
     "What is divided here may be negative; Python then rounds down, a device loop's index toward zero.",
     "此处的被除数可能为负；Python 会向下取整，而 pypto.loop 的下标向零取整。"},
    {"PTO201.blocked.index_after_loop", "`{name}` is read after the loop; a device loop leaves nothing there.",
     "`{name}` 在循环之后被读取；pypto.loop 之后没有这个值。"},
    {"PTO201.blocked.breaks",
     "The body leaves the loop here; break, continue and return are not possible in a device loop.",
     "循环体在此跳出；pypto.loop 中不能使用 break、continue 和 return。"},
    {"PTO201.blocked.writes_overlap", "The places that two trips write may overlap, so the order of the trips matters.",
     "两次迭代写入的位置可能重叠，迭代顺序不能改变。"},
    {"PTO201.blocked.reads_what_it_writes",
     "`{name}` is read and written by the body; a trip may read what another one wrote.",
     "循环体既读又写 `{name}`；一次迭代可能读到另一次写入的数据。"},
    {"PTO201.blocked.unknown_call", "{name} cannot be followed, so it is not known what the body does.",
     "{name} 无法分析，不清楚循环体做了什么。"},
    {"PTO201.blocked.side_effect",
     "{name} does something that happens once for each trip of a Python loop and once only in a device loop.",
     "{name} 在 Python 循环中每次迭代执行一次，在 pypto.loop 中只执行一次。"},
    {"PTO201.blocked.not_a_range", "The loop runs over {what}, not over range(); a device loop counts.",
     "循环遍历的是 {what} 而不是 range()；pypto.loop 只能计数。"},
    {"PTO201.blocked.loop_else", "The loop has an else clause, which a device loop cannot have.",
     "循环带有 else 子句，pypto.loop 不支持。"},
    {"PTO201.blocked.target", "The loop's target is not a single name.", "循环变量不是单个名字。"},
    {"PTO201.blocked.comprehension", "A comprehension cannot hold a device loop; write the loop out.",
     "推导式中不能使用 pypto.loop；请写成循环语句。"},
    {"PTO201.blocked.helper_shared", "The loop stands in {function}, which other kernels or host code call too.",
     "循环位于 {function} 中，其他 kernel 或 host 代码也调用它。"},
    {"PTO201.blocked.too_deep", "The loop already stands in {depth} device loops; the code generator follows three.",
     "该循环已处于 {depth} 层 pypto.loop 之内；代码生成最多支持三层。"},
    {"PTO201.blocked.outer_unroll",
     "The loop stands in a device loop with an unroll list; only the innermost device loop may have one.",
     "该循环位于带 unroll_list 的 pypto.loop 之内；只有最内层的 pypto.loop 可以带 unroll_list。"},
    {"PTO201.blocked.loop_position",
     "{name} asks the innermost device loop, which would then be this loop and no longer the one around it.",
     "{name} 查询的是最内层的 pypto.loop；改写后最内层将是这个循环，而不再是外层循环。"},
    {"PTO201.blocked.negative_index",
     "This index may be negative; Python then counts from the end, the index of a device loop does not.",
     "此下标可能为负；Python 会从末尾计数，pypto.loop 的下标不会。"},
    {"PTO201.blocked.tile_after_loop",
     "This operation runs under a tile shape that is set in the loop; what a device loop sets ends with it.",
     "此操作使用在循环内设置的 tile；在 pypto.loop 内的设置随循环结束而失效。"},
    {"PTO201.blocked.counts_down", "The loop counts down; a device loop counts up.",
     "该循环倒数；pypto.loop 只能正数。"},
    {"PTO201.blocked.in_condition",
     "The loop stands in an arm of a condition that is decided at run time; check that the device loop compiles there.",
     "该循环位于运行时才判定的条件分支内；请确认 pypto.loop 在此可以编译。"},
    {"PTO201.blocked.slice_length",
     "PyPTO may not see that this slice has a fixed length; it does where the stop is written as the start plus a "
     "number.",
     "PyPTO 可能无法判定此切片长度固定；若终点写成起点加一个数则可以。"},
    {"PTO201.blocked.buffer_read_later",
     "The loop fills `{name}`, which is read here; check the result: reading what a device loop has assembled is known "
     "to be unreliable in some versions.",
     "循环写入 `{name}`，此处读取它；请核对结果：部分版本中，读取 pypto.loop 内 assemble 的数据并不可靠。"},
};

}  // namespace

std::span<const Message> messages_pto201() {
    return kMessages;
}

}  // namespace ptofix::rules
