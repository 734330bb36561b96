#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// Reasons that any rewriter may give.
constexpr Message kMessages[] = {
    {"blocked.unseen_callers",
     "Whoever calls it without being among the given files, or by a name that is made when it runs, would hand over "
     "what it no longer takes.",
     "不在给定文件中的调用者，或在运行时才拼出名字的调用者，仍会传入它不再接受的参数。"},
    {"blocked.comments_inside", "A comment inside the lines to be rewritten would be lost.",
     "要改写的代码中有注释，改写会丢失它。"},
    {"blocked.shown_code", "An f-string shows the code itself here (by its =), and would show other words.",
     "此处的 f-string 用 = 把代码原样打印出来，改写后打印的文字会不同。"},
    {"blocked.syntax_error", "Python does not accept this code as it is.", "Python 不接受此处的代码（语法错误）。"},
    {"blocked.suppression_inside", "A suppression comment inside the lines to be rewritten would be lost.",
     "要改写的代码中有抑制注释，改写会丢失它。"},
    {"blocked.not_rewritable",
     "The file holds bytes that its encoding cannot give back unchanged, so it is not written.",
     "文件中有其编码无法原样写回的字节，因此不写入。"},
    {"blocked.spans_cells",
     "The lines to be rewritten are in several cells of the notebook, or hold a magic of IPython's.",
     "要改写的行跨越多个 notebook 单元格，或含有 IPython 魔法命令。"},
    {"blocked.file_not_given", "The fix also changes {path}, which is not among the files of this run.",
     "此修复还要修改 {path}，它不在本次处理的文件之内。"},
    {"blocked.read_in_other_file", "`{name}` is also read in {path}, which does not want this change.",
     "`{name}` 也在 {path} 中读取，那里不需要此修改。"},
    {"blocked.literal_used_elsewhere",
     "`{name}` is written once here but used {count} times; not every use wants the new value.",
     "`{name}` 只在此处写出，却有 {count} 处使用；并非所有使用者都需要新值。"},
    {"blocked.literal_computed", "The value is computed here; there is no literal to change.",
     "该值在此计算得出，没有可修改的字面量。"},
    {"blocked.literal_unknown", "It is not known where the value is written.", "不清楚该值写在何处。"},
    {"blocked.contexts_disagree", "The code is used in {count} contexts, and the change is right in some of them only.",
     "这段代码有 {count} 种使用情形，修改只对其中一部分正确。"},
    {"blocked.other_rules_first",
     "The fixes of {rules} take this away, or change what the right numbers are. Apply them first, or leave them out "
     "with --ignore.",
     "{rules} 的修复会消除该问题，或改变应取的数值。请先应用这些修复，或用 --ignore 排除它们。"},
    {"blocked.assumed_size",
     "It is right for the sizes that `assume` gives in the configuration, and not proven for others.",
     "对配置中 `assume` 给出的大小成立，对其他大小未经证明。"},
    {"blocked.shape_unknown", "The shape of {name} is not known.", "{name} 的 shape 未知。"},
    {"blocked.dtype_unknown", "The dtype of {name} is not known.", "{name} 的 dtype 未知。"},
    {"blocked.copied_state", "`{name}` is changed by every copy of the body; how often depends on the unroll list.",
     "循环体的每个副本都会修改 `{name}`，次数取决于 unroll_list。"},
    {"blocked.no_vec_tile", "No vec tile fits UB with every operation that would run under it.",
     "没有 vec tile 能使其下的每个操作都放进 UB。"},
    {"blocked.adds_up",
     "Numbers are added up along an axis that the tile would cut otherwise; the last digits may change.",
     "有操作沿某轴求和，而修改会改变该轴的切分；末位数字可能变化。"},
    {"blocked.tile_first", "The vec tile of this operation is refused by the compiler; that has to be mended first.",
     "编译器会拒绝此操作的 vec tile；需先修正它。"},
    {"blocked.tile_unknown", "The numbers of this vec tile are not known, and the code behind still needs it.",
     "此 vec tile 的数值未知，而后面的代码仍需要它。"},
    {"blocked.ranks_in_one_statement", "Operations of one statement need vec tiles of different numbers of axes.",
     "同一语句中的操作需要维数不同的 vec tile。"},
    {"blocked.several_tiles", "This code is reached with another vec tile, too.",
     "这段代码还会在另一个 vec tile 下执行。"},
    {"blocked.shape_read", "The shape that is asked for here would be another one.", "此处读取的 shape 会随之改变。"},
    {"blocked.statement_shared", "Other statements stand on the same line.", "同一行还有其他语句。"},
    {"blocked.not_followed", "pto-fix cannot follow this code completely ({what}).",
     "pto-fix 无法完全分析这段代码（{what}）。"},
};

}  // namespace

std::span<const Message> messages_blocked() {
    return kMessages;
}

}  // namespace ptofix::rules
