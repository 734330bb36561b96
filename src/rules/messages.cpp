#include "rules/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rules/message_tables.h"
#include "text/display_width.h"

namespace ptofix::rules {

namespace {

/// Estimates stop counting at the largest number that there is. Nobody compares sizes beyond this one, and what was
/// computed from a number that stopped is above it.
constexpr std::int64_t kBeyondCounting = 1'000'000'000'000'000'000;
constexpr std::string_view kBeyondWords[] = {"more than 10^18", "超过 10^18"};
/// What an estimate is introduced by, and what is beyond counting is not.
constexpr std::string_view kEstimateWords[] = {"about ", "at least ", "约 ", "约", "至少 ", "至少"};

bool is_beyond_counting(const DataValue* value) {
    const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return number != nullptr && *number >= kBeyondCounting;
}

std::string grouped(std::int64_t number) {
    std::string digits = fmt::format("{}", number);
    const std::size_t sign = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > sign + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

struct Placeholder {
    std::string_view name, format;
};

Placeholder split(std::string_view inside) {
    const std::size_t colon = inside.find(':');
    if (colon == std::string_view::npos) return {inside, {}};
    return {inside.substr(0, colon), inside.substr(colon + 1)};
}

std::string shown_number(std::int64_t number, std::string_view format) {
    if (format.empty()) return fmt::format("{}", number);
    const std::size_t bar = format.find('|');
    if (bar == std::string_view::npos) return grouped(number);
    return fmt::format("{} {}", grouped(number), number == 1 ? format.substr(0, bar) : format.substr(bar + 1));
}

std::string show(const DataValue& value, std::string_view format) {
    struct {
        std::string_view format;
        std::string operator()(std::int64_t number) const { return shown_number(number, format); }
        std::string operator()(double number) const { return fmt::format("{:g}", number); }
        std::string operator()(bool yes) const { return yes ? "true" : "false"; }
        std::string operator()(const std::string& text) const { return text::printable(text); }
        std::string operator()(const std::vector<std::int64_t>& list) const {
            return fmt::format("[{}]", fmt::join(list, ", "));
        }
    } shown{format};
    return std::visit(shown, value);
}

/// Calls literal(text) and placeholder(inside) for the parts of a pattern in order.
template <typename Literal, typename Hole>
void walk(std::string_view pattern, Literal&& literal, Hole&& hole) {
    while (!pattern.empty()) {
        const std::size_t open = pattern.find('{');
        const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
        if (close == std::string_view::npos) {
            literal(pattern);
            return;
        }
        literal(pattern.substr(0, open));
        hole(pattern.substr(open + 1, close - open - 1));
        pattern.remove_prefix(close + 1);
    }
}

}  // namespace

std::span<const std::span<const Message>> message_tables() {
    static const std::array tables{
        messages_pto001(), messages_pto101(),  messages_pto102(), messages_pto103(),       messages_pto104(),
        messages_pto105(), messages_pto106(),  messages_pto107(), messages_pto108(),       messages_pto201(),
        messages_pto202(), messages_pto203(),  messages_pto204(), messages_pto205(),       messages_pto206(),
        messages_pto207(), messages_pto208(),  messages_pto209(), messages_pto301(),       messages_pto302(),
        messages_pto303(), messages_blocked(), messages_input(),  messages_command_line(), messages_report(),
        messages_system(), messages_trace(),   messages_budget(), messages_diagnose(),     messages_lsp(),
        messages_timing(), messages_data(),    messages_html(),   messages_writing(),
    };
    return tables;
}

const Message* find_message(std::string_view id) {
    for (const std::span<const Message> table : message_tables()) {
        const auto at = std::ranges::find(table, id, &Message::id);
        if (at != table.end()) return &*at;
    }
    return nullptr;
}

std::vector<std::string_view> placeholders(std::string_view pattern) {
    std::vector<std::string_view> names;
    walk(pattern, [](std::string_view) {}, [&](std::string_view inside) { names.push_back(split(inside).name); });
    return names;
}

std::string in_language(std::string_view system_words, Language language) {
    if (language == Language::en) return std::string(system_words);
    constexpr std::string_view kColon = ": ";
    std::string out;
    while (true) {
        const std::size_t colon = system_words.find(kColon);
        const std::string_view part = system_words.substr(0, colon);
        const auto known = std::ranges::find(messages_system(), part, &Message::en);
        out += known == messages_system().end() ? part : known->in(language);
        if (colon == std::string_view::npos) return out;
        out += "：";
        system_words.remove_prefix(colon + kColon.size());
    }
}

std::string show(const DataValue& value) {
    return is_beyond_counting(&value) ? "> 10^18" : show(value, ",");
}

std::string render(const Text& text, Language language) {
    const Message* message = find_message(text.id);
    if (message == nullptr) return std::string(text.id);
    std::string out;
    walk(
        message->in(language), [&](std::string_view literal) { out += literal; },
        [&](std::string_view inside) {
            const Placeholder hole = split(inside);
            const DataValue* value = text.data.find(hole.name);
            if (!hole.format.empty() && is_beyond_counting(value)) {
                for (const std::string_view word : kEstimateWords) {
                    if (out.ends_with(word)) out.resize(out.size() - word.size());
                }
                out += kBeyondWords[language == Language::zh ? 1 : 0];
                if (const std::size_t bar = hole.format.find('|'); bar != std::string_view::npos) {
                    out += fmt::format(" {}", hole.format.substr(bar + 1));
                }
                return;
            }
            out += value ? show(*value, hole.format) : fmt::format("{{{}}}", hole.name);
        });
    return out;
}

}  // namespace ptofix::rules
