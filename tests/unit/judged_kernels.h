// Kernels with the verdict of the framework's own compiler, measured: tests/data/measured/judged.jsonl.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ptofix::test {

struct JudgedKernel {
    std::string kind, source, code, message;
    bool refused = false;

    bool overflows(std::string_view pool) const { return refused && message.find(pool) != std::string::npos; }
};

inline std::vector<JudgedKernel> judged_kernels() {
    std::ifstream file("tests/data/measured/judged.jsonl");
    std::vector<JudgedKernel> kernels;
    for (std::string line; std::getline(file, line);) {
        const auto row = nlohmann::json::parse(line);
        const auto text = [&](const char* key) {
            return row[key].is_string() ? row[key].get<std::string>() : std::string();
        };
        kernels.push_back({row["kind"], row["source"], text("code"), text("message"), row["status"] != "OK"});
    }
    return kernels;
}

}  // namespace ptofix::test
