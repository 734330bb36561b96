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

/// The code of a line; empty: it has none, or only mentions it.
std::string_view said_code(std::string_view text) {
    const std::string_view code = code_in(text);
    if (code.empty()) return {};
    // A colour, or a word of six letters.
    const auto at = static_cast<std::size_t>(code.data() - text.data());
    if ((at > 0 && text[at - 1] == '#') || std::ranges::none_of(code, [](char c) { return c >= '0' && c <= '9'; })) {
        return {};
    }
    if (holds(text, "ErrCode")) return code;
    // A bare code, as older releases and people write it, has its name beside it.
    const std::string_view rest = text.substr(at + code.size());
    const bool named = rest.starts_with(" TENSOR_") || rest.starts_with(" ERR_") || rest.starts_with(" COMPILE_") ||
                       rest.starts_with(": ") || is_said_of_code(rest) || rest.starts_with(" INVALID_") ||
                       rest.starts_with(" PASS_") || rest.starts_with(" Tile ") || rest.starts_with("]");
    return named ? code : std::string_view{};
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

std::string_view code_of(const CallRefused& refused) {
    switch (refused.fault) {
        case CallRefused::Fault::rank:
            return "FC0002";
        case CallRefused::Fault::inner_axis:
            return "F0000B";
        case CallRefused::Fault::split_type:
            return "F00007";
        case CallRefused::Fault::dynamic_dim:
            return "F0000A";
        case CallRefused::Fault::unroll:
            return "F0FFFF";
        case CallRefused::Fault::division:
        case CallRefused::Fault::option:
            break;
    }
    return "F00002";
}

/// The code that a sentence comes with, where the log has lost it.
std::string_view usual_code(const What& what) {
    if (std::holds_alternative<PoolOverflow>(what)) return "F40005";
    if (const auto* cube = std::get_if<CubeTileRefused>(&what)) return code_of(*cube);
    if (const auto* vec = std::get_if<VecTileRefused>(&what)) return code_of(*vec);
    if (const auto* call = std::get_if<CallRefused>(&what)) return code_of(*call);
    if (std::holds_alternative<CodeFailed>(what)) return "F0F619";
    if (std::holds_alternative<TooManyOperations>(what)) return "F7A007";
    return {};
}

bool is_other(const Event& event) {
    return std::holds_alternative<OtherError>(event.what);
}

constexpr std::array<std::string_view, 3> kCubeCodes{"F0000C", "FC4000", "FC4001"};

/// The beginning of a sentence that another message has whole.
bool is_beginning(const Event& event, const std::vector<Event>& all) {
    const auto* refused = std::get_if<CubeTileRefused>(&event.what);
    if (refused == nullptr || !refused->is_cut) return false;
    return std::ranges::any_of(all, [&](const Event& other) {
        const auto* whole = std::get_if<CubeTileRefused>(&other.what);
        return whole != nullptr && (!whole->is_cut || whole->said.size() > refused->said.size()) &&
               whole->said.starts_with(refused->said);
    });
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
bool is_of_another_function(const Event& event, const LastPass* pass, std::string_view process) {
    if (!event.pass || pass == nullptr || process.empty() || event.process != process) return false;
    const FunctionName& of_a = event.pass->function;
    const FunctionName& of_b = pass->function;
    return of_a.loop != of_b.loop || of_a.unroll != of_b.unroll;
}

/// Of what operator== compares, as far as it tells messages apart; of stage times what is put together.
struct KeyOf {
    template <typename... T>
    static std::size_t mix(const T&... parts) {
        std::size_t key = 0;
        ((key = key * 1'000'003 ^ std::hash<T>{}(parts)), ...);
        return key;
    }
    std::size_t operator()(const PoolOverflow& m) const { return mix(m.pool, m.size, m.limit, m.operation); }
    std::size_t operator()(const CubeTileRefused& m) const { return mix(m.said); }
    std::size_t operator()(const VecTileRefused& m) const {
        return mix(m.operation, m.tile_axes, m.tensor_axes, m.axis, m.multiple, m.got);
    }
    std::size_t operator()(const CallRefused& m) const { return mix(m.operation, m.tensor, m.option, m.axis, m.got); }
    std::size_t operator()(const CodeFailed& m) const { return mix(m.function.whole, m.frame); }
    std::size_t operator()(const StageTime& m) const { return mix(m.stage, m.function.whole); }
    std::size_t operator()(const Stopped& m) const { return mix(m.code); }
    std::size_t operator()(const OutOfMemory& m) const { return mix(m.bytes); }
    std::size_t operator()(const TooManyOperations& m) const { return mix(m.function.whole, m.size); }
    std::size_t operator()(const OtherError& m) const { return mix(m.said); }
};

std::size_t key_of(const What& what) {
    return std::visit(KeyOf{}, what) * 31 + what.index();
}

/// Without the word or number that the line ends in: it may go on.
std::string_view without_last_word(std::string_view text) {
    while (!text.empty() && (is_word(text.back()) || text.back() == '.' || text.back() == '-')) text.remove_suffix(1);
    return text;
}

template <typename Map>
auto& at_process(Map& map, std::string_view process) {
    const auto found = map.find(process);
    return found == map.end() ? map.emplace(std::string(process), typename Map::mapped_type{}).first->second
                              : found->second;
}

}  // namespace

/// What is printed without a process, such as the exception, follows what the only process did.
const LastPass* LogBuilder::pass_of(const Line& line) const {
    const auto same = passes_.find(line.process);
    if (same != passes_.end()) return &log_.passes[same->second];
    return line.process.empty() && log_.passes.size() == 1 ? &log_.passes.front() : nullptr;
}

std::optional<std::size_t> LogBuilder::absorb(std::size_t key, const Line& line, std::string_view code,
                                              const What& what) {
    const auto bucket = events_.find(key);
    if (bucket == events_.end()) return std::nullopt;
    for (const std::size_t i : bucket->second) {
        Event& into = log_.events[i];
        auto* a = std::get_if<StageTime>(&into.what);
        const auto* b = std::get_if<StageTime>(&what);
        if (a != nullptr && b != nullptr && a->stage == b->stage && a->function == b->function) {
            // The loudest of what is said of a stage and a function.
            if (b->seconds > a->seconds) {
                a->seconds = b->seconds;
                into.text = shortened(line.text);
                into.line = line.number;
            }
            a->warned = a->warned || b->warned;
        } else {
            if (into.what != what || is_of_another_function(into, pass_of(line), line.process)) continue;
            if (!into.code.empty() && !code.empty() && into.code != code) continue;
            if (into.code.empty()) into.code = code;
        }
        ++into.count;
        return i;
    }
    return std::nullopt;
}

void LogBuilder::add(const Line& line, What what) {
    std::string code(line.code);
    std::uint64_t number = line.number;
    const bool is_code_alone = std::holds_alternative<OtherError>(what);
    const auto open = is_code_alone ? open_.end() : open_.find(line.process);
    if (open != open_.end() && line.number - open->second.line <= kSentenceWithin && !usual_code(what).empty()) {
        Event& head = log_.events[open->second.event];
        if (code.empty()) {
            // The message began with its code, a line or two above.
            code = head.code;
            number = head.line;
            if (is_other(head)) head.code.clear();  // it is this one
        }
        open_.erase(open);
    }
    if (code.empty()) code = usual_code(what);
    const std::size_t key = key_of(what);
    std::optional<std::size_t> at = absorb(key, line, code, what);
    if (!at) {
        if (log_.events.size() >= kMostEvents) {
            ++log_.left_out;
            return;
        }
        at = log_.events.size();
        const LastPass* pass = pass_of(line);
        log_.events.push_back({number, 1, std::string(line.process), std::move(code), shortened(line.text),
                               std::move(what), pass == nullptr ? std::nullopt : std::optional(*pass)});
        events_[key].push_back(*at);
    }
    if (std::holds_alternative<PoolOverflow>(log_.events[*at].what)) at_process(overflow_, line.process) = *at;
    if (is_code_alone) at_process(open_, line.process) = {*at, line.number};
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
    const auto same = passes_.find(line.process);
    if (same == passes_.end()) {
        if (log_.passes.size() >= kMostProcesses) return;
        passes_.emplace(std::string(line.process), log_.passes.size());
        log_.passes.push_back(std::move(pass));
        return;
    }
    LastPass& before = log_.passes[same->second];
    // The dump of a pass and the line that says it failed speak of one.
    if (before.name == pass.name) {
        if (!pass.number) pass.number = before.number;
        if (pass.function.whole.empty()) pass.function = before.function;
    }
    before = std::move(pass);
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
    const auto is_for = [&](AnchorGroups groups) { return (line.groups & groups) != 0; };
    const auto taken = [&](auto found) {
        if (found) add(line, *std::move(found));
        return found.has_value();
    };
    if (is_for(kPool) && taken(parse_pool_overflow(line.text))) return true;
    if (is_for(kPrinted)) {
        if (auto operation = parse_printed_operation(line.text)) {
            add_printed(line, *std::move(operation));
            return true;
        }
    }
    if (is_for(kMany) && taken(parse_too_many_operations(line.text))) return true;
    if (is_for(kCube)) {
        if (auto refused = parse_cube_tile(line.text)) {
            refused->is_cut = line.is_cut;
            add(line, *std::move(refused));
            return true;
        }
    }
    if (is_for(kVec) && taken(parse_vec_tile(line.text))) return true;
    return is_for(kCall | kOption) && take_call(line);
}

bool LogBuilder::take_call(const Line& line) {
    if (auto call = parse_call(line.text)) {
        add(line, *std::move(call));
        return true;
    }
    if (auto range = parse_option_range(line.text)) {
        const auto named = options_.find(line.process);
        if (range->option.empty() && named != options_.end()) {
            range->option = named->second.option;
            range->got = named->second.got;
        }
        add(line, *std::move(range));
        return true;
    }
    auto option = parse_option(line.text);
    if (!option) return false;
    // A dump of the options has such lines too: they are no message by themselves.
    if (options_.size() > kMostProcesses) options_.clear();
    at_process(options_, line.process) = *std::move(option);
    return false;
}

bool LogBuilder::take_stage(const Line& line) {
    const auto is_for = [&](AnchorGroups groups) { return (line.groups & groups) != 0; };
    if (is_for(kFailed)) {
        if (auto failed = parse_code_failed(line.text)) {
            if (!failed->function.whole.empty() || !line.code.empty()) log_.is_pypto = true;
            add(line, *std::move(failed));
            return true;
        }
    }
    if (is_for(kMonitor)) {
        if (auto time = parse_stage_time(line.text)) {
            log_.is_pypto = true;
            if (time->warned || time->seconds >= kNotableSeconds) add(line, *time);
            if (auto pass = parse_pass(line.text)) take_pass(*std::move(pass), line);
            return true;
        }
    }
    if (is_for(kMemory)) {
        if (auto memory = parse_out_of_memory(line.text)) {
            add(line, *memory);
            return true;
        }
    }
    if (is_for(kPass)) {
        if (auto pass = parse_pass(line.text)) {
            take_pass(*std::move(pass), line);
            return true;
        }
    }
    return false;
}

void LogBuilder::take(const RawLine& raw) {
    // A log that is kept as JSON has its line ends written out.
    constexpr std::string_view kWritten = "\\n";
    std::string_view rest = raw.text;
    for (std::size_t at = rest.find(kWritten); at != std::string_view::npos; at = rest.find(kWritten)) {
        take_text(raw.number, rest.substr(0, at), false);
        rest.remove_prefix(at + kWritten.size());
    }
    take_text(raw.number, rest, raw.is_cut);
}

void LogBuilder::take_text(std::uint64_t number, std::string_view text, bool is_cut) {
    Line line;
    line.number = number;
    const std::string_view whole = clean_line(text, buffer_);
    line.text = is_cut ? without_last_word(whole) : whole;
    line.is_cut = is_cut;
    line.groups = log_anchors().groups(whole);
    if (line.groups == 0) return;
    line.process = process_of(line.text);
    if (open_.size() > kMostProcesses) open_.clear();
    if (overflow_.size() > kMostProcesses) overflow_.clear();
    const auto is_for = [&](AnchorGroups groups) { return (line.groups & groups) != 0; };
    // What stages and tracebacks are about has no code.
    if (is_for(~(kPass | kMonitor | kFrame | kStopped))) line.code = said_code(line.text);
    if (is_for(kFrame)) {
        if (holds(line.text, "Traceback (most recent call last)")) {
            log_.frames.clear();
            return;
        }
        if (auto frame = parse_python_frame(line.text)) {
            take_frame(*std::move(frame), line);
            return;
        }
    }
    if (is_for(kKernel)) {
        if (const std::string_view kernel = between(line.text, "Failed to compile function '", "'"); !kernel.empty()) {
            log_.is_pypto = true;
            const bool known = std::ranges::find(log_.kernels, kernel) != log_.kernels.end();
            if (!known && log_.kernels.size() < kMostKernels) log_.kernels.emplace_back(shortened(kernel, 80));
        }
    }
    if (is_for(kMonitor) && (holds(line.text, "Compilation finished") || holds(line.text, "Monitoring stopped"))) {
        finished_line_ = line.number;
        log_.is_pypto = true;
        return;
    }
    if (take_details(line)) {
        log_.is_pypto = true;
        return;
    }
    if (take_stage(line)) return;
    if (is_for(kStopped)) {
        if (auto stopped = parse_stopped(whole)) {
            add(line, *stopped);
            return;
        }
    }
    if (line.code.empty()) return;
    log_.is_pypto = true;
    const auto at = static_cast<std::size_t>(line.code.data() - line.text.data());
    add(line, OtherError{shortened(line.text.substr(at))});
}

Log LogBuilder::finish(const ScannedLog& scanned) {
    log_.lines = scanned.lines;
    log_.bytes = scanned.bytes;
    std::erase_if(log_.events, [](const Event& event) { return is_other(event) && event.code.empty(); });
    for (Event& event : log_.events) {
        // The code says what it is about, where its sentence is lost.
        if (is_other(event) && std::ranges::find(kCubeCodes, event.code) != kCubeCodes.end()) {
            event.what = CubeTileRefused{{}, true};
        }
    }
    const std::vector<Event> all = log_.events;
    std::erase_if(log_.events,
                  [&](const Event& event) { return says_no_more(event, all) || is_beginning(event, all); });
    std::ranges::stable_sort(log_.events, {}, &Event::line);
    std::ranges::stable_sort(log_.passes, {}, &LastPass::line);
    log_.finished = finished_line_ > 0 &&
                    std::ranges::all_of(log_.passes, [&](const LastPass& pass) { return pass.line < finished_line_; });
    return std::move(log_);
}

}  // namespace ptofix::diagnose
