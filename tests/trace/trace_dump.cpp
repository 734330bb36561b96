// Shows what the tracer knows: for each file given, one line of JSON with every call of set_vec_tile_shapes that it
// followed and the values it holds for the arguments, in the state in which the trace ends. Read by differential.py,
// which compares them with what CPython saw; `--counts` adds up how much is known in whole folders instead.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "text/source.h"
#include "trace/tracer.h"

namespace {

using namespace ptofix;
using nlohmann::json;
using trace::Tag;
using trace::Value;

constexpr int kMaxDepth = 12;           // a list that contains itself ends here
constexpr std::size_t kMaxItems = 200;  // of one container

class Printer {
  public:
    explicit Printer(const trace::Trace& trace) : trace_(trace) {}

    json print(const Value& v, int depth = 0) const {
        if (depth > kMaxDepth) return unknown();
        switch (v.tag) {
            case Tag::none:
                return nullptr;
            case Tag::boolean:
                return v.as.b;
            case Tag::integer:
                return {{"i", std::to_string(v.as.i)}};
            case Tag::real:
                return {{"f", fmt::format("{:a}", v.as.f)}};
            case Tag::string:
                return *v.as.text;
            case Tag::symbol: {
                const trace::Bounds b = trace_.symbols.bounds(v.sym());
                return {{"symbol", {bound(b.low), bound(b.high)}}};
            }
            case Tag::list:
                return sequence("list", *v.as.list, depth);
            case Tag::tuple:
                return sequence("tuple", *v.as.list, depth);
            case Tag::set:
                return sequence("set", *v.as.list, depth);
            case Tag::dict: {
                json items = json::array();
                for (const auto& [key, item] : v.as.dict->items) {
                    if (items.size() >= kMaxItems) return unknown();
                    items.push_back({print(key, depth + 1), print(item, depth + 1)});
                }
                return {{"dict", items}, {"open", v.as.dict->open}};
            }
            case Tag::instance: {
                json attributes = json::object();
                for (const auto& [name, item] : v.as.instance->attributes) {
                    attributes[std::string(name)] = print(item, depth + 1);
                }
                const trace::Class* k = v.as.instance->klass;
                return {{"instance", k == nullptr ? "" : std::string(k->name)}, {"attributes", attributes}};
            }
            case Tag::range: {
                const trace::Range& r = *v.as.range;
                return {{"range", {print(Value::of(r.start)), print(Value::of(r.stop)), print(Value::of(r.step))}}};
            }
            case Tag::function:
                return {{"function", std::string(v.as.function->name)}};
            case Tag::klass:
                return {{"class", std::string(v.as.klass->name)}};
            case Tag::module:
                return {{"module", v.as.module->name}};
            case Tag::unknown:
                return unknown();
            case Tag::marker:
            case Tag::external:
                // "f()" is what a library made, __name__ of a module whose name is not kept.
                if (v.as.text->ends_with(')') || *v.as.text == "__name__") return unknown();
                return {{"opaque", static_cast<int>(v.tag)}};
            default:
                return {{"opaque", static_cast<int>(v.tag)}};
        }
    }

  private:
    static json unknown() { return {{"unknown", true}}; }
    static json bound(const std::optional<std::int64_t>& b) { return b ? json(std::to_string(*b)) : json(nullptr); }
    json sequence(const char* kind, const trace::List& list, int depth) const {
        json items = json::array();
        for (const Value& item : list.items) {
            if (items.size() >= kMaxItems) return unknown();
            items.push_back(print(item, depth + 1));
        }
        return {{kind, items}, {"open", list.open}};
    }

    const trace::Trace& trace_;
};

std::unique_ptr<trace::Trace> trace_of(trace::Project& project, const std::string& path,
                                       const trace::TraceOptions& options) {
    auto source = text::Source::load(path);
    if (!source) return nullptr;
    auto parsed = project.parse(std::make_shared<const text::Source>(std::move(*source)));
    return parsed ? trace::trace_file(project, *parsed, options) : nullptr;
}

void dump(const std::string& path) {
    trace::Project project;
    json shown = json::array();
    bool cut_short = false;  // by the bound on work: what was not executed any more may change what is shown
    trace::TraceOptions options;
    options.host_steps = options.step_budget;
    const auto trace = trace_of(project, path, options);
    if (trace) {
        for (const trace::Unknown& u : trace->unknowns) {
            cut_short = cut_short || u.why == trace::UnknownReason::Why::budget;
        }
        for (const trace::KernelTrace& k : trace->kernels) cut_short = cut_short || !k.complete;
        const Printer printer(*trace);
        for (const trace::TileSetting& t : trace->tiles) {
            if (t.engine != trace::TileSetting::Engine::vec || t.vec.empty()) continue;
            json values = json::array();
            for (const Value& v : t.vec) values.push_back(printer.print(v));
            shown.push_back(std::move(values));
        }
    }
    const json row{{"path", path}, {"traced", trace != nullptr}, {"cut_short", cut_short}, {"shown", shown}};
    std::cout << row.dump(-1, ' ', true) << "\n";
}

/// Places of the source, and of how many something is known in some context.
struct Places {
    std::size_t all = 0, known = 0;

    void add(const std::map<trace::Site, bool>& of_file) {
        all += of_file.size();
        for (const auto& [site, is_known] : of_file) known += is_known;
    }
};

struct Counts {
    std::size_t files = 0, complete = 0, contexts = 0;
    Places kernels, shapes, dtypes, vec_tiles, cube_tiles, trips, arguments;

    void add(const trace::Trace& t) {
        ++files;
        std::map<trace::Site, bool> sites[7];
        for (const auto& k : t.kernels) {
            ++contexts;
            complete += k.complete;
            sites[0][k.site] |= k.call.known();
        }
        for (const auto& op : t.operations) {
            const bool made = op.output != trace::kNoTensor;
            sites[1][op.site] |= made && t.tensors[op.output].type.shape_known();
            sites[2][op.site] |= made && t.tensors[op.output].type.dtype != hardware::DType::unknown;
        }
        for (const auto& s : t.tiles) {
            if (s.vec.empty() && s.m_count == 0) continue;
            sites[s.engine == trace::TileSetting::Engine::vec ? 3 : 4][s.call] |= s.known;
        }
        for (const auto& l : t.loops) sites[5][l.site] |= l.trips.known();
        for (const auto& c : t.kernel_calls) {
            for (const auto& a : c.arguments) sites[6][a.site.known() ? a.site : c.call] |= a.value.tag != Tag::unknown;
        }
        Places* const places[] = {&kernels, &shapes, &dtypes, &vec_tiles, &cube_tiles, &trips, &arguments};
        for (std::size_t i = 0; i < 7; ++i) places[i]->add(sites[i]);
    }
    void print() const {
        fmt::print("files {}  kernels {} ({} in the context of a call), {} of {} contexts complete\n", files,
                   kernels.all, kernels.known, complete, contexts);
        fmt::print("operations {}: shape known {}, dtype known {}\n", shapes.all, shapes.known, dtypes.known);
        fmt::print("vec tiles {}: known {}   cube tiles {}: known {}\n", vec_tiles.all, vec_tiles.known, cube_tiles.all,
                   cube_tiles.known);
        fmt::print("loops {}: trips known {}   arguments of kernels {}: known {}\n", trips.all, trips.known,
                   arguments.all, arguments.known);
    }
};

void count(const std::vector<std::string>& paths) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        if (!fs::is_directory(path)) {
            files.push_back(path);
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(path)) {
            if (entry.path().extension() == ".py") files.push_back(entry.path().string());
        }
    }
    std::ranges::sort(files);
    trace::Project project;
    Counts counts;
    for (const std::string& path : files) {
        if (const auto trace = trace_of(project, path, {})) counts.add(*trace);
    }
    counts.print();
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments[0] == "--counts") {
        count({arguments.begin() + 1, arguments.end()});
        return 0;
    }
    // Paths on the command line, or one a line on standard input.
    for (const std::string& path : arguments) dump(path);
    if (arguments.empty()) {
        for (std::string path; std::getline(std::cin, path);) dump(path);
    }
    return 0;
}
