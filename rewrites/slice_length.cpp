#include "rewrites/slice_length.h"

#include <string>

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using syntax::Tree;

class Matcher {
  public:
    Matcher(const trace::SourceFile& file, NodeId at)
        : file_(file), tree_(file.tree), function_(tree_.enclosing(at, Kind::function_definition)) {}

    /// Does stop - start cancel by the framework's patterns?
    bool differ_plainly(NodeId start, NodeId stop, int depth = 0) const {
        constexpr int kMaxDepth = 8;
        if (start == kNoNode || stop == kNoNode || depth > kMaxDepth) return false;
        start = bare(start);
        stop = bare(stop);
        if (is_number(start) && is_number(stop)) return true;
        if (is_sum_with(stop, start)) return true;  // a, a + n
        if (is_operation(start, Kind::star) && is_operation(stop, Kind::star) && have_common_factor(start, stop))
            return true;
        if (is_operation(start, Kind::plus) && is_operation(stop, Kind::plus)) {  // x + a, x + b
            for (const Field common : {Field::left, Field::right}) {
                for (const Field same : {Field::left, Field::right}) {
                    const NodeId a = tree_.child(start, common);
                    const NodeId b = tree_.child(stop, same);
                    if (!equal(a, b)) continue;
                    if (differ_plainly(other(start, common), other(stop, same), depth + 1)) return true;
                }
            }
        }
        if (const NodeId value = bound_once(stop); value != kNoNode && differ_plainly(start, value, depth + 1))
            return true;
        if (const NodeId value = bound_once(start); value != kNoNode && differ_plainly(value, stop, depth + 1))
            return true;
        return false;
    }

  private:
    NodeId bare(NodeId node) const {
        while (node != kNoNode && tree_.kind(node) == Kind::parenthesized_expression) node = tree_.named_child(node, 0);
        return node;
    }
    bool is_number(NodeId node) const { return tree_.kind(node) == Kind::integer; }
    bool is_operation(NodeId node, Kind operation) const {
        const NodeId op = tree_.kind(node) == Kind::binary_operator ? tree_.child(node, Field::operator_) : kNoNode;
        return op != kNoNode && tree_.kind(op) == operation;
    }
    NodeId other(NodeId operation, Field side) const {
        return tree_.child(operation, side == Field::left ? Field::right : Field::left);
    }
    /// The same text, blanks and outer parentheses aside.
    bool equal(NodeId a, NodeId b) const { return squeezed(bare(a)) == squeezed(bare(b)); }
    std::string squeezed(NodeId node) const {
        std::string out;
        if (node == kNoNode) return out;
        for (char c : file_.text(node)) {
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\\') out.push_back(c);
        }
        return out;
    }
    /// sum = term + something
    bool is_sum_with(NodeId sum, NodeId term) const {
        return is_operation(sum, Kind::plus) &&
               (equal(tree_.child(sum, Field::left), term) || equal(tree_.child(sum, Field::right), term));
    }
    /// a * n, (a + 1) * n
    bool have_common_factor(NodeId start, NodeId stop) const {
        for (const Field common : {Field::left, Field::right}) {
            for (const Field same : {Field::left, Field::right}) {
                if (!equal(tree_.child(start, common), tree_.child(stop, same))) continue;
                if (is_sum_with(bare(other(stop, same)), bare(other(start, common)))) return true;
            }
        }
        return false;
    }
    /// The expression of `name = expression`, when nothing else in the function binds the name.
    NodeId bound_once(NodeId node) const {
        if (tree_.kind(node) != Kind::identifier || function_ == kNoNode) return kNoNode;
        const std::string_view name = file_.text(node);
        NodeId found = kNoNode;
        for (NodeId n = function_; n < tree_[function_].subtree_end; ++n) {
            if (tree_.kind(n) != Kind::identifier || file_.text(n) != name) continue;
            const NodeId parent = tree_.parent(n);
            const bool is_target = tree_[n].field == Field::left || tree_[n].field == Field::name ||
                                   tree_.kind(parent) == Kind::pattern_list ||
                                   tree_.kind(parent) == Kind::tuple_pattern || tree_.kind(parent) == Kind::parameters;
            if (!is_target || tree_.kind(parent) == Kind::binary_operator ||
                tree_.kind(parent) == Kind::keyword_argument)
                continue;
            if (found != kNoNode || tree_.kind(parent) != Kind::assignment) return kNoNode;
            found = tree_.child(parent, Field::right);
        }
        return found;
    }

    const trace::SourceFile& file_;
    const Tree& tree_;
    const NodeId function_;
};

}  // namespace

bool has_plain_length(const trace::SourceFile& file, NodeId slice) {
    const Tree& tree = file.tree;
    NodeId bounds[2] = {kNoNode, kNoNode};
    std::size_t at = 0;
    for (NodeId child : tree.children(slice)) {
        if (tree.kind(child) == Kind::colon) ++at;
        if (tree[child].named && tree.kind(child) != Kind::comment && at < 2) bounds[at] = child;
    }
    if (bounds[0] == kNoNode || bounds[1] == kNoNode) return true;
    return Matcher(file, slice).differ_plainly(bounds[0], bounds[1]);
}

}  // namespace ptofix::rewrites
