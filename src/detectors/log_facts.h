// What a compile log tells of kernels that their text does not: handed to the detectors of the rules that are found
// from a log. Made by src/diagnose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptofix::trace {
struct Loop;
}

namespace ptofix::detectors {

struct LogFacts {
    /// F40005 in UB, of a size that no single operation makes: the sizes of all of them are known. The loop is the one
    /// that was decided on from the text that the log is about; no other one ever is it.
    struct UnexplainedOverflow {
        std::int64_t bytes = 0, limit = 0;
        std::string kernel, loop;           // by name; the loop's may be empty: it has none
        std::optional<std::int64_t> level;  // of its list, that failed
    };
    std::vector<UnexplainedOverflow> overflows;

    /// NPU out of memory.
    struct DeviceMemory {
        std::optional<std::int64_t> bytes;  // that it tried to allocate
        std::vector<std::string> kernels;
    };
    std::optional<DeviceMemory> device_memory;
};

/// Has the loop the level that failed, or where that is not told a level above the small ones: would PTO102 cut it?
bool may_accumulate(const trace::Loop& loop, std::optional<std::int64_t> level);

}  // namespace ptofix::detectors
