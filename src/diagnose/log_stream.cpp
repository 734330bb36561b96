#include "diagnose/log_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string_view>
#include <utility>

#include "text/append_utf8.h"
#include "text/disk_file.h"
#include "text/utf8.h"

namespace ptofix::diagnose {

namespace {

constexpr unsigned kBuffer = 256 * 1024;  // of zlib, for compressed logs

gzFile as_gz(void* file) {
    return static_cast<gzFile>(file);
}

constexpr std::size_t kRawBlock = std::size_t{64} * 1024;  // of UTF-16

char32_t unit_at(std::string_view raw, std::size_t at, bool big_endian) {
    const auto first = static_cast<unsigned char>(raw[at]), second = static_cast<unsigned char>(raw[at + 1]);
    return big_endian ? static_cast<char32_t>(first << 8U | second) : static_cast<char32_t>(second << 8U | first);
}

/// Decodes what is whole of `raw` and takes it away; what is no character becomes the replacement character.
void decode(std::string& raw, bool big_endian, bool at_end, std::string& out) {
    constexpr char32_t kHigh = 0xD800, kLow = 0xDC00, kBehind = 0xE000, kBeyond = 0x10000;
    std::size_t at = 0;
    while (at + 1 < raw.size()) {
        char32_t c = unit_at(raw, at, big_endian);
        at += 2;
        if (kHigh <= c && c < kBehind) {
            const bool has_next = at + 1 < raw.size();
            if (c < kLow && !has_next && !at_end) {
                at -= 2;
                break;
            }
            const char32_t next = has_next ? unit_at(raw, at, big_endian) : 0;
            if (c < kLow && kLow <= next && next < kBehind) {
                c = kBeyond + ((c - kHigh) << 10U) + (next - kLow);
                at += 2;
            } else {
                c = text::kReplacementCharacter;
            }
        }
        text::append_utf8(out, c);
    }
    raw.erase(0, at);
}

}  // namespace

void LogStream::Close::operator()(void* file) const {
    gzclose_r(as_gz(file));
}

std::expected<LogStream, StreamError> LogStream::open(const std::string& path) {
    const auto failed = [](int error) { return std::unexpected(StreamError{StreamError::Kind::unreadable, error}); };
    const int raw = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    text::FileDescriptor descriptor(raw);
    if (!descriptor.is_open()) return failed(errno);
    struct stat status{};
    if (::fstat(descriptor.get(), &status) != 0) return failed(errno);
    if (S_ISDIR(status.st_mode)) return failed(EISDIR);
    // zlib closes what it is given, so it gets a descriptor of its own.
    const int own = ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0);
    if (own < 0) return failed(errno);
    LogStream stream;
    stream.file_.reset(gzdopen(own, "rb"));
    if (stream.file_ == nullptr) {
        ::close(own);
        return failed(ENOMEM);
    }
    gzbuffer(as_gz(stream.file_.get()), kBuffer);
    return stream;
}

std::expected<std::size_t, StreamError> LogStream::read(std::span<char> into) {
    if (encoding_ != Encoding::unknown) {
        return encoding_ == Encoding::bytes ? read_bytes(into) : read_utf16(into);
    }
    auto got = read_bytes(into);
    encoding_ = Encoding::bytes;
    if (!got) return got;
    const std::string_view begin(into.data(), *got);
    using std::string_view_literals::operator""sv;
    // With a byte order mark, or as ASCII looks in it.
    const auto is_ascii_at = [&](std::size_t at) {
        return begin.size() >= 4 && begin[at] != 0 && begin[at + 2] != 0 && begin[1 - at] == 0 && begin[3 - at] == 0;
    };
    const bool little = begin.starts_with("\xFF\xFE"sv), big = begin.starts_with("\xFE\xFF"sv);
    if (!little && !big && !is_ascii_at(0) && !is_ascii_at(1)) return got;
    encoding_ = little || is_ascii_at(0) ? Encoding::utf_16_le : Encoding::utf_16_be;
    raw_ = begin.substr(little || big ? 2 : 0);
    return read_utf16(into);
}

std::expected<std::size_t, StreamError> LogStream::read_utf16(std::span<char> into) {
    const bool big_endian = encoding_ == Encoding::utf_16_be;
    while (decoded_.empty()) {
        bool at_end = false;
        if (raw_.size() < 4) {
            const std::size_t rest = raw_.size();
            raw_.resize(rest + kRawBlock);
            const auto got = read_bytes(std::span(raw_).subspan(rest));
            raw_.resize(rest + got.value_or(0));
            if (!got) return got;
            at_end = *got == 0;
        }
        decode(raw_, big_endian, at_end, decoded_);
        if (at_end) break;
    }
    const std::size_t size = std::min(into.size(), decoded_.size());
    std::copy_n(decoded_.data(), size, into.data());
    decoded_.erase(0, size);
    return size;
}

std::expected<std::size_t, StreamError> LogStream::read_bytes(std::span<char> into) {
    constexpr std::size_t kMost = std::numeric_limits<int>::max();
    const auto size = static_cast<unsigned>(std::min(into.size(), kMost));
    const int count = gzread(as_gz(file_.get()), into.data(), size);
    if (count > 0) {
        bytes_ += static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
    }
    int error = Z_OK;
    gzerror(as_gz(file_.get()), &error);
    if (error == Z_OK || error == Z_STREAM_END) return std::size_t{0};
    if (error == Z_ERRNO) return std::unexpected(StreamError{StreamError::Kind::unreadable, errno});
    const bool cut = error == Z_BUF_ERROR;
    return std::unexpected(StreamError{cut ? StreamError::Kind::cut_short : StreamError::Kind::damaged, 0});
}

}  // namespace ptofix::diagnose
