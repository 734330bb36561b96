#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO208.found",
     "stitch_function_max_num is {value} in {kernel}: {value} functions in one task, {each_mebibytes:,} MiB of "
     "intermediate results for each, make a workspace of at least {mebibytes:,} MiB.",
     "{kernel} 的 stitch_function_max_num 为 {value}：一个任务合并 {value} 个函数，每个函数的中间结果占 "
     "{each_mebibytes:,} MiB，workspace 至少 {mebibytes:,} MiB。"},
    {"PTO208.found.default",
     "{kernel} leaves stitch_function_max_num at {value}, the default: {value} functions in one task, "
     "{each_mebibytes:,} MiB of intermediate results for each, make a workspace of at least {mebibytes:,} MiB.",
     "{kernel} 未设置 stitch_function_max_num，默认为 {value}：一个任务合并 {value} 个函数，每个函数的中间结果占 "
     "{each_mebibytes:,} MiB，workspace 至少 {mebibytes:,} MiB。"},
    {"PTO208.found.log",
     "stitch_function_max_num is {value} in {kernel}, and no max_workspace_kb bounds it: the workspace holds the "
     "intermediate results of {value} functions at once. Their shapes are not all known here.",
     "{kernel} 的 stitch_function_max_num 为 {value}，且没有 max_workspace_kb 限制：workspace 同时容纳 {value} "
     "个函数的中间结果，其形状在此并非全部已知。"},
    {"PTO208.found.log.default",
     "{kernel} leaves stitch_function_max_num at {value}, the default, and no max_workspace_kb bounds it: the "
     "workspace "
     "holds the intermediate results of {value} functions at once. Their shapes are not all known here.",
     "{kernel} 未设置 stitch_function_max_num，默认为 {value}，且没有 max_workspace_kb 限制：workspace 同时容纳 "
     "{value} "
     "个函数的中间结果，其形状在此并非全部已知。"},
    {"PTO208.why",
     "The workspace is allocated for as many functions as a task may hold, and the device runs out of memory: \"NPU "
     "out of memory. Tried to allocate ... GiB\".",
     "workspace 按一个任务最多容纳的函数数量分配，会超出设备内存：“NPU out of memory. Tried to allocate ... GiB”。"},
    {"PTO208.label", "{mebibytes:,} MiB of workspace", "{mebibytes:,} MiB 的 workspace"},
    {"PTO208.related.number", "the number is written here", "该数写在此处"},
    {"PTO208.related.inner", "goes from the cube to the vector units, or back: {mebibytes:,} MiB in use at one time",
     "在 cube 与 vector 单元之间传递：同时占用 {mebibytes:,} MiB"},
    {"PTO208.related.between", "goes from function to function: {mebibytes:,} MiB",
     "在函数之间传递：{mebibytes:,} MiB"},
    {"PTO208.fix.lower",
     "Stitch {proposed} functions into a task instead of {value}: {mebibytes:,} MiB; the kernel may run slower",
     "每个任务合并 {proposed} 个函数，而不是 {value} 个：{mebibytes:,} MiB；kernel 运行可能变慢"},
    {"PTO208.fix.lower.unknown",
     "Stitch {proposed} functions into a task instead of {value}: the workspace shrinks in proportion; the kernel may "
     "run "
     "slower",
     "每个任务合并 {proposed} 个函数，而不是 {value} 个：workspace 按比例缩小；kernel 运行可能变慢"},
    {"PTO208.fix.bound", "Bound the workspace by max_workspace_kb {proposed}; as many functions are stitched as fit it",
     "用 max_workspace_kb {proposed} 限制 workspace；在此范围内能合并多少函数就合并多少"},
};

}  // namespace

std::span<const Message> messages_pto208() {
    return kMessages;
}

}  // namespace ptofix::rules
