// The bytes of a log: a file or standard input, plain or compressed by gzip, UTF-16 made to UTF-8 (a shell of Windows
// writes it): told by its first bytes, whatever its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>

namespace ptofix::diagnose {

struct StreamError {
    enum class Kind : std::uint8_t {
        unreadable,  // `error` is the system's
        damaged,     // what was compressed does not come out whole
        cut_short,   // the compressed data ends in the middle
    } kind = Kind::unreadable;
    int error = 0;
};

class LogStream {
  public:
    /// "-": standard input.
    static std::expected<LogStream, StreamError> open(const std::string& path);

    /// Fills the span as far as there is something: 0 at the end. What was read before an error has been given out.
    std::expected<std::size_t, StreamError> read(std::span<char> into);
    /// Read so far, as they were before they were made to UTF-8.
    std::uint64_t bytes() const { return bytes_; }

  private:
    enum class Encoding : std::uint8_t { unknown, bytes, utf_16_le, utf_16_be };

    std::expected<std::size_t, StreamError> read_bytes(std::span<char> into);
    std::expected<std::size_t, StreamError> read_utf16(std::span<char> into);

    struct Close {
        void operator()(void* file) const;
    };
    std::unique_ptr<void, Close> file_;
    Encoding encoding_ = Encoding::unknown;
    std::string raw_;      // of UTF-16, not looked at yet
    std::string decoded_;  // not given out yet
    std::uint64_t bytes_ = 0;
};

}  // namespace ptofix::diagnose
