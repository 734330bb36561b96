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
     "undo {path}` puts them back",
     "先前的一次运行（{time}）中途停止：{files} 个文件中已写入 {written} 个；`pto-fix undo {path}` 可还原"},
    {"undo.was_interrupted",
     "the run of {time} was stopped before its end: {written} of {files:file|files} had been written",
     "{time} 的运行中途停止：{files} 个文件中已写入 {written} 个"},
    {"undo.nothing", "no run is known that wrote in {path}", "没有已知的运行写入过 {path}"},
    {"undo.nothing_here", "no run is known that wrote in {path}; the last one elsewhere ({time}) wrote in {folder}",
     "没有已知的运行写入过 {path}；别处最近一次运行（{time}）写入了 {folder}"},
    {"undo.reaches_out",
     "the run of {time} also wrote {files:file|files} elsewhere ({named}), and is taken back whole or not at all: "
     "`pto-fix undo {folder}` takes back the last run there",
     "{time} 的运行还写入了别处的 {files} 个文件（{named}）；一次运行只能整体还原：请用 `pto-fix undo {folder}` "
     "还原那里最近一次运行"},
    {"undo.run", "{time}: {files:file|files}", "{time}：{files} 个文件"},
    {"undo.run_interrupted", "{time}: {files:file|files}, stopped before its end", "{time}：{files} 个文件，中途停止"},
    {"undo.run_rest", "{time}: {files:file|files} that an undo has left as found",
     "{time}：{files} 个文件，曾在还原时保持不动"},
    {"undo.gone", "{path}: is gone", "{path}：文件已不存在"},
    {"undo.changed", "{path}: has been changed since", "{path}：之后又有改动"},
    {"undo.nothing_restored",
     "nothing was restored; --skip-changed restores the other files, but none that a fix changed together with one of "
     "these",
     "没有还原任何文件；--skip-changed 还原其余文件，但与上述文件一同修复的文件除外"},
    {"undo.restored", "{files:file|files} put back as before the run of {time}",
     "已还原 {files} 个文件，恢复到 {time} 的运行之前"},
    {"undo.all_as_before", "there was nothing to put back: all files are as before the run of {time} already",
     "无需还原：所有文件已与 {time} 的运行之前相同"},
    {"undo.none_restored", "no file put back", "没有还原任何文件"},
    {"undo.kept",
     "{files:file|files} left as found; the old text is kept, and `pto-fix undo` puts it back once what the run wrote "
     "is "
     "there again",
     "{files} 个文件保持不动；其原内容仍保留，待文件恢复到该次运行写入后的状态，`pto-fix undo` 即可还原"},
    {"undo.broken", "{path}: the journal cannot be read ({detail})", "{path}：无法读取日志（{detail}）"},
};

}  // namespace

std::span<const Message> messages_writing() {
    return kMessages;
}

}  // namespace ptofix::rules
