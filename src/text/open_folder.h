// The entries of a folder, with as few questions to the system as that takes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ptofix::text {

struct Entry {
    std::string_view name;  // never "." or ".."
    unsigned char type;     // DT_REG, DT_DIR ... of <dirent.h>; DT_UNKNOWN on file systems that tell none
};

/// In the system's order. Returns 0 or the error number.
int each_entry(const std::string& folder, const std::function<void(const Entry&)>& visit);

}  // namespace ptofix::text
