#include "cli/traced_inputs.h"

#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>

#include "cli/problems.h"
#include "text/disk_file.h"
#include "trace/tracer.h"

namespace ptofix::cli {

std::vector<Input> TracedInputs::read() {
    if (command_.read_stdin) return standard_input();
    Inputs inputs = read_inputs(command_);
    problems_ = std::move(inputs.problems);
    notes_ = std::move(inputs.notes);
    return std::move(inputs.files);
}

std::vector<Input> TracedInputs::standard_input() {
    std::string bytes;
    const std::string path = command_.stdin_filename.empty() ? "<stdin>" : config::tidy(command_.stdin_filename);
    if (const int error = text::read_all(STDIN_FILENO, SIZE_MAX, bytes); error != 0) {
        problems_.push_back(problem_of(path, "not-readable", text::error_text(error), command_.language));
        return {};
    }
    std::vector<Input> inputs;
    if (auto input = stdin_input(command_, path, bytes, problems_)) inputs.push_back(std::move(*input));
    return inputs;
}

std::unique_ptr<trace::Trace> TracedInputs::trace(trace::Project& project, const Input& input) {
    auto file = project.parse(input.source);
    if (!file) {
        const std::scoped_lock lock(mutex_);
        problems_.push_back(problem_of(input.path, file.error(), command_.language));
        return nullptr;
    }
    trace::TraceOptions options;
    options.keep_unknowns = true;
    options.legacy_frontend = input.config->legacy_frontend;
    options.assume = input.config->assume;
    return trace::trace_file(project, *std::move(file), options);
}

}  // namespace ptofix::cli
