// Where each name stands in a file: what looks a name up in many statements does not read all of them.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/tree.h"
#include "trace/project.h"

namespace ptofix::rewrites {

class Mentions {
  public:
    /// Read once for a file, and kept for the next who asks.
    explicit Mentions(const trace::SourceFile& file);

    /// The identifiers of that text in the nodes [begin, end), whatever they stand for. For as long as this lives.
    std::span<const syntax::NodeId> between(syntax::NodeId begin, syntax::NodeId end, std::string_view name) const;
    std::span<const syntax::NodeId> below(syntax::NodeId node, std::string_view name) const {
        return between(node, tree_[node].subtree_end, name);
    }
    /// Is there a `break` or a `continue` among these nodes?
    bool has_jump(syntax::NodeId begin, syntax::NodeId end) const;

  private:
    struct Index {
        std::unordered_map<std::string_view, std::vector<syntax::NodeId>> identifiers;  // of the file's text
        std::vector<syntax::NodeId> jumps;
    };
    static Index read(const trace::SourceFile& file);

    const syntax::Tree& tree_;
    std::shared_ptr<const Index> index_;
};

}  // namespace ptofix::rewrites
