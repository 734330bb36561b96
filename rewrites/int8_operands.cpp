#include "rewrites/int8_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "rewrites/lines.h"
#include "rewrites/loop_checks.h"
#include "rewrites/operands.h"
#include "rewrites/variables.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Site;
using trace::SourceFile;
using trace::Trace;

/// `name = cast(...)`.
struct Holder {
    NodeId statement = kNoNode, target = kNoNode, cast = kNoNode;
};

class Operand {
  public:
    Operand(const Trace& trace, Site matmul, Site operand, std::span<const std::uint32_t> casts)
        : trace_(trace),
          matmul_(matmul),
          operand_(operand),
          casts_(casts),
          file_(*trace.files[operand.file]),
          tree_(file_.tree),
          function_(tree_.enclosing(operand.node, Kind::function_definition)) {}

    std::expected<Int8Operand, Blocked> run() {
        if (function_ == kNoNode) return std::unexpected(not_followed(operand_.node));
        NodeId at = operand_.node;
        for (std::size_t left = casts_.size(); left > 0; --left) {
            const Site cast = trace_.operations[casts_[left - 1]].site;
            if (cast.file != operand_.file || tree_.enclosing(cast.node, Kind::function_definition) != function_) {
                return std::unexpected(blocked_at(trace_, "PTO105.blocked.in_helper", cast));
            }
            at = inside(at);
            if (tree_.kind(at) == Kind::identifier) {
                const auto holder = holder_of(at, cast.node);
                if (!holder) return std::unexpected(not_followed(at));
                holders_.push_back(*holder);
                at = holder->cast;
            }
            if (at != cast.node) return std::unexpected(not_followed(at));
            at = operand_node(trace_, trace_.operations[casts_[left - 1]], "input");
            if (at == kNoNode) return std::unexpected(not_followed(cast.node));
        }
        return source(inside(at));
    }

  private:
    Blocked not_followed(NodeId node) const {
        return blocked_at(trace_, "blocked.not_followed", {operand_.file, node}, "what",
                          shown(trace_, {operand_.file, node}));
    }

    NodeId inside(NodeId node) const {
        while (node != kNoNode && tree_.kind(node) == Kind::parenthesized_expression) node = tree_.named_child(node, 0);
        return node;
    }

    std::vector<NodeId> uses(std::string_view name) const { return variable_uses(file_, function_, name); }

    std::size_t bindings(std::string_view name) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(uses(name), [&](NodeId use) { return binds(tree_, use); }));
    }

    /// The one statement that gives the name its value, which is this cast.
    std::optional<Holder> holder_of(NodeId name, NodeId cast) const {
        const NodeId assignment = tree_.parent(cast);
        if (assignment == kNoNode || tree_.kind(assignment) != Kind::assignment) return std::nullopt;
        Holder holder{tree_.statement_of(assignment), tree_.child(assignment, Field::left), cast};
        const bool plain = holder.target != kNoNode && tree_.kind(holder.target) == Kind::identifier &&
                           tree_.parent(assignment) == holder.statement;
        if (!plain || file_.text(holder.target) != file_.text(name) || bindings(file_.text(name)) != 1) {
            return std::nullopt;
        }
        return holder;
    }

    std::expected<Int8Operand, Blocked> source(NodeId tensor) {
        Int8Operand out;
        out.text = std::string(file_.text(tensor));
        const Kind kind = tree_.kind(tensor);
        if (kind == Kind::identifier) {
            // Bound once, or the parameter that it is: the same tensor at the matmul.
            if (bindings(out.text) > 1) return std::unexpected(not_followed(tensor));
        } else if (!holders_.empty()) {
            return keep_under_name(tensor, std::move(out));
        } else if (!is_primary(kind)) {
            out.text = fmt::format("({})", out.text);
        }
        NodeId reader = matmul_.node;  // what reads the name of the statement
        for (const Holder& holder : holders_) {
            if (!is_read_only_by(holder, reader) || !remove(holder, out)) break;
            reader = holder.cast;
        }
        return out;
    }

    /// The INT8 tensor is an expression of its own: it stays where the first cast stood.
    std::expected<Int8Operand, Blocked> keep_under_name(NodeId tensor, Int8Operand out) {
        const Holder& first = holders_.back();
        const NodeId reader = holders_.size() == 1 ? matmul_.node : holders_[holders_.size() - 2].cast;
        const std::string old(file_.text(first.target));
        const std::string name = free_name(file_, {int8_name(old)});
        if (is_read_only_by(first, reader)) {
            out.edits.push_back(replacement(operand_.file, tree_.range(first.target), name));
            out.edits.push_back(replacement(operand_.file, tree_.range(first.cast), out.text));
            NodeId read = matmul_.node;
            for (std::size_t i = 0; i + 1 < holders_.size(); ++i) {
                if (!is_read_only_by(holders_[i], read) || !remove(holders_[i], out)) {
                    return std::unexpected(not_followed(holders_[i].cast));
                }
                read = holders_[i].cast;
            }
        } else {
            // The cast stays too, and takes the tensor by its name.
            const std::string indent(indentation(file_, first.statement));
            const std::uint32_t line = file_.lines.line_start(file_.lines.line_of(tree_[first.statement].start));
            if (line + indent.size() != tree_[first.statement].start) return std::unexpected(not_followed(tensor));
            out.edits.push_back(insertion(operand_.file, line, fmt::format("{}{} = {}\n", indent, name, out.text)));
            out.edits.push_back(replacement(operand_.file, tree_.range(tensor), name));
        }
        out.text = name;
        return out;
    }

    static std::string int8_name(std::string name) {
        for (const std::string_view ending : {"_fp32", "_f32", "_float32", "_fp16", "_f16", "_half", "_float"}) {
            if (name.ends_with(ending)) {
                name.resize(name.size() - ending.size());
                break;
            }
        }
        return name.ends_with("int8") ? name : name + "_int8";
    }

    bool is_read_only_by(const Holder& holder, NodeId reader) const {
        return std::ranges::all_of(uses(file_.text(holder.target)),
                                   [&](NodeId use) { return use == holder.target || tree_.is_inside(use, reader); });
    }

    /// Takes the statement out with its lines, and with the comment that stands behind it.
    bool remove(const Holder& holder, Int8Operand& out) const {
        if (is_whole_block(file_, holder.statement, 1)) return false;
        if (const auto lines = own_lines(file_, holder.statement)) {
            out.edits.push_back(replacement(operand_.file, *lines, ""));
            return true;
        }
        const text::Range range = tree_.range(holder.statement);
        const std::uint32_t start = file_.lines.line_start(file_.lines.line_of(range.start));
        const text::Range last = file_.lines.full_line_range(file_.lines.line_of(range.end));
        const std::string_view before = file_.text().substr(start, range.start - start);
        std::string_view behind = file_.text().substr(range.end, last.end - range.end);
        behind.remove_prefix(std::min(behind.find_first_not_of(" \t"), behind.size()));
        if (before.find_first_not_of(" \t") != std::string_view::npos || !behind.starts_with('#')) return false;
        out.edits.push_back(replacement(operand_.file, {start, last.end}, ""));
        out.removes_comments = true;
        return true;
    }

    const Trace& trace_;
    const Site matmul_, operand_;
    const std::span<const std::uint32_t> casts_;
    const SourceFile& file_;
    const syntax::Tree& tree_;
    const NodeId function_;
    std::vector<Holder> holders_;  // from the matmul back to the INT8 tensor
};

}  // namespace

std::expected<Int8Operand, Blocked> int8_operand(const Trace& trace, Site matmul, Site operand,
                                                 std::span<const std::uint32_t> casts) {
    return Operand(trace, matmul, operand, casts).run();
}

}  // namespace ptofix::rewrites
