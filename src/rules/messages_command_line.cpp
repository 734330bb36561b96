#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What the command line says about how it was called, and its summaries.
constexpr Message kMessages[] = {
    {"cli.see_help", "Try `pto-fix --help`.", "用法见 `pto-fix --help`。"},
    {"cli.unknown_option", "unknown option {option}", "未知选项 {option}"},
    {"cli.unknown_option_near", "unknown option {option}; did you mean {near}?",
     "未知选项 {option}；是否想写 {near}？"},
    {"cli.bad_command_line", "the command line cannot be read: {detail}", "无法识别命令行：{detail}"},
    {"cli.takes_no_value", "{option} takes no value", "{option} 不带值"},
    {"cli.value_missing", "{option} needs a value", "{option} 需要一个值"},
    {"cli.selects_nothing", "--select names no rule", "--select 没有写出规则"},
    {"cli.unknown_rule", "no rule is called {rule}; `pto-fix rules` lists them",
     "没有名为 {rule} 的规则；`pto-fix rules` 列出全部规则"},
    {"cli.unknown_rule_near", "no rule is called {rule}; did you mean {near}?",
     "没有名为 {rule} 的规则；是否想写 {near}？"},
    {"cli.bad_value", "{option} {value}: must be one of {known}", "{option} {value}：必须是 {known} 之一"},
    {"cli.bad_number", "{option} {value}: must be a number from 1 on", "{option} {value}：必须是不小于 1 的整数"},
    {"cli.diff_and_apply", "--diff and --apply exclude each other", "--diff 与 --apply 不能同时使用"},
    {"cli.unsafe_alone", "--unsafe says what --diff or --apply may do; give one of them",
     "--unsafe 需与 --diff 或 --apply 合用"},
    {"cli.config_and_no_config", "--config and --no-config exclude each other", "--config 与 --no-config 不能同时使用"},
    {"cli.explain_nothing", "explain which rule? For example: pto-fix explain PTO201",
     "解释哪条规则？例如：pto-fix explain PTO201"},
    {"cli.explain_json", "explain prints a page; `pto-fix rules --format json` lists the rules for programs",
     "explain 打印页面；供程序读取的规则列表用 `pto-fix rules --format json`"},
    {"cli.too_many", "unexpected word {word}", "多余的参数 {word}"},
    {"cli.docs_folder", "generate-docs takes one folder", "generate-docs 需要一个文件夹"},
    {"cli.not_for_command", "{option} is not for `{command}`: it shows what the kernels do, and changes nothing",
     "{option} 不能用于 `{command}`：它只显示 kernel 的行为，不修改任何内容"},
    {"cli.diagnose_no_log", "diagnose: which log? Give its path, or - for standard input.",
     "diagnose：哪个日志？请给出路径，或用 - 表示标准输入。"},
    {"cli.diagnose_stdin", "Standard input can be the log, which comes first; kernels are given by path.",
     "标准输入只能作为日志（写在最前）；kernel 请给出路径。"},
    {"cli.diagnose_no_kernel", "There is no kernel to fix: give its path behind the log's.",
     "没有可修复的 kernel：请在日志之后给出 kernel 的路径。"},
    {"cli.coverage_alone", "--coverage is for `pto-fix trace`", "--coverage 只用于 `pto-fix trace`"},
    {"cli.empty_path", "a path is empty", "有空的路径"},
    {"cli.no_path", "no path given; use `-` to read standard input", "没有给出路径；读标准输入请用 `-`"},
    {"cli.stdin_and_paths", "`-` stands alone: standard input and files cannot be mixed", "`-` 不能与其他路径混用"},
    {"cli.stdin_filename_alone", "--stdin-filename is for the path `-`", "--stdin-filename 只用于路径 `-`"},
    {"cli.stdin_apply_json",
     "--apply - prints the fixed text, which --format json has no place for; use --diff --format json",
     "--apply - 打印修复后的文本，不能使用 --format json；请用 --diff --format json"},
    {"cli.reading_terminal", "reading standard input from the terminal; end with Ctrl-D",
     "正在从终端读取标准输入；以 Ctrl-D 结束"},
    {"cli.output_failed", "stdout cannot be written: {detail}", "无法写入 stdout：{detail}"},
    {"cli.summary.clean", "{files:file|files} checked, nothing found", "检查了 {files} 个文件，没有发现问题"},
    {"cli.all_ignored", "nothing to check: git ignores what is there (--no-respect-gitignore looks at it)",
     "没有可检查的文件：都被 git 忽略（--no-respect-gitignore 可检查它们）"},
    {"cli.summary.found",
     "{files:file|files} checked: {errors:error|errors}, {warnings:warning|warnings}, {infos} info",
     "检查了 {files} 个文件：{errors} 个错误，{warnings} 个警告，{infos} 个提示"},
    {"cli.summary.fixable", "{count:finding has|findings have} a safe fix: write with --apply, look first with --diff",
     "{count} 个问题可以安全修复：--apply 写入，--diff 预览"},
    {"cli.summary.unsafe", "{count:finding has|findings have} a fix that needs a look: --unsafe",
     "{count} 个问题的修复需要人工确认：--unsafe"},
    {"cli.summary.applied", "{fixes:fix|fixes} written to {files:file|files}",
     "已在 {files} 个文件中写入 {fixes} 处修复"},
    {"cli.summary.filtered", "{fixes:fix|fixes} in the text on stdout", "stdout 上的文本含 {fixes} 处修复"},
    {"cli.summary.nothing_to_filter", "no fix to make; the text on stdout is the one that came in",
     "没有可做的修复；stdout 上的文本与输入相同"},
    {"cli.summary.nothing_to_apply", "no fix to write", "没有可写入的修复"},
    {"cli.summary.would_apply", "{fixes:fix|fixes} in {files:file|files}; write with --apply",
     "{files} 个文件中有 {fixes} 处修复；用 --apply 写入"},
    {"cli.diff_from_root",
     "some of the files are outside the current folder: the paths are those from the root; `patch -d / -p1` applies it",
     "有文件不在当前目录下：路径从根目录写起，可用 `patch -d / -p1` 应用"},
    {"cli.summary.left", "left: {errors:error|errors}, {warnings:warning|warnings}, {infos} info",
     "剩余：{errors} 个错误，{warnings} 个警告，{infos} 个提示"},
    {"cli.summary.stopped", "fixing stopped early ({stop}): {rules} do not come to rest; please report it",
     "修复提前停止（{stop}）：{rules} 互相改动，无法收敛；请反馈"},
    {"cli.internal_error",
     "internal error: the fix of {rule} at {path}:{line} was taken back ({detail}); please report it",
     "内部错误：{rule} 在 {path}:{line} 的修复已撤回（{detail}）；请反馈"},
    {"cli.unknown_soc", "no chip is called {soc}; known are {known}", "没有名为 {soc} 的芯片；可用的有 {known}"},
};

}  // namespace

std::span<const Message> messages_command_line() {
    return kMessages;
}

}  // namespace ptofix::rules
