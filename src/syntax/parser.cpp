#include <tree_sitter/api.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <new>
#include <string>
#include <unordered_map>

#include "comment_runs.h"
#include "dense_language.h"
#include "syntax/memory.h"
#include "syntax/top_level.h"
#include "syntax/tree.h"
#include "tree_sitter_python.h"
#include "tree_walk.h"

namespace ptofix::syntax {

namespace {

// A file that parses for longer is refused: 16 MB of ordinary Python take about 7 s on a slow core.
constexpr std::chrono::seconds kParseSeconds{60};

struct SymbolTables {
    std::vector<Kind> kinds;    // by TSSymbol
    std::vector<Field> fields;  // by TSFieldId
};

struct NamedId {
    std::string_view name;
    Kind kind;
};
constexpr NamedId kNamedKinds[] = {
#define PTOFIX_PAIR(name, id) {name, Kind::id},
    PTOFIX_NAMED_KINDS(PTOFIX_PAIR)};
constexpr NamedId kTokens[] = {PTOFIX_TOKENS(PTOFIX_PAIR)
#undef PTOFIX_PAIR
};
struct FieldName {
    std::string_view name;
    Field field;
};
constexpr FieldName kFields[] = {
#define PTOFIX_PAIR(name, id) {name, Field::id},
    PTOFIX_FIELDS(PTOFIX_PAIR)
#undef PTOFIX_PAIR
};

SymbolTables build_tables(const TSLanguage* language) {
    SymbolTables tables;
    const std::uint32_t symbols = ts_language_symbol_count(language);
    tables.kinds.assign(symbols, Kind::other);
    for (std::uint32_t s = 0; s < symbols; ++s) {
        const auto symbol = static_cast<TSSymbol>(s);
        const TSSymbolType type = ts_language_symbol_type(language, symbol);
        if (type == TSSymbolTypeAuxiliary) continue;
        const std::string_view name = ts_language_symbol_name(language, symbol);
        if (type == TSSymbolTypeAnonymous) {
            for (const NamedId& t : kTokens) {
                if (t.name == name) tables.kinds[s] = t.kind;
            }
        } else {
            for (const NamedId& t : kNamedKinds) {
                if (t.name == name) tables.kinds[s] = t.kind;
            }
        }
    }
    tables.fields.assign(ts_language_field_count(language) + 1, Field::none);
    for (const FieldName& f : kFields) {
        const TSFieldId id =
            ts_language_field_id_for_name(language, f.name.data(), static_cast<std::uint32_t>(f.name.size()));
        if (id != 0) tables.fields[id] = f.field;
    }
    return tables;
}

const SymbolTables& tables() {
    static const SymbolTables built = build_tables(tree_sitter_python());
    return built;
}

const TSLanguage* python() {
    static const TSLanguage* const language = pto_dense_language(tree_sitter_python());
    return language;
}

TSParser* new_parser() {
    [[maybe_unused]] static const bool installed = (install_parser_memory(), true);
    TSParser* parser = ts_parser_new();
    ts_parser_set_language(parser, python());
    return parser;
}

}  // namespace

struct SyntaxTreeHandle {
    TSTree* tree;
    explicit SyntaxTreeHandle(TSTree* t) : tree(t) {}
    SyntaxTreeHandle(const SyntaxTreeHandle&) = delete;
    SyntaxTreeHandle& operator=(const SyntaxTreeHandle&) = delete;
    ~SyntaxTreeHandle() { ts_tree_delete(tree); }
};

/// What the parser made of a piece of a module by itself.
struct ParsedPiece {
    std::vector<Node> nodes;
    std::size_t errors = 0;
};
using ParsedPieces = std::unordered_map<std::string, ParsedPiece>;  // by their text

struct Parser::State {
    TSParser* made = nullptr;  // with the first text that another one may follow
    ParsedPieces pieces;       // of the last text that was parsed statement by statement
    // The last of those texts that had to be parsed as a whole.
    std::string whole_text;
    TSTree* whole = nullptr;
    ~State() {
        ts_tree_delete(whole);
        ts_parser_delete(made);
    }
    TSParser* parser() {
        if (made == nullptr) made = new_parser();
        return made;
    }
};

Parser::Parser() : state_(std::make_unique<State>()) {}
Parser::~Parser() = default;

namespace {

/// A line end that the grammar put in (two statements on one line) is a token that no cursor shows: its parent is
/// broken and nothing below it is.
std::size_t hidden_errors(const std::vector<Node>& nodes) {
    std::vector<bool> explained(nodes.size());
    for (const Node& node : nodes) {
        if (node.broken && node.parent != kNoNode) explained[node.parent] = true;
    }
    std::size_t hidden = 0;
    for (std::size_t id = 0; id < nodes.size(); ++id) {
        const bool shown = nodes[id].kind == Kind::error || nodes[id].kind == Kind::missing;
        hidden += nodes[id].broken && !shown && !explained[id];
    }
    return hidden;
}

/// Copies the tree as it is walked.
struct Flattening {
    const SymbolTables& tables;
    std::string_view text;
    std::vector<Node>& out;  // made as large as the tree says it is
    std::size_t& errors;
    NodeId size = 0;
    NodeId parent = kNoNode;

    void enter(const PtoTreeNode& node) {
        if (size == out.size()) out.emplace_back();
        Node& flat = out[size];
        const bool is_error = node.symbol == static_cast<TSSymbol>(-1);
        flat.kind = is_error ? Kind::error : node.missing ? Kind::missing : tables.kinds[node.symbol];
        flat.field = tables.fields[node.field];
        // A backslash at a line's end stands anywhere, as a child of whatever it is in: no one who reads named nodes
        // means it.
        flat.named = node.named && flat.kind != Kind::line_continuation;
        flat.broken = node.has_error || node.missing || is_error;
        flat.start = node.start_byte;
        flat.end = node.end_byte;
        // The grammar takes the first half of a line end "\r\n" for the last byte of a comment.
        if (flat.kind == Kind::comment) {
            while (flat.end > flat.start && text[flat.end - 1] == '\r') --flat.end;
        }
        flat.parent = parent;
        flat.subtree_end = kNoNode;
        errors += node.missing || is_error;
        parent = size++;
    }
    void leave() {
        Node& node = out[parent];
        node.subtree_end = size;
        parent = node.parent;
    }
};

void flatten(TSTree* tree, std::string_view text, std::vector<Node>& out, std::size_t& errors) {
    out.resize(ts_node_descendant_count(ts_tree_root_node(tree)));
    Flattening flattening{tables(), text, out, errors};
    const PtoTreeVisitor visitor{&flattening,
                                 [](void* f, const PtoTreeNode* node) { static_cast<Flattening*>(f)->enter(*node); },
                                 [](void* f) { static_cast<Flattening*>(f)->leave(); }};
    if (!pto_tree_walk(tree, &visitor)) throw std::bad_alloc();
    out.resize(flattening.size);
    if (out[0].broken) errors += hidden_errors(out);
}

/// Python ends a line at a lone carriage return, the grammar does not: it is given line feeds there, and all offsets
/// stay. Holds the copy, if one is needed.
std::string_view with_line_feeds(std::string_view text, std::string& copy) {
    for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
        if (at + 1 < text.size() && text[at + 1] == '\n') continue;
        if (copy.empty()) copy = text;
        copy[at] = '\n';
    }
    return copy.empty() ? text : std::string_view(copy);
}

/// Of this thread: how long a file takes must not depend on what else the machine does.
std::chrono::nanoseconds processor_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

struct Deadline {
    std::chrono::nanoseconds end;
    std::uint32_t calls = 0;
};

/// Called every hundred steps of the parser, some microseconds; a look at the clock costs about as much as they do.
bool past_deadline(TSParseState* state) {
    auto& deadline = *static_cast<Deadline*>(state->payload);
    return ++deadline.calls % 64 == 0 && processor_time() > deadline.end;
}

struct Input {
    std::string_view text;
};

const char* read_input(void* payload, std::uint32_t byte, TSPoint, std::uint32_t* size) {
    const auto* input = static_cast<const Input*>(payload);
    if (byte >= input->text.size()) {
        *size = 0;
        return "";
    }
    *size = static_cast<std::uint32_t>(input->text.size() - byte);
    return input->text.data() + byte;
}

TSTree* parse_bounded(TSParser* parser, const TSTree* old, std::string_view text) {
    Input input{text};
    Deadline deadline{processor_time() + kParseSeconds};
    TSInput reader{&input, read_input, TSInputEncodingUTF8, nullptr};
    TSParseOptions options{&deadline, past_deadline};
    pto_comment_runs_begin();
    TSTree* tree = ts_parser_parse_with_options(parser, old, reader, options);
    pto_comment_runs_end();
    if (tree == nullptr) ts_parser_reset(parser);
    return tree;
}

TSPoint point_at(std::string_view text, std::uint32_t offset) {
    TSPoint point{0, 0};
    std::size_t line_start = 0;
    for (std::size_t at = text.find('\n'); at != std::string_view::npos && at < offset; at = text.find('\n', at + 1)) {
        ++point.row;
        line_start = at + 1;
    }
    point.column = static_cast<std::uint32_t>(offset - line_start);
    return point;
}

}  // namespace

/// False: the parser gave up.
bool parse_piece(TSParser* parser, std::string_view text, bool in_open_string, ParsedPiece& out) {
    const SyntaxTreeHandle parsed(parse_bounded(parser, nullptr, text));
    if (parsed.tree == nullptr) return false;
    flatten(parsed.tree, text, out.nodes, out.errors);
    if (in_open_string && out.nodes[0].kind != Kind::error) {
        out.nodes[0].kind = Kind::error;
        out.nodes[0].broken = true;
        ++out.errors;
    }
    return true;
}

void append(const ParsedPiece& piece, std::uint32_t start, std::vector<Node>& out) {
    const NodeId dropped = piece.nodes[0].kind == Kind::error ? 0 : 1;  // the piece's own module node
    const auto shift = static_cast<NodeId>(out.size()) - dropped;       // wraps around, and back when added
    for (NodeId id = dropped; id < piece.nodes.size(); ++id) {
        Node node = piece.nodes[id];
        node.start += start;
        node.end += start;
        node.parent = node.parent == kNoNode || node.parent < dropped ? 0 : node.parent + shift;
        node.subtree_end += shift;
        out.push_back(node);
    }
}

/// Parses pieces, or knows them from an earlier text.
class PieceParser {
  public:
    PieceParser(TSParser* parser, ParsedPieces& known) : parser_(parser), known_(known) {}

    /// Null: the parser gave up. What it points to stays where it is.
    const ParsedPiece* parse(std::string_view text, bool in_open_string) {
        std::string key(text);
        if (auto found = known_.extract(key); !found.empty()) return &now_.insert(std::move(found)).position->second;
        const auto [at, is_new] = now_.try_emplace(std::move(key));
        if (is_new && !parse_piece(parser_, text, in_open_string, at->second)) return nullptr;
        return &at->second;
    }
    /// Those of this text.
    ParsedPieces take() { return std::move(now_); }

  private:
    TSParser* parser_;
    ParsedPieces& known_;
    ParsedPieces now_;
};

/// The tree of a text, each piece of the module parsed by itself: what the parser makes of one that it cannot read says
/// nothing about the next. A piece that it cannot place at all is one error node. `known` holds the pieces of an
/// earlier text and then those of this one. hopeless: no other way to read the text is without errors. False: the
/// parser gave up.
bool flatten_apart(TSParser* parser, std::string_view text, const std::vector<Piece>& all, ParsedPieces& known,
                   std::vector<Node>& nodes, std::size_t& errors, bool& hopeless) {
    std::vector<Node> out;
    out.reserve(text.size() / 4 + 16);
    out.push_back(nodes[0]);
    out[0].kind = Kind::module_;
    errors = 0;
    PieceParser pieces(parser, known);
    hopeless = all.back().behind_open_bracket && !all.back().in_open_string;
    for (const Piece& piece : all) {
        const std::uint32_t start = piece.range.start;
        const ParsedPiece* parsed = pieces.parse(text.substr(start, piece.range.size()), piece.in_open_string);
        if (parsed == nullptr) return false;
        append(*parsed, start, out);
        errors += parsed->errors;
    }
    out[0].subtree_end = static_cast<NodeId>(out.size());
    nodes = std::move(out);
    known = pieces.take();
    return true;
}

std::expected<Tree, ParseRefusal> Parser::run(std::string_view text, SyntaxTreeHandle* old, bool keep_state) {
    std::string copy;
    text = with_line_feeds(text, copy);
    if (too_deeply_indented(text)) return std::unexpected(ParseRefusal::too_deeply_indented);
    Tree tree;
    std::shared_ptr<SyntaxTreeHandle> handle;
    if (old == nullptr && !keep_state) {
        const ParseMemory memory;
        TSTree* const parsed = parse_bounded(new_parser(), nullptr, text);
        if (parsed == nullptr) return std::unexpected(ParseRefusal::gave_up);
        flatten(parsed, text, tree.nodes_, tree.error_count_);
    } else {
        TSTree* const parsed = parse_bounded(state_->parser(), old ? old->tree : nullptr, text);
        if (parsed == nullptr) return std::unexpected(ParseRefusal::gave_up);
        handle = std::make_shared<SyntaxTreeHandle>(parsed);
        flatten(parsed, text, tree.nodes_, tree.error_count_);
    }
    if (tree.error_count_ != 0) {
        ParsedPieces none;
        bool hopeless = true;
        if (!flatten_apart(state_->parser(), text, top_level_pieces(text), none, tree.nodes_, tree.error_count_,
                           hopeless)) {
            return std::unexpected(ParseRefusal::gave_up);
        }
    }
    if (keep_state) tree.handle_ = std::move(handle);
    return tree;
}

/// Tells a tree what has changed in its text. Points are counted in line feeds.
void tell(TSTree* tree, std::string_view old_text, std::span<const TextChange> changes, std::string_view new_text) {
    std::int64_t shift = 0;  // bytes that earlier changes added
    for (const TextChange& change : changes) {
        TSInputEdit edit{};
        edit.start_byte = static_cast<std::uint32_t>(change.old_range.start + shift);
        edit.old_end_byte = static_cast<std::uint32_t>(change.old_range.end + shift);
        edit.new_end_byte = edit.start_byte + change.new_size;
        // Points are of the text with the earlier changes in: its head equals new_text's, its tail old_text's.
        edit.start_point = point_at(new_text, edit.start_byte);
        edit.new_end_point = point_at(new_text, edit.new_end_byte);
        const std::string_view removed = old_text.substr(change.old_range.start, change.old_range.size());
        const TSPoint inside = point_at(removed, static_cast<std::uint32_t>(removed.size()));
        edit.old_end_point = {edit.start_point.row + inside.row,
                              inside.row == 0 ? edit.start_point.column + inside.column : inside.column};
        ts_tree_edit(tree, &edit);
        shift += static_cast<std::int64_t>(change.new_size) - change.old_range.size();
    }
}

/// The one range in which two texts differ, between whole characters.
TextChange difference(std::string_view old_text, std::string_view new_text) {
    const auto is_inside = [](std::string_view text, std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    const std::size_t most = std::min(old_text.size(), new_text.size());
    std::size_t head = static_cast<std::size_t>(
        std::mismatch(old_text.begin(), old_text.begin() + static_cast<std::ptrdiff_t>(most), new_text.begin()).first -
        old_text.begin());
    while (head > 0 && (is_inside(old_text, head) || is_inside(new_text, head))) --head;
    std::size_t tail = 0;
    while (tail < most - head && old_text[old_text.size() - 1 - tail] == new_text[new_text.size() - 1 - tail]) ++tail;
    while (tail > 0 && is_inside(old_text, old_text.size() - tail)) --tail;
    return {{static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(old_text.size() - tail)},
            static_cast<std::uint32_t>(new_text.size() - tail - head)};
}

std::expected<Tree, ParseRefusal> Parser::parse_statements(std::string_view text) {
    std::string copy;
    text = with_line_feeds(text, copy);
    if (too_deeply_indented(text)) return std::unexpected(ParseRefusal::too_deeply_indented);
    Tree tree;
    Node module{};
    module.kind = Kind::module_;
    module.named = true;
    module.parent = kNoNode;
    tree.nodes_.push_back(module);
    bool hopeless = false;
    const std::vector<Piece> pieces = top_level_pieces(text);
    if (!flatten_apart(state_->parser(), text, pieces, state_->pieces, tree.nodes_, tree.error_count_, hopeless)) {
        state_->pieces.clear();
        return std::unexpected(ParseRefusal::gave_up);
    }
    if (tree.error_count_ == 0 && runs_into_the_next(text, pieces)) return run(text, nullptr, false);
    if (tree.error_count_ != 0 && !hopeless) {
        // The parser accepts some texts as a whole that no pieces of them explain: "def f()", and ":" on the next line.
        if (state_->whole != nullptr) {
            const TextChange change = difference(state_->whole_text, text);
            tell(state_->whole, state_->whole_text, {&change, 1}, text);
        }
        TSTree* whole = parse_bounded(state_->parser(), state_->whole, text);
        ts_tree_delete(state_->whole);
        state_->whole = whole;
        state_->whole_text = text;
        if (whole == nullptr) return std::unexpected(ParseRefusal::gave_up);
        if (!ts_node_has_error(ts_tree_root_node(whole))) {
            tree.nodes_.clear();
            tree.error_count_ = 0;
            flatten(whole, text, tree.nodes_, tree.error_count_);
            return tree;
        }
    }
    // The module begins with its first node and ends with the text.
    Node& root = tree.nodes_[0];
    root.end = static_cast<std::uint32_t>(text.size());
    root.start = tree.nodes_.size() > 1 ? tree.nodes_[1].start : root.end;
    root.broken = tree.error_count_ != 0;
    return tree;
}

std::expected<Tree, ParseRefusal> Parser::parse(std::string_view text, bool keep_state) {
    return run(text, nullptr, keep_state);
}

std::expected<Tree, ParseRefusal> Parser::reparse(const Tree& old, std::string_view old_text,
                                                  std::span<const TextChange> changes, std::string_view new_text) {
    std::string copy;
    const auto is_given_as_it_is = [&](std::string_view text) {
        return with_line_feeds(text, copy).data() == text.data();
    };
    // Points are counted in line feeds.
    if (!old.handle_ || !is_given_as_it_is(old_text) || !is_given_as_it_is(new_text)) {
        return run(new_text, nullptr, true);
    }
    SyntaxTreeHandle edited(ts_tree_copy(old.handle_->tree));
    tell(edited.tree, old_text, changes, new_text);
    return run(new_text, &edited, true);
}

bool Parser::parse_only(std::string_view text) {
    if (too_deeply_indented(text)) return false;
    TSTree* parsed = parse_bounded(state_->parser(), nullptr, text);
    if (parsed == nullptr) return false;
    ts_tree_delete(parsed);
    return true;
}

}  // namespace ptofix::syntax
