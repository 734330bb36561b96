#include "rewrites/shape_reads.h"

#include <algorithm>
#include <array>
#include <optional>

#include "syntax/integer_literal.h"

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

namespace {

// What gives the whole shape, or one axis of it when it is called with its number.
constexpr auto kShapes = std::to_array<std::string_view>({"shape", "size", "ori_shape", "valid_shape"});
constexpr auto kRanks = std::to_array<std::string_view>({"dim", "ndim", "rank"});
constexpr auto kCounts = std::to_array<std::string_view>({"numel", "nbytes", "nelement"});

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

class Reader {
  public:
    Reader(const trace::SourceFile& file, const KeptShape& kept) : file_(file), tree_(file.tree), kept_(kept) {}

    NodeId find(NodeId node) const {
        for (NodeId n = node; n < tree_[node].subtree_end; ++n) {
            if (tree_.kind(n) == Kind::attribute && asks(n)) return n;
            if (tree_.kind(n) == Kind::call && asks_by_name(n)) return n;
        }
        return kNoNode;
    }

  private:
    std::optional<std::int64_t> number(NodeId node) const {
        const std::string_view text = file_.text(node);
        if (!text.starts_with('-')) return syntax::integer_literal(text);
        const auto value = syntax::integer_literal(text.substr(1));  // -1: the last axis
        return value ? std::optional(-*value) : std::nullopt;
    }

    bool is_concerned(NodeId object) const {
        while (tree_.kind(object) == Kind::parenthesized_expression) object = tree_.named_child(object, 0);
        return tree_.kind(object) != Kind::identifier || kept_.concerns(file_.text(object));
    }

    bool asks(NodeId attribute) const {
        const std::string_view name = file_.text(tree_.child(attribute, Field::attribute));
        const bool shape = is_one_of(kShapes, name);
        if (!shape && !is_one_of(kRanks, name) && !is_one_of(kCounts, name)) return false;
        if (!is_concerned(tree_.child(attribute, Field::object))) return false;
        if (is_one_of(kCounts, name)) return true;
        if (!shape) return !kept_.rank;
        return !is_kept(attribute);
    }

    /// x.shape[-1], x.size(-1), len(x.shape)
    bool is_kept(NodeId shape) const {
        const NodeId parent = tree_.parent(shape);
        if (tree_.kind(parent) == Kind::subscript && tree_.child(parent, Field::value) == shape) {
            const NodeId key = tree_.child(parent, Field::subscript);
            const auto index = tree_.named_child_count(parent) == 2 ? number(key) : std::nullopt;
            return index && kept_.axis(*index);
        }
        if (tree_.kind(parent) == Kind::call && tree_.child(parent, Field::function) == shape) {
            const NodeId arguments = tree_.child(parent, Field::arguments);
            const auto index =
                tree_.named_child_count(arguments) == 1 ? number(tree_.named_child(arguments, 0)) : std::nullopt;
            return index && kept_.axis(*index);
        }
        const NodeId call = tree_.parent(parent);
        const bool counted = tree_.kind(parent) == Kind::argument_list && tree_.kind(call) == Kind::call &&
                             file_.text(tree_.child(call, Field::function)) == "len";
        return counted && kept_.rank;
    }

    /// getattr(x, "shape"): by a name that is put together, it may be anything.
    bool asks_by_name(NodeId call) const {
        if (file_.text(tree_.child(call, Field::function)) != "getattr") return false;
        const NodeId arguments = tree_.child(call, Field::arguments);
        if (tree_.named_child_count(arguments) < 2 || !is_concerned(tree_.named_child(arguments, 0))) return false;
        const std::string_view name = file_.text(tree_.named_child(arguments, 1));
        if (tree_.kind(tree_.named_child(arguments, 1)) != Kind::string || name.size() < 2) return true;
        const std::string_view inside = name.substr(1, name.size() - 2);
        return is_one_of(kShapes, inside) || is_one_of(kRanks, inside) || is_one_of(kCounts, inside);
    }

    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
    const KeptShape& kept_;
};

}  // namespace

NodeId find_shape_read(const trace::SourceFile& file, NodeId node, const KeptShape& kept) {
    return Reader(file, kept).find(node);
}

}  // namespace ptofix::rewrites
