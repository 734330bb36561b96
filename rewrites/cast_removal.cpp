#include "rewrites/cast_removal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rewrites/comments.h"
#include "rewrites/lines.h"
#include "rewrites/operands.h"
#include "rewrites/variables.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Site;

/// `name = cast(...)` on lines of its own.
struct Holder {
    NodeId statement = kNoNode;
    NodeId target = kNoNode;  // the identifier
    text::Range lines;        // with the comments above that tell of the cast
    std::vector<std::string> comments;
    bool last = false;  // of a chain: its name is what the kernel goes on with
};

class Remover {
  public:
    Remover(const trace::Trace& trace, const trace::KernelTrace& kernel, const trace::KernelParameter& parameter,
            const ParameterCasts& casts, bool takes_comments)
        : trace_(trace),
          kernel_(kernel),
          parameter_(parameter),
          casts_(casts),
          takes_comments_(takes_comments),
          file_(*trace.files[kernel.site.file]),
          tree_(file_.tree) {}

    CastRemoval run() {
        CastRemoval removal{{}, std::string(parameter_.name), {}};
        if (rename(removal)) return removal;
        removal = {{}, std::string(parameter_.name), {}};
        for (const Site site : casts_.sites) {
            if (!is_inside_another(site)) replace(site, removal.edits);
        }
        return removal;
    }

  private:
    const trace::SourceFile& file(Site site) const { return *trace_.files[site.file]; }
    std::string_view name_of(NodeId identifier) const { return file_.text(identifier); }

    bool is_site(Site site) const { return std::ranges::find(casts_.sites, site) != casts_.sites.end(); }

    /// What the call casts, without parentheses around it.
    NodeId operand(Site call) const {
        const auto op = std::ranges::find(trace_.operations, call, &trace::Operation::site);
        if (op == trace_.operations.end()) return kNoNode;
        const syntax::Tree& tree = file(call).tree;
        NodeId found = operand_node(trace_, *op, casts_.operand);
        while (found != kNoNode && tree.kind(found) == Kind::parenthesized_expression)
            found = tree.named_child(found, 0);
        return found;
    }

    /// The innermost operand of casts written inside each other.
    NodeId core(Site site) const {
        NodeId node = operand(site);
        while (node != kNoNode && is_site({site.file, node})) node = operand({site.file, node});
        return node;
    }

    bool is_inside_another(Site site) const {
        return std::ranges::any_of(casts_.sites, [&](Site other) {
            return other.file == site.file && other != site && file(site).tree.is_inside(site.node, other.node);
        });
    }

    void replace(Site site, std::vector<rules::FileEdit>& edits) const {
        const trace::SourceFile& source = file(site);
        const NodeId inner = core(site);
        if (inner == kNoNode) return;
        const Kind kind = source.tree.kind(inner);
        const bool closed =
            kind == Kind::identifier || kind == Kind::attribute || kind == Kind::subscript || kind == Kind::call;
        std::string text(source.text(inner));
        if (const auto lines = assigned_to_itself(source, site.node, inner)) {
            edits.push_back(replacement(site.file, *lines, ""));
            return;
        }
        edits.push_back(
            replacement(site.file, source.tree.range(site.node), closed ? text : fmt::format("({})", text)));
    }

    /// The lines of `w = cast(w)`, which would say nothing any more.
    static std::optional<text::Range> assigned_to_itself(const trace::SourceFile& source, NodeId cast, NodeId inner) {
        const NodeId assignment = source.tree.parent(cast);
        if (source.tree.kind(assignment) != Kind::assignment || source.tree.kind(inner) != Kind::identifier ||
            source.tree.child(assignment, Field::right) != cast) {
            return std::nullopt;
        }
        const NodeId statement = source.tree.statement_of(assignment);
        const NodeId target = source.tree.child(assignment, Field::left);
        if (source.tree.kind(target) != Kind::identifier || source.text(target) != source.text(inner) ||
            source.tree.parent(assignment) != statement || is_whole_block(source, statement, 1)) {
            return std::nullopt;
        }
        return own_lines(source, statement);
    }

    /// Every cast is `name = cast(parameter)` or `name = cast(name of the cast before)` in the kernel itself, all
    /// chains end in one name, and that name is bound nowhere else.
    bool rename(CastRemoval& removal) {
        std::vector<Holder> holders;
        for (const Site site : casts_.sites) {
            if (site.file != kernel_.site.file || !tree_.is_inside(site.node, kernel_.function->body)) return false;
            if (is_inside_another(site)) continue;
            auto holder = holder_of(site);
            if (!holder) return false;
            holders.push_back(*holder);
        }
        if (holders.empty()) return false;
        std::string_view result;
        for (Holder& holder : holders) {
            const NodeId inner = core({kernel_.site.file, cast_of(holder)});
            if (inner == kNoNode || tree_.kind(inner) != Kind::identifier) return false;
            if (name_of(inner) != parameter_.name && !is_step(holders, name_of(inner))) return false;
        }
        for (Holder& holder : holders) {
            holder.last = !feeds_next(holders, holder);
            if (!holder.last) continue;
            if (!result.empty() && result != name_of(holder.target)) return false;
            result = name_of(holder.target);
        }
        if (result.empty() || is_other_parameter(result)) return false;
        if (!bound_only_by(holders, result) || !steps_are_private(holders)) return false;
        for (const Holder& holder : holders) {
            const auto beside = std::ranges::count_if(
                holders, [&](const Holder& h) { return tree_.parent(h.statement) == tree_.parent(holder.statement); });
            if (is_whole_block(file_, holder.statement, static_cast<std::size_t>(beside))) return false;
        }
        take_name(removal, holders, std::string(result));
        return true;
    }

    std::optional<Holder> holder_of(Site site) const {
        const NodeId assignment = tree_.parent(site.node);
        if (assignment == kNoNode || tree_.kind(assignment) != Kind::assignment) return std::nullopt;
        if (tree_.child(assignment, Field::right) != site.node || tree_.child(assignment, Field::type) != kNoNode) {
            return std::nullopt;
        }
        Holder holder;
        holder.target = tree_.child(assignment, Field::left);
        holder.statement = tree_.statement_of(assignment);
        if (holder.target == kNoNode || tree_.kind(holder.target) != Kind::identifier) return std::nullopt;
        if (tree_.parent(assignment) != holder.statement) return std::nullopt;  // a = b = cast(...)
        const auto lines =
            takes_comments_ ? lines_with_comment(file_, holder.statement) : own_lines(file_, holder.statement);
        if (!lines) return std::nullopt;
        holder.lines = *lines;
        if (takes_comments_ && !read_comments(holder)) return std::nullopt;
        return holder;
    }

    /// False where one is for a tool: that one stays at its line.
    bool read_comments(Holder& holder) const {
        const auto nodes = tree_.nodes();
        for (NodeId id = holder.statement; id < nodes[holder.statement].subtree_end; ++id) {
            if (nodes[id].kind == Kind::comment) holder.comments.emplace_back(file_.text(id));
        }
        if (const auto behind = comment_behind(file_, holder.statement)) holder.comments.emplace_back(*behind);
        if (std::ranges::any_of(holder.comments, is_for_a_tool)) return false;
        const text::Range above = comments_above(file_, holder.statement);
        if (above.empty() || !belongs_to_casts(above, holder)) return true;
        const auto comments = comments_on(file_, above);
        holder.comments.insert(holder.comments.begin(), comments.begin(), comments.end());
        holder.lines.start = above.start;
        return true;
    }

    /// A comment belongs to the casts when it speaks of them, or when nothing else stands in its paragraph.
    bool belongs_to_casts(text::Range comment, const Holder& holder) const {
        std::vector<trace::OpId> chain;
        chain.reserve(casts_.steps.size());
        for (const CastStep& step : casts_.steps) chain.push_back(step.op);
        const std::string_view text = file_.text().substr(comment.start, comment.size());
        if (tells_of_cast(text, trace_, chain, {parameter_.name, name_of(holder.target)})) return true;
        NodeId last = holder.statement;
        text::Range lines = holder.lines;
        for (NodeId next = tree_[last].subtree_end; next < tree_[tree_.parent(last)].subtree_end;
             next = tree_[next].subtree_end) {
            const bool casts = std::ranges::any_of(casts_.sites, [&](Site site) {
                return site.file == kernel_.site.file && tree_.statement_of(site.node) == next;
            });
            const auto its_lines = casts ? lines_with_comment(file_, next) : std::nullopt;
            if (!its_lines || its_lines->start != lines.end) break;
            lines.end = its_lines->end;
            last = next;
        }
        return ends_paragraph(file_, lines, indentation(file_, holder.statement));
    }

    NodeId cast_of(const Holder& holder) const { return tree_.child(tree_.parent(holder.target), Field::right); }

    bool is_step(const std::vector<Holder>& holders, std::string_view name) const {
        return std::ranges::any_of(holders, [&](const Holder& h) { return name_of(h.target) == name; });
    }

    bool feeds_next(const std::vector<Holder>& holders, const Holder& holder) const {
        return std::ranges::any_of(holders, [&](const Holder& other) {
            return other.statement != holder.statement &&
                   name_of(core({kernel_.site.file, cast_of(other)})) == name_of(holder.target);
        });
    }

    bool is_other_parameter(std::string_view name) const {
        return std::ranges::any_of(kernel_.function->parameters, [&](const trace::Parameter& p) {
            return p.name == name && p.name != parameter_.name;
        });
    }

    bool is_target(const std::vector<Holder>& holders, NodeId id) const {
        return std::ranges::any_of(holders, [&](const Holder& h) { return h.target == id; });
    }

    bool bound_only_by(const std::vector<Holder>& holders, std::string_view name) const {
        return std::ranges::all_of(variable_uses(file_, kernel_.function->body, name),
                                   [&](NodeId use) { return is_target(holders, use) || !binds(tree_, use); });
    }

    /// The names between two casts are read by the next cast and by nothing else, and the parameter is bound once.
    bool steps_are_private(const std::vector<Holder>& holders) const {
        for (const Holder& holder : holders) {
            if (holder.last) continue;
            for (const NodeId use : variable_uses(file_, kernel_.function->body, name_of(holder.target))) {
                const bool read_by_next = std::ranges::any_of(
                    holders, [&](const Holder& h) { return core({kernel_.site.file, cast_of(h)}) == use; });
                if (!is_target(holders, use) && !read_by_next) return false;
            }
        }
        return std::ranges::none_of(variable_uses(file_, kernel_.function->body, parameter_.name),
                                    [&](NodeId use) { return binds(tree_, use) && !is_target(holders, use); });
    }

    /// Do the kernel's comments and texts, but for those that go, speak of the parameter? Then its name stays.
    bool is_spoken_of(const std::vector<Holder>& holders) const {
        const std::vector<std::string> name{std::string(parameter_.name)};
        const auto nodes = tree_.nodes();
        for (NodeId id = kernel_.site.node; id < nodes[kernel_.site.node].subtree_end; ++id) {
            const bool words = nodes[id].kind == Kind::comment || nodes[id].kind == Kind::string_content;
            const bool goes =
                std::ranges::any_of(holders, [&](const Holder& h) { return h.lines.contains(nodes[id].start); });
            if (words && !goes && mentions(file_.text(id), name)) return true;
        }
        return false;
    }

    void take_name(CastRemoval& removal, const std::vector<Holder>& holders, const std::string& result) const {
        const std::string parameter(parameter_.name);
        const bool keeps_name = is_spoken_of(holders);
        removal.parameter = keeps_name ? parameter : result;
        std::vector<text::Range> lines;  // what touches goes together
        for (const Holder& holder : holders) {
            removal.comments.insert(removal.comments.end(), holder.comments.begin(), holder.comments.end());
            if (!lines.empty() && lines.back().end == holder.lines.start) {
                lines.back().end = holder.lines.end;
            } else {
                lines.push_back(holder.lines);
            }
        }
        for (const text::Range range : lines) {
            removal.edits.push_back(replacement(kernel_.site.file, with_blank_lines(file_, range), ""));
        }
        if (result == parameter) return;
        const auto deleted = [&](NodeId use) {
            return std::ranges::any_of(holders, [&](const Holder& h) { return h.lines.contains(tree_[use].start); });
        };
        const std::string_view old = keeps_name ? std::string_view(result) : parameter_.name;
        for (const NodeId use : variable_uses(file_, kernel_.function->body, old)) {
            if (!deleted(use))
                removal.edits.push_back(replacement(kernel_.site.file, tree_.range(use), removal.parameter));
        }
        if (keeps_name) return;
        for (const NodeId use : variable_uses(file_, parameter_.node, parameter_.name)) {
            if (!binds(tree_, use)) continue;
            removal.edits.push_back(replacement(kernel_.site.file, tree_.range(use), result));
            break;
        }
    }

    const trace::Trace& trace_;
    const trace::KernelTrace& kernel_;
    const trace::KernelParameter& parameter_;
    const ParameterCasts& casts_;
    const bool takes_comments_;
    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
};

}  // namespace

CastRemoval remove_casts(const trace::Trace& trace, trace::KernelId kernel, std::uint32_t parameter,
                         const ParameterCasts& casts, bool takes_comments) {
    const trace::KernelTrace& about = trace.kernels[kernel];
    return Remover(trace, about, about.parameters[parameter], casts, takes_comments).run();
}

}  // namespace ptofix::rewrites
