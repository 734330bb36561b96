// PTO105: multiplies the INT8 tensors themselves, into INT32, and casts the product. The cube tile follows where INT8
// asks for wider steps; casts of the operands go where nothing else reads them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "hardware/tile.h"
#include "rewrites/cube_fit.h"
#include "rewrites/int8_operands.h"
#include "rewrites/lines.h"
#include "rewrites/loop_checks.h"
#include "rewrites/names.h"
#include "rewrites/operands.h"
#include "rewrites/rewrites.h"
#include "rewrites/tile_slots.h"
#include "rewrites/variables.h"
#include "trace/matmul.h"
#include "trace/project.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

namespace {

using hardware::DType;
using rules::Blocked;
using rules::Fix;
using rules::Rewrite;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Site;
using trace::Trace;
using Number = std::int64_t;

// FP32 holds every integer up to 2^24; a sum of K products of INT8 is at most K x 127 x 127.
constexpr Number kExactInFp32 = Number{1} << 24;
constexpr Number kLargestProduct = Number{127} * 127;

class Int8Matmul {
  public:
    Int8Matmul(const Trace& trace, const rules::Int8MatmulEvidence& evidence, const Settings& settings)
        : trace_(trace),
          evidence_(evidence),
          soc_(settings.soc),
          op_(trace.operations[evidence.matmul]),
          file_(*trace.files[op_.site.file]),
          tree_(file_.tree),
          module_(framework_module(file_, op_.site.file, op_.site.node)) {}

    Rewrite run() {
        Rewrite rewrite;
        if (auto no = make()) {
            rewrite.blocked = std::move(no);
            return rewrite;
        }
        const bool exact = evidence_.k && *evidence_.k < hardware::ceil_div(kExactInFp32, kLargestProduct);
        const bool in_range = is_in_range();
        fix_.applicability = exact && in_range ? rules::Applicability::safe : rules::Applicability::unsafe;
        fix_.description.id = exact ? "PTO105.fix.int8" : "PTO105.fix.int8_more_exact";
        // Two matmuls may share a cast: one at a time.
        fix_.isolation = fmt::format("PTO105 {}", trace_.kernels[evidence_.kernel].site.node);
        if (!in_range) {
            rewrite.blocked = blocked_at(trace_, "PTO105.blocked.range", op_.site);
        } else if (!exact) {
            rewrite.blocked = blocked_at(trace_, "PTO105.blocked.rounding", op_.site);
            rewrite.blocked->reason.data.set("k_extent", evidence_.k ? std::to_string(*evidence_.k) : std::string("K"));
        }
        rewrite.fix = std::move(fix_);
        return rewrite;
    }

  private:
    /// Beyond FP16's largest number the matmul's own conversion and a cast need not do the same.
    bool is_in_range() const {
        constexpr Number kLargestFp16 = 65504;
        if (op_.output == trace::kNoTensor || trace_.tensors[op_.output].type.dtype != DType::fp16) return true;
        return evidence_.k && *evidence_.k <= kLargestFp16 / (Number{128} * 128);
    }

    const trace::Value* argument(std::string_view name) const {
        for (const auto& [n, v] : op_.arguments) {
            if (n == name) return &v;
        }
        return nullptr;
    }
    Blocked not_followed() const {
        return blocked_at(trace_, "blocked.not_followed", op_.site, "what", shown(trace_, op_.site));
    }

    std::optional<Blocked> make() {
        const trace::Value* extended = argument("extend_params");
        if (extended != nullptr && !extended->is(trace::Tag::none)) {
            return blocked_at(trace_, "PTO105.blocked.extended", op_.site);
        }
        if (auto no = vec_tile()) return no;
        if (auto no = cube_tile()) return no;
        if (auto no = operands()) return no;
        // Both casts in one line, each to be taken out with a semicolon: it may be the same one.
        for (const rules::FileEdit& a : fix_.edits) {
            for (const rules::FileEdit& b : fix_.edits) {
                if (&a < &b && a.file == b.file && a.range.overlaps(b.range)) {
                    return blocked_at(trace_, "blocked.statement_shared", op_.site);
                }
            }
        }
        if (module_.import) fix_.edits.push_back(*module_.import);
        return result();
    }

    /// The cast of the product runs under the vec tile in force.
    std::optional<Blocked> vec_tile() const {
        const auto tile = trace::known_tile(trace_, op_.vec_tile);
        const auto shape = op_.output == trace::kNoTensor ? std::nullopt : trace::known_shape(trace_, op_.output);
        // Of a tile with more axes than the product the first ones would count, which are meant for others.
        if (tile && shape && tile->size() > shape->size()) {
            return blocked_at(trace_, "PTO105.blocked.vec_tile_rank", op_.site);
        }
        if (tile && shape) {
            // The cast to FP32 writes into the buffer of the product, which is as large and which nothing else reads; a
            // further one to 16 bits has a buffer of its own (what PTO101 counts of the two casts, once they stand).
            const DType type = trace_.tensors[op_.output].type.dtype;
            const auto product = hardware::vec_tile_bytes(*tile, *shape, DType::fp32);
            const auto narrow =
                type == DType::fp32 ? std::optional<Number>(0) : hardware::vec_tile_bytes(*tile, *shape, type);
            const auto count = hardware::vec_tile_count(*tile, *shape);
            // A cast of one operand: one input for each tile.
            const bool many = !count || *count > rules::kMostTileOperations / 2;
            const Number ub = hardware::pools(soc_).ub;
            if (product && narrow && *product <= ub && *narrow <= ub - *product && !many) return std::nullopt;
        }
        return blocked_at(trace_, "PTO105.blocked.vec_tile", op_.site);
    }

    /// The matmuls under the same call, this one as it will be.
    std::vector<trace::Matmul> with_int8(std::vector<trace::Matmul> matmuls) const {
        for (trace::Matmul& m : matmuls) {
            if (trace_.operations[m.op].site != op_.site) continue;
            m.form.a = m.form.b = DType::int8;
            m.form.out = DType::int32;
        }
        return matmuls;
    }

    std::optional<Blocked> cube_tile() {
        const auto calls = trace::cube_tile_calls(trace_);
        const auto call = std::ranges::find_if(calls, [&](const trace::CubeTileCall& c) {
            return op_.cube_tile != trace::kNone && c.call == trace_.tiles[op_.cube_tile].call;
        });
        if (call == calls.end()) return blocked_at(trace_, "PTO105.blocked.cube_tile_not_set", op_.site);
        std::vector<TileChange> changes;
        for (const auto& setting : call->settings) {
            const trace::TileSetting& t = trace_.tiles[setting.tile];
            const auto tile = trace::cube_tile_of(t);
            if (!tile) return blocked_at(trace_, "PTO105.blocked.cube_tile_unknown", t.call);
            const auto nearest = nearest_cube_tile(*tile, with_int8(setting.matmuls), hardware::pools(soc_),
                                                   {.one_k_l1 = t.k_count == 2});
            if (!nearest) return blocked_at(trace_, "PTO105.blocked.cube_tile", t.call);
            add_cube_changes(*nearest, setting.tile, t, changes);
        }
        auto edits = edit_tiles(trace_, changes);
        if (!edits) return std::move(edits.error());
        fix_.edits = std::move(edits->edits);
        fix_.read_as = std::move(edits->read_as);
        return std::nullopt;
    }

    std::optional<Blocked> operands() {
        for (const auto& [name, casts] :
             {std::pair("input", &evidence_.a_casts), std::pair("mat2", &evidence_.b_casts)}) {
            const NodeId node = operand_node(trace_, op_, name);
            if (node == kNoNode) return not_followed();
            auto operand = int8_operand(trace_, evidence_.matmul, {op_.site.file, node}, *casts);
            if (!operand) return std::move(operand.error());
            replace(node, operand->text);
            for (rules::FileEdit& edit : operand->edits) add(std::move(edit));
            fix_.removes_comments = fix_.removes_comments || operand->removes_comments;
        }
        return std::nullopt;
    }

    void replace(NodeId node, std::string text) { add(replacement(op_.site.file, tree_.range(node), std::move(text))); }
    void add(rules::FileEdit edit) {  // x32 @ x32: the cast goes once
        if (std::ranges::find(fix_.edits, edit) == fix_.edits.end()) fix_.edits.push_back(std::move(edit));
    }

    std::optional<Blocked> result() {
        const DType type = op_.output == trace::kNoTensor ? DType::unknown : trace_.tensors[op_.output].type.dtype;
        if (type != DType::fp32 && type != DType::fp16 && type != DType::bf16) return not_followed();
        std::string dtype = module_.text + ".DT_FP32";
        if (tree_.kind(op_.site.node) == Kind::call) {
            const NodeId given = operand_node(trace_, op_, "out_dtype");
            if (given == kNoNode) return not_followed();
            const std::string text(file_.text(given));
            const std::string_view own = hardware::pypto_name(type);
            const bool written = text.ends_with(own) && tree_.kind(given) == Kind::attribute;
            replace(given,
                    written ? text.substr(0, text.size() - own.size()) + "DT_INT32" : module_.text + ".DT_INT32");
            dtype = text;
        }
        // INT32 has no direct way to 16 bits that keeps the value: FP32 lies between, as it did in the matmul.
        const std::string between = type == DType::fp32 ? std::string() : module_.text + ".DT_FP32";
        const NodeId assignment = tree_.parent(op_.site.node);
        const NodeId target =
            tree_.kind(assignment) == Kind::assignment ? tree_.child(assignment, Field::left) : kNoNode;
        const NodeId statement = tree_.statement_of(op_.site.node);
        const bool named = target != kNoNode && tree_.kind(target) == Kind::identifier &&
                           tree_.child(assignment, Field::type) == kNoNode && tree_.parent(assignment) == statement &&
                           tree_.child(assignment, Field::right) == op_.site.node && stands_alone(statement);
        if (!named) {
            const text::Range range = tree_.range(op_.site.node);
            add(insertion(op_.site.file, range.start,
                          module_.text + (between.empty() ? ".cast(" : fmt::format(".cast({}.cast(", module_.text))));
            const std::string first = between.empty() ? std::string() : fmt::format(", {})", between);
            add(insertion(op_.site.file, range.end, fmt::format("{}, {})", first, dtype)));
            return std::nullopt;
        }
        const std::string name(file_.text(target));
        const std::string product = free_name(file_, {name + "_i32", name + "_int32"});
        replace(target, product);
        const std::string source =
            between.empty() ? product : fmt::format("{}.cast({}, {})", module_.text, product, between);
        const text::Range line = file_.lines.full_line_range(file_.lines.line_of(tree_.range(statement).end));
        const bool ends =
            line.end > line.start && file_.text()[line.end - 1] != '\n' && file_.text()[line.end - 1] != '\r';
        add(insertion(op_.site.file, line.end,
                      fmt::format("{}{}{} = {}.cast({}, {}){}", ends ? "\n" : "", indentation(file_, statement), name,
                                  module_.text, source, dtype, ends ? "" : "\n")));
        return std::nullopt;
    }

    /// Nothing but a comment shares the statement's lines.
    bool stands_alone(NodeId statement) const {
        const text::Range range = tree_.range(statement);
        const text::Range last = file_.lines.line_range(file_.lines.line_of(range.end));
        std::string_view behind = file_.text().substr(range.end, last.end - range.end);
        behind.remove_prefix(std::min(behind.find_first_not_of(" \t"), behind.size()));
        return begins_its_line(file_, statement) && (behind.empty() || behind.starts_with('#'));
    }

    const Trace& trace_;
    const rules::Int8MatmulEvidence& evidence_;
    const hardware::Soc soc_;
    const trace::Operation& op_;
    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
    const ModuleName module_;
    Fix fix_;
};

}  // namespace

Rewrite int8_matmul(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const auto* evidence = std::get_if<rules::Int8MatmulEvidence>(&finding.evidence);
    if (evidence == nullptr) return {};
    return Int8Matmul(trace, *evidence, settings).run();
}

}  // namespace ptofix::rewrites
