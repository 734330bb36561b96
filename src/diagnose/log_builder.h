// Puts the lines of a log together to what they say: a code and the sentence below it are one message, repetitions are
// counted, the lines of several processes are told apart. Used by read_log.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnose/anchors.h"
#include "diagnose/log.h"
#include "diagnose/log_lines.h"

namespace ptofix::diagnose {

class LogBuilder {
  public:
    void take(const RawLine& raw);
    /// What all of it comes to.
    Log finish(const ScannedLog& scanned);

  private:
    /// A message whose code has been seen and whose sentence may stand on one of the next lines.
    struct Open {
        std::size_t event = 0;
        std::uint64_t line = 0;
    };
    struct Line {
        std::uint64_t number = 0;
        std::string_view text;  // without the word that is cut off at its end
        std::string_view process;
        std::string_view code;
        AnchorGroups groups = 0;
        bool is_cut = false;
    };

    void take_text(std::uint64_t number, std::string_view text, bool is_cut);
    bool take_details(const Line& line);
    bool take_call(const Line& line);
    bool take_stage(const Line& line);
    void take_pass(LastPass pass, const Line& line);
    void take_frame(PythonFrame frame, const Line& line);
    const LastPass* pass_of(const Line& line) const;
    void add(const Line& line, What what);
    /// The event that the message repeats; it is counted.
    std::optional<std::size_t> absorb(std::size_t key, const Line& line, std::string_view code, const What& what);
    void add_printed(const Line& line, PrintedOperation operation);

    template <typename T>
    using ByProcess = std::map<std::string, T, std::less<>>;

    Log log_;
    std::unordered_map<std::size_t, std::vector<std::size_t>> events_;  // by what tells them apart
    ByProcess<Open> open_;
    ByProcess<std::size_t> overflow_;  // the last PoolOverflow
    ByProcess<std::size_t> passes_;    // Log::passes
    ByProcess<CallRefused> options_;   // the option that a line named last
    std::string buffer_;
    std::uint64_t finished_line_ = 0;
};

}  // namespace ptofix::diagnose
