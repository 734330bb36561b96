#include "trace/coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "trace/project.h"

namespace ptofix::trace {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

/// Does the value rest on nothing but what only running tells?
bool decided_at_run_time(const Trace& trace, SymInt value, int depth = 0) {
    constexpr int kMaxDepth = 8;
    if (value.known()) return true;
    if (value.unknown() || depth > kMaxDepth) return false;
    for (const Affine::Term& term : trace.symbols.affine(value).terms) {
        const Atom& atom = trace.symbols.atom(term.atom);
        switch (atom.kind) {
            case AtomKind::loop_index:
            case AtomKind::dynamic_dim:
                break;
            case AtomKind::parameter:
                return false;
            case AtomKind::opaque:
                // An element of a tensor has no operands of its own.
                if (atom.left.unknown() && atom.right.unknown()) break;
                for (const SymInt operand : {atom.left, atom.right}) {
                    if (!operand.unknown() && !decided_at_run_time(trace, operand, depth + 1)) return false;
                }
                break;
        }
    }
    return true;
}

bool decided_at_run_time(const Trace& trace, const Value& value) {
    if (value.tag == Tag::symbol) return decided_at_run_time(trace, value.sym());
    return value.tag == Tag::unknown && value.as.reason != nullptr &&
           value.as.reason->why == UnknownReason::Why::runtime_value;
}

Resolution resolution_of(const Trace& trace, const std::vector<Value>& numbers) {
    const auto known = std::ranges::count_if(numbers, [](const Value& v) { return v.tag == Tag::integer; });
    if (known == std::ssize(numbers)) return numbers.empty() ? Resolution::unknown : Resolution::full;
    if (known > 0) return Resolution::in_part;
    const auto late = [&](const Value& v) { return decided_at_run_time(trace, v); };
    return std::ranges::all_of(numbers, late) ? Resolution::run_time : Resolution::unknown;
}

std::string number_text(const Trace& trace, const Value& v) {
    const SymInt s = v.sym();
    return s.unknown() ? "?" : trace.symbols.text(s);
}

std::vector<Value> numbers_of(const TileSetting& tile) {
    if (tile.engine == TileSetting::Engine::vec) return tile.vec;
    std::vector<Value> out(std::begin(tile.m), std::end(tile.m));
    out.insert(out.end(), std::begin(tile.k), tile.k_count == 3 ? std::end(tile.k) : std::begin(tile.k) + 2);
    out.insert(out.end(), std::begin(tile.n), std::end(tile.n));
    return out;
}

Resolution resolution_of(const Trace& trace, const TileSetting& tile) {
    if (tile.known) return Resolution::full;
    return std::min(resolution_of(trace, numbers_of(tile)), Resolution::in_part);
}

Resolution resolution_of(const Trace& trace, const Loop& loop) {
    if (loop.unroll_known) return Resolution::full;
    const Value& list = loop.spec->unroll_list;
    if (list.is_sequence()) return std::min(resolution_of(trace, list.as.list->items), Resolution::in_part);
    return decided_at_run_time(trace, list) ? Resolution::run_time : Resolution::unknown;
}

std::string list_text(const Trace& trace, const Loop& loop) {
    if (loop.unroll_known) return fmt::format("[{}]", fmt::join(loop.unroll, ", "));
    const Value& list = loop.spec->unroll_list;
    if (!list.is_sequence()) return "?";
    std::string out = "[";
    for (const Value& v : list.as.list->items) out += (out.size() > 1 ? ", " : "") + number_text(trace, v);
    return out + (list.as.list->open ? ", ...]" : "]");
}

std::string_view last_name(const SourceFile& file, NodeId callee) {
    if (file.tree.kind(callee) == Kind::attribute) callee = file.tree.child(callee, Field::attribute);
    return callee == kNoNode ? std::string_view() : file.text(callee);
}

bool gives_unroll_list(const SourceFile& file, NodeId arguments) {
    for (const NodeId c : file.tree.children(arguments)) {
        if (file.tree.kind(c) != Kind::keyword_argument) continue;
        const NodeId name = file.tree.child(c, Field::name);
        if (name != kNoNode && file.text(name) == "unroll_list") return true;
    }
    return false;
}

class Sites {
  public:
    explicit Sites(const Trace& trace) : trace_(trace) {}

    void add_written() {
        const SourceFile& file = *trace_.files[trace_.main];
        for (NodeId id = 0; id < file.tree.nodes().size(); ++id) {
            if (file.tree.kind(id) != Kind::call) continue;
            const NodeId callee = file.tree.child(id, Field::function);
            const NodeId arguments = file.tree.child(id, Field::arguments);
            if (callee == kNoNode || arguments == kNoNode) continue;
            const std::string_view name = last_name(file, callee);
            const Site call{trace_.main, id};
            if (name == "set_vec_tile_shapes") site(call, SettingKind::vec_tile);
            if (name == "set_cube_tile_shapes") site(call, SettingKind::cube_tile);
            if ((name == "loop" || name == "loop_unroll") && gives_unroll_list(file, arguments)) {
                site(call, SettingKind::unroll_list);
            }
        }
    }

    void add_evaluated() {
        for (const TileSetting& tile : trace_.tiles) {
            const SourceFile& file = *trace_.files[tile.call.file];
            // Where two ways join, the statement stands for the call.
            if (tile.kernel == kNone || file.tree.kind(tile.call.node) != Kind::call) continue;
            const auto kind = tile.engine == TileSetting::Engine::vec ? SettingKind::vec_tile : SettingKind::cube_tile;
            note(site(tile.call, kind), resolution_of(trace_, tile), tile_numbers(trace_, tile));
        }
        for (const Loop& loop : trace_.loops) {
            if (loop.spec == nullptr || !loop.spec->unroll_given) continue;
            note(site(loop.spec->call, SettingKind::unroll_list), resolution_of(trace_, loop), list_text(trace_, loop));
        }
    }

    std::vector<SettingSite> take() {
        std::vector<SettingSite> out;
        for (auto& [key, found] : sites_) out.push_back(std::move(found));
        const auto is_own = [&](const SettingSite& s) { return s.call.file == trace_.main; };
        std::ranges::stable_partition(out, is_own);
        return out;
    }

  private:
    SettingSite& site(Site call, SettingKind kind) {
        SettingSite& found = sites_[{call, kind}];
        found.call = call;
        found.kind = kind;
        return found;
    }

    static void note(SettingSite& at, Resolution resolution, std::string value) {
        constexpr std::size_t kMaxValues = 16;
        ++at.evaluations;
        at.full += resolution == Resolution::full;
        at.best = std::max(at.best, resolution);
        if (at.values.size() < kMaxValues && std::ranges::find(at.values, value) == at.values.end()) {
            at.values.push_back(std::move(value));
        }
    }

    const Trace& trace_;
    std::map<std::pair<Site, SettingKind>, SettingSite> sites_;
};

}  // namespace

std::string tile_numbers(const Trace& trace, const TileSetting& tile) {
    const auto listed = [&](std::span<const Value> values, std::string_view open, std::string_view close) {
        std::string out(open);
        for (const Value& v : values) out += (out.size() > open.size() ? ", " : "") + number_text(trace, v);
        return out + std::string(close);
    };
    if (tile.engine == TileSetting::Engine::vec) return listed(tile.vec, "(", ")");
    const std::size_t k = tile.k_count == 3 ? 3 : 2;
    return fmt::format("{} {} {}", listed(tile.m, "m [", "]"), listed(std::span(tile.k).first(k), "k [", "]"),
                       listed(tile.n, "n [", "]"));
}

std::vector<SettingSite> setting_sites(const Trace& trace) {
    Sites sites(trace);
    sites.add_written();
    sites.add_evaluated();
    return sites.take();
}

}  // namespace ptofix::trace
