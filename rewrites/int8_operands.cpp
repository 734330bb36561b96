#include "rewrites/int8_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "rewrites/comments.h"
#include "rewrites/lines.h"
#include "rewrites/loop_checks.h"
#include "rewrites/operands.h"
#include "rewrites/tensor_writes.h"
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
    Operand(const Trace& trace, trace::OpId matmul, Site operand, std::span<const std::uint32_t> casts)
        : trace_(trace),
          matmul_op_(matmul),
          matmul_(trace.operations[matmul].site),
          operand_(operand),
          casts_(casts),
          file_(*trace.files[operand.file]),
          tree_(file_.tree),
          function_(tree_.enclosing(operand.node, Kind::function_definition)) {}

    std::expected<Int8Operand, Blocked> run() {
        if (function_ == kNoNode) return std::unexpected(not_followed(operand_.node));
        if (auto written = check_writes()) return std::unexpected(*std::move(written));
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

    /// The INT8 tensor at the matmul is what it was at the cast, and so is what the casts gave.
    std::optional<Blocked> check_writes() const {
        const auto blocked = [&](trace::TensorId tensor, std::uint32_t from) -> std::optional<Blocked> {
            const auto write = write_between(trace_, tensor, from, matmul_op_);
            if (!write) return std::nullopt;
            return blocked_at(trace_, "PTO105.blocked.written", trace_.operations[*write].site);
        };
        if (casts_.empty()) return std::nullopt;
        const auto inputs = trace_.inputs(trace_.operations[casts_.front()]);
        if (inputs.empty()) return std::nullopt;
        if (auto written = blocked(inputs[0], casts_.front())) return written;
        for (const std::uint32_t cast : casts_) {
            if (auto written = blocked(trace_.operations[cast].output, cast)) return written;
        }
        return std::nullopt;
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
            if (!is_read_only_by(holder, reader)) break;
            remove(holder, out);
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
                if (!is_read_only_by(holders_[i], read)) return std::unexpected(not_followed(holders_[i].cast));
                remove(holders_[i], out);
                read = holders_[i].cast;
            }
        } else {
            // The cast stays too, and takes the tensor by its name.
            const std::string indent(indentation(file_, first.statement));
            const std::uint32_t line = file_.lines.line_start(file_.lines.line_of(tree_[first.statement].start));
            if (!begins_its_line(file_, first.statement)) return std::unexpected(not_followed(tensor));
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

    /// Takes the statement out with its lines. Comments on it that speak of the cast go with it, others stay.
    void remove(const Holder& holder, Int8Operand& out) const {
        const NodeId statement = holder.statement;
        if (is_whole_block(file_, statement, 1)) {
            out.edits.push_back(replacement(operand_.file, tree_.range(statement), "pass"));
            return;
        }
        const auto lines = lines_with_comment(file_, statement);
        if (!lines) {  // others share a line with it
            out.edits.push_back(replacement(operand_.file, with_separator(statement), ""));
            return;
        }
        std::vector<std::string_view> comments;
        for (NodeId id = statement; id < tree_[statement].subtree_end; ++id) {
            if (tree_.kind(id) == Kind::comment) comments.push_back(file_.text(id));
        }
        if (const auto behind = comment_behind(file_, statement)) comments.push_back(*behind);
        std::string kept;
        for (const std::string_view comment : comments) {
            if (goes_with(holder, comment)) {
                out.removes_comments = true;
            } else {
                kept += fmt::format("{}{}\n", indentation(file_, statement), comment);
            }
        }
        out.edits.push_back(replacement(operand_.file, *lines, std::move(kept)));
    }

    /// Does the comment speak of the cast, or of what it costs?
    bool goes_with(const Holder& holder, std::string_view comment) const {
        if (is_for_a_tool(comment)) return true;  // about the line, which goes
        const std::vector<std::string> cost{"UB", "L1", "byte", "bytes", "memory", "times", "字节", "内存", "倍"};
        return mentions(comment, cost) ||
               tells_of_cast(comment, trace_, {casts_.begin(), casts_.end()}, {file_.text(holder.target)});
    }

    /// Over blanks, and over the ends of lines that go on.
    static std::size_t behind_blanks(std::string_view text, std::size_t at) {
        while (at < text.size()) {
            const std::string_view rest = text.substr(at);
            if (rest.starts_with("\\\r\n")) {
                at += 3;
            } else if (rest.starts_with("\\\n") || rest.starts_with("\\\r")) {
                at += 2;
            } else if (rest.front() == ' ' || rest.front() == '\t' || rest.front() == '\f') {
                ++at;
            } else {
                break;
            }
        }
        return at;
    }
    static std::size_t before_blanks(std::string_view text, std::size_t end) {
        while (end > 0) {
            const std::string_view head = text.substr(0, end);
            if (head.ends_with("\\\r\n")) {
                end -= 3;
            } else if (head.ends_with("\\\n") || head.ends_with("\\\r")) {
                end -= 2;
            } else if (head.back() == ' ' || head.back() == '\t' || head.back() == '\f') {
                --end;
            } else {
                break;
            }
        }
        return end;
    }

    /// The statement with the semicolon that parts it from the next one on its line, or else from the one before.
    text::Range with_separator(NodeId statement) const {
        text::Range range = tree_.range(statement);
        const std::string_view text = file_.text();
        const std::size_t next = behind_blanks(text, range.end);
        std::optional<std::uint32_t> last_end;  // of a semicolon that ends the line
        if (next < text.size() && text[next] == ';') {
            const std::size_t behind = behind_blanks(text, next + 1);
            const bool ends =
                behind == text.size() || text[behind] == '\n' || text[behind] == '\r' || text[behind] == '#';
            if (!ends) return {range.start, static_cast<std::uint32_t>(behind)};
            last_end = static_cast<std::uint32_t>(behind);
        }
        const std::size_t before = before_blanks(text, range.start);
        if (before > 0 && text[before - 1] == ';') {
            range.start = static_cast<std::uint32_t>(before - 1);
        } else if (last_end) {
            range.end = *last_end;
        }
        return range;
    }

    const Trace& trace_;
    const trace::OpId matmul_op_;
    const Site matmul_, operand_;
    const std::span<const std::uint32_t> casts_;
    const SourceFile& file_;
    const syntax::Tree& tree_;
    const NodeId function_;
    std::vector<Holder> holders_;  // from the matmul back to the INT8 tensor
};

}  // namespace

std::expected<Int8Operand, Blocked> int8_operand(const Trace& trace, trace::OpId matmul, Site operand,
                                                 std::span<const std::uint32_t> casts) {
    return Operand(trace, matmul, operand, casts).run();
}

}  // namespace ptofix::rewrites
