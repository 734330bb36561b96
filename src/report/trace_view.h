// What is shown of a trace: kernels with their parameters, loops and operations, and what of them is not known and why;
// and how much is known of the settings of many files. Filled by cli, laid out as a table or JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/catalogue.h"

namespace ptofix::report {

struct Place {
    std::string path;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t cell = 0;  // of a notebook, whose lines are counted in their cells; 0: it is none

    std::string line_text() const;  // "12", in a notebook "cell 3:5"
};

/// An integer, an expression such as "n - 16 * i", or "?".
struct Number {
    std::optional<std::int64_t> value;
    std::string text;
};

struct TensorView {
    std::string name;  // may be empty
    bool rank_known = false;
    std::vector<Number> shape;
    std::string_view dtype;  // "DT_BF16"; empty: not known
};

struct TileView {
    bool is_cube = false;
    std::vector<Number> vec, m, k, n;
    std::optional<Place> set_at;  // nothing: different settings met here
};

struct OperationView {
    Place place;
    std::string_view name;
    std::string_view engine;  // "vector", "cube", "movement", "view", "create", "scalar"
    std::vector<TensorView> operands;
    std::optional<TensorView> result;
    std::optional<TileView> tile;     // of the engine that runs it
    std::optional<std::size_t> loop;  // innermost, KernelView::loops
};

struct LoopView {
    std::optional<std::size_t> parent;
    std::string_view kind;  // "range", "for", "while", "comprehension", "pypto.loop", "pypto.loop_unroll"
    Place place;
    std::string index;  // its variable
    Number trips;
    bool unroll_known = false;
    std::vector<std::int64_t> unroll;  // with the implicit 1; empty: none given
    std::size_t first = 0, end = 0;    // operations recorded inside
};

struct ParameterView {
    std::string name;
    std::optional<TensorView> tensor;
    std::string value;  // of what is no tensor
};

/// Something that is not known, where it comes from and why.
struct UnknownView {
    Place place;
    std::string what;  // "x.shape[0]"; may be empty
    std::string why;
};

struct KernelView {
    std::string name;
    bool is_helper = false;
    Place place;
    std::optional<Place> call;  // of this context; nothing: from its declaration alone
    bool legacy_frontend = false;
    bool complete = true;
    std::vector<ParameterView> parameters;
    std::vector<LoopView> loops;
    std::vector<OperationView> operations;
    std::vector<UnknownView> unknowns;
};

struct TraceReport {
    std::string path;
    std::vector<KernelView> kernels;
    std::vector<UnknownView> all_unknowns;  // with --explain-unknown
};

/// How many sites of one kind are known how well.
struct CoverageCounts {
    std::size_t sites = 0;
    std::size_t full = 0;             // in at least one context
    std::size_t full_everywhere = 0;  // of these, in every context
    std::size_t in_part = 0, run_time = 0, unknown = 0, unreached = 0;
};

struct SettingView {
    std::string_view kind;        // "vec_tile", "cube_tile", "unroll_list"
    std::string_view resolution;  // "full", "in_part", "run_time", "unknown", "unreached"
    Place place;
    std::uint32_t evaluations = 0, full = 0;
    std::vector<std::string> values;
};

struct CoverageReport {
    std::size_t files = 0;  // of the dialect
    CoverageCounts vec_tiles, cube_tiles, unroll_lists;
    std::vector<SettingView> sites;
};

std::string text_of(const TraceReport& report, rules::Language language);
std::string text_of(const CoverageReport& report, rules::Language language);

struct Problem;  // report/json.h
std::string json_of(std::string_view version, const std::vector<TraceReport>& reports,
                    const std::vector<Problem>& problems);
std::string json_of(std::string_view version, const CoverageReport& report, const std::vector<Problem>& problems);

}  // namespace ptofix::report
