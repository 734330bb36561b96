// The trace and its coverage as JSON. Keys are documented in README.md; a number that is not known is null, an
// expression its text.
#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/json_values.h"
#include "report/trace_view.h"

namespace ptofix::report {

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const TensorView& tensor) {
    ordered_json out;
    if (!tensor.name.empty()) out["name"] = tensor.name;
    out["shape"] = tensor.rank_known ? json_of(tensor.shape) : ordered_json();
    out["dtype"] = tensor.dtype.empty() ? ordered_json() : ordered_json(tensor.dtype);
    return out;
}

ordered_json json_of(const OperationView& op) {
    ordered_json out;
    out["operation"] = op.name;
    out["engine"] = op.engine;
    put_place(out, op.place);
    out["operands"] = ordered_json::array();
    for (const TensorView& t : op.operands) out["operands"].push_back(json_of(t));
    out["result"] = op.result ? json_of(*op.result) : ordered_json();
    out["tile"] = op.tile ? json_of(*op.tile) : ordered_json();
    out["loop"] = op.loop ? ordered_json(*op.loop) : ordered_json();
    return out;
}

ordered_json json_of(const LoopView& loop) {
    ordered_json out;
    out["kind"] = loop.kind;
    put_place(out, loop.place);
    out["parent"] = loop.parent ? ordered_json(*loop.parent) : ordered_json();
    out["index"] = loop.index;
    out["trips"] = json_of(loop.trips);
    out["unroll"] = loop.unroll_known ? ordered_json(loop.unroll) : ordered_json();
    out["operations"] = {loop.first, loop.end};
    return out;
}

ordered_json json_of(const UnknownView& unknown) {
    ordered_json out;
    put_place(out, unknown.place);
    out["what"] = unknown.what;
    out["why"] = unknown.why;
    return out;
}

ordered_json json_of(const KernelView& kernel) {
    ordered_json out;
    out["kernel"] = kernel.name;
    out["helper"] = kernel.is_helper;
    put_place(out, kernel.place);
    out["call"] = kernel.call ? json_of(*kernel.call) : ordered_json();
    out["frontend"] = kernel.legacy_frontend ? "legacy" : "new-ir";
    out["complete"] = kernel.complete;
    for (const auto* key : {"parameters", "loops", "operations", "unknown"}) out[key] = ordered_json::array();
    for (const ParameterView& p : kernel.parameters) {
        ordered_json one = p.tensor ? json_of(*p.tensor) : ordered_json{{"value", p.value}};
        one["name"] = p.name;
        out["parameters"].push_back(std::move(one));
    }
    for (const LoopView& loop : kernel.loops) out["loops"].push_back(json_of(loop));
    for (const OperationView& op : kernel.operations) out["operations"].push_back(json_of(op));
    for (const UnknownView& unknown : kernel.unknowns) out["unknown"].push_back(json_of(unknown));
    return out;
}

ordered_json json_of(const CoverageCounts& c) {
    return {{"sites", c.sites},        {"full", c.full},        {"fullInEveryContext", c.full_everywhere},
            {"inPart", c.in_part},     {"runTime", c.run_time}, {"unknown", c.unknown},
            {"unreached", c.unreached}};
}

}  // namespace

std::string json_of(std::string_view version, const std::vector<TraceReport>& reports,
                    const std::vector<Problem>& problems) {
    std::vector<std::string> files;
    for (const TraceReport& report : reports) {
        ordered_json file;
        file["path"] = report.path;
        file["kernels"] = ordered_json::array();
        for (const KernelView& kernel : report.kernels) file["kernels"].push_back(json_of(kernel));
        if (!report.all_unknowns.empty()) {
            file["unknown"] = ordered_json::array();
            for (const UnknownView& u : report.all_unknowns) file["unknown"].push_back(json_of(u));
        }
        files.push_back(dump(file));
    }
    return document_of_files(version, files, problems);
}

std::string json_of(std::string_view version, const CoverageReport& report, const std::vector<Problem>& problems) {
    ordered_json out;
    out["version"] = version;
    out["files"] = report.files;
    out["vecTiles"] = json_of(report.vec_tiles);
    out["cubeTiles"] = json_of(report.cube_tiles);
    out["unrollLists"] = json_of(report.unroll_lists);
    out["sites"] = ordered_json::array();
    for (const SettingView& site : report.sites) {
        ordered_json one;
        one["kind"] = site.kind;
        one["known"] = site.resolution;
        put_place(one, site.place);
        one["evaluations"] = site.evaluations;
        one["full"] = site.full;
        one["values"] = site.values;
        out["sites"].push_back(std::move(one));
    }
    out["problems"] = ordered_json::array();
    for (const Problem& problem : problems) out["problems"].push_back(problem_json(problem));
    return dump(out) + "\n";
}

}  // namespace ptofix::report
