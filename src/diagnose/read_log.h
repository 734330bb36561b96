// A log, read once from its beginning to its end in bounded memory.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "diagnose/log.h"
#include "diagnose/log_lines.h"

namespace ptofix::diagnose {

struct ReadLog {
    Log log;
    std::optional<StreamError> error;  // it broke off: `log` has what came before
};

/// "-": standard input. An error: nothing could be read at all.
std::expected<ReadLog, StreamError> read_log(const std::string& path);

}  // namespace ptofix::diagnose
