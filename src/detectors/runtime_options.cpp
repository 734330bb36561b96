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

/// What jit was given by that name; null: nothing.
const Value* runtime_options(const KernelTrace& kernel) {
    const auto& given = kernel.function->jit_options;
    const auto found = std::ranges::find(given, "runtime_options", [](const auto& o) { return o.first; });
    return found == given.end() ? nullptr : &found->second;
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
    const Value* runtime = runtime_options(kernel);
    if (runtime == nullptr) {
        if (kernel.function->jit_options_open || options_are_set) return std::nullopt;
        return by_default();
    }
    if (runtime->tag != Tag::dict) return std::nullopt;
    const Value* number = option(*runtime, "stitch_function_max_num");
    const Value* bound = option(*runtime, "max_workspace_kb");
    const Value* tasks = option(*runtime, "device_sched_parallelism");
    const bool known = !kernel.function->jit_options_open && !runtime->as.dict->open;
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

std::optional<std::int64_t> workspace_bound(const KernelTrace& kernel) {
    const Value* runtime = kernel.function == nullptr ? nullptr : runtime_options(kernel);
    if (runtime == nullptr || runtime->tag != Tag::dict) return std::nullopt;
    const Value* bound = option(*runtime, "max_workspace_kb");
    if (bound == nullptr || bound->tag != Tag::integer || bound->as.i <= 0) return std::nullopt;
    return bound->as.i;
}

}  // namespace ptofix::detectors
