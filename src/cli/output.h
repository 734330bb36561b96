// A standard stream, written whole or not at all: short writes are continued, a reader that went away (`| head`)
// silences it for good, any other failure is kept for the exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptofix::cli {

class Output {
  public:
    explicit Output(int descriptor) : descriptor_(descriptor) {}

    void write(std::string_view bytes);
    bool is_terminal() const;
    /// The width of the terminal, in cells; nullopt: it is none, or does not say.
    std::optional<std::uint32_t> columns() const;
    /// errno of the first failure that was no broken pipe; 0 when all went well.
    int error() const { return error_; }
    /// True when nobody reads any more; more output need not be made.
    bool closed() const { return closed_; }

  private:
    int descriptor_;
    int error_ = 0;
    bool closed_ = false;
};

}  // namespace ptofix::cli
