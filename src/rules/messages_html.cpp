#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What the HTML report says beside the findings. Filled in the reader's browser: {name}, {name:one|many}.
constexpr Message kMessages[] = {
    {"html.title", "pto-fix report", "pto-fix 报告"},
    {"html.noscript", "The report is shown by a script in this page, which the browser has switched off.",
     "报告由页面内的脚本显示，而浏览器禁用了脚本。"},
    {"html.skip", "Skip to the findings", "跳到问题列表"},
    {"html.about", "{files:file|files} checked, {findings:finding|findings}",
     "检查了 {files} 个文件，{findings} 个问题"},
    {"html.footer", "Estimates are pto-fix's own counts, for each fix alone; nothing was compiled.",
     "估算由 pto-fix 计算，只计单个修复的效果；未经编译。"},
    {"html.to_dark", "Dark", "深色"},
    {"html.to_light", "Light", "浅色"},
    {"html.totals", "Totals", "总计"},
    {"html.where", "Where", "分布"},
    {"html.findings", "Findings", "问题"},
    {"html.total_error", "errors", "错误"},
    {"html.total_warning", "warnings", "警告"},
    {"html.total_info", "info", "提示"},
    {"html.total_safe", "with a safe fix", "可安全修复"},
    {"html.total_unsafe", "with a fix to review", "修复需确认"},
    {"html.total_files", "files checked", "检查的文件"},
    {"html.total_new", "new", "新增"},
    {"html.total_unchanged", "unchanged", "不变"},
    {"html.total_gone", "gone", "消失"},
    {"html.problems", "{count:file|files} could not be checked or written:", "{count} 个文件无法检查或写入："},
    {"html.gone", "{count:finding|findings} of the baseline are gone", "基线中有 {count} 个问题已消失"},
    {"html.by_rule", "By rule", "按规则"},
    {"html.by_model", "By model (top folder)", "按模型（顶层文件夹）"},
    {"html.by_severity", "By severity", "按级别"},
    {"html.top", "(no folder)", "（无文件夹）"},
    {"html.filters", "Filter the findings", "筛选问题"},
    {"html.search", "Search in paths, rules, functions, messages", "搜索路径、规则、函数、消息"},
    {"html.rule", "Rule", "规则"},
    {"html.model", "Model", "模型"},
    {"html.severity", "Severity", "级别"},
    {"html.fix", "Fix", "修复"},
    {"html.baseline", "Baseline", "基线"},
    {"html.order", "Order", "排序"},
    {"html.all", "all", "全部"},
    {"html.reset", "Reset", "重置"},
    {"html.severity_error", "error", "错误"},
    {"html.severity_warning", "warning", "警告"},
    {"html.severity_info", "info", "提示"},
    {"html.fix_safe", "safe fix", "安全修复"},
    {"html.fix_unsafe", "fix to review", "修复需确认"},
    {"html.fix_suggestion", "suggestion", "建议"},
    {"html.fix_none", "no fix", "无修复"},
    {"html.state_new", "new", "新增"},
    {"html.state_unchanged", "unchanged", "不变"},
    {"html.order_place", "by place", "按位置"},
    {"html.order_severity", "by severity", "按级别"},
    {"html.order_rule", "by rule", "按规则"},
    {"html.order_operations", "by tile operations", "按 tile 操作数"},
    {"html.count", "{shown} of {matching} shown, {all} in all", "显示 {shown} / {matching}，共 {all}"},
    {"html.more", "Show {count} more ({left} left)", "再显示 {count} 个（剩 {left} 个）"},
    {"html.open_all", "Open all", "全部展开"},
    {"html.close_all", "Close all", "全部收起"},
    {"html.none", "Nothing was found.", "没有发现问题。"},
    {"html.none_match", "No finding matches the filter.", "没有符合筛选条件的问题。"},
    {"html.code", "Code", "代码"},
    {"html.alternative", "Or:", "或者："},
    {"html.blocked", "Why no safe fix", "为什么没有安全修复"},
    {"html.blocked_at", "Why no safe fix (line {line})", "为什么没有安全修复（第 {line} 行）"},
    {"html.estimate", "Tile operations to compile", "编译的 tile 操作数"},
    {"html.operations", "{kernel}: ", "{kernel}："},
    {"html.at_least", "at least {count}", "至少 {count}"},
    {"html.pools", "On-chip memory, at most", "片上内存（最多）"},
    {"html.before", "before", "修复前"},
    {"html.after", "after", "修复后"},
    {"html.bytes_of", "{bytes} of {limit} bytes, {percent} %", "{bytes} / {limit} 字节，{percent} %"},
    {"html.over", "over the limit", "超出上限"},
    {"html.related", "Related places", "相关位置"},
};

}  // namespace

std::span<const Message> messages_html() {
    return kMessages;
}

}  // namespace ptofix::rules
