#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// Reasons that any rewriter may give.
constexpr Message kMessages[] = {
    {"blocked.comments_inside", "A comment inside the lines to be rewritten would be lost.",
     "要改写的代码中有注释，改写会丢失它。"},
    {"blocked.syntax_error", "Python does not accept this code as it is.", "Python 不接受此处的代码（语法错误）。"},
    {"blocked.suppression_inside", "A suppression comment inside the lines to be rewritten would be lost.",
     "要改写的代码中有抑制注释，改写会丢失它。"},
    {"blocked.not_rewritable",
     "The file holds bytes that its encoding cannot give back unchanged, so it is not written.",
     "文件中有其编码无法原样写回的字节，因此不写入。"},
    {"blocked.file_not_given", "The fix also changes {path}, which is not among the files of this run.",
     "此修复还要修改 {path}，它不在本次处理的文件之内。"},
    {"blocked.read_in_other_file", "`{name}` is also read in {path}, which does not want this change.",
     "`{name}` 也在 {path} 中读取，那里不需要此修改。"},
    {"blocked.macro_text", "The code stands in a string, not in the program.", "该代码位于字符串中，不是程序本身。"},
    {"blocked.literal_used_elsewhere",
     "`{name}` is written once here but used {count} times; not every use wants the new value.",
     "`{name}` 只在此处写出，却有 {count} 处使用；并非所有使用者都需要新值。"},
    {"blocked.literal_other_file", "The value is written in {path}, which is not among the files of this run.",
     "该值写在 {path} 中，不在本次检查的文件之内。"},
    {"blocked.literal_computed", "The value is computed here; there is no literal to change.",
     "该值在此计算得出，没有可修改的字面量。"},
    {"blocked.literal_unknown", "It is not known where the value is written.", "不清楚该值写在何处。"},
    {"blocked.contexts_disagree", "The code is used in {count} contexts, and the change is right in some of them only.",
     "这段代码有 {count} 种使用情形，修改只对其中一部分正确。"},
    {"blocked.several_callers", "{kernel} is called from {count} places.", "{kernel} 有 {count} 处调用。"},
    {"blocked.no_caller", "No call of {kernel} is in this file, so the host side cannot be changed with it.",
     "本文件中没有对 {kernel} 的调用，无法同时修改 host 侧。"},
    {"blocked.caller_other_file", "{kernel} is also called in {path}.", "{kernel} 还在 {path} 中被调用。"},
    {"blocked.kernel_passed_on", "{kernel} is passed on as a value here, so not every call of it is known.",
     "{kernel} 在此作为值传递，无法确定它的所有调用。"},
    {"blocked.signature_registered", "The signature of {function} is registered with torch.library.",
     "{function} 的签名已注册到 torch.library。"},
    {"blocked.arguments_unknown", "The arguments of this call are not known one by one (`{splat}`).",
     "此调用的参数无法逐一确定（`{splat}`）。"},
    {"blocked.dtype_asserted", "An assert after this place checks the dtype that would change.",
     "其后有 assert 检查将要改变的 dtype。"},
    {"blocked.shape_unknown", "The shape of {name} is not known.", "{name} 的 shape 未知。"},
    {"blocked.dtype_unknown", "The dtype of {name} is not known.", "{name} 的 dtype 未知。"},
    {"blocked.inside_lambda", "The code stands in a lambda, which cannot hold statements.",
     "代码位于 lambda 中，不能包含语句。"},
    {"blocked.one_line_body", "The body stands on the line of its header.", "语句体与头部写在同一行。"},
    {"blocked.shape_read", "The shape that is asked for here would be another one.", "此处读取的 shape 会随之改变。"},
    {"blocked.statement_shared", "Other statements stand on the same line.", "同一行还有其他语句。"},
    {"blocked.not_followed", "pto-fix cannot follow this code completely ({what}).",
     "pto-fix 无法完全分析这段代码（{what}）。"},
    {"blocked.encoding", "The new text has characters that the file's encoding, {encoding}, does not have.",
     "新文本含有文件编码 {encoding} 中没有的字符。"},
    {"blocked.verification", "The rewritten file did not pass verification ({what}), so this fix was taken back.",
     "改写后的文件未通过校验（{what}），已撤回此修复。"},
    {"blocked.conflict", "Another fix changes the same lines; apply that one first, then run again.",
     "另一处修复改动了相同的行；请先应用它，再重新运行。"},
    {"blocked.suggestion_only", "This is a suggestion; it is shown, never written.", "这只是建议，仅显示，不会写入。"},
};

}  // namespace

std::span<const Message> messages_blocked() {
    return kMessages;
}

}  // namespace ptofix::rules
