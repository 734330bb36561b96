// The entries of a folder, with as few questions to the system as that takes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "text/disk_file.h"

namespace ptofix::text {

struct Entry {
    std::string_view name;  // never "." or ".."
    unsigned char type;     // DT_REG, DT_DIR ... of <dirent.h>; DT_UNKNOWN on file systems that tell none
};

/// In the system's order. Returns 0 or the error number. `opened` keeps the folder open, for who opens files by their
/// names in it: that takes half of what their whole paths take.
int each_entry(const std::string& folder, const std::function<void(const Entry&)>& visit,
               FileDescriptor* opened = nullptr);

}  // namespace ptofix::text
