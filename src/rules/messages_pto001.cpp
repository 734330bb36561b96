#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO001.found.unknown_rule", "This suppression names {rule}, which is no rule of pto-fix; it suppresses nothing.",
     "此抑制注释写了 {rule}，pto-fix 没有这条规则；它不起作用。"},
    {"PTO001.found.unknown_rule_near",
     "This suppression names {rule}, which is no rule of pto-fix; did you mean {near}?",
     "此抑制注释写了 {rule}，pto-fix 没有这条规则；是否想写 {near}？"},
    {"PTO001.found.malformed", "This comment looks like a suppression but cannot be read: {detail}.",
     "此注释像抑制注释，但无法识别：{detail}。"},
    {"PTO001.found.no_rules",
     "This suppression names no rule; write the rule ids it is meant for, as in `pto-fix: ignore[PTO201]`.",
     "此抑制注释没有写规则；请写出规则编号，例如 `pto-fix: ignore[PTO201]`。"},
    {"PTO001.found.unused", "This suppression of {rule} suppresses nothing here.",
     "此处对 {rule} 的抑制没有对应的问题。"},
    {"PTO001.why",
     "A suppression that is not understood hides nothing, and one that is not needed hides the next finding.",
     "看不懂的抑制注释不起作用；多余的抑制注释会掩盖以后出现的问题。"},
    {"PTO001.fix.remove", "Remove the suppression of {rule}", "删除对 {rule} 的抑制"},
};

}  // namespace

std::span<const Message> messages_pto001() {
    return kMessages;
}

}  // namespace ptofix::rules
