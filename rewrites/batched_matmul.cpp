// PTO201: a loop over heads that cuts a matrix out, multiplies and stores it becomes one batched matmul over all heads.
// The statements of the body stay as they are; what they cut out becomes the whole tensor, and the loop's header goes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rewrites/head_batch.h"
#include "rewrites/head_text.h"
#include "rewrites/head_tiles.h"
#include "rewrites/lines.h"
#include "rewrites/liveness.h"
#include "rewrites/loop_checks.h"
#include "rewrites/rewrites.h"
#include "rewrites/shape_reads.h"
#include "text/edit.h"
#include "trace/operations.h"

namespace ptofix::rewrites {

namespace {

using rules::FileEdit;
using rules::Fix;
using rules::Rewrite;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using syntax::Tree;
using text::Range;
using trace::info;
using trace::is;
using trace::kNone;
using trace::kNoTensor;
using trace::Loop;
using trace::LoopId;
using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::Site;
using trace::SourceFile;
using trace::TensorId;
using trace::TileSetting;
using trace::Trace;

class Batching {
  public:
    Batching(const Trace& trace, LoopId id, const Settings& settings, const HeadBatch& batch)
        : trace_(trace),
          id_(id),
          loop_(trace.loops[id]),
          settings_(settings),
          batch_(batch),
          file_(*trace.files[loop_.site.file]),
          tree_(file_.tree),
          target_(file_.text(tree_.child(loop_.site.node, Field::left))),
          body_(tree_.child(loop_.site.node, Field::body)) {
        for (OpId at = loop_.first_op; at < loop_.end_op; ++at) ops_[trace.operations[at].site.node].push_back(at);
    }

    std::optional<Fix> make() {
        if (!body_has_its_own_lines() || has_text_over_lines() || !one_run() || !stores_apart() || reads_shape()) {
            return std::nullopt;
        }
        for (NodeId statement : tree_.children(body_)) {
            if (!tree_[statement].named || tree_.kind(statement) == Kind::comment) continue;
            if (!rewrite_statement(statement)) return std::nullopt;
        }
        if (shared_written_ != shared_operands()) return std::nullopt;
        auto tiles = plan_tiles(trace_, id_, batch_, flattened_, settings_.soc);
        if (!tiles) return std::nullopt;
        // The tile call gets a line in front of the statement, which another one may share or go on into.
        if (!tiles->flat.empty() && !begins_its_line(file_, flattened_[0])) return std::nullopt;
        std::ranges::move(tiles->edits, std::back_inserter(edits_));
        unindent(*tiles);
        Fix fix;
        fix.applicability = rules::Applicability::safe;
        fix.description = {"PTO201.fix.batched_matmul", {}};
        fix.description.data.set("heads", batch_.heads);
        fix.edits = std::move(edits_);
        return fix;
    }

  private:
    Site at(NodeId node) const { return {loop_.site.file, node}; }
    NodeId header() const { return tree_.child(loop_.site.node, Field::right); }
    void replace(Range range, std::string text) { edits_.push_back({loop_.site.file, range, std::move(text)}); }

    // ---- what the text must be like

    bool body_has_its_own_lines() const {
        const std::uint32_t first = file_.lines.line_of(tree_[body_].start);
        return first > file_.lines.line_of(tree_[header()].end);
    }
    /// A text over several lines would change with the indentation.
    bool has_text_over_lines() const {
        for (NodeId n = body_; n < tree_[body_].subtree_end; ++n) {
            if (tree_.kind(n) != Kind::string) continue;
            if (file_.lines.line_of(tree_[n].start) != file_.lines.line_of(tree_[n].end)) return true;
        }
        return false;
    }
    /// A batch has one axis more, in front.
    bool reads_shape() const {
        const KeptShape kept{[](std::int64_t index) { return index == -1 || index == -2; }, false,
                             [&](std::string_view name) { return words_.is_bound_in_body(name); }};
        return find_shape_read(file_, body_, kept) != kNoNode;
    }
    /// The loop stands in the kernel itself and is run once.
    bool one_run() const {
        if (trace_.frames[loop_.frame].parent != kNone) return false;
        return std::ranges::none_of(trace_.loops, [&](const Loop& other) {
            return &other != &loop_ && other.site == loop_.site && other.kernel == loop_.kernel;
        });
    }
    bool stores_apart() const {
        std::set<TensorId> targets;
        for (const BatchStore& store : batch_.stores) {
            if (!targets.insert(store.target).second) return false;
        }
        return std::ranges::none_of(batch_.values,
                                    [&](const auto& entry) { return targets.contains(entry.second.source); });
    }

    // ---- expressions

    /// The tensor an expression of one trip makes: by the operation written there, or by the name it was given.
    TensorId tensor_of(NodeId node) const {
        while (tree_.kind(node) == Kind::parenthesized_expression) node = tree_.named_child(node, 0);
        if (tree_.kind(node) == Kind::identifier) {
            const auto name = tensors_.find(file_.text(node));
            return name == tensors_.end() ? kNoTensor : name->second;
        }
        const auto found = ops_.find(node);
        if (found == ops_.end()) return kNoTensor;
        const Operation& last = trace_.operations[found->second.back()];
        return info(last.code).results == 1 && !last.in_place ? last.output : kNoTensor;
    }
    const HeadValue* value_of(NodeId node) const {
        const TensorId t = tensor_of(node);
        if (t == kNoTensor) return nullptr;
        const auto found = batch_.values.find(t);
        return found == batch_.values.end() ? nullptr : &found->second;
    }

    /// The call or subscript at the bottom of a chain of reshapes that cuts the block out.
    NodeId cut_below(NodeId node) const {
        for (;;) {
            while (tree_.kind(node) == Kind::parenthesized_expression) node = tree_.named_child(node, 0);
            const auto found = ops_.find(node);
            if (found == ops_.end()) return kNoNode;
            if (is(trace_.operations[found->second.front()], Op::view)) return node;
            if (!is(trace_.operations[found->second.front()], Op::reshape)) return kNoNode;
            node = words_.cut_from(node);
            if (node == kNoNode) return kNoNode;
        }
    }

    /// What stands for an expression that is only another shape of something: a slice of a tensor, a name, or the
    /// expression below a reshape.
    bool rewrite_expression(NodeId node) {
        if (tree_.kind(node) == Kind::identifier) {
            const std::string_view name = file_.text(node);
            if (name == target_ || numbers_.contains(name)) return false;
            if (const auto found = stands_for_.find(name); found != stands_for_.end()) {
                replace(tree_.range(node), found->second);
            } else if (const HeadValue* shared = shared_of(node)) {
                ++shared_written_;
                replace(tree_.range(node), fmt::format("{}({}, [1, {}])", words_.reshape_name(), name,
                                                       fmt::join(words_.declared_dims(shared->source), ", ")));
            }
            return true;
        }
        const HeadValue* value = value_of(node);
        const auto ops = ops_.find(node);
        if (value != nullptr && ops != ops_.end()) {
            const Operation& first = trace_.operations[ops->second.front()];
            if (value->kind == HeadValue::Kind::slice) {
                const NodeId cut = cut_below(node);
                if (cut == kNoNode) return rewrite_reshaped(node);
                if (value->rows == 0) return false;
                const auto text = words_.slice_text(node, cut, *value);
                if (!text) return false;
                replace(tree_.range(node), *text);
                return true;
            }
            if (is(first, Op::reshape)) return rewrite_reshaped(node);
        }
        for (NodeId child : tree_.children(node)) {
            if (!tree_[child].named || tree_.kind(child) == Kind::comment) continue;
            const bool is_name = (tree_.kind(node) == Kind::keyword_argument && tree_[child].field == Field::name) ||
                                 (tree_.kind(node) == Kind::attribute && tree_[child].field == Field::attribute);
            if (!is_name && !rewrite_expression(child)) return false;
        }
        return true;
    }
    /// reshape(x, ...) of one trip: x itself, of all heads.
    bool rewrite_reshaped(NodeId node) {
        const NodeId inner = words_.cut_from(node);
        if (inner == kNoNode || tree_.kind(node) == Kind::subscript) return false;
        const HeadValue* of_inner = value_of(inner);
        const HeadValue* of_node = value_of(node);
        if (of_inner == nullptr || of_node == nullptr || of_inner->rows != of_node->rows ||
            of_inner->columns != of_node->columns) {
            return false;
        }
        for (NodeId n = tree_[inner].subtree_end; n < tree_[node].subtree_end; ++n) {
            if (tree_.kind(n) == Kind::comment) return false;
        }
        replace({tree_[node].start, tree_[inner].start}, "");
        replace({tree_[inner].end, tree_[node].end}, "");
        return rewrite_expression(inner);
    }
    /// An operand that all trips share, named where a matmul takes it.
    const HeadValue* shared_of(NodeId identifier) const {
        NodeId holder = tree_.parent(identifier);
        while (holder != kNoNode &&
               (tree_.kind(holder) == Kind::argument_list || tree_.kind(holder) == Kind::keyword_argument ||
                tree_.kind(holder) == Kind::parenthesized_expression || tree_.kind(holder) == Kind::attribute)) {
            holder = tree_.parent(holder);
        }
        const auto ops = holder == kNoNode ? ops_.end() : ops_.find(holder);
        if (ops == ops_.end() || words_.is_bound_in_body(file_.text(identifier))) return nullptr;
        for (OpId id : ops->second) {
            const Operation& op = trace_.operations[id];
            if (!is(op, Op::matmul)) continue;
            for (TensorId t : trace_.inputs(op)) {
                const auto found = batch_.values.find(t);
                const bool shared = found != batch_.values.end() && found->second.kind == HeadValue::Kind::shared;
                if (shared && trace_.tensors[t].name == file_.text(identifier)) return &found->second;
            }
        }
        return nullptr;
    }
    /// How many operands all trips share; each must have been found in the text.
    std::size_t shared_operands() const {
        std::size_t count = 0;
        for (OpId id : batch_.matmuls) {
            for (TensorId t : trace_.inputs(trace_.operations[id])) {
                count += batch_.values.at(t).kind == HeadValue::Kind::shared ? 1 : 0;
            }
        }
        return count;
    }
    // ---- statements

    bool rewrite_statement(NodeId statement) {
        if (tree_.kind(statement) != Kind::expression_statement || tree_.named_child_count(statement) != 1)
            return false;
        const NodeId expression = tree_.named_child(statement, 0);
        if (tree_.kind(expression) == Kind::assignment) {
            const NodeId left = tree_.child(expression, Field::left);
            const NodeId right = tree_.child(expression, Field::right);
            if (right == kNoNode || tree_.child(expression, Field::type) != kNoNode) return false;
            if (tree_.kind(left) == Kind::identifier) return rewrite_binding(statement, file_.text(left), right);
            if (tree_.kind(left) == Kind::subscript) return rewrite_slice_store(left, right);
            return false;
        }
        if (tree_.kind(expression) != Kind::call) return false;
        for (const TileSetting& tile : trace_.tiles) {
            if (tile.call == at(expression)) return !words_.mentions_body(expression);
        }
        return rewrite_assemble(expression);
    }

    bool rewrite_binding(NodeId statement, std::string_view name, NodeId right) {
        if (tree_.kind(right) == Kind::assignment) return false;
        const HeadValue* value = value_of(right);
        if (value == nullptr) {
            // A number: where the index is in it, only slices may have used it.
            if (holds_operation(right)) return false;
            if (!words_.mentions_body(right)) return true;
            numbers_[name] = right;
            return drop(statement);
        }
        tensors_[name] = tensor_of(right);
        const std::size_t before = edits_.size();
        if (!rewrite_expression(right)) return false;
        stands_for_.erase(std::string(name));
        const std::string text = text_after(right, before);
        const bool is_name = std::ranges::all_of(text, [](char c) {
            return c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80 || (c >= '0' && c <= '9') ||
                   (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        });
        if (!is_name) return true;
        // Only another name: `q_head = q` says nothing that `q` does not.
        edits_.resize(before);
        stands_for_[std::string(name)] = text;
        return drop(statement);
    }
    bool holds_operation(NodeId node) const {
        const auto first = ops_.lower_bound(node);
        return first != ops_.end() && first->first < tree_[node].subtree_end;
    }
    /// What the edits since `from` make of a node.
    std::string text_after(NodeId node, std::size_t from) const {
        std::vector<text::Edit> edits;
        const std::uint32_t base = tree_[node].start;
        for (std::size_t i = from; i < edits_.size(); ++i) {
            edits.push_back({{edits_[i].range.start - base, edits_[i].range.end - base}, edits_[i].text});
        }
        const auto sorted = text::Edits::make(std::move(edits), tree_.range(node).size());
        return sorted ? sorted->apply(file_.text(node)) : std::string("?");
    }
    /// A statement that has become empty goes with its lines; a comment beside it stays.
    bool drop(NodeId statement) {
        if (const auto lines = own_lines(file_, statement)) {
            dropped_.push_back(*lines);
            replace(*lines, "");
            return true;
        }
        const Range range = tree_.range(statement);
        const Range line = file_.lines.line_range(file_.lines.line_of(range.end));
        std::uint32_t end = range.end;
        while (end < line.end && (file_.text()[end] == ' ' || file_.text()[end] == '\t')) ++end;
        const bool first = file_.lines.line_of(range.start) == file_.lines.line_of(range.end) &&
                           file_.text().substr(line.start, range.start - line.start).find_first_not_of(" \t") ==
                               std::string_view::npos;
        if (!first || end >= line.end || file_.text()[end] != '#') return false;
        replace({range.start, end}, "");
        return true;
    }

    const BatchStore* store_at(NodeId node) const {
        const auto ops = ops_.find(node);
        if (ops == ops_.end()) return nullptr;
        const auto found =
            std::ranges::find_if(batch_.stores, [&](const BatchStore& s) { return s.op == ops->second.back(); });
        return found == batch_.stores.end() ? nullptr : &*found;
    }
    /// The stored value in the shape of the target, when that is not [heads, rows, columns].
    bool rewrite_stored(NodeId value, const BatchStore& store) {
        const std::size_t before = edits_.size();
        if (!rewrite_expression(value)) return false;
        if (store.whole) return true;
        const std::string text = text_after(value, before);
        edits_.resize(before);
        replace(tree_.range(value), fmt::format("{}({}, [{}])", words_.reshape_name(), text,
                                                fmt::join(words_.declared_dims(store.target), ", ")));
        flattened_.push_back(tree_.statement_of(value));
        return true;
    }

    /// out[h * S:(h + 1) * S, :] = x   ->   out[:] = reshape(x, [...])
    bool rewrite_slice_store(NodeId left, NodeId right) {
        const BatchStore* store = store_at(left);
        const NodeId object = tree_.child(left, Field::value);
        if (store == nullptr || words_.mentions_body(object)) return false;
        // A move takes the value away: it must not be needed again.
        if (tree_.kind(right) == Kind::identifier &&
            read_after(file_, tree_.statement_of(left), file_.text(right)) != kNoNode) {
            return false;
        }
        replace({tree_[object].end, tree_[left].end}, "[:]");
        return rewrite_stored(right, *store);
    }

    /// assemble(x, [h, 0, 0], out)   ->   assemble(x, [0, 0, 0], out)
    bool rewrite_assemble(NodeId call) {
        const BatchStore* store = store_at(call);
        if (store == nullptr || !words_.calls(call, "assemble")) return false;
        std::vector<NodeId> parts(3, kNoNode);  // value, offsets, out
        std::size_t position = 0;
        for (NodeId a : tree_.children(tree_.child(call, Field::arguments))) {
            if (!tree_[a].named || tree_.kind(a) == Kind::comment) continue;
            if (tree_.kind(a) != Kind::keyword_argument) {
                if (position >= parts.size()) return false;
                parts[position++] = a;
                continue;
            }
            if (file_.text(tree_.child(a, Field::name)) != "parallel") return false;
        }
        if (std::ranges::find(parts, kNoNode) != parts.end() || words_.mentions_body(parts[2])) return false;
        if (tree_.kind(parts[1]) != Kind::list && tree_.kind(parts[1]) != Kind::tuple) return false;
        for (NodeId item : tree_.children(parts[1])) {
            if (tree_[item].named && words_.mentions_body(item)) replace(tree_.range(item), "0");
        }
        return rewrite_stored(parts[0], *store);
    }

    // ---- lines

    /// The header goes, the body moves one level out.
    void unindent(const HeadTiles& tiles) {
        const std::string_view outer = indentation(file_, loop_.site.node);
        const std::string_view inner = indentation(file_, body_first());
        const std::uint32_t header_line = file_.lines.line_of(tree_[loop_.site.node].start);
        const std::uint32_t first_line = file_.lines.line_of(tree_[body_first()].start);
        if (!tiles.before.empty()) insert_line(file_.lines.line_start(header_line), outer, tiles.before);
        remove_header(header_line);
        const std::uint32_t last_line = file_.lines.line_of(tree_[body_].end);
        const std::size_t level = inner.size() - outer.size();
        const std::uint32_t colon_line = file_.lines.line_of(tree_[colon()].start);
        for (std::uint32_t line = colon_line + 1; line <= last_line; ++line) {
            const Range range = file_.lines.line_range(line);
            const std::string_view text = file_.lines.line_text(line);
            if (line < first_line && text.find_first_not_of(" \t") == std::string_view::npos) continue;
            const bool dropped = std::ranges::any_of(dropped_, [&](Range r) { return r.contains(range.start); });
            if (dropped || text.size() < inner.size() || !text.starts_with(outer)) continue;
            const std::string_view blank = text.substr(outer.size(), level);
            if (blank.find_first_not_of(" \t") != std::string_view::npos) continue;
            const auto start = range.start + static_cast<std::uint32_t>(outer.size());
            if (!is_replaced(start)) replace({start, start + static_cast<std::uint32_t>(level)}, "");
        }
        if (!tiles.flat.empty()) {
            insert_line(file_.lines.line_start(file_.lines.line_of(tree_[flattened_[0]].start)), outer, tiles.flat);
        }
        if (!tiles.after.empty()) {
            const std::uint32_t end = end_of_lines(file_, loop_.site.node);
            const bool has_break = end > 0 && (file_.text()[end - 1] == '\n' || file_.text()[end - 1] == '\r');
            insert_line(end, has_break ? std::string(outer) : fmt::format("\n{}", outer), tiles.after);
        }
    }
    void insert_line(std::uint32_t where, std::string_view indent, std::string_view text) {
        edits_.push_back({loop_.site.file, {where, where}, fmt::format("{}{}\n", indent, text)});
    }
    NodeId body_first() const { return tree_.named_child(body_, 0); }
    NodeId colon() const {
        NodeId found = kNoNode;
        for (NodeId c : tree_.children(loop_.site.node)) {
            if (tree_.kind(c) == Kind::colon && c < body_) found = c;
        }
        return found;
    }
    bool is_replaced(std::uint32_t offset) const {
        return std::ranges::any_of(edits_,
                                   [&](const FileEdit& e) { return e.range.start < offset && offset < e.range.end; });
    }
    void remove_header(std::uint32_t line) {
        const std::uint32_t start = tree_[loop_.site.node].start;
        const std::uint32_t end = tree_[colon()].end;
        const Range last = file_.lines.line_range(file_.lines.line_of(end));
        std::uint32_t rest = end;
        while (rest < last.end && (file_.text()[rest] == ' ' || file_.text()[rest] == '\t')) ++rest;
        if (rest < last.end) {  // a comment behind the header keeps its line
            replace({start, rest}, "");
        } else {
            replace({file_.lines.line_start(line), file_.lines.full_line_range(file_.lines.line_of(end)).end}, "");
        }
    }

    const Trace& trace_;
    const LoopId id_;
    const Loop& loop_;
    const Settings& settings_;
    const HeadBatch& batch_;
    const SourceFile& file_;
    const Tree& tree_;
    const std::string_view target_;
    const NodeId body_;
    std::map<NodeId, std::vector<OpId>> ops_;                     // of this loop, by place
    std::map<std::string_view, TensorId> tensors_;                // names bound in the body, as far as it was read
    std::map<std::string, std::string, std::less<>> stands_for_;  // names that went, and the text in their place
    std::map<std::string_view, NodeId> numbers_;                  // names of numbers that depend on the index
    const HeadText words_{trace_, id_, numbers_};
    std::vector<FileEdit> edits_;
    std::vector<Range> dropped_;
    std::vector<NodeId> flattened_;  // statements whose value got the shape of the target
    std::size_t shared_written_ = 0;
};

}  // namespace

Rewrite batched_matmul(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    Rewrite answer;
    const auto* evidence = std::get_if<rules::PythonLoopEvidence>(&finding.evidence);
    if (evidence == nullptr) return answer;
    answer.blocked = check_trips(trace, evidence->loop);
    if (answer.blocked) return answer;
    answer.blocked = check_tiles_inside(trace, evidence->loop);
    if (answer.blocked) return answer;
    answer.blocked = check_calls(trace, LoopRegion(trace, evidence->loop));
    if (answer.blocked) return answer;
    // Where the heads cannot be taken together the loop may still become a device loop; its rewriter says what is in
    // the way.
    const auto batch = head_batch(trace, evidence->loop);
    auto fix = batch ? Batching(trace, evidence->loop, settings, *batch).make() : std::nullopt;
    if (!fix) return answer;
    answer.fix = *std::move(fix);
    Rewrite loop = pypto_loop(finding, trace, settings);
    if (loop.fix) answer.alternatives.push_back(*std::move(loop.fix));
    return answer;
}

}  // namespace ptofix::rewrites
