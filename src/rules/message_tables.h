// The tables that make up the message catalogue, one a rule. Read by messages.cpp alone.
#pragma once

#include <span>

#include "rules/messages.h"

namespace ptofix::rules {

std::span<const Message> messages_pto001();
std::span<const Message> messages_pto101();
std::span<const Message> messages_pto102();
std::span<const Message> messages_pto103();
std::span<const Message> messages_pto104();
std::span<const Message> messages_pto105();
std::span<const Message> messages_pto106();
std::span<const Message> messages_pto107();
std::span<const Message> messages_pto108();
std::span<const Message> messages_pto201();
std::span<const Message> messages_pto202();
std::span<const Message> messages_pto203();
std::span<const Message> messages_pto204();
std::span<const Message> messages_pto205();
std::span<const Message> messages_pto206();
std::span<const Message> messages_pto207();
std::span<const Message> messages_pto208();
std::span<const Message> messages_pto209();
std::span<const Message> messages_pto301();
std::span<const Message> messages_pto302();
std::span<const Message> messages_pto303();
std::span<const Message> messages_blocked();
std::span<const Message> messages_data();
std::span<const Message> messages_input();
std::span<const Message> messages_command_line();
std::span<const Message> messages_writing();
std::span<const Message> messages_report();
std::span<const Message> messages_html();
std::span<const Message> messages_system();
std::span<const Message> messages_trace();
std::span<const Message> messages_budget();
std::span<const Message> messages_diagnose();
std::span<const Message> messages_lsp();
std::span<const Message> messages_timing();

}  // namespace ptofix::rules
