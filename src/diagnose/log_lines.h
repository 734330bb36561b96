// The lines of a log that hold an anchor, with their numbers, in bounded memory whatever the log's size and however
// long its lines are: of a long line only the part around an anchor is given out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "diagnose/anchors.h"
#include "diagnose/log_stream.h"

namespace ptofix::diagnose {

struct RawLine {
    std::uint64_t number = 0;  // from 1
    std::string_view text;     // without its line end; no longer than kLongestLine
    bool is_cut = false;       // it goes on, or the log ends in it without a line end
};

struct ScannedLog {
    std::uint64_t lines = 0, bytes = 0;
    std::optional<StreamError> error;  // how reading ended, when not at the end
};

inline constexpr std::size_t kLongestLine = 8192;

/// A line ends with \n; a \r before it is no part of it.
ScannedLog scan_lines(LogStream& stream, const Anchors& anchors, const std::function<void(const RawLine&)>& take);

}  // namespace ptofix::diagnose
