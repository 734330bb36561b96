// The frames of the protocol on a pair of descriptors: "Content-Length: N", a blank line, N bytes of JSON.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ptofix::lsp {

/// Larger ones are skipped and answered with an error: no document may be longer than a sixteenth of it.
inline constexpr std::size_t kMaxMessageBytes = 256U << 20U;

class MessageReader {
  public:
    explicit MessageReader(int descriptor);
    ~MessageReader();
    MessageReader(const MessageReader&) = delete;
    MessageReader& operator=(const MessageReader&) = delete;

    /// The stream ends when this process does, or now if it has. From any thread, while another one is in next().
    void watch(std::int64_t process);

    enum class Kind : std::uint8_t {
        message,
        unreadable,  // a frame without a length that can be read, or a message that is too large: it was skipped
        end,
    };
    struct Frame {
        Kind kind = Kind::end;
        std::string body;  // of a message; what is wrong with an unreadable one
    };
    Frame next();

  private:
    /// False at the end of the stream.
    bool fill();
    std::optional<std::string> header_line();

    int descriptor_;
    int wake_;                       // an event: there is a process to watch
    std::atomic<int> process_ = -1;  // a descriptor of the watched process
    std::atomic<bool> ended_ = false;
    std::string buffer_;
    std::size_t read_ = 0;  // of the buffer
};

/// For several threads.
class MessageWriter {
  public:
    explicit MessageWriter(int descriptor) : descriptor_(descriptor) {}

    /// False when nobody reads any more.
    bool write(const nlohmann::json& message);

  private:
    std::mutex mutex_;
    int descriptor_;
    bool closed_ = false;
};

}  // namespace ptofix::lsp
