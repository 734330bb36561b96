// A line of a log as its writer meant it: without colours and control characters, valid UTF-8; and which of several
// processes wrote it. Used for the few lines that hold an anchor.
#pragma once

#include <string>
#include <string_view>

namespace ptofix::diagnose {

/// Colour and cursor sequences are left out, other control characters become spaces, bytes that are no UTF-8 become the
/// replacement character; blanks
/// at both ends are trimmed.
std::string clean_line(std::string_view raw);
/// The same; the text itself where it is clean already, or else the buffer's.
std::string_view clean_line(std::string_view raw, std::string& buffer);

/// What tells the line's process from others in the log: "PYPTO(4711," of the framework's own log, "[rank3]" of
/// torchrun,
/// "(Worker pid=12)", "[1,2]<stderr>" of MPI. Empty: nothing does.
std::string_view process_of(std::string_view clean);

/// The line cut to what a person reads of it, at a whole character.
std::string shortened(std::string_view clean, std::size_t most = 240);

}  // namespace ptofix::diagnose
