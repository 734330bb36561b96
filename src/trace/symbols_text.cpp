// Expressions as a person would write them.
#include <fmt/format.h>

#include "trace/integer_math.h"
#include "trace/symbols.h"

namespace ptofix::trace {
namespace {

/// Beyond these an ellipsis stands for the rest: a text in a message is for reading.
constexpr int kMaxDepth = 6;
constexpr std::size_t kMaxLength = 240;

class Writer {
  public:
    explicit Writer(const Symbols& symbols) : symbols_(symbols) {}

    void sum(SymInt e, int depth) {
        if (cut(depth)) return;
        if (e.unknown()) {
            out_ += '?';
        } else if (e.known()) {
            out_ += fmt::format("{}", e.value);
        } else {
            sum(symbols_.affine(e), depth);
        }
    }

    std::string take() { return std::move(out_); }

  private:
    bool cut(int depth) {
        if (depth < kMaxDepth && out_.size() < kMaxLength) return false;
        out_ += "...";
        return true;
    }

    /// What is added comes first, then what is taken away: "n - 16 * i".
    void sum(const Affine& e, int depth) {
        bool first = true;
        bool positive = false;
        for (const auto& t : e.terms) positive |= t.coefficient > 0;
        if (!positive && e.constant > 0) {
            out_ += fmt::format("{}", e.constant);
            first = false;
        }
        for (const bool adds : {true, false}) {
            for (const auto& t : e.terms) {
                if ((t.coefficient > 0) != adds) continue;
                if (!first) {
                    out_ += adds ? " + " : " - ";
                } else if (!adds) {
                    out_ += '-';
                }
                first = false;
                const std::uint64_t factor = integers::magnitude(t.coefficient);
                const bool scaled = factor != 1;
                if (scaled) out_ += fmt::format("{} * ", factor);
                atom(t.atom, depth, scaled);
            }
        }
        if (e.constant == 0 || (!positive && e.constant > 0)) return;
        out_ += fmt::format(" {} {}", e.constant > 0 ? '+' : '-', integers::magnitude(e.constant));
    }

    /// An operand of * // %: in parentheses unless it is a plain name or number.
    void factor(SymInt e, int depth, bool chain) {
        const bool plain = !e.symbolic() || is_plain(symbols_.affine(e), chain);
        if (!plain) out_ += '(';
        sum(e, depth);
        if (!plain) out_ += ')';
    }

    bool is_plain(const Affine& e, bool chain) const {
        if (e.constant != 0 || e.terms.size() != 1 || e.terms[0].coefficient != 1) return false;
        const Atom& a = symbols_.atom(e.terms[0].atom);
        if (a.kind != AtomKind::opaque || a.op == OpaqueOp::min || a.op == OpaqueOp::max) return true;
        return chain && a.op == OpaqueOp::multiply;
    }

    void atom(AtomId id, int depth, bool scaled) {
        const Atom& a = symbols_.atom(id);
        if (a.kind != AtomKind::opaque || !a.name.empty()) {
            out_ += a.name.empty() ? "?" : a.name;
            return;
        }
        if (cut(depth)) return;
        const auto call = [&](std::string_view name) {
            out_ += name;
            out_ += '(';
            sum(a.left, depth + 1);
            out_ += ", ";
            sum(a.right, depth + 1);
            out_ += ')';
        };
        const auto infix = [&](std::string_view op, bool chain) {
            const bool parentheses = scaled && !chain;
            if (parentheses) out_ += '(';
            factor(a.left, depth + 1, chain);
            out_ += op;
            factor(a.right, depth + 1, false);
            if (parentheses) out_ += ')';
        };
        switch (a.op) {
            case OpaqueOp::min:
                return call("min");
            case OpaqueOp::max:
                return call("max");
            case OpaqueOp::floor_div:
                return infix(" // ", false);
            case OpaqueOp::mod:
                return infix(" % ", false);
            case OpaqueOp::power:
                return infix(" ** ", false);
            case OpaqueOp::multiply:
                return infix(" * ", true);
            case OpaqueOp::none:
            case OpaqueOp::other:
                out_ += '?';
                return;
        }
    }

    const Symbols& symbols_;
    std::string out_;
};

}  // namespace

std::string Symbols::text(SymInt e) const {
    Writer w(*this);
    w.sum(e, 0);
    return w.take();
}

}  // namespace ptofix::trace
