#include "cli/report_arguments.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cli/option_kinds.h"
#include "text/notebook.h"
#include "text/utf8.h"

namespace ptofix::cli {

namespace {

using rules::Data;
using rules::Severity;

constexpr std::pair<std::string_view, Format> kFormats[] = {
    {"text", Format::text},     {"json", Format::json},   {"sarif", Format::sarif}, {"github", Format::github},
    {"gitlab", Format::gitlab}, {"junit", Format::junit}, {"html", Format::html},
};
constexpr std::string_view kCheckFormats[] = {"text", "json", "sarif", "github", "gitlab", "junit", "html"};

constexpr std::pair<std::string_view, Format> kEndings[] = {
    {".sarif", Format::sarif}, {".sarif.json", Format::sarif}, {".json", Format::json}, {".html", Format::html},
    {".htm", Format::html},    {".xml", Format::junit},        {".txt", Format::text},
};

constexpr std::pair<std::string_view, Severity> kSeverities[] = {
    {"error", Severity::error}, {"warning", Severity::warning}, {"info", Severity::info}};
constexpr std::string_view kSeverityNames[] = {"error", "warning", "info"};

constexpr const char* kFormatOption = "--format";
constexpr const char* kOutputOption = "--output";

template <typename Value, std::size_t n>
std::optional<Value> find_in(const std::pair<std::string_view, Value> (&table)[n], std::string_view name) {
    const auto* const found = std::ranges::find(table, name, &std::pair<std::string_view, Value>::first);
    if (found == std::end(table)) return std::nullopt;
    return found->second;
}

std::optional<Format> format_by_ending(std::string_view path) {
    for (const auto& [ending, format] : kEndings) {
        if (path.ends_with(ending)) return format;
    }
    return std::nullopt;
}

/// One line of words, without blanks at its ends; nothing: it would not be read back as it is.
std::optional<std::string> reason_of(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; };
    if (text.empty() || std::ranges::any_of(text, is_control) || text.contains('#')) return std::nullopt;
    if (text::find_invalid_utf8(text) != std::string_view::npos) return std::nullopt;
    return std::string(text);
}

/// Gives each --output the --format that stands before it, as far as no other one has it.
class Pairing {
  public:
    Pairing(const RawReport& raw, std::span<const std::string_view> known, const Refusal& refuse, CheckCommand& command)
        : raw_(raw), known_(known), refuse_(refuse), command_(command) {}

    std::optional<Leave> read() {
        if (raw_.format.size() == 1 && raw_.output.size() == 1) {  // whichever comes first
            waiting_ = find_in(kFormats, raw_.format.front());
            if (auto fault = put(raw_.output.front())) return fault;
        } else {
            auto format = raw_.format.begin();
            auto output = raw_.output.begin();
            for (const bool is_output : raw_.order) {
                if (is_output) {
                    if (auto fault = put(*output++)) return fault;
                } else {
                    leave_on_stdout();
                    waiting_ = find_in(kFormats, *format++);
                }
            }
        }
        leave_on_stdout();
        // The diff is what was asked for, whatever is reported beside it.
        const bool prints_more = command_.mode == Mode::diff;
        command_.report.on_stdout = on_stdout_.has_value() || command_.report.files.empty() || prints_more;
        command_.format = on_stdout_.value_or(Format::text);
        return std::nullopt;
    }

  private:
    std::optional<Leave> put(const std::string& path) {
        const std::optional<Format> format = waiting_ ? waiting_ : format_by_ending(path);
        waiting_.reset();
        if (auto fault = output_fault(path, refuse_)) return fault;
        if (!format) return refuse_("cli.output_of_no_format", Data().set("path", path));
        const auto* const name = std::ranges::find(kFormats, *format, &std::pair<std::string_view, Format>::second);
        if (std::ranges::find(known_, name->first) == known_.end()) {
            return refuse_.bad_value(kFormatOption, std::string(name->first), known_);
        }
        if (path == "-") {
            on_stdout_ = format;
            return std::nullopt;
        }
        if (std::ranges::find(command_.report.files, path, &ReportFile::path) != command_.report.files.end()) {
            return refuse_("cli.output_twice", Data().set("path", path));
        }
        command_.report.files.push_back({*format, path});
        return std::nullopt;
    }

    void leave_on_stdout() {
        if (waiting_) on_stdout_ = std::exchange(waiting_, std::nullopt);
    }

    const RawReport& raw_;
    std::span<const std::string_view> known_;
    const Refusal& refuse_;
    CheckCommand& command_;
    std::optional<Format> waiting_;
    std::optional<Format> on_stdout_;
};

}  // namespace

void add_report_options(CLI::App& app, RawReport& raw) {
    add_option(app, kFormatOption, raw.format);
    add_option(app, kOutputOption, raw.output);
    add_option(app, "--baseline", raw.baseline);
    add_option(app, "--add-ignore", raw.add_ignore);
    add_option(app, "--fail-on", raw.fail_on);
    add_flag(app, "--exit-zero", raw.exit_zero);
    add_flag(app, "--exit-non-zero-on-fix", raw.exit_non_zero_on_fix);
    add_flag(app, "--show-suppressed", raw.show_suppressed);
    add_flag(app, "--statistics", raw.statistics);
}

void note_order(const CLI::App& app, RawReport& raw) {
    for (const CLI::Option* option : app.parse_order()) {
        const bool is_output = option == app.get_option_no_throw(kOutputOption);
        if (is_output || option == app.get_option_no_throw(kFormatOption)) raw.order.push_back(is_output);
    }
}

std::span<const std::string_view> check_formats() {
    return kCheckFormats;
}

std::span<const std::string_view> diagnose_formats() {
    return std::span(kCheckFormats).first(3);
}

std::span<const std::string_view> show_formats() {
    return std::span(kCheckFormats).first(2);
}

std::span<const std::string_view> merge_formats() {
    return std::span(kCheckFormats).subspan(1, 2);
}

std::span<const std::string_view> severity_names() {
    return kSeverityNames;
}

std::expected<Format, Leave> read_format(const RawReport& raw, std::span<const std::string_view> known,
                                         const Refusal& refuse) {
    Format format = Format::text;
    for (const std::string& value : raw.format) {
        if (std::ranges::find(known, value) == known.end()) {
            return std::unexpected(refuse.bad_value(kFormatOption, value, known));
        }
        format = *find_in(kFormats, value);
    }
    return format;
}

std::expected<std::optional<Severity>, Leave> read_fail_on(const RawReport& raw, const Refusal& refuse) {
    std::optional<Severity> lowest;
    for (const std::string& value : raw.fail_on) {
        lowest = find_in(kSeverities, value);
        if (!lowest) return std::unexpected(refuse.bad_value("--fail-on", value, kSeverityNames));
    }
    if (lowest && raw.exit_zero) return std::unexpected(refuse("cli.exit_zero_and_fail_on"));
    return lowest;
}

std::optional<Leave> output_fault(const std::string& path, const Refusal& refuse) {
    if (path.empty()) return refuse("cli.empty_path");
    if (path.ends_with(".py") || path.ends_with(text::kNotebookEnding)) {
        return refuse("cli.output_over_source", Data().set("path", path));
    }
    return std::nullopt;
}

std::optional<Leave> read_outputs(const RawReport& raw, std::span<const std::string_view> known, const Refusal& refuse,
                                  CheckCommand& command) {
    if (const auto format = read_format(raw, known, refuse); !format) return format.error();
    return Pairing(raw, known, refuse, command).read();
}

std::optional<std::string_view> report_option_given(const RawReport& raw, std::string_view subcommand) {
    const bool ends_as_check = subcommand == "merge";
    const bool has_files = ends_as_check || subcommand == "diagnose";
    const std::pair<std::string_view, bool> options[] = {
        {kOutputOption, !raw.output.empty() && !has_files}, {"--baseline", !raw.baseline.empty()},
        {"--add-ignore", !raw.add_ignore.empty()},          {"--fail-on", !raw.fail_on.empty() && !ends_as_check},
        {"--exit-zero", raw.exit_zero && !ends_as_check},   {"--exit-non-zero-on-fix", raw.exit_non_zero_on_fix},
        {"--show-suppressed", raw.show_suppressed},         {"--statistics", raw.statistics},
    };
    const auto* const given = std::ranges::find(options, true, &std::pair<std::string_view, bool>::second);
    return given == std::end(options) ? std::nullopt : std::optional(given->first);
}

std::optional<Leave> read_report_options(const RawReport& raw, const Refusal& refuse, CheckCommand& command) {
    ReportOptions& report = command.report;
    if (auto fault = read_outputs(raw, kCheckFormats, refuse, command)) return fault;
    const auto fail_on = read_fail_on(raw, refuse);
    if (!fail_on) return fail_on.error();
    report.fail_on = fail_on->value_or(report.fail_on);
    report.exit_zero = raw.exit_zero;
    report.exit_non_zero_on_fix = raw.exit_non_zero_on_fix;
    if (report.exit_zero && report.exit_non_zero_on_fix) return refuse("cli.exit_zero_and_on_fix");
    if (report.exit_non_zero_on_fix && command.mode == Mode::check) return refuse("cli.on_fix_alone");
    report.show_suppressed = raw.show_suppressed;
    report.statistics = raw.statistics;
    const bool prints_findings = report.on_stdout && command.format == Format::text && command.mode != Mode::diff;
    if (report.statistics && !prints_findings) return refuse("cli.statistics_of_text");
    if (!raw.add_ignore.empty()) {
        if (command.mode == Mode::apply) return refuse("cli.add_ignore_and_apply");
        const auto reason = reason_of(raw.add_ignore.back());
        if (!reason) return refuse("cli.add_ignore_reason");
        report.add_ignore = *reason;
    }
    if (!raw.baseline.empty()) report.baseline = raw.baseline.back();
    if (!raw.baseline.empty() && report.baseline.empty()) return refuse("cli.empty_path");
    return std::nullopt;
}

}  // namespace ptofix::cli
