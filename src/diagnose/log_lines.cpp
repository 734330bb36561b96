#include "diagnose/log_lines.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ptofix::diagnose {

namespace {

constexpr std::size_t kBlock = std::size_t{512} * 1024;
constexpr std::size_t kBefore = 1024;                    // what of a long line is given out before an anchor
constexpr std::size_t kBehind = kLongestLine - kBefore;  // ... and from the anchor on

std::size_t find_line_end(std::string_view text, std::size_t from) {
    const void* found = from < text.size() ? std::memchr(text.data() + from, '\n', text.size() - from) : nullptr;
    return found == nullptr ? std::string_view::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// A program, a library or an archive: the messages in it are not said of anything.
bool is_program(std::string_view begin) {
    using std::string_view_literals::operator""sv;
    return begin.starts_with(
               "\x7f"
               "ELF"sv) ||
           begin.starts_with("MZ\x90\0"sv) || begin.starts_with("!<arch>\n"sv) || begin.starts_with("PK\x03\x04"sv);
}

class Scan {
  public:
    Scan(LogStream& stream, const Anchors& anchors, const std::function<void(const RawLine&)>& take)
        : stream_(stream), anchors_(anchors), take_(take), buffer_(kBlock) {}

    ScannedLog run() {
        while (true) {
            const auto got = stream_.read(std::span(buffer_).subspan(used_));
            if (!got) log_.error = got.error();
            const std::size_t size = got.value_or(0);
            used_ += size;
            if (log_.bytes == 0) is_program_ = is_program(text());
            log_.bytes += size;
            const bool at_end = size == 0;
            look_at(at_end);
            if (at_end) break;
        }
        if (log_.bytes > 0 && last_byte_ != '\n') ++lines_before_;
        log_.lines = lines_before_;
        log_.bytes = stream_.bytes();
        return log_;
    }

  private:
    std::string_view text() const { return {buffer_.data(), used_}; }

    /// Gives out what may be given out of the buffer, and keeps the rest.
    void look_at(bool at_end) {
        const std::string_view all = text();
        if (all.empty()) return;
        // A line that is not whole yet waits for its rest, unless it fills the buffer.
        std::size_t end = all.size();
        if (!at_end) {
            const std::size_t last = all.rfind('\n');
            if (last != std::string_view::npos) {
                end = last + 1;
            } else if (used_ < buffer_.size()) {
                return;
            } else {
                end = all.size() - kBehind;
            }
        }
        search(all, end);
        last_byte_ = all[end - 1];
        // In the middle of a line: what comes before its next anchor is shown with it.
        const std::size_t keep = last_byte_ == '\n' ? end : end - std::min(end, kBefore);
        searched_ = end - keep;
        std::memmove(buffer_.data(), buffer_.data() + keep, used_ - keep);
        used_ -= keep;
    }

    /// Anchors that begin in [searched_, end).
    void search(std::string_view all, std::size_t end) {
        std::size_t line_start = 0;
        std::size_t from = searched_;
        std::size_t next_end = find_line_end(all, searched_);
        while (true) {
            const std::size_t at = anchors_.find(all, from);
            const std::size_t up_to = std::min(at, end);
            while (next_end < up_to) {
                ++lines_before_;
                line_start = next_end + 1;
                next_end = find_line_end(all, line_start);
            }
            if (at >= end) return;
            const bool is_cut = next_end == std::string_view::npos;
            from = give_out(all, at, line_start, std::min(next_end, all.size()), is_cut);
        }
    }

    /// Returns where to go on.
    std::size_t give_out(std::string_view all, std::size_t at, std::size_t start, std::size_t stop, bool is_cut) {
        std::size_t shown_start = start, shown_stop = stop;
        if (stop - start > kLongestLine) {
            shown_start = at - std::min(at - start, kBefore);
            shown_stop = std::min(stop, at + kBehind);
        }
        std::string_view line = all.substr(shown_start, shown_stop - shown_start);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!is_program_) take_({lines_before_ + 1, line, is_cut || shown_stop < stop});
        return shown_stop;
    }

    LogStream& stream_;
    const Anchors& anchors_;
    const std::function<void(const RawLine&)>& take_;
    std::vector<char> buffer_;
    std::size_t used_ = 0;
    std::size_t searched_ = 0;  // up to here the buffer was searched before
    std::uint64_t lines_before_ = 0;
    bool is_program_ = false;
    char last_byte_ = '\n';
    ScannedLog log_;
};

}  // namespace

ScannedLog scan_lines(LogStream& stream, const Anchors& anchors, const std::function<void(const RawLine&)>& take) {
    return Scan(stream, anchors, take).run();
}

}  // namespace ptofix::diagnose
