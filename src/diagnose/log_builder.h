// Puts the lines of a log together to what they say: a code and the sentence below it are one message, repetitions are
// counted, the lines of several processes are told apart. Used by read_log.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

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
        std::string text;
        std::string process;
        std::string_view code;
    };

    void take_text(std::uint64_t number, std::string_view text);
    bool take_details(const Line& line);
    bool take_stage(const Line& line);
    void take_pass(LastPass pass, const Line& line);
    void take_frame(PythonFrame frame, const Line& line);
    std::optional<LastPass> pass_of(const Line& line) const;
    void add(const Line& line, What what);
    void add_printed(const Line& line, PrintedOperation operation);

    Log log_;
    std::map<std::string, Open> open_;             // by process
    std::map<std::string, std::size_t> overflow_;  // the last PoolOverflow, by process
    std::uint64_t finished_line_ = 0;
};

}  // namespace ptofix::diagnose
