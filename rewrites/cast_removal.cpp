#include "rewrites/cast_removal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rewrites/lines.h"
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
    text::Range lines;
    bool last = false;  // of a chain: its name is what the kernel goes on with
};

class Remover {
  public:
    Remover(const trace::Trace& trace, const trace::KernelTrace& kernel, const trace::KernelParameter& parameter,
            const ParameterCasts& casts)
        : trace_(trace),
          kernel_(kernel),
          parameter_(parameter),
          casts_(casts),
          file_(*trace.files[kernel.site.file]),
          tree_(file_.tree) {}

    CastRemoval run(bool may_rename) {
        CastRemoval removal{{}, std::string(parameter_.name)};
        if (may_rename && rename(removal)) return removal;
        removal = {{}, std::string(parameter_.name)};
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
    static NodeId operand(const trace::SourceFile& file, NodeId call) {
        const syntax::Tree& tree = file.tree;
        const NodeId arguments = tree.child(call, Field::arguments);
        if (arguments == kNoNode) return kNoNode;
        NodeId found = kNoNode;
        for (const NodeId child : tree.children(arguments)) {
            if (tree.kind(child) == Kind::keyword_argument && file.text(tree.child(child, Field::name)) == "input") {
                found = tree.child(child, Field::value);
            }
        }
        if (found == kNoNode) found = tree.named_child(arguments, 0);
        while (found != kNoNode && tree.kind(found) == Kind::parenthesized_expression)
            found = tree.named_child(found, 0);
        return found;
    }

    /// The innermost operand of casts written inside each other.
    NodeId core(Site site) const {
        NodeId node = operand(file(site), site.node);
        while (node != kNoNode && is_site({site.file, node})) node = operand(file(site), node);
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
        edits.push_back(
            replacement(site.file, source.tree.range(site.node), closed ? text : fmt::format("({})", text)));
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
        if (holders.empty() || has_inner_scopes()) return false;
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
        const auto lines = own_lines(file_, holder.statement);
        if (!lines) return std::nullopt;
        holder.lines = *lines;
        return holder;
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

    bool has_inner_scopes() const {
        const auto nodes = tree_.nodes();
        for (NodeId id = kernel_.function->body; id < nodes[kernel_.function->body].subtree_end; ++id) {
            switch (nodes[id].kind) {
                case Kind::function_definition:
                case Kind::lambda:
                case Kind::class_definition:
                case Kind::list_comprehension:
                case Kind::set_comprehension:
                case Kind::dictionary_comprehension:
                case Kind::generator_expression:
                    return true;
                default:
                    break;
            }
        }
        return false;
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

    void take_name(CastRemoval& removal, const std::vector<Holder>& holders, std::string result) const {
        removal.parameter = result;
        for (const Holder& holder : holders) {
            removal.edits.push_back(replacement(kernel_.site.file, holder.lines, ""));
        }
        if (result == parameter_.name) return;
        const auto deleted = [&](NodeId use) {
            return std::ranges::any_of(holders, [&](const Holder& h) { return h.lines.contains(tree_[use].start); });
        };
        for (const NodeId use : variable_uses(file_, kernel_.function->body, parameter_.name)) {
            if (!deleted(use)) removal.edits.push_back(replacement(kernel_.site.file, tree_.range(use), result));
        }
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
    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
};

}  // namespace

CastRemoval remove_casts(const trace::Trace& trace, trace::KernelId kernel, std::uint32_t parameter,
                         const ParameterCasts& casts, bool may_rename) {
    const trace::KernelTrace& about = trace.kernels[kernel];
    return Remover(trace, about, about.parameters[parameter], casts).run(may_rename);
}

}  // namespace ptofix::rewrites
