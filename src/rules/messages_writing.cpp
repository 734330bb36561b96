#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What --apply asks for before it writes, and what undo says.
constexpr Message kMessages[] = {
    {"cli.apply_option_alone", "{option} is for --apply", "{option} 只用于 --apply"},
    {"cli.review_stdin", "--review asks on standard input, so the path `-` cannot be read from it",
     "--review 从标准输入读取回答，不能与路径 `-` 合用"},
    {"review.question", "({number}/{count}) Apply this fix in {path}", "（{number}/{count}）在 {path} 中应用此修复"},
    {"review.help",
     "y - apply this fix\n"
     "n - do not apply it\n"
     "a - apply this fix and all later ones in the file\n"
     "d - do not apply this fix or any later one in the file\n"
     "q - quit; what was accepted is written\n"
     "e - edit in $VISUAL or $EDITOR what the fix writes\n"
     "? - this help",
     "y - 应用此修复\n"
     "n - 不应用此修复\n"
     "a - 应用此修复以及该文件中之后的所有修复\n"
     "d - 不应用此修复以及该文件中之后的所有修复\n"
     "q - 退出；已接受的修复仍会写入\n"
     "e - 用 $VISUAL 或 $EDITOR 编辑要写入的内容\n"
     "? - 显示此帮助"},
    {"review.several_files", "this fix changes several files, and can only be taken or left",
     "此修复涉及多个文件，只能接受或放弃"},
    {"review.not_edited", "the editor did not come back with a text: is VISUAL or EDITOR right?",
     "编辑器没有正常返回：请检查 VISUAL 或 EDITOR"},
    {"review.nothing_left", "the edited text is the one that is there already", "编辑后的内容与现有内容相同"},
    {"review.refused", "not applied: it would leave {what}", "未应用：应用后会留下 {what}"},
    {"cli.not_for_undo", "{option} is not for `undo`, which puts back what the last run wrote",
     "{option} 不能用于 `undo`：它还原最近一次写入"},
    {"cli.undo_takes_no_path", "undo takes no path: it puts back the last run of this project (here: {word})",
     "undo 不带路径：它还原本项目最近一次运行（此处：{word}）"},
    {"cli.undo_option_alone", "{option} is for `pto-fix undo`", "{option} 只用于 `pto-fix undo`"},
    {"cli.dirty",
     "nothing was written: {count:file has|files have} changes that are not committed ({files}). Commit or stash them, "
     "so that they can be told from what pto-fix writes, or give --allow-dirty",
     "没有写入：{count} 个文件有未提交的改动（{files}）。请先提交或 git stash，以便与 pto-fix "
     "的改动区分；或使用 --allow-dirty"},
    {"cli.untracked",
     "nothing was written: git does not know {count:file|files} that would change ({files}). Add and commit, so that "
     "what pto-fix writes can be told from your own text, or give --allow-dirty",
     "没有写入：将被改动的文件中有 {count} 个未纳入 git（{files}）。请先 git add 并提交，以便与 pto-fix "
     "的改动区分；或使用 --allow-dirty"},
    {"cli.work_tree_unreadable",
     "nothing was written: whether {path} has changes that are not committed cannot be read ({detail}); --allow-dirty "
     "writes all the same",
     "没有写入：无法得知 {path} 是否有未提交的改动（{detail}）；仍要写入请用 --allow-dirty"},
    {"undo.no_state_folder",
     "there is no place for a journal: neither XDG_STATE_HOME nor HOME names a folder from the root; --no-journal "
     "writes without one",
     "没有地方存放日志：XDG_STATE_HOME 和 HOME 都不是绝对路径；--no-journal 可不记日志直接写入"},
    {"undo.no_journal",
     "nothing was written: the journal that undo needs cannot be kept in {path} ({detail}). XDG_STATE_HOME names "
     "another "
     "folder, --no-journal writes without one",
     "没有写入：undo 所需的日志无法写入 {path}（{detail}）。可用 XDG_STATE_HOME 另指文件夹，或用 --no-journal "
     "不记日志"},
    {"undo.interrupted",
     "an earlier run ({time}) was stopped before its end: {written} of {files:file|files} had been written; `pto-fix "
     "undo` puts them back",
     "先前的一次运行（{time}）中途停止：{files} 个文件中已写入 {written} 个；`pto-fix undo` 可还原"},
    {"undo.was_interrupted",
     "the run of {time} was stopped before its end: {written} of {files:file|files} had been written",
     "{time} 的运行中途停止：{files} 个文件中已写入 {written} 个"},
    {"undo.nothing", "no run is known in {path}, or in a folder above it", "{path} 及其上层文件夹中没有可还原的运行"},
    {"undo.run", "{time}: {files:file|files}", "{time}：{files} 个文件"},
    {"undo.run_interrupted", "{time}: {files:file|files}, stopped before its end", "{time}：{files} 个文件，中途停止"},
    {"undo.gone", "{path}: is gone", "{path}：文件已不存在"},
    {"undo.changed", "{path}: has been changed since", "{path}：之后又有改动"},
    {"undo.nothing_restored",
     "nothing was restored; --skip-changed restores the other files, but none that a fix changed together with one of "
     "these",
     "没有还原任何文件；--skip-changed 还原其余文件，但与上述文件一同修复的文件除外"},
    {"undo.restored", "{files:file|files} put back as before the run of {time}",
     "已还原 {files} 个文件，恢复到 {time} 的运行之前"},
    {"undo.broken", "{path}: the journal cannot be read ({detail})", "{path}：无法读取日志（{detail}）"},
};

}  // namespace

std::span<const Message> messages_writing() {
    return kMessages;
}

}  // namespace ptofix::rules
