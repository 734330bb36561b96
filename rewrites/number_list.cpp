#include "rewrites/number_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "rewrites/lines.h"
#include "syntax/integer_literal.h"
#include "text/display_width.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using rules::FileEdit;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::SourceFile;
using trace::Tag;
using trace::Trace;
using trace::Value;

/// Does the value come from `NAME = 128` at the top of a file? Then it is the same wherever the name is read.
bool is_module_constant(const Trace& trace, const Value& value) {
    const trace::Site origin = value.origin();
    if (!origin.known() || value.tag != Tag::integer) return false;
    const syntax::Tree& tree = trace.files[origin.file]->tree;
    const NodeId assignment = tree.parent(origin.node);
    if (tree.kind(origin.node) != Kind::integer || assignment == kNoNode) return false;
    if (tree.kind(assignment) != Kind::assignment) return false;
    const NodeId left = tree.child(assignment, Field::left);
    const NodeId statement = tree.parent(assignment);
    return left != kNoNode && tree.kind(left) == Kind::identifier &&
           tree.kind(statement) == Kind::expression_statement && tree.kind(tree.parent(statement)) == Kind::module_;
}

}  // namespace

std::optional<NumberList> NumberList::read(const Trace& trace, const Value& list) {
    if (!list.is_sequence() || !list.origin().known() || list.as.list->open) return std::nullopt;
    NumberList out;
    out.site_ = list.origin();
    out.file_ = trace.files[list.file];
    const SourceFile& file = *out.file_;
    const syntax::Tree& tree = file.tree;
    switch (tree.kind(list.node)) {
        case Kind::list:
        case Kind::tuple:
        case Kind::set:
        case Kind::expression_list:
            break;
        default:
            return std::nullopt;
    }
    const std::vector<Value>& items = list.as.list->items;
    std::size_t index = 0;
    for (const NodeId c : tree.children(list.node)) {
        if (tree.kind(c) == Kind::comma) out.last_comma_ = tree.range(c);
        if (!tree[c].named || tree.kind(c) == Kind::comment || tree.kind(c) == Kind::line_continuation) continue;
        out.last_comma_.reset();
        const bool by_index = list.tag != Tag::set && index < items.size();
        std::optional<std::int64_t> value;
        if (tree.kind(c) == Kind::integer) {
            value = syntax::integer_literal(file.text(c));
            if (value && by_index && (items[index].tag != Tag::integer || items[index].as.i != *value))
                return std::nullopt;
        } else if (by_index && is_module_constant(trace, items[index])) {
            value = items[index].as.i;
        }
        if (!value) return std::nullopt;
        out.elements_.push_back({tree.range(c), *value});
        ++index;
    }
    // Every number that was written is in the value, and no other.
    const auto written = [&](const Value& item) {
        return item.tag == Tag::integer &&
               std::ranges::any_of(out.elements_, [&](const Element& e) { return e.value == item.as.i; });
    };
    if (out.elements_.empty() || !std::ranges::all_of(items, written)) return std::nullopt;
    if (list.tag != Tag::set && index != items.size()) return std::nullopt;

    const auto& elements = out.elements_;
    const text::Range whole = tree.range(list.node);
    out.one_a_line_ = out.line_of(elements.front().range.start) != out.line_of(whole.start);
    for (std::size_t i = 1; i < elements.size(); ++i) {
        if (out.line_of(elements[i].range.start) == out.line_of(elements[i - 1].range.end)) out.one_a_line_ = false;
    }
    if (elements.size() > 1 && tree.kind(list.node) == Kind::expression_list) out.one_a_line_ = false;
    out.separator_ = ", ";
    if (out.one_a_line_) {
        const std::uint32_t start = file.lines.line_start(out.line_of(elements.front().range.start));
        out.separator_ = fmt::format(",\n{}", file.text().substr(start, elements.front().range.start - start));
    } else if (elements.size() > 1) {
        const std::string_view between =
            file.text().substr(elements[0].range.end, elements[1].range.start - elements[0].range.end);
        if (between == ",") out.separator_ = between;
    }
    return out;
}

std::uint32_t NumberList::line_of(std::uint32_t offset) const {
    return file_->lines.line_of(offset);
}

/// Nothing but white space and a comment is between the offset and the end of its line.
bool NumberList::ends_its_line(std::uint32_t offset) const {
    const text::Range line = file_->lines.line_range(line_of(offset));
    const std::string_view rest = file_->text().substr(offset, line.end - offset);
    const auto first = rest.find_first_not_of(" \t");
    return first == std::string_view::npos || rest[first] == '#';
}

std::string NumberList::joined(const std::vector<std::int64_t>& numbers) const {
    return fmt::format("{}", fmt::join(numbers, separator_));
}

void NumberList::insert_before(std::size_t element, const std::vector<std::int64_t>& numbers,
                               std::vector<FileEdit>& out) const {
    if (one_a_line_ && element > 0) {
        // Behind the comment of the number before: it is about that one.
        const std::uint32_t before = elements_[element - 1].range.end;
        const std::size_t comma = file_->text().find(',', before);
        if (comma != std::string_view::npos && comma < elements_[element].range.start &&
            ends_its_line(static_cast<std::uint32_t>(comma + 1))) {
            const text::Range line = file_->lines.line_range(line_of(static_cast<std::uint32_t>(comma)));
            out.push_back(insertion(site_.file, line.end, separator_.substr(1) + joined(numbers) + ","));
            return;
        }
    }
    out.push_back(insertion(site_.file, elements_[element].range.start, joined(numbers) + separator_));
}

void NumberList::append(const std::vector<std::int64_t>& numbers, std::vector<FileEdit>& out) const {
    const std::uint32_t end = elements_.back().range.end;
    if (one_a_line_) {
        const std::uint32_t behind = last_comma_ ? last_comma_->end : end;
        if (ends_its_line(behind)) {
            if (!last_comma_) out.push_back(insertion(site_.file, end, ","));
            const text::Range line = file_->lines.line_range(line_of(behind));
            out.push_back(
                insertion(site_.file, line.end, separator_.substr(1) + joined(numbers) + (last_comma_ ? "," : "")));
            return;
        }
    }
    const Kind kind = file_->tree.kind(site_.node);
    const bool lone_comma =
        elements_.size() == 1 && last_comma_ && (kind == Kind::tuple || kind == Kind::expression_list);
    if (lone_comma && !one_a_line_) {  // (128,): the comma made it a tuple
        out.push_back(replacement(site_.file, {end, last_comma_->end}, separator_ + joined(numbers)));
        return;
    }
    out.push_back(insertion(site_.file, end, separator_ + joined(numbers)));
}

/// White space as wide as the text in front of `offset` on its line, with that line's own indentation.
std::string NumberList::blanks_up_to(std::uint32_t offset) const {
    const std::uint32_t start = file_->lines.line_start(line_of(offset));
    const std::string_view before = file_->text().substr(start, offset - start);
    const auto indent = std::min(before.find_first_not_of(" \t"), before.size());
    return std::string(before.substr(0, indent)) + std::string(text::display_width(before.substr(indent)), ' ');
}

/// The edit that puts the list's argument on a line of its own, under the first argument of its line; nullopt where the
/// list is no argument, or its argument is that first one.
std::optional<FileEdit> NumberList::argument_on_own_line() const {
    const syntax::Tree& tree = file_->tree;
    const NodeId argument = tree.enclosing(site_.node, Kind::keyword_argument);
    const NodeId arguments = argument == kNoNode ? kNoNode : tree.parent(argument);
    if (arguments == kNoNode || tree.kind(arguments) != Kind::argument_list) return std::nullopt;
    const text::Range own = tree.range(argument);
    std::size_t n = 0;
    while (line_of(tree.range(tree.named_child(arguments, n)).start) != line_of(own.start)) ++n;
    const NodeId first = tree.named_child(arguments, n);
    if (first == argument) return std::nullopt;
    const std::uint32_t behind_comma = static_cast<std::uint32_t>(file_->text().rfind(',', own.start)) + 1;
    return replacement(site_.file, {behind_comma, own.start}, "\n" + blanks_up_to(tree.range(first).start));
}

/// Breaks a line that would become longer than lines of such code are: before the argument, or else within the list.
void NumberList::break_long_line(std::vector<FileEdit>& edits) const {
    if (edits.size() != 1 || one_a_line_) return;
    const FileEdit& edit = edits.front();
    const text::Range line = file_->lines.line_range(line_of(edit.range.start));
    const std::string_view text = file_->text();
    const auto width = [&](std::uint32_t from, std::uint32_t to) {
        return text::display_width(text.substr(from, to - from));
    };
    if (edit.range.end > line.end) return;
    const std::size_t before = width(line.start, edit.range.start);
    const std::size_t behind = width(edit.range.end, line.end);
    if (before + edit.text.size() + behind <= kLongestLine) return;

    if (const auto apart = argument_on_own_line()) {
        const std::size_t indent = text::display_width(std::string_view(apart->text).substr(1));
        const std::size_t argument = width(apart->range.end, edit.range.start) + edit.text.size() + behind;
        if (width(line.start, apart->range.start) <= kLongestLine && indent + argument <= kLongestLine) {
            edits.insert(edits.begin(), *apart);
            return;
        }
    }
    if (file_->tree.kind(site_.node) == Kind::expression_list) return;
    // The last comma in front of which all fits; what is behind it has to fit under the first number.
    const std::string indent = blanks_up_to(elements_.front().range.start);
    std::string& numbers = edits.front().text;
    for (std::size_t comma = numbers.rfind(','); comma != std::string::npos && comma > 0;
         comma = numbers.rfind(',', comma - 1)) {
        if (before + comma + 1 > kLongestLine) continue;
        const std::size_t next = std::min(numbers.find_first_not_of(", ", comma), numbers.size());
        if (text::display_width(indent) + numbers.size() - next + behind > kLongestLine) return;
        numbers = numbers.substr(0, comma + 1) + "\n" + indent + numbers.substr(next);
        return;
    }
}

std::vector<FileEdit> NumberList::edits_to(std::vector<std::int64_t> numbers) const {
    std::vector<FileEdit> edits = edits_without_breaks(std::move(numbers));
    break_long_line(edits);
    return edits;
}

std::vector<FileEdit> NumberList::edits_without_breaks(std::vector<std::int64_t> numbers) const {
    std::vector<FileEdit> out;
    const auto ascending = [](const Element& a, const Element& b) { return a.value < b.value; };
    const auto descending = [](const Element& a, const Element& b) { return a.value > b.value; };
    const bool up = elements_.size() > 1 && std::ranges::is_sorted(elements_, ascending);
    const bool down = std::ranges::is_sorted(elements_, descending);
    if (up) std::ranges::reverse(numbers);
    if (!up && !down) {
        out.push_back(
            replacement(site_.file, {elements_.front().range.start, elements_.back().range.end}, joined(numbers)));
        return out;
    }
    std::size_t next = 0;               // of the numbers
    std::optional<std::size_t> vacant;  // an element that goes, whose place the next new numbers take
    const auto take_place = [&](std::size_t i, const std::vector<std::int64_t>& fresh) {
        if (one_a_line_ && i + 1 < elements_.size()) {  // its comment stays beside the first of them
            out.push_back(replacement(site_.file, elements_[i].range, joined({fresh.front()})));
            if (fresh.size() > 1) insert_before(i + 1, {fresh.begin() + 1, fresh.end()}, out);
        } else {
            out.push_back(replacement(site_.file, elements_[i].range, joined(fresh)));
        }
    };
    const auto leave = [&](std::size_t i) {  // deletes an element with one of the commas beside it
        const bool last = i + 1 == elements_.size();
        const text::Range range = last && i > 0 ? text::Range{elements_[i - 1].range.end, elements_[i].range.end}
                                  : last        ? elements_[i].range
                                                : text::Range{elements_[i].range.start, elements_[i + 1].range.start};
        out.push_back(replacement(site_.file, range, ""));
    };
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        std::vector<std::int64_t> fresh;
        const auto comes_before = [&](std::int64_t n) { return up ? n < elements_[i].value : n > elements_[i].value; };
        while (next < numbers.size() && comes_before(numbers[next])) fresh.push_back(numbers[next++]);
        if (!fresh.empty()) {
            if (vacant) {
                take_place(*vacant, fresh);
                vacant.reset();
            } else {
                insert_before(i, fresh, out);
            }
        }
        const bool repeated = i > 0 && elements_[i].value == elements_[i - 1].value;
        if (next < numbers.size() && numbers[next] == elements_[i].value) {
            if (vacant) leave(*vacant);
            vacant.reset();
            ++next;
        } else if (repeated) {
            leave(i);
        } else {
            if (vacant) leave(*vacant);
            vacant = i;
        }
    }
    const std::vector<std::int64_t> rest(numbers.begin() + static_cast<std::ptrdiff_t>(next), numbers.end());
    if (vacant) {
        rest.empty() ? leave(*vacant) : take_place(*vacant, rest);
    } else if (!rest.empty()) {
        append(rest, out);
    }
    return out;
}

}  // namespace ptofix::rewrites
