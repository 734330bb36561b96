#include "diagnose/log_builder.h"

#include <algorithm>
#include <array>

#include "diagnose/clean_line.h"
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::size_t kMostEvents = 256;
constexpr std::size_t kMostProcesses = 256;
constexpr std::size_t kMostFrames = 32;
constexpr std::size_t kMostKernels = 16;
constexpr std::size_t kMostPrinted = 8;
// A sentence stands a line below its code; lines of other processes may come between.
constexpr std::uint64_t kSentenceWithin = 64;
// Stages that ended sooner are no news; a log has thousands of them.
constexpr double kNotableSeconds = 60;
// What the framework says of everything that goes wrong in its passes, and Python of everything in its frontend.
constexpr std::array<std::string_view, 2> kCoverAll{"F4FFFF", "F0FFFF"};

bool holds(std::string_view line, std::string_view part) {
    return line.find(part) != std::string_view::npos;
}

/// "F40005! Enum: ...", "F40005!" at the end of its line: no word of a sentence that goes on.
bool is_said_of_code(std::string_view rest) {
    if (!rest.starts_with("!")) return false;
    rest.remove_prefix(1);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    return rest.empty() || rest.front() < 'a' || rest.front() > 'z' || rest.find(' ') != std::string_view::npos;
}

/// The framework's own Python files: not where a user's mistake stands.
bool is_framework_file(std::string_view path) {
    return holds(path, "/pypto/") &&
           (holds(path, "site-packages/") || holds(path, "dist-packages/") || holds(path, "/python/pypto/"));
}

std::string_view code_of(const CubeTileRefused& refused) {
    const std::string_view said = refused.said;
    const bool length = said.starts_with("m must") || said.starts_with("n must") || said.starts_with("k must");
    return length ? "F00002" : "F0000C";
}

std::string_view code_of(const VecTileRefused& refused) {
    switch (refused.fault) {
        case VecTileRefused::Fault::rank:
            return "F4FFFF";
        case VecTileRefused::Fault::missing:
            return "FC1000";
        case VecTileRefused::Fault::numbers:
            return "F0000A";
        case VecTileRefused::Fault::multiple:
        case VecTileRefused::Fault::bytes:
            break;
    }
    return "FC1001";
}

/// The code that a sentence comes with, where the log has lost it.
std::string_view usual_code(const What& what) {
    if (std::holds_alternative<PoolOverflow>(what)) return "F40005";
    if (const auto* cube = std::get_if<CubeTileRefused>(&what)) return code_of(*cube);
    if (const auto* vec = std::get_if<VecTileRefused>(&what)) return code_of(*vec);
    if (std::holds_alternative<CodeFailed>(what)) return "F0F619";
    if (std::holds_alternative<TooManyOperations>(what)) return "F7A007";
    return {};
}

bool is_other(const Event& event) {
    return std::holds_alternative<OtherError>(event.what);
}

/// A message that is no news beside another one: the code by which the framework wraps everything, or the same code
/// again.
bool says_no_more(const Event& event, const std::vector<Event>& all) {
    if (!is_other(event)) return false;
    const bool covers_all = std::ranges::find(kCoverAll, event.code) != kCoverAll.end();
    return std::ranges::any_of(all, [&](const Event& other) {
        if (is_other(other) || std::holds_alternative<StageTime>(other.what)) return false;
        return covers_all || event.code == other.code;
    });
}

/// The same words of two functions of one process are two messages.
bool is_of_another_function(const Event& a, const Event& b) {
    if (!a.pass || !b.pass || a.process.empty() || a.process != b.process) return false;
    const FunctionName& of_a = a.pass->function;
    const FunctionName& of_b = b.pass->function;
    return of_a.loop != of_b.loop || of_a.unroll != of_b.unroll;
}

/// The loudest of what is said of a stage and a function.
bool absorb(Event& into, const Event& event) {
    auto* a = std::get_if<StageTime>(&into.what);
    const auto* b = std::get_if<StageTime>(&event.what);
    if (a != nullptr && b != nullptr && a->stage == b->stage && a->function == b->function) {
        if (b->seconds > a->seconds) {
            a->seconds = b->seconds;
            into.text = event.text;
            into.line = event.line;
        }
        a->warned = a->warned || b->warned;
        return true;
    }
    if (into.what != event.what) return false;
    if (is_of_another_function(into, event)) return false;
    if (!into.code.empty() && !event.code.empty() && into.code != event.code) return false;
    if (into.code.empty()) into.code = event.code;
    return true;
}

}  // namespace

/// What is printed without a process, such as the exception, follows what the only process did.
std::optional<LastPass> LogBuilder::pass_of(const Line& line) const {
    const auto same = std::ranges::find(log_.passes, line.process, &LastPass::process);
    if (same != log_.passes.end()) return *same;
    return line.process.empty() && log_.passes.size() == 1 ? std::optional(log_.passes.front()) : std::nullopt;
}

void LogBuilder::add(const Line& line, What what) {
    Event event{line.number,  1, line.process, std::string(line.code), shortened(line.text), std::move(what),
                pass_of(line)};
    const auto open = open_.find(line.process);
    const bool sentence = !std::holds_alternative<OtherError>(event.what) && open != open_.end() &&
                          line.number - open->second.line <= kSentenceWithin;
    if (sentence && !usual_code(event.what).empty()) {
        Event& head = log_.events[open->second.event];
        if (event.code.empty()) {
            // The message began with its code, a line or two above.
            event.code = head.code;
            event.line = head.line;
            if (is_other(head)) head.code.clear();  // it is this one
        }
        open_.erase(open);
    }
    if (event.code.empty()) event.code = usual_code(event.what);
    for (std::size_t i = 0; i < log_.events.size(); ++i) {
        if (!absorb(log_.events[i], event)) continue;
        ++log_.events[i].count;
        if (std::holds_alternative<PoolOverflow>(event.what)) overflow_[line.process] = i;
        return;
    }
    if (log_.events.size() >= kMostEvents) {
        ++log_.left_out;
        return;
    }
    log_.events.push_back(std::move(event));
    const std::size_t added = log_.events.size() - 1;
    if (std::holds_alternative<PoolOverflow>(log_.events[added].what)) overflow_[line.process] = added;
    if (is_other(log_.events[added])) open_[line.process] = {added, line.number};
}

void LogBuilder::add_printed(const Line& line, PrintedOperation operation) {
    const auto at = overflow_.find(line.process);
    if (at == overflow_.end()) return;
    auto* overflow = std::get_if<PoolOverflow>(&log_.events[at->second].what);
    if (overflow == nullptr || overflow->operations.size() >= kMostPrinted) return;
    if (std::ranges::find(overflow->operations, operation) != overflow->operations.end()) return;
    overflow->operations.push_back(std::move(operation));
}

void LogBuilder::take_pass(LastPass pass, const Line& line) {
    log_.is_pypto = true;
    pass.line = line.number;
    pass.process = line.process;
    const auto same = std::ranges::find(log_.passes, line.process, &LastPass::process);
    if (same == log_.passes.end()) {
        if (log_.passes.size() < kMostProcesses) log_.passes.push_back(std::move(pass));
        return;
    }
    // The dump of a pass and the line that says it failed speak of one.
    if (same->name == pass.name) {
        if (!pass.number) pass.number = same->number;
        if (pass.function.whole.empty()) pass.function = same->function;
    }
    *same = std::move(pass);
}

void LogBuilder::take_frame(PythonFrame frame, const Line& line) {
    if (is_framework_file(frame.file)) {
        log_.is_pypto = true;
        return;
    }
    frame.at = line.number;
    frame.function = shortened(frame.function, 80);
    if (frame.file.size() > kLongestLine / 2 || log_.frames.size() >= kMostFrames) return;
    if (std::ranges::find(log_.frames, frame) == log_.frames.end()) log_.frames.push_back(std::move(frame));
}

bool LogBuilder::take_details(const Line& line) {
    if (auto found = parse_pool_overflow(line.text)) {
        add(line, *std::move(found));
    } else if (auto operation = parse_printed_operation(line.text)) {
        add_printed(line, *std::move(operation));
    } else if (auto many = parse_too_many_operations(line.text)) {
        add(line, *std::move(many));
    } else if (auto cube = parse_cube_tile(line.text)) {
        add(line, *std::move(cube));
    } else if (auto vec = parse_vec_tile(line.text)) {
        add(line, *std::move(vec));
    } else {
        return false;
    }
    log_.is_pypto = true;
    return true;
}

bool LogBuilder::take_stage(const Line& line) {
    if (auto failed = parse_code_failed(line.text)) {
        if (!failed->function.whole.empty() || !line.code.empty()) log_.is_pypto = true;
        add(line, *std::move(failed));
        return true;
    }
    if (auto time = parse_stage_time(line.text)) {
        log_.is_pypto = true;
        if (time->warned || time->seconds >= kNotableSeconds) add(line, *time);
        if (auto pass = parse_pass(line.text)) take_pass(*std::move(pass), line);
        return true;
    }
    if (auto memory = parse_out_of_memory(line.text)) {
        add(line, *memory);
        return true;
    }
    if (auto pass = parse_pass(line.text)) {
        take_pass(*std::move(pass), line);
        return true;
    }
    return false;
}

void LogBuilder::take(const RawLine& raw) {
    // A log that is kept as JSON has its line ends written out.
    constexpr std::string_view kWritten = "\\n";
    std::string_view rest = raw.text;
    for (std::size_t at = rest.find(kWritten); at != std::string_view::npos; at = rest.find(kWritten)) {
        take_text(raw.number, rest.substr(0, at));
        rest.remove_prefix(at + kWritten.size());
    }
    take_text(raw.number, rest);
}

void LogBuilder::take_text(std::uint64_t number, std::string_view text) {
    Line line;
    line.number = number;
    line.text = clean_line(text);
    line.process = process_of(line.text);
    if (open_.size() > kMostProcesses) open_.clear();
    if (overflow_.size() > kMostProcesses) overflow_.clear();
    line.code = code_in(line.text);
    // A colour, or a word of six letters.
    if (std::ranges::none_of(line.code, [](char c) { return c >= '0' && c <= '9'; }) ||
        holds(line.text, "#" + std::string(line.code))) {
        line.code = {};
    }
    if (!line.code.empty() && !holds(line.text, "ErrCode")) {
        // A bare code, as older releases and people write it, has its name beside it.
        const std::string_view rest = behind(line.text, line.code);
        const bool named = rest.starts_with(" TENSOR_") || rest.starts_with(" ERR_") || rest.starts_with(" COMPILE_") ||
                           rest.starts_with(": ") || is_said_of_code(rest) || rest.starts_with(" INVALID_") ||
                           rest.starts_with(" PASS_") || rest.starts_with(" Tile ") || rest.starts_with("]");
        if (!named) line.code = {};
    }
    if (holds(line.text, "Traceback (most recent call last)")) {
        log_.frames.clear();
        return;
    }
    if (auto frame = parse_python_frame(line.text)) {
        take_frame(*std::move(frame), line);
        return;
    }
    if (const std::string_view kernel = between(line.text, "Failed to compile function '", "'"); !kernel.empty()) {
        log_.is_pypto = true;
        const bool known = std::ranges::find(log_.kernels, kernel) != log_.kernels.end();
        if (!known && log_.kernels.size() < kMostKernels) log_.kernels.emplace_back(shortened(kernel, 80));
    }
    if (holds(line.text, "Compilation finished") || holds(line.text, "Monitoring stopped")) {
        if (holds(line.text, "Compiler Monitor")) {
            finished_line_ = line.number;
            log_.is_pypto = true;
        }
        return;
    }
    if (take_details(line) || take_stage(line)) return;
    if (auto stopped = parse_stopped(line.text)) {
        add(line, *stopped);
        return;
    }
    if (line.code.empty()) return;
    log_.is_pypto = true;
    const std::size_t at = line.text.find(line.code);
    add(line, OtherError{shortened(std::string_view(line.text).substr(at))});
}

Log LogBuilder::finish(const ScannedLog& scanned) {
    log_.lines = scanned.lines;
    log_.bytes = scanned.bytes;
    std::erase_if(log_.events, [](const Event& event) { return is_other(event) && event.code.empty(); });
    const std::vector<Event> all = log_.events;
    std::erase_if(log_.events, [&](const Event& event) { return says_no_more(event, all); });
    std::ranges::stable_sort(log_.events, {}, &Event::line);
    std::ranges::stable_sort(log_.passes, {}, &LastPass::line);
    log_.finished = finished_line_ > 0 &&
                    std::ranges::all_of(log_.passes, [&](const LastPass& pass) { return pass.line < finished_line_; });
    return std::move(log_);
}

}  // namespace ptofix::diagnose
