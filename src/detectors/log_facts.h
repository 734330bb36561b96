// What a compile log tells of kernels that their text does not: handed to the detectors of the rules that are found
// from a log. Made by src/diagnose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptofix::detectors {

struct LogFacts {
    /// F40005 in UB, of a size that no single operation makes: the sizes of all of them are known.
    struct UnexplainedOverflow {
        std::int64_t bytes = 0, limit = 0;
        std::string loop;                  // that the failing function was made of, by name; empty: not told
        std::vector<std::string> kernels;  // by name; empty: any
    };
    std::vector<UnexplainedOverflow> overflows;

    /// NPU out of memory.
    struct DeviceMemory {
        std::optional<std::int64_t> bytes;  // that it tried to allocate
        std::vector<std::string> kernels;
    };
    std::optional<DeviceMemory> device_memory;
};

}  // namespace ptofix::detectors
