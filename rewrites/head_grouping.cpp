// PTO104: runs a batched matmul, the operations on its result and the store for a group of heads at a time, so that
// what a vector operation takes at once fits UB. Else, and as the alternative, a vec tile that splits the heads.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "rewrites/head_group_size.h"
#include "rewrites/head_region.h"
#include "rewrites/lines.h"
#include "rewrites/liveness.h"
#include "rewrites/names.h"
#include "rewrites/operands.h"
#include "rewrites/rewrites.h"
#include "rewrites/variables.h"
#include "trace/operations.h"
#include "trace/project.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::AxisUse;
using trace::Op;
using trace::Operation;

// A Python loop copies its body into the graph; more copies than this are a finding of their own kind.
constexpr std::int64_t kMostCopies = 8;

/// A piece of the statements' text that is written anew.
struct Piece {
    text::Range range;
    std::string text;
};

/// One group of heads as it is spelled: a variable in the loop, a number behind it.
struct Group {
    std::string heads;
    std::string start;
};

class Grouping {
  public:
    Grouping(const trace::Trace& trace, const rules::HeadGroupEvidence& evidence)
        : trace_(trace),
          evidence_(evidence),
          uses_(trace::follow_axis(trace, evidence.matmul, evidence.head_axis)),
          kernel_(trace.kernels[evidence.kernel]),
          file_(*trace.files[kernel_.site.file]),
          tree_(file_.tree) {}

    rules::Rewrite run() {
        rules::Rewrite answer;
        if (evidence_.rows == 0) {
            answer.blocked = rules::Blocked{{"PTO104.blocked.rows_unknown", {}}, std::nullopt};
            return answer;
        }
        std::optional<rules::Fix> tile = smaller_tile();
        answer.fix = grouped();
        if (answer.fix) {
            if (tile) answer.alternatives.push_back(*std::move(tile));
        } else if (tile) {
            answer.fix = std::move(tile);
        } else {
            answer.blocked = std::move(blocked_);
        }
        return answer;
    }

  private:
    void block(std::string_view id, rules::Data data) {
        blocked_ = rules::Blocked{{id, std::move(data)}, std::nullopt};
    }

    // ---- head grouping

    bool makes_device_loop() { return grouped() && device_; }

    std::optional<rules::Fix> grouped() {
        const auto heads = heads_per_group(trace_, evidence_, uses_);
        if (!heads) {
            rules::Data data;
            data.set("bytes", evidence_.bytes / std::max<std::int64_t>(heads_together(), 1))
                .set("limit", evidence_.limit);
            block("PTO104.blocked.one_head_too_large", std::move(data));
            return std::nullopt;
        }
        region_ = head_region(trace_, evidence_, uses_);
        if (region_.blocked) {
            blocked_ = std::move(region_.blocked);
            return std::nullopt;
        }
        const std::int64_t groups = evidence_.heads / *heads;
        device_ = !region_.leaks_tiles && region_.takes_device_loop;
        if (!device_ && groups > kMostCopies) {
            rules::Data data;
            data.set("groups", groups).set("name", std::string("range"));
            block("PTO104.blocked.groups_unrolled", std::move(data));
            return std::nullopt;
        }
        rules::Fix fix;
        const ModuleName module = framework_module(file_, kernel_.site.file, region_.first);
        if (module.import) fix.edits.push_back(*module.import);
        module_ = module.text;
        auto text = render(*heads, groups);
        if (!text) return std::nullopt;
        fix.edits.push_back(replacement(kernel_.site.file, region_.lines, *std::move(text)));
        fix.description.id = "PTO104.fix.head_grouping";
        fix.description.data.set("heads_per_group", *heads);
        return fix;
    }

    std::int64_t heads_together() const {
        const Operation& consumer = trace_.operations[evidence_.consumer];
        const auto tile = trace::known_tile(trace_, consumer.vec_tile);
        for (const AxisUse& use : uses_) {
            if (use.op != evidence_.consumer || !tile || static_cast<std::size_t>(use.axis) >= tile->size()) continue;
            return std::min((*tile)[static_cast<std::size_t>(use.axis)], evidence_.heads);
        }
        return evidence_.heads;
    }

    std::optional<std::string> render(std::int64_t heads, std::int64_t groups) {
        const std::string indent(indentation(file_, region_.first));
        const std::string unit = indentation_unit(file_);
        const std::string count = free_name(file_, {"heads_per_group"});
        const std::string index = free_name(file_, {"head_group", "head_group_idx"});
        const std::string start = free_name(file_, {"head_start", "group_start"});
        std::string text = fmt::format("{}{} = {}\n", indent, count, heads);
        name_operands();
        for (const auto& [node, name] : hoisted_) {
            const std::string expression(file_.text(node));
            const bool open = expression.find_first_of("\r\n") != std::string::npos && !is_primary(tree_.kind(node));
            text += fmt::format("{}{} = {}\n", indent, name, open ? fmt::format("({})", expression) : expression);
        }
        if (device_) {
            const char quote = usual_quote(file_);
            auto used = loop_names(trace_);
            for (const rules::HeadGroupEvidence& other : evidence_.found_before) {
                if (!Grouping(trace_, other).makes_device_loop()) continue;
                used.add(used.unused("HEAD_GROUPS"));  // what it gets when it is changed in this run
                used.add(used.unused(index));
            }
            text += fmt::format("{0}for {1} in {2}.loop(0, {3}, 1, name={4}{5}{4}, idx_name={4}{6}{4}):\n", indent,
                                index, module_, groups, quote, used.unused("HEAD_GROUPS"), used.unused(index));
        } else {
            text += fmt::format("{}for {} in range({}):\n", indent, index, groups);
        }
        text += fmt::format("{}{}{} = {} * {}\n", indent, unit, start, index, count);
        const auto body = statements({count, start}, unit);
        if (!body) return std::nullopt;
        text += *body;
        const std::int64_t rest = evidence_.heads % heads;
        if (rest == 0) return text;
        const auto tail = statements({std::to_string(rest), std::to_string(heads * groups)}, "");
        if (!tail) return std::nullopt;
        if (!text.ends_with('\n')) text += '\n';
        return text + *tail;
    }

    /// Views of the operands, then the statements with their pieces written anew, each line deeper by `deeper`.
    std::optional<std::string> statements(const Group& group, const std::string& deeper) const {
        std::vector<Piece> pieces;
        std::string text;
        std::set<std::string> viewed;
        const std::string indent(indentation(file_, region_.first));
        for (const HeadOperand& operand : region_.operands) {
            const std::string& name = group_names_.at(operand.node);
            pieces.push_back({tree_.range(operand.node), name});
            if (!viewed.insert(name).second) continue;
            const auto whole = hoisted_.find(operand.node);
            const std::string source = whole == hoisted_.end() ? std::string(file_.text(operand.node)) : whole->second;
            text += fmt::format("{}{}{} = {}.view({}, [{}], [{}])\n", indent, deeper, name, module_, source,
                                shape_text(operand, group.heads), offsets_text(operand, group.start));
        }
        for (const NodeId extent : region_.extents) pieces.push_back({tree_.range(extent), group.heads});
        for (const RegionStore& store : region_.stores) {
            if (!rewrite_store(store, group, pieces)) return std::nullopt;
        }
        std::ranges::stable_sort(pieces, {}, &Piece::range);
        text += indented(apply(pieces), deeper);
        return text;
    }

    std::string shape_text(const HeadOperand& operand, const std::string& heads) const {
        std::vector<std::string> dims;
        const auto& shape = trace_.tensors[operand.tensor].type.shape;
        dims.reserve(shape.size());
        for (std::size_t i = 0; i < shape.size(); ++i) {
            dims.push_back(i == static_cast<std::size_t>(operand.axis) ? heads : std::to_string(shape[i].value));
        }
        return fmt::format("{}", fmt::join(dims, ", "));
    }

    std::string offsets_text(const HeadOperand& operand, const std::string& start) const {
        std::vector<std::string> offsets(trace_.tensors[operand.tensor].type.shape.size(), "0");
        offsets[static_cast<std::size_t>(operand.axis)] = start;
        return fmt::format("{}", fmt::join(offsets, ", "));
    }

    /// Each operand gets a name for its part: that of the variable it is, with a suffix. An expression, or a variable
    /// that the statements bind again, is put in a variable in front of the loop.
    void name_operands() {
        std::map<std::string, std::string> by_text;
        for (const HeadOperand& operand : region_.operands) {
            const std::string text(file_.text(operand.node));
            const bool variable = tree_.kind(operand.node) == Kind::identifier;
            const auto known = by_text.find(text);
            if (known != by_text.end() && variable) {
                group_names_[operand.node] = known->second;
                if (is_bound_inside(text)) hoisted_[operand.node] = free("all_" + text);
                continue;
            }
            const std::string base = variable ? text : name_behind(operand.tensor);
            const std::string name = free(base + "_group");
            taken_.insert(name);
            group_names_[operand.node] = name;
            by_text[text] = name;
            if (!variable || is_bound_inside(text)) {
                hoisted_[operand.node] = free("all_" + base);
                taken_.insert(hoisted_[operand.node]);
            }
        }
    }

    /// The name of the tensor that the expression is made from.
    std::string name_behind(trace::TensorId id) const {
        while (trace_.tensors[id].name.empty() && trace_.tensors[id].producer != trace::kNone) {
            const auto inputs = trace_.inputs(trace_.operations[trace_.tensors[id].producer]);
            if (inputs.empty()) break;
            id = inputs[0];
        }
        const std::string_view name = trace_.tensors[id].name;
        return name.empty() ? "heads" : std::string(name);
    }

    std::string free(std::string wanted) const {
        std::string name = free_name(file_, {wanted});
        for (int n = 2; taken_.contains(name); ++n) name = free_name(file_, {fmt::format("{}{}", wanted, n)});
        return name;
    }

    bool is_bound_inside(std::string_view name) const {
        for (NodeId at = region_.first;; at = tree_[at].subtree_end) {
            for (const Binding& b : bound_names(file_, at)) {
                if (b.name == name) return true;
            }
            if (at == region_.last) return false;
        }
    }

    bool give_up(NodeId node) const {
        blocked_ = rules::Blocked{{"blocked.not_followed", {}}, rules::Location{kernel_.site.file, tree_.range(node)}};
        blocked_->reason.data.set("what", std::string(file_.text(node).substr(0, 40)));
        return false;
    }

    std::string plus(NodeId node, const std::string& start) const {
        const std::string_view text = file_.text(node);
        if (text == "0") return start;
        const Kind kind = tree_.kind(node);
        const bool sum =
            kind == Kind::binary_operator && (tree_.has_token(node, Kind::plus) || tree_.has_token(node, Kind::star));
        if (is_primary(kind) || sum) return fmt::format("{} + {}", text, start);
        return fmt::format("({}) + {}", text, start);
    }

    bool rewrite_store(const RegionStore& store, const Group& group, std::vector<Piece>& pieces) const {
        const Operation& op = trace_.operations[store.op];
        if (tree_.kind(store.node) == Kind::call) {
            const NodeId offsets = trace::is(op, Op::assemble) ? operand_node(trace_, op, "offsets") : kNoNode;
            if (offsets == kNoNode) return give_up(store.node);
            const bool display = tree_.kind(offsets) == Kind::list || tree_.kind(offsets) == Kind::tuple;
            const NodeId offset = display && !has_splat(offsets)
                                      ? tree_.named_child(offsets, static_cast<std::size_t>(store.axis))
                                      : kNoNode;
            if (offset != kNoNode) {
                pieces.push_back({tree_.range(offset), plus(offset, group.start)});
                return true;
            }
            std::vector<std::string> known;  // not written one by one, but known
            for (std::size_t i = 0; i < op.offsets.size(); ++i) {
                if (!op.offsets[i].known()) return give_up(store.node);
                const std::string number = std::to_string(op.offsets[i].value);
                if (i != static_cast<std::size_t>(store.axis)) {
                    known.push_back(number);
                } else {
                    known.push_back(op.offsets[i].is(0) ? group.start : fmt::format("{} + {}", number, group.start));
                }
            }
            if (known.size() != trace_.tensors[op.output].type.shape.size()) return give_up(store.node);
            pieces.push_back({tree_.range(offsets), fmt::format("[{}]", fmt::join(known, ", "))});
            return true;
        }
        const NodeId assignment = tree_.parent(store.node);
        if (tree_.kind(store.node) != Kind::subscript || tree_.kind(assignment) != Kind::assignment ||
            tree_.child(assignment, Field::left) != store.node ||
            tree_.kind(tree_.parent(assignment)) != Kind::expression_statement) {
            return give_up(store.node);
        }
        const NodeId value = tree_.child(assignment, Field::right);
        if (value == kNoNode || tree_.kind(value) == Kind::assignment) return give_up(store.node);
        if (trace::is(op, Op::move)) {  // out[:] = x
            std::vector<std::string> offsets(trace_.tensors[op.output].type.shape.size(), "0");
            offsets[static_cast<std::size_t>(store.axis)] = group.start;
            const NodeId target = tree_.child(store.node, Field::value);
            pieces.push_back({{tree_[assignment].start, tree_[value].start}, fmt::format("{}.assemble(", module_)});
            pieces.push_back({{tree_[value].end, tree_[value].end},
                              fmt::format(", [{}], {})", fmt::join(offsets, ", "), file_.text(target))});
            return true;
        }
        int at = 0;
        for (const NodeId child : tree_.children(store.node)) {
            if (tree_[child].field != Field::subscript) continue;
            if (tree_.kind(child) == Kind::ellipsis) return give_up(store.node);
            if (at++ != store.axis) continue;
            if (tree_.kind(child) != Kind::slice) return give_up(store.node);
            const NodeId first = tree_.named_child(child, 0);
            const bool starts = first != kNoNode && tree_[first].start == tree_[child].start;
            const std::string start = starts ? plus(first, group.start) : group.start;
            pieces.push_back({tree_.range(child), fmt::format("{}:{} + {}", start, start, group.heads)});
            return true;
        }
        return give_up(store.node);
    }

    bool has_splat(NodeId list) const {
        for (const NodeId child : tree_.children(list)) {
            if (tree_.kind(child) == Kind::list_splat) return true;
        }
        return false;
    }

    /// The statements' lines with the pieces in place; marks the line starts that lie within a string.
    struct Applied {
        std::string text;
        std::vector<std::size_t> kept;  // offsets in text of line starts that must stay as they are
    };

    Applied apply(const std::vector<Piece>& pieces) const {
        Applied out;
        std::uint32_t at = region_.lines.start;
        const auto copy_to = [&](std::uint32_t end) {
            for (; at < end; ++at) {
                const bool begins_line = at > region_.lines.start && ends_line(at - 1);
                if (begins_line && is_in_string(at)) out.kept.push_back(out.text.size());
                // A lone carriage return ends a line, too; what is written gets the line ends of the file.
                const char c = file_.text()[at];
                out.text.push_back(c == '\r' && ends_line(at) ? '\n' : c);
            }
        };
        for (const Piece& piece : pieces) {
            copy_to(piece.range.start);
            out.text += piece.text;
            at = std::max(at, piece.range.end);
        }
        copy_to(region_.lines.end);
        return out;
    }

    bool ends_line(std::uint32_t offset) const {
        const std::string_view text = file_.text();
        return text[offset] == '\n' || (text[offset] == '\r' && !text.substr(offset + 1).starts_with('\n'));
    }

    bool is_in_string(std::uint32_t offset) const {
        for (NodeId id = region_.first; id < tree_[region_.last].subtree_end; ++id) {
            if (tree_.kind(id) == Kind::string && tree_[id].start < offset && offset < tree_[id].end) return true;
        }
        return false;
    }

    static std::string indented(const Applied& applied, const std::string& deeper) {
        std::string out;
        const std::string& text = applied.text;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
            const std::string_view line = std::string_view(text).substr(at, end - at);
            const bool blank = line.find_first_not_of(" \t\r\n\f") == std::string_view::npos;
            if (!blank && std::ranges::find(applied.kept, at) == applied.kept.end()) out += deeper;
            out += line;
            at = end;
        }
        return out;
    }

    // ---- a tile that splits the heads

    std::optional<rules::Fix> smaller_tile() {
        const Operation& consumer = trace_.operations[evidence_.consumer];
        const trace::TileId id = consumer.vec_tile;
        const auto use = std::ranges::find(uses_, evidence_.consumer, &AxisUse::op);
        if (use == uses_.end()) return std::nullopt;
        const auto heads = heads_per_tile(trace_, evidence_, uses_, id, use->axis);
        const auto numbers = trace::known_tile(trace_, id);
        if (!heads || !numbers) return std::nullopt;
        std::vector<std::int64_t> proposed = *numbers;
        proposed[static_cast<std::size_t>(use->axis)] = *heads;
        const trace::TileSetting& tile = trace_.tiles[id];
        const trace::Value& value = tile.vec[static_cast<std::size_t>(use->axis)];
        rules::Fix fix;
        const bool literal = value.file == tile.call.file && tile.call.file == trace_.main && value.node != kNoNode &&
                             tree_of(tile.call).is_inside(value.node, tile.call.node) &&
                             tree_of(tile.call).kind(value.node) == Kind::integer;
        if (literal) {
            fix.edits.push_back(replacement(value.file, tree_of(tile.call).range(value.node), std::to_string(*heads)));
        } else {
            const NodeId place = place_in_kernel(trace_, kernel_, consumer);
            if (place == kNoNode || sets_tile_on_the_way(consumer, tile.call)) return std::nullopt;
            const NodeId statement = tree_.statement_of(place);
            const std::uint32_t line = file_.lines.line_start(file_.lines.line_of(tree_[statement].start));
            const std::string_view indent = indentation(file_, statement);
            if (!begins_its_line(file_, statement)) return std::nullopt;
            const ModuleName module = framework_module(file_, kernel_.site.file, statement);
            if (module.import) fix.edits.push_back(*module.import);
            fix.edits.push_back(insertion(
                kernel_.site.file, line,
                fmt::format("{}{}.set_vec_tile_shapes({})\n", indent, module.text, fmt::join(proposed, ", "))));
        }
        fix.description.id = "PTO104.fix.smaller_tile";
        fix.description.data.set("tile_heads", *heads).set("proposed", fmt::format("({})", fmt::join(proposed, ", ")));
        return fix;
    }

    /// A helper that sets the tile itself does so behind anything that stands in front of its call.
    bool sets_tile_on_the_way(const Operation& consumer, trace::Site tile) const {
        for (trace::FrameId id = consumer.frame; id != trace::kNone; id = trace_.frames[id].parent) {
            const trace::Function* function = trace_.frames[id].function;
            if (function == kernel_.function) return false;
            if (function->site.file == tile.file && tree_of(tile).is_inside(tile.node, function->site.node))
                return true;
        }
        return true;
    }

    const syntax::Tree& tree_of(trace::Site site) const { return trace_.files[site.file]->tree; }

    const trace::Trace& trace_;
    const rules::HeadGroupEvidence& evidence_;
    std::vector<AxisUse> uses_;
    const trace::KernelTrace& kernel_;
    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
    HeadRegion region_;
    bool device_ = false;  // the loop over the groups is one of the device
    std::string module_;
    std::map<NodeId, std::string> group_names_;
    std::map<NodeId, std::string> hoisted_;
    std::set<std::string> taken_;
    mutable std::optional<rules::Blocked> blocked_;
};

}  // namespace

rules::Rewrite head_grouping(const rules::Finding& finding, const trace::Trace& trace, const Settings&) {
    const auto* evidence = std::get_if<rules::HeadGroupEvidence>(&finding.evidence);
    if (evidence == nullptr) return {};
    return Grouping(trace, *evidence).run();
}

}  // namespace ptofix::rewrites
