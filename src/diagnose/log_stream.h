// The bytes of a log: a file or standard input, plain or compressed by gzip (told by its first bytes, whatever its
// name).
#pragma once

#include <cstddef>
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

  private:
    struct Close {
        void operator()(void* file) const;
    };
    std::unique_ptr<void, Close> file_;
};

}  // namespace ptofix::diagnose
