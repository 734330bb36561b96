#include "cli/merge_run.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <vector>

#include "cli/merge_shards.h"
#include "cli/report_file.h"
#include "report/merge.h"
#include "rules/messages.h"
#include "text/disk_file.h"

namespace ptofix::cli {

namespace {

using rules::Data;

std::string_view message_of(report::MergeError::Kind kind) {
    using Kind = report::MergeError::Kind;
    if (kind == Kind::not_json) return "cli.merge_not_json";
    return kind == Kind::not_a_report ? "cli.merge_no_report" : "cli.merge_other_version";
}

/// Without --fail-on SARIF has what the parts ended with, each with its options; JSON says nothing of that.
int exit_code_of(const report::Merged& merged, bool sarif, const MergeCommand& command) {
    if (merged.has_problem) return kExitError;
    if (command.exit_zero) return kExitClean;
    if (!command.fail_on && sarif) return merged.recorded;
    const auto lowest = command.fail_on.value_or(rules::Severity::warning);
    return merged.worst >= static_cast<std::int64_t>(lowest) ? kExitFindings : kExitClean;
}

}  // namespace

int run_merge(const MergeCommand& command, Output& out, Output& err) {
    const auto say = [&](std::string_view id, const Data& data) {
        err.write("pto-fix: " + rules::render({id, data}, command.language) + "\n");
    };
    const auto refuse = [&](std::string_view id, const std::string& path, const std::string& detail) {
        say(id, Data().set("path", path).set("detail", rules::in_language(detail, command.language)));
        return kExitError;
    };
    std::vector<report::MergeInput> inputs;
    for (const std::string& path : command.paths) {
        std::string text;
        const text::FileDescriptor file(path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
        const int descriptor = path == "-" ? STDIN_FILENO : file.get();
        const int error = descriptor < 0 ? errno : text::read_all(descriptor, SIZE_MAX, text);
        if (error != 0) return refuse("input.not_readable", path, text::error_text(error));
        inputs.push_back({path, std::move(text)});
    }
    const bool sarif = report::is_sarif(inputs.front().text);
    const auto merged = sarif ? report::merge_sarif(inputs) : report::merge_json(inputs);
    if (!merged) return refuse(message_of(merged.error().kind), merged.error().path, merged.error().detail);
    if (const auto fault = fault_of_shards(merged->shards, command.paths)) {
        const bool accepted = fault->is_missing && command.allow_missing;
        say(accepted ? "cli.merge_without" : fault->id, fault->data);
        if (!accepted) return kExitError;
    }
    if (command.format && (*command.format == Format::sarif) != sarif) {
        const Data data = Data().set("path", command.paths.front()).set("detail", sarif ? "sarif" : "json");
        say("cli.merge_other_format", data);
        return kExitError;
    }
    bool written = true;
    for (const std::string& path : command.outputs) {
        const std::string error = write_report(path, merged->text);
        if (error.empty()) continue;
        say("cli.output_unwritable",
            Data().set("path", path).set("detail", rules::in_language(error, command.language)));
        written = false;
    }
    if (command.on_stdout) out.write(merged->text);
    return !written ? kExitError : exit_code_of(*merged, sarif, command);
}

}  // namespace ptofix::cli
