// --files-from: paths from a file or standard input, one a line or each ended by a NUL.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"
#include "rules/catalogue.h"

namespace ptofix::cli {

/// A list with a NUL anywhere is one of NULs, whatever `null` says; empty entries, a CR before a line's end and a byte
/// order mark in front of all are nothing.
std::vector<std::string> paths_in(std::string_view list, bool null);

/// The list in UTF-8, when its byte order mark says that it is in UTF-16 or UTF-32, as PowerShell's `>` writes it; else
/// as it is. An error is the name of the encoding, and the byte that is not of it.
std::expected<std::string, std::string> list_in_utf8(std::string bytes);

/// `from`: a file, or "-". A list that cannot be read is a problem.
std::expected<std::vector<std::string>, report::Problem> read_path_list(const std::string& from, bool null,
                                                                        rules::Language language);

}  // namespace ptofix::cli
