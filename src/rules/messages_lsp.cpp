#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What the language server says beside what reports say.
constexpr Message kMessages[] = {
    {"lsp.syntax_error", "does not parse here; what is broken is left alone", "此处无法解析；出错的部分不作改动"},
    {"lsp.fix_all", "Fix all that is proven safe", "应用全部已证明安全的修复"},
    {"lsp.fix_all_unsafe", "Fix all, with fixes that need a look at the results",
     "应用全部修复，包括需要核对结果的修复"},
    {"lsp.fix_rule", "Fix every {rule} in this file", "修复本文件中的全部 {rule}"},
    {"lsp.suppress", "Ignore {rule} on this line", "在此行忽略 {rule}"},
    {"lsp.no_fix", "{rule} has no fix here", "{rule} 在此处没有修复"},
    {"lsp.unsafe", "These fixes are not proven to keep the results: look at what they change.",
     "这些修复未被证明保持结果不变：请核对改动。"},
    {"lsp.unsafe_because", "This fix is not proven to keep the results: {reason}",
     "此修复未被证明保持结果不变：{reason}"},
    {"lsp.fix", "Fix: {text}", "修复：{text}"},
    {"lsp.blocked", "No fix: {text}", "没有修复：{text}"},
    {"lsp.page", "Page of {rule}", "{rule} 说明"},
    {"lsp.tile_in_kernel", "Tile in kernel `{name}`", "kernel `{name}` 中的 tile"},
    {"lsp.bytes", "bytes", "字节"},
    {"lsp.limit", "limit", "上限"},
    {"lsp.operation", "operation", "操作"},
    {"lsp.line", "line {line}", "第 {line} 行"},
    {"lsp.copies", "{count:copy|copies}", "{count} 份"},
    {"lsp.cost", "{count:,} tile operations, {largest:,} in the largest function",
     "{count:,} 个 tile 操作，最大的函数 {largest:,} 个"},
    {"lsp.cost_least", "at least {count:,} tile operations, {largest:,} in the largest function",
     "至少 {count:,} 个 tile 操作，最大的函数 {largest:,} 个"},
    {"lsp.bad_setting", "pto-fix: setting not understood: {setting}", "pto-fix：无法理解的设置：{setting}"},
    {"lsp.checking", "pto-fix: checking {folder}", "pto-fix：正在检查 {folder}"},
};

}  // namespace

std::span<const Message> messages_lsp() {
    return kMessages;
}

}  // namespace ptofix::rules
