#include "rewrites/hoist_cast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "rewrites/comments.h"
#include "rewrites/lines.h"
#include "rewrites/tensor_writes.h"
#include "rewrites/variables.h"
#include "trace/operations.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Operation;
using trace::Site;

class Hoist {
  public:
    Hoist(const trace::Trace& trace, const rules::WeightCastEvidence& evidence)
        : trace_(trace),
          evidence_(evidence),
          kernel_(trace.kernels[evidence.kernel]),
          file_(*trace.files[kernel_.site.file]),
          tree_(file_.tree),
          loop_(trace.loops[evidence.loop].site) {}

    std::optional<rules::Fix> run() {
        if (loop_.file != kernel_.site.file || tree_.kind(loop_.node) != Kind::for_statement ||
            !starts_line(loop_.node)) {
            return std::nullopt;
        }
        if (!read_chain() || !read_tile()) return std::nullopt;
        rules::Fix fix;
        const std::string indent(indentation(file_, loop_.node));
        std::string before;
        if (tile_call_ != kNoNode) before += fmt::format("{}{}\n", indent, file_.text(tile_call_));
        std::vector<text::Range> gone;  // what touches goes together
        for (const NodeId statement : moved_) {
            const text::Range lines = with_comments(statement);
            before += moved_text(lines, indent);
            if (!gone.empty() && gone.back().end == lines.start) {
                gone.back().end = lines.end;
            } else {
                gone.push_back(lines);
            }
        }
        for (const text::Range lines : gone) {
            fix.edits.push_back(replacement(loop_.file, with_blank_lines(file_, lines), ""));
        }
        if (inner_ != kNoNode) {
            const auto target = trace_.tensors[trace_.operations[evidence_.chain.back()].output].type.dtype;
            std::string suffix(hardware::pypto_name(target).substr(3));  // behind "DT_"
            std::ranges::transform(suffix, suffix.begin(),
                                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            const std::string name =
                free_name(file_, {fmt::format("{}_{}", kernel_.parameters[evidence_.parameter].name, suffix)});
            before += fmt::format("{}{} = {}\n", indent, name, file_.text(inner_));
            fix.edits.push_back(replacement(loop_.file, tree_.range(inner_), name));
        }
        fix.edits.push_back(
            insertion(loop_.file, file_.lines.line_start(file_.lines.line_of(tree_[loop_.node].start)), before));
        fix.description.id = "PTO207.fix.hoist";
        fix.description.data.set("parameter", std::string(kernel_.parameters[evidence_.parameter].name));
        return fix;
    }

  private:
    bool starts_line(NodeId node) const {
        const std::uint32_t line = file_.lines.line_start(file_.lines.line_of(tree_[node].start));
        return line + indentation(file_, node).size() == tree_[node].start;
    }

    /// The lines of a moved statement, with the comments above it that tell of it.
    text::Range with_comments(NodeId statement) const {
        text::Range lines = *lines_with_comment(file_, statement);
        const text::Range above = comments_above(file_, statement);
        if (above.empty()) return lines;
        text::Range paragraph = lines;
        for (const NodeId next : moved_) {
            const text::Range its = *lines_with_comment(file_, next);
            if (its.start == paragraph.end) paragraph.end = its.end;
        }
        const std::string_view comment = file_.text().substr(above.start, above.size());
        if (tells_of_cast(comment, trace_, evidence_.chain, names_of_chain()) ||
            ends_paragraph(file_, paragraph, indentation(file_, statement))) {
            lines.start = above.start;
        }
        return lines;
    }

    std::vector<std::string_view> names_of_chain() const {
        std::vector<std::string_view> names = targets_;
        names.push_back(kernel_.parameters[evidence_.parameter].name);
        return names;
    }

    /// The lines at the loop's indentation.
    std::string moved_text(text::Range lines, std::string_view indent) const {
        const std::string_view inner = indentation(file_, moved_.front());
        std::string text;
        for (std::uint32_t line = file_.lines.line_of(lines.start); file_.lines.line_start(line) < lines.end; ++line) {
            const std::string_view old = file_.lines.line_text(line);
            const bool deeper = old.starts_with(inner) && inner.starts_with(indent);
            text += deeper ? fmt::format("{}{}\n", indent, old.substr(inner.size())) : fmt::format("{}\n", old);
            if (line >= file_.lines.line_count()) break;
        }
        return text;
    }

    bool holds_long_text(NodeId node) const {
        for (NodeId id = node; id < tree_[node].subtree_end; ++id) {
            if (tree_.kind(id) != Kind::string) continue;
            if (file_.lines.line_of(tree_[id].start) != file_.lines.line_of(tree_[id].end)) return true;
        }
        return false;
    }

    bool is_in_loop(NodeId node) const { return tree_.is_inside(node, loop_.node); }

    /// Every cast is a statement `name = cast(...)` of its own, or stands inside the last one; the last may stand in
    /// any expression. What they read is there before the loop.
    bool read_chain() {
        std::vector<NodeId> sites;
        for (const trace::OpId id : evidence_.chain) {
            const Operation& op = trace_.operations[id];
            const bool own = op.frame == trace::kNone || trace_.frames[op.frame].function == kernel_.function;
            if (!own || op.branch != trace::kNone || op.site.file != loop_.file || !is_in_loop(op.site.node))
                return false;
            if (tree_.kind(op.site.node) != Kind::call) return false;
            if (write_to(trace_, op.output, kernel_.first_op, kernel_.end_op)) return false;
            sites.push_back(op.site.node);
        }
        for (const NodeId site : sites) {
            const bool nested =
                std::ranges::any_of(sites, [&](NodeId other) { return other != site && tree_.is_inside(site, other); });
            if (nested) continue;
            if (!move_statement(site)) {
                if (site != sites.back()) return false;
                inner_ = site;
            }
        }
        if (inner_ != kNoNode && file_.text(inner_).find_first_of("\r\n") != std::string_view::npos &&
            file_.text(inner_).find('#') != std::string_view::npos) {
            return false;
        }
        for (const NodeId site : sites) {
            for (NodeId node = site; node < tree_[site].subtree_end; ++node) {
                if (tree_.kind(node) == Kind::identifier && !is_there_before(node)) return false;
            }
        }
        const NodeId block = moved_.empty() ? kNoNode : tree_.parent(moved_.front());
        return block == kNoNode || tree_.named_child_count(block) > moved_.size();
    }

    bool move_statement(NodeId site) {
        const NodeId assignment = tree_.parent(site);
        if (tree_.kind(assignment) != Kind::assignment || tree_.child(assignment, Field::right) != site) return false;
        const NodeId target = tree_.child(assignment, Field::left);
        const NodeId statement = tree_.statement_of(assignment);
        if (target == kNoNode || tree_.kind(target) != Kind::identifier || tree_.parent(assignment) != statement)
            return false;
        if (!lines_with_comment(file_, statement) || holds_long_text(statement)) return false;
        const auto uses = variable_uses(file_, kernel_.function->body, file_.text(target));
        const bool bound_once =
            std::ranges::none_of(uses, [&](NodeId use) { return use != target && binds(tree_, use); });
        if (!bound_once) return false;
        moved_.push_back(statement);
        targets_.push_back(file_.text(target));
        return true;
    }

    /// Nothing in the loop binds the name, but for the statements that move.
    bool is_there_before(NodeId identifier) const {
        const std::string_view name = file_.text(identifier);
        const auto uses = variable_uses(file_, loop_.node, name);
        if (std::ranges::find(uses, identifier) == uses.end()) return true;  // an attribute or keyword
        if (std::ranges::find(targets_, name) != targets_.end()) return true;
        return std::ranges::none_of(uses, [&](NodeId use) { return binds(tree_, use); });
    }

    /// The vec tile of the casts must be in force before the loop: set there, or put there with them when nothing
    /// before them in the loop, nor behind it, works under another one.
    bool read_tile() {
        const trace::TileId tile = trace_.operations[evidence_.chain.front()].vec_tile;
        for (const trace::OpId id : evidence_.chain) {
            if (trace_.operations[id].vec_tile != tile) return false;
        }
        if (tile == trace::kNone) return false;
        const Site call = trace_.tiles[tile].call;
        if (call.file == loop_.file && !is_in_loop(call.node)) return call.node < loop_.node;
        if (call.file != loop_.file) return false;
        const trace::Loop& loop = trace_.loops[evidence_.loop];
        for (trace::OpId id = loop.first_op; id < evidence_.chain.front(); ++id) {
            if (trace_.operations[id].engine == trace::Engine::vector && trace_.operations[id].vec_tile != tile)
                return false;
        }
        for (trace::OpId id = loop.end_op; id < kernel_.end_op; ++id) {
            const trace::TileId later = trace_.operations[id].vec_tile;
            if (later == trace::kNone) continue;
            if (trace_.tiles[later].call.file != loop_.file || trace_.tiles[later].call.node <= loop_.node)
                return false;
        }
        for (NodeId node = call.node; node < tree_[call.node].subtree_end; ++node) {
            if (tree_.kind(node) == Kind::identifier && !is_there_before(node)) return false;
        }
        tile_call_ = call.node;
        return file_.text(tile_call_).find_first_of("\r\n") == std::string_view::npos;
    }

    const trace::Trace& trace_;
    const rules::WeightCastEvidence& evidence_;
    const trace::KernelTrace& kernel_;
    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
    Site loop_;
    std::vector<NodeId> moved_;              // statements, in the order of the casts
    std::vector<std::string_view> targets_;  // the names they bind
    NodeId inner_ = kNoNode;                 // the last cast, inside a larger expression
    NodeId tile_call_ = kNoNode;             // a tile setting to put in front with them
};

}  // namespace

std::optional<rules::Fix> hoist_cast(const trace::Trace& trace, const rules::WeightCastEvidence& evidence) {
    return Hoist(trace, evidence).run();
}

}  // namespace ptofix::rewrites
