#include "diagnose/read_log.h"

#include "diagnose/log_builder.h"

namespace ptofix::diagnose {

std::expected<ReadLog, StreamError> read_log(const std::string& path) {
    auto stream = LogStream::open(path);
    if (!stream) return std::unexpected(stream.error());
    LogBuilder builder;
    const ScannedLog scanned = scan_lines(*stream, log_anchors(), [&](const RawLine& line) { builder.take(line); });
    const bool nothing = scanned.bytes == 0 && scanned.error;
    if (nothing) return std::unexpected(*scanned.error);
    return ReadLog{builder.finish(scanned), scanned.error};
}

}  // namespace ptofix::diagnose
