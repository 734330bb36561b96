#include "detectors/runtime_options.h"

#include <algorithm>

#include "trace/project.h"
#include "trace/workspace.h"

namespace ptofix::detectors {

namespace {

using trace::KernelTrace;
using trace::Tag;
using trace::Trace;
using trace::Value;

const Value* option(const Value& options, std::string_view name) {
    for (const auto& [key, value] : options.as.dict->items) {
        if (key.tag == Tag::string && *key.as.text == name) return &value;
    }
    return nullptr;
}

StitchNumber by_default() {
    StitchNumber number;
    number.value = Value::integer(trace::kDefaultStitchedFunctions);
    number.is_default = true;
    number.in_force = true;
    return number;
}

}  // namespace

bool sets_options(const Trace& trace) {
    return std::ranges::any_of(trace.files, [](const trace::SourceFile* file) {
        return file->text().find("set_options") != std::string_view::npos ||
               file->text().find("set_runtime_options") != std::string_view::npos;
    });
}

std::optional<StitchNumber> stitch_number(const KernelTrace& kernel, bool options_are_set) {
    if (kernel.function == nullptr) return std::nullopt;
    const auto& given = kernel.function->jit_options;
    const auto runtime = std::ranges::find(given, "runtime_options", [](const auto& o) { return o.first; });
    if (runtime == given.end()) {
        if (kernel.function->jit_options_open || options_are_set) return std::nullopt;
        return by_default();
    }
    if (runtime->second.tag != Tag::dict) return std::nullopt;
    const Value* number = option(runtime->second, "stitch_function_max_num");
    const Value* bound = option(runtime->second, "max_workspace_kb");
    const Value* tasks = option(runtime->second, "device_sched_parallelism");
    const bool known = !kernel.function->jit_options_open && !runtime->second.as.dict->open;
    const bool unbound = bound == nullptr || (bound->tag == Tag::integer && bound->as.i == 0);
    StitchNumber found = by_default();
    if (number == nullptr) {
        if (!known || options_are_set) return std::nullopt;
    } else {
        if (number->tag != Tag::integer) return std::nullopt;
        found.value = *number;
        found.is_default = false;
    }
    found.in_force = known && unbound;
    if (tasks != nullptr && tasks->tag == Tag::integer && tasks->as.i > 1) found.tasks = tasks->as.i;
    return found;
}

}  // namespace ptofix::detectors
