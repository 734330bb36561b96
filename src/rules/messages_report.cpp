#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What the text report says beside the messages of the rules.
constexpr Message kMessages[] = {
    {"report.error", "error", "错误"},
    {"report.warning", "warning", "警告"},
    {"report.info", "info", "提示"},
    {"report.why", "why", "原因"},
    {"report.numbers", "numbers", "数值"},
    {"report.yes", "yes", "是"},
    {"report.no", "no", "否"},
    {"report.fix.safe", "fix", "修复"},
    {"report.fix.unsafe", "fix, unsafe (written with --unsafe)", "修复，不安全（需 --unsafe）"},
    {"report.fix.safe.named", "fix (written where --select names {rule})", "修复（--select 写明 {rule} 时写入）"},
    {"report.fix.unsafe.named", "fix, unsafe (written with --unsafe where --select names {rule})",
     "修复，不安全（需 --unsafe，且 --select 写明 {rule}）"},
    {"report.fix.suggestion", "suggestion (never written)", "建议（不会写入）"},
    {"report.alternative", "or", "或者"},
    {"report.blocked", "no safe fix", "无法安全修复"},
    {"report.blocked_at", "no safe fix because of line {line}", "第 {line} 行妨碍安全修复"},
    {"report.blocked_here", "in the way of a fix", "妨碍修复"},
    {"report.to_line", "(to line {line})", "（到第 {line} 行）"},
    {"report.statistics.findings", "findings", "问题"},
    {"report.statistics.safe", "safe fixes", "安全修复"},
    {"report.statistics.unsafe", "unsafe fixes", "不安全修复"},
    {"report.statistics.files", "files", "文件"},
    {"report.more_lines", "... {count:more line|more lines}; --diff shows all", "…… 另有 {count} 行；--diff 显示全部"},
    {"report.more_places", "... {count:more place|more places}", "…… 另有 {count} 处"},
    {"unknown.not_given", "not followed: no call tells {detail}", "未能分析：没有调用给出 {detail}"},
    {"unknown.external_call", "not followed: {detail} is a library's", "未能分析：{detail} 属于外部库"},
    {"unknown.unsupported", "not followed: {detail}", "未能分析：{detail}"},
    {"unknown.joined", "not followed: {detail} differs between branches or trips",
     "未能分析：{detail} 在不同分支或迭代中不同"},
    {"unknown.undefined_name", "not followed: {detail} is not defined here", "未能分析：{detail} 在此未定义"},
    {"unknown.budget", "not followed: the work bound was reached", "未能分析：达到工作量上限"},
    {"unknown.runtime_value", "not followed: {detail} is read when the program runs",
     "未能分析：{detail} 在运行时才读取"},
    {"unknown.error", "not followed: Python would raise an error here ({detail})",
     "未能分析：Python 在此会报错（{detail}）"},
    {"unknown.recursion", "not followed: {detail} calls itself", "未能分析：{detail} 递归调用"},
    {"docs.title", "Rules of pto-fix", "pto-fix 的规则"},
    {"docs.language", "English", "中文"},
    {"docs.rule", "rule", "规则"},
    {"docs.severity", "severity", "级别"},
    {"docs.finds", "finds", "查什么"},
    {"docs.generated", "Written by `tools/gen-docs` from the catalogue in src/rules.",
     "由 `tools/gen-docs` 根据 src/rules 中的目录生成。"},
    {"docs.codes_title", "Error codes", "错误码"},
    {"docs.code", "code", "错误码"},
    {"docs.code_means", "means", "含义"},
    {"docs.code_what", "What it says", "含义"},
    {"docs.code_cause", "Where it comes from", "原因"},
    {"docs.code_cure", "What to do", "处理"},
    {"docs.code_rules", "Rules that find and mend it", "查找并修复它的规则"},
    {"docs.codes", "What you see", "看到的现象"},
    {"docs.what", "What it finds", "查什么"},
    {"docs.why", "Why it matters", "为什么重要"},
    {"docs.fix", "What the fix does", "如何修复"},
    {"docs.silent", "What it leaves alone", "不报告什么"},
    {"docs.example", "Example", "例子"},
    {"docs.log", "`build.log`, what the compiler said of it:", "`build.log`，编译器对它的报错："},
    {"docs.after.log", "`pto-fix diagnose --apply{options} build.log kernel.py` makes it:",
     "`pto-fix diagnose --apply{options} build.log kernel.py` 之后："},
    {"docs.after", "`pto-fix --apply{options}` makes it:", "`pto-fix --apply{options}` 之后："},
};

}  // namespace

std::span<const Message> messages_report() {
    return kMessages;
}

}  // namespace ptofix::rules
