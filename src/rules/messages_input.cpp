#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What cannot be read, parsed or written: one for each kind, all filled by path.
constexpr Message kMessages[] = {
    {"input.not_found", "{path}: no such file or folder", "{path}：没有这个文件或文件夹"},
    {"input.not_readable", "{path}: cannot be read: {detail}", "{path}：无法读取：{detail}"},
    {"input.not_a_file", "{path}: is a {detail}, not a file", "{path}：是 {detail}，不是文件"},
    {"input.too_large", "{path}: {size:,} bytes; files above {limit:,} bytes are not read",
     "{path}：{size:,} 字节；超过 {limit:,} 字节的文件不读取"},
    {"input.binary", "{path}: not a text file (NUL byte at offset {offset})",
     "{path}：不是文本文件（偏移 {offset} 处有 NUL 字节）"},
    {"input.utf_16", "{path}: is UTF-16, which Python does not read; save it as UTF-8",
     "{path}：编码是 UTF-16，Python 不能读取；请另存为 UTF-8"},
    {"input.utf_32", "{path}: is UTF-32, which Python does not read; save it as UTF-8",
     "{path}：编码是 UTF-32，Python 不能读取；请另存为 UTF-8"},
    {"input.invalid_utf8",
     "{path}:{line}: not valid UTF-8 (byte {offset}), and no coding cookie names another encoding",
     "{path}:{line}：不是有效的 UTF-8（第 {offset} 字节），也没有编码声明"},
    {"input.undecodable", "{path}:{line}: not valid {detail} (byte {offset}), which the coding cookie names",
     "{path}:{line}：不是有效的 {detail}（第 {offset} 字节），而编码声明写的是它"},
    {"input.unknown_encoding", "{path}: the coding cookie names `{detail}`, which is not known",
     "{path}：编码声明 `{detail}` 不认识"},
    {"input.bom_conflicts_with_cookie",
     "{path}: starts with a UTF-8 byte order mark, but its coding cookie says {detail}",
     "{path}：以 UTF-8 BOM 开头，但编码声明是 {detail}"},
    {"input.no_python", "{path}: no Python file in this folder", "{path}：文件夹中没有 Python 文件"},
    {"input.folder_unreadable", "{path}: folder cannot be listed: {detail}", "{path}：无法列出文件夹：{detail}"},
    {"input.too_deeply_indented", "{path}: indented too deeply to be parsed; Python itself stops at {limit} levels",
     "{path}：缩进过深，无法解析；Python 的上限是 {limit} 层"},
    {"input.gave_up", "{path}: takes too long to parse", "{path}：解析耗时过长"},
    {"input.syntax_error", "{path}:{line}:{column}: does not parse here; what is broken is left alone",
     "{path}:{line}:{column}：此处无法解析；出错的部分不作改动"},
    {"input.cut_short", "{path}: too much to follow to the end; findings may be missing",
     "{path}：内容过多，未能全部跟踪；可能有遗漏的发现"},
    {"input.changed_meanwhile", "{path}: changed while pto-fix was running; not written",
     "{path}：运行期间文件被修改；未写入"},
    {"input.no_file", "{path}: does not come from a file", "{path}：不是来自文件"},
    {"input.vanished", "{path}: is gone; not written", "{path}：文件已不存在；未写入"},
    {"input.read_only", "{path}: is read-only; not written", "{path}：文件只读；未写入"},
    {"input.not_permitted", "{path}: not written: {detail}", "{path}：未写入：{detail}"},
    {"input.no_space", "{path}: not written: no space left ({detail})", "{path}：未写入：空间不足（{detail}）"},
    {"input.failed", "{path}: not written: {detail}", "{path}：未写入：{detail}"},
    {"input.left_in_backup", "{path}: writing failed half way: {detail}; the old text is kept in {backup}",
     "{path}：写入中途失败：{detail}；原文保存在 {backup}"},
    {"input.companion", "{path}: not written, because {other} could not be and a fix may change both",
     "{path}：未写入，因为 {other} 无法写入，而修复可能同时改动两者"},
    {"input.not_rewritable", "{path}: not written, because its bytes cannot be restored from the decoded text",
     "{path}：未写入，因为解码后的文本无法还原原来的字节"},
    {"input.not_in_encoding", "{path}: not written: `{character}` does not exist in {encoding}",
     "{path}：未写入：{encoding} 中没有字符 `{character}`"},
    {"config.unreadable", "{path}: configuration cannot be read: {detail}", "{path}：无法读取配置：{detail}"},
    {"config.broken", "{path}:{line}:{column}: not valid TOML: `{excerpt}`",
     "{path}:{line}:{column}：不是有效的 TOML：`{excerpt}`"},
    {"config.defined_twice", "{path}:{line}:{column}: not valid TOML: defined a second time: `{excerpt}`",
     "{path}:{line}:{column}：不是有效的 TOML：重复定义：`{excerpt}`"},
    {"config.selects_nothing", "{path}:{line}:{column}: `select` names no rule; leave it out to use all of them",
     "{path}:{line}:{column}：`select` 没有写出规则；要使用全部规则请删去它"},
    {"config.unknown_key", "{path}:{line}:{column}: unknown key `{key}`; known are {known}",
     "{path}:{line}:{column}：未知的键 `{key}`；可用的有 {known}"},
    {"config.unknown_key_near", "{path}:{line}:{column}: unknown key `{key}`; did you mean `{near}`?",
     "{path}:{line}:{column}：未知的键 `{key}`；是否想写 `{near}`？"},
    {"config.wants_text", "{path}:{line}:{column}: `{key}` must be a text in quotes",
     "{path}:{line}:{column}：`{key}` 必须是带引号的文本"},
    {"config.wants_list", "{path}:{line}:{column}: `{key}` must be a list of texts, as in [\"a\", \"b\"]",
     "{path}:{line}:{column}：`{key}` 必须是文本列表，例如 [\"a\", \"b\"]"},
    {"config.wants_table", "{path}:{line}:{column}: `{key}` must be a table",
     "{path}:{line}:{column}：`{key}` 必须是表"},
    {"config.unknown_key_size",
     "{path}:{line}:{column}: unknown key `{key}`; known are {known}; sizes of kernels go into the table `[assume]`",
     "{path}:{line}:{column}：未知的键 `{key}`；可用的键：{known}；kernel 的大小写在 `[assume]` 表中"},
    {"config.assume_name",
     "{path}:{line}:{column}: `{name}` in `assume` is no name of a size; it must be a variable (`M = 8`) or a dim "
     "(`\"x.shape[0]\" = 16`)",
     "{path}:{line}:{column}：`assume` 中的 `{name}` 不是大小的名字；应为变量（`M = 8`）或维度（`\"x.shape[0]\" = "
     "16`）"},
    {"config.assume_quotes",
     "{path}:{line}:{column}: in `assume` the name of a dim needs quotes: `\"x.shape[0]\" = 16` (here: {name})",
     "{path}:{line}:{column}：`assume` 中维度的名字要加引号：`\"x.shape[0]\" = 16`（此处：{name}）"},
    {"config.assume_number", "{path}:{line}:{column}: `{name}` in `assume` must be an integer from 1 to {most}",
     "{path}:{line}:{column}：`assume` 中的 `{name}` 必须是 1 到 {most} 的整数"},
    {"config.bad_value", "{path}:{line}:{column}: `{key}` is `{value}`; it must be one of {known}",
     "{path}:{line}:{column}：`{key}` 为 `{value}`；必须是 {known} 之一"},
    {"config.unknown_rule", "{path}:{line}:{column}: no rule is called {rule}; `pto-fix rules` lists them",
     "{path}:{line}:{column}：没有名为 {rule} 的规则；`pto-fix rules` 列出全部规则"},
    {"config.unknown_rule_near", "{path}:{line}:{column}: no rule is called {rule}; did you mean {near}?",
     "{path}:{line}:{column}：没有名为 {rule} 的规则；是否想写 {near}？"},
};

}  // namespace

std::span<const Message> messages_input() {
    return kMessages;
}

}  // namespace ptofix::rules
