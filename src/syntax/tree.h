// A parsed Python file as a flat array of nodes in reading order. tree-sitter builds its tree; one walk copies it here,
// so that everything later is index arithmetic: no recursion on the depth of the input, no string compares, and the
// large tree can be freed at once. Used by the tracer, the rewriters and the verification of fixes.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/kind.h"
#include "text/range.h"

namespace ptofix::syntax {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

/// 20 bytes. The subtree of node n is the nodes [n, n.subtree_end); its first child, if any, is n + 1.
struct Node {
    Kind kind;
    Field field;  // the field of the parent that holds this node
    bool named;
    bool broken;  // this node or one below it is an error or a missing token
    std::uint32_t start, end;
    NodeId parent;
    NodeId subtree_end;
};

/// Iterates the direct children of a node.
class Children {
  public:
    class Iterator {
      public:
        Iterator(const Node* nodes, NodeId at) : nodes_(nodes), at_(at) {}
        NodeId operator*() const { return at_; }
        Iterator& operator++() {
            at_ = nodes_[at_].subtree_end;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }
        bool operator==(const Iterator& other) const = default;

      private:
        const Node* nodes_;
        NodeId at_;
    };
    Children(const Node* nodes, NodeId first, NodeId end) : nodes_(nodes), first_(first), end_(end) {}
    Iterator begin() const { return {nodes_, first_}; }
    Iterator end() const { return {nodes_, end_}; }

  private:
    const Node* nodes_;
    NodeId first_, end_;
};

struct SyntaxTreeHandle;  // tree-sitter's own tree, kept only while a re-parse may want it

class Tree {
  public:
    Tree() = default;

    std::span<const Node> nodes() const { return nodes_; }
    const Node& operator[](NodeId id) const { return nodes_[id]; }
    NodeId root() const { return 0; }
    bool empty() const { return nodes_.empty(); }

    Kind kind(NodeId id) const { return nodes_[id].kind; }
    text::Range range(NodeId id) const { return {nodes_[id].start, nodes_[id].end}; }
    NodeId parent(NodeId id) const { return nodes_[id].parent; }
    /// True for node itself and everything below it.
    bool is_inside(NodeId inner, NodeId outer) const { return inner >= outer && inner < nodes_[outer].subtree_end; }

    Children children(NodeId id) const { return {nodes_.data(), id + 1, nodes_[id].subtree_end}; }
    /// The first child in that field, or kNoNode.
    NodeId child(NodeId id, Field field) const;
    /// The n-th named child that is no comment, or kNoNode.
    NodeId named_child(NodeId id, std::size_t n) const;
    std::size_t named_child_count(NodeId id) const;
    /// The first child of that kind, or kNoNode.
    NodeId child_of_kind(NodeId id, Kind kind) const;
    bool has_token(NodeId id, Kind token) const { return child_of_kind(id, token) != kNoNode; }

    /// The smallest node whose range holds [range]; named_only skips tokens.
    NodeId node_at(text::Range range, bool named_only = true) const;
    /// The nearest ancestor (or the node itself) of that kind, or kNoNode.
    NodeId enclosing(NodeId id, Kind kind) const;
    /// The statement that holds the node: the ancestor (or itself) whose parent is a block or the module. A decorated
    /// definition counts as its statement.
    NodeId statement_of(NodeId id) const;

    /// Errors and missing tokens in the whole file, those that no node shows (a missing line end) among them.
    std::size_t error_count() const { return error_count_; }
    bool broken(NodeId id) const { return nodes_[id].broken; }

    /// Frees tree-sitter's tree; a later reparse() is then a full parse.
    void release_parse_state() { handle_.reset(); }

  private:
    friend class Parser;
    std::vector<Node> nodes_;
    std::size_t error_count_ = 0;
    std::shared_ptr<SyntaxTreeHandle> handle_;
};

/// One replaced byte range of the old text and how many bytes stand there now. In order, not overlapping, old offsets.
struct TextChange {
    text::Range old_range;
    std::uint32_t new_size;
};

enum class ParseRefusal {
    too_deeply_indented,  // above kMaxIndentation levels: the grammar's scanner overruns its buffer above 510
    gave_up,              // the parser ran into kParseSeconds
};

inline constexpr int kMaxIndentation = 100;  // CPython's own limit ("too many levels of indentation")

/// Reusable parser. Not shared between threads.
class Parser {
  public:
    Parser();
    ~Parser();
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    /// text: UTF-8, under 4 GiB; a byte order mark at its start is skipped. keep_state: the tree may be re-parsed
    /// later.
    std::expected<Tree, ParseRefusal> parse(std::string_view text, bool keep_state = false);
    /// Parses new_text, reusing what the changes left alone.
    std::expected<Tree, ParseRefusal> reparse(const Tree& old, std::string_view old_text,
                                              std::span<const TextChange> changes, std::string_view new_text);
    /// For a text that changes by a little from call to call, as an editor's does: the statements of the module are
    /// parsed each by itself, and those of the last call's text are not parsed again. The tree has no state for
    /// reparse().
    std::expected<Tree, ParseRefusal> parse_statements(std::string_view text);
    /// Parses and drops the tree: what pto-parse-only measures.
    bool parse_only(std::string_view text);

  private:
    struct State;
    std::unique_ptr<State> state_;
    std::expected<Tree, ParseRefusal> run(std::string_view text, SyntaxTreeHandle* old, bool keep_state);
};

/// Statements on more than kMaxIndentation levels, or lines at more columns than the grammar's scanner can keep.
bool too_deeply_indented(std::string_view text);

}  // namespace ptofix::syntax
