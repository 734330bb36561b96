#include "lsp/message_stream.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "text/disk_file.h"

namespace ptofix::lsp {

namespace {

constexpr std::size_t kReadBytes = 64U << 10U;
constexpr std::size_t kMaxHeaderLine = 1024;

/// The field's value, if the line is of that field; names are compared without regard to case.
std::optional<std::string_view> field(std::string_view line, std::string_view name) {
    if (line.size() <= name.size() || line[name.size()] != ':') return std::nullopt;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = line[i] >= 'A' && line[i] <= 'Z' ? static_cast<char>(line[i] - 'A' + 'a') : line[i];
        if (c != name[i]) return std::nullopt;
    }
    line.remove_prefix(name.size() + 1);
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    return line;
}

}  // namespace

MessageReader::MessageReader(int descriptor) : descriptor_(descriptor), wake_(eventfd(0, EFD_CLOEXEC)) {}

MessageReader::~MessageReader() {
    close(wake_);
    if (process_ >= 0) close(process_);
}

void MessageReader::watch(std::int64_t process) {
    if (process <= 0 || process > INT32_MAX || process_ >= 0 || ended_) return;
    const auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(process), 0));
    if (descriptor >= 0) {
        process_ = descriptor;
    } else if (errno == ESRCH) {
        ended_ = true;
    } else {
        return;
    }
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake_, &one, sizeof one));
}

bool MessageReader::fill() {
    if (read_ > 0) {
        buffer_.erase(0, read_);
        read_ = 0;
    }
    while (true) {
        // A negative descriptor is passed over.
        pollfd watched[] = {{descriptor_, POLLIN, 0}, {process_, POLLIN, 0}, {wake_, POLLIN, 0}};
        if (poll(watched, std::size(watched), ended_ ? 0 : -1) < 0) {
            if (errno == EINTR) continue;
            return false;
        }
        // What is there to read is read even if who wrote it is gone: an `exit` may be in it.
        if (watched[0].revents == 0 && (watched[1].revents != 0 || ended_)) return false;
        if (watched[2].revents != 0) {
            std::uint64_t count = 0;
            static_cast<void>(!::read(wake_, &count, sizeof count));
        }
        if (watched[0].revents == 0) continue;
        const std::size_t old = buffer_.size();
        buffer_.resize(old + kReadBytes);
        const ssize_t size = ::read(descriptor_, buffer_.data() + old, kReadBytes);
        buffer_.resize(old + static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        return size > 0;
    }
}

std::optional<std::string> MessageReader::header_line() {
    while (true) {
        const std::size_t end = buffer_.find('\n', read_);
        if (end != std::string::npos) {
            std::string line = buffer_.substr(read_, end - read_);
            read_ = end + 1;
            if (!line.empty() && line.back() == '\r') line.pop_back();
            return line;
        }
        // What is no header has no line ends either: it is dropped as it comes.
        if (buffer_.size() - read_ > kMaxHeaderLine) read_ = buffer_.size();
        if (!fill()) return std::nullopt;
    }
}

MessageReader::Frame MessageReader::next() {
    std::optional<std::size_t> length;
    bool fields = false;
    while (true) {
        const auto line = header_line();
        if (!line) return {};
        if (line->empty()) {
            if (!fields) continue;  // blank lines between frames
            break;
        }
        fields = true;
        const auto value = field(*line, "content-length");
        if (!value) continue;
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
        if (error == std::errc() && end == value->data() + value->size()) length = number;
    }
    if (!length) return {Kind::unreadable, "a header without a Content-Length that is a number"};
    if (*length > kMaxMessageBytes) {
        for (std::size_t left = *length; left > 0;) {
            if (read_ == buffer_.size() && !fill()) return {};
            const std::size_t part = std::min(left, buffer_.size() - read_);
            read_ += part;
            left -= part;
        }
        return {Kind::unreadable, fmt::format("a message of {} bytes; at most {} are read", *length, kMaxMessageBytes)};
    }
    while (buffer_.size() - read_ < *length) {
        if (!fill()) return {};
    }
    Frame frame{Kind::message, buffer_.substr(read_, *length)};
    read_ += *length;
    if (buffer_.capacity() > (4U << 20U)) {  // after a large document
        buffer_.erase(0, read_);
        buffer_.shrink_to_fit();
        read_ = 0;
    }
    return frame;
}

bool MessageWriter::write(const nlohmann::json& message) {
    // Texts come from files and clients: what is no UTF-8 in them must not end the conversation.
    const std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::string frame = fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
    const std::scoped_lock lock(mutex_);
    if (!closed_) closed_ = text::write_all(descriptor_, frame) != 0;
    return !closed_;
}

}  // namespace ptofix::lsp
