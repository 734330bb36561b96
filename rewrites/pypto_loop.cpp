// PTO201: range() in the header of a Python loop becomes pypto.loop(), so that the body is recorded once.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "rewrites/kept.h"
#include "rewrites/lines.h"
#include "rewrites/loop_checks.h"
#include "rewrites/loop_legality.h"
#include "rewrites/names.h"
#include "rewrites/rewrites.h"
#include "text/display_width.h"

namespace ptofix::rewrites {

namespace {

using rules::Applicability;
using rules::Fix;
using rules::Rewrite;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::kNone;
using trace::Loop;
using trace::LoopId;
using trace::Site;
using trace::SourceFile;
using trace::Trace;

/// Ends in "idx" in any case: the author's own way of naming an index.
bool is_index_name(std::string_view name) {
    if (name.size() < 3) return false;
    const std::string_view tail = name.substr(name.size() - 3);
    return tail == "idx" || tail == "Idx" || tail == "IDX";
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return out;
}

struct LoopNames {
    std::string name, idx_name;
};

/// For `for h in ...`: LOOP_H and h_idx; for `for head_idx in ...`: LOOP_HEAD and head_idx.
LoopNames names_for(std::string_view target, UsedNames& used) {
    std::string_view stem = target;
    while (!stem.empty() && stem.front() == '_') stem.remove_prefix(1);
    std::string_view short_stem = stem;
    if (is_index_name(short_stem)) short_stem.remove_suffix(3);
    while (!short_stem.empty() && short_stem.back() == '_') short_stem.remove_suffix(1);
    if (stem.empty() || !is_ascii(stem)) return {used.unused("LOOP"), used.unused("loop_idx")};
    const std::string name = short_stem.empty() ? "LOOP" : "LOOP_" + upper(short_stem);
    const std::string index = is_index_name(stem) ? std::string(stem) : std::string(stem) + "_idx";
    return {used.unused(name), used.unused(index)};
}

/// Do the file's own device loops mostly give start, stop and step?
bool read_bounds(const SourceFile& file) {
    int three = 0;
    int one = 0;
    const syntax::Tree& tree = file.tree;
    const FrameworkNames names(file);
    for (NodeId n = 0; n < tree.nodes().size(); ++n) {
        if (tree.kind(n) != Kind::call) continue;
        const auto function = names.function(tree.child(n, Field::function));
        if (!function || (*function != "loop" && *function != "loop_unroll")) continue;
        int positional = 0;
        for (NodeId a : tree.children(tree.child(n, Field::arguments))) {
            const bool counts =
                tree[a].named && tree.kind(a) != Kind::comment && tree.kind(a) != Kind::keyword_argument;
            positional += counts ? 1 : 0;
        }
        ++(positional == 3 ? three : one);
    }
    return three > one;
}

bool writes_three_bounds(const SourceFile& file) {
    thread_local Kept<bool> kept;
    return *kept.get(file.source, [&] { return read_bounds(file); });
}

/// How often one kernel runs this place: a loop in a helper that is called twice needs names that differ.
bool is_run_twice(const Trace& trace, LoopId id) {
    const Loop& loop = trace.loops[id];
    return std::ranges::any_of(trace.loops, [&](const Loop& other) {
        return &other != &loop && other.site == loop.site && other.kernel == loop.kernel && other.frame != loop.frame;
    });
}

/// Then the loop goes: it needs no name.
bool can_be_batched(const Trace& trace, LoopId id, const Settings& settings) {
    rules::Finding finding;
    rules::PythonLoopEvidence evidence;
    evidence.loop = id;
    evidence.kernel = trace.loops[id].kernel;
    finding.evidence = std::move(evidence);
    return batched_matmul(finding, trace, settings).fix.has_value();
}

/// Will the loop become pypto.loop, perhaps in the same run? Every later loop of the kernel asks that of every earlier
/// one, and the answer is dear: it is kept for as long as the trace lives that it is about.
bool needs_name(const Trace& trace, LoopId id, const Settings& settings) {
    struct Memory {
        std::weak_ptr<void> of;
        hardware::Soc soc{};
        std::unordered_map<LoopId, bool> answers;
    };
    thread_local Memory memory;
    const bool same = !memory.of.owner_before(trace.heap) && !trace.heap.owner_before(memory.of);
    if (!same || memory.soc != settings.soc) memory = {trace.heap, settings.soc, {}};
    const auto [at, is_new] = memory.answers.try_emplace(id, false);
    if (is_new) {
        at->second =
            !can_be_device_loop(trace, id).blocked && !is_run_twice(trace, id) && !can_be_batched(trace, id, settings);
    }
    return at->second;
}

/// The names in use, and those that the loops found earlier in the kernel will get when they are changed, perhaps in
/// the same run.
UsedNames names_taken(const Trace& trace, const rules::PythonLoopEvidence& evidence, const Settings& settings) {
    UsedNames used = loop_names(trace);
    for (const LoopId id : evidence.found_before) {
        const Loop& loop = trace.loops[id];
        const SourceFile& file = *trace.files[loop.site.file];
        if (!needs_name(trace, id, settings)) continue;
        const LoopNames names = names_for(file.text(file.tree.child(loop.site.node, Field::left)), used);
        used.add(names.name);
        used.add(names.idx_name);
    }
    return used;
}

/// ", name='A', idx_name='a'" in its parts.
std::vector<std::string_view> items_of(std::string_view rest) {
    std::vector<std::string_view> items;
    while (rest.starts_with(", ")) {
        rest.remove_prefix(2);
        items.push_back(rest.substr(0, rest.find(", ")));
        rest.remove_prefix(items.back().size());
    }
    return items;
}

/// The end of the last argument's line, where that line has no room for more and nothing but arguments is on it.
std::optional<std::uint32_t> line_for_more(const SourceFile& file, NodeId over, NodeId last, std::string_view rest) {
    const syntax::Tree& tree = file.tree;
    const std::uint32_t line = file.lines.line_of(tree[last].end);
    if (line == file.lines.line_of(tree[over].start) || line == file.lines.line_of(tree[over].end)) return std::nullopt;
    const text::Range whole = file.lines.line_range(line);
    const std::string_view text = file.text().substr(whole.start, whole.size());
    if (text::display_width(text) + rest.size() <= kLongestLine) return std::nullopt;
    return whole.end;
}

/// The call with its arguments on lines of their own, where the header stands on one line and would become too long.
std::optional<std::string> wrapped_header(const SourceFile& file, NodeId over, std::string_view module,
                                          const std::vector<NodeId>& positional,
                                          std::pair<std::string_view, std::string_view> added, std::string_view rest) {
    const syntax::Tree& tree = file.tree;
    const std::uint32_t line = file.lines.line_of(tree[over].start);
    if (file.lines.line_of(tree[over].end) != line) return std::nullopt;
    const text::Range whole = file.lines.line_range(line);
    std::string bounds(added.first);
    for (const NodeId argument : positional) {
        bounds += fmt::format("{}{}", argument == positional.front() ? "" : ", ", file.text(argument));
    }
    bounds += added.second;
    const std::string_view before = file.text().substr(whole.start, tree[over].start - whole.start);
    const std::string_view behind = file.text().substr(tree[over].end, whole.end - tree[over].end);
    std::string_view code = behind.substr(0, behind.find('#'));
    code = code.substr(0, code.find_last_not_of(" \t") + 1);
    if (code != ":") return std::nullopt;  // the body stands there too
    const std::string call = fmt::format("{}.loop({}{})", module, bounds, rest);
    const std::size_t width = text::display_width(fmt::format("{}{}{}", before, call, code));
    const std::size_t now = text::display_width(file.text().substr(whole.start, whole.size()));
    if (width <= std::max(kLongestLine, now)) return std::nullopt;
    const std::string indent(indentation(file, over));
    const std::string inner = indent + indentation_unit(file);
    std::string arguments = fmt::format("{}{}{},\n", inner, bounds, rest);
    if (text::display_width(arguments) > kLongestLine) {
        arguments = fmt::format("{}{},\n", inner, bounds);
        for (const std::string_view item : items_of(rest)) arguments += fmt::format("{}{},\n", inner, item);
    }
    return fmt::format("{}.loop(\n{}{})", module, arguments, indent);
}

std::vector<rules::FileEdit> edits_for(const Trace& trace, const rules::PythonLoopEvidence& evidence,
                                       const Settings& settings) {
    const LoopId id = evidence.loop;
    const Loop& loop = trace.loops[id];
    const SourceFile& file = *trace.files[loop.site.file];
    const syntax::Tree& tree = file.tree;
    const NodeId target = tree.child(loop.site.node, Field::left);
    const NodeId over = tree.child(loop.site.node, Field::right);
    const NodeId arguments = tree.child(over, Field::arguments);
    std::vector<rules::FileEdit> edits;

    const ModuleName module = framework_module(file, loop.site.file, loop.site.node);
    if (module.import) edits.push_back(*module.import);
    edits.push_back({loop.site.file, tree.range(tree.child(over, Field::function)), module.text + ".loop"});

    std::vector<NodeId> positional;
    std::uint32_t trailing_comma = 0;
    for (NodeId a : tree.children(arguments)) {
        if (tree.kind(a) == Kind::comma) trailing_comma = tree[a].end;
        if (!tree[a].named || tree.kind(a) == Kind::comment) continue;
        positional.push_back(a);
        trailing_comma = 0;
    }
    const bool three_bounds = writes_three_bounds(file) && positional.size() < 3;
    const std::string zero = three_bounds && positional.size() == 1 ? "0, " : "";
    const std::string step = three_bounds ? ", 1" : "";
    std::string rest;
    if (!is_run_twice(trace, id)) {
        UsedNames used = names_taken(trace, evidence, settings);
        const LoopNames names = names_for(file.text(target), used);
        const char quote = usual_quote(file);
        rest += fmt::format(", name={0}{1}{0}, idx_name={0}{2}{0}", quote, names.name, names.idx_name);
    }
    if (auto wrapped = wrapped_header(file, over, module.text, positional, {zero, step}, rest)) {
        edits.back() = {loop.site.file, tree.range(over), *std::move(wrapped)};
        return edits;
    }
    if (!zero.empty()) edits.push_back({loop.site.file, {tree[positional[0]].start, tree[positional[0]].start}, zero});
    rest = step + rest;
    const std::uint32_t end = tree[positional.back()].end;
    if (const auto line = line_for_more(file, over, positional.back(), rest); line && !rest.empty()) {
        if (trailing_comma == 0) edits.push_back({loop.site.file, {end, end}, ","});
        std::string lines;
        for (const std::string_view item : items_of(rest)) {
            lines += fmt::format("\n{}{},", indentation(file, positional.back()), item);
        }
        edits.push_back({loop.site.file, {*line, *line}, std::move(lines)});
        return edits;
    }
    if (trailing_comma != 0 && !rest.empty()) {
        edits.push_back({loop.site.file, {trailing_comma, trailing_comma}, rest.substr(1) + ","});
    } else if (!rest.empty()) {
        edits.push_back({loop.site.file, {end, end}, std::move(rest)});
    }
    return edits;
}

}  // namespace

Rewrite pypto_loop(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    Rewrite answer;
    const auto* evidence = std::get_if<rules::PythonLoopEvidence>(&finding.evidence);
    if (evidence == nullptr) return answer;
    const Site site = trace.loops[evidence->loop].site;
    std::optional<rules::Blocked> doubt;
    for (LoopId id = 0; id < trace.loops.size(); ++id) {
        const Loop& loop = trace.loops[id];
        if (loop.site != site || loop.kernel == kNone || loop.trips.is(0) || loop.trips.is(1)) continue;
        if (trace.kernels[loop.kernel].is_helper) continue;  // with arguments that no one gave
        LoopVerdict verdict = can_be_device_loop(trace, id);
        if (verdict.blocked) {
            answer.blocked = std::move(verdict.blocked);
            return answer;
        }
        if (!doubt) doubt = std::move(verdict.doubt);
    }
    Fix fix;
    fix.applicability = doubt ? Applicability::unsafe : Applicability::safe;
    fix.description = {"PTO201.fix.pypto_loop", {}};
    fix.edits = edits_for(trace, *evidence, settings);
    answer.fix = std::move(fix);
    answer.blocked = std::move(doubt);
    return answer;
}

}  // namespace ptofix::rewrites
