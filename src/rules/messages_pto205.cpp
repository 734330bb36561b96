#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO205.found", "stitch_function_max_num is {value} in {kernel}, which also has {companions}.",
     "{kernel} 的 stitch_function_max_num 为 {value}，同时还有 {companions}。"},
    {"PTO205.why",
     "The number decides how many functions are stitched into one task and, with it, the workspace; on top of a heavy "
     "compile it adds to memory and scheduling work. A lower number costs run time: tasks are launched in smaller "
     "batches.",
     "它决定多少个函数合并为一个任务，也决定 workspace "
     "大小；在编译已经很重时会进一步增加内存和调度开销。调小会增加运行时间：任务以更小的批次下发。"},
    {"PTO205.label", "{value} functions a task", "每个任务 {value} 个函数"},
    {"PTO205.related.companion", "{rule} is found here", "此处发现 {rule}"},
    {"PTO205.related.number", "the number is written here", "该数写在此处"},
    {"PTO205.fix.lower", "Lower stitch_function_max_num from {value} to {proposed}; the kernel may run slower",
     "把 stitch_function_max_num 从 {value} 降到 {proposed}；kernel 运行可能变慢"},
};

}  // namespace

std::span<const Message> messages_pto205() {
    return kMessages;
}

}  // namespace ptofix::rules
