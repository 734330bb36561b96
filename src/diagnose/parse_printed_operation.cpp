// The line below an F40005 that prints an operation with its buffers, shapes and types included: the producer of a
// buffer that is too large, or the operation whose buffers are too large together.
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::size_t kMostAxes = 8;
constexpr std::size_t kMostTensors = 64;

/// "128x512xDT_FP32 / ..." up to the closing bracket.
std::optional<PrintedTensor> tensor_in(std::string_view inside) {
    PrintedTensor tensor;
    while (!inside.empty() && tensor.shape.size() < kMostAxes) {
        if (inside.front() == ' ') {
            inside.remove_prefix(1);
            continue;
        }
        const auto extent = number_at(inside);
        if (!extent || *extent <= 0) break;
        const std::size_t end = inside.find_first_not_of("0123456789");
        if (end == std::string_view::npos) return std::nullopt;
        inside.remove_prefix(end);
        // "128x512xDT_FP32" and "128 x 512 x DT_FP32" are both printed.
        while (inside.starts_with(' ')) inside.remove_prefix(1);
        if (!inside.starts_with('x')) return std::nullopt;
        inside.remove_prefix(1);
        tensor.shape.push_back(*extent);
    }
    while (inside.starts_with(' ')) inside.remove_prefix(1);
    if (!inside.starts_with("DT_")) return std::nullopt;
    // "DT_FP32" may be followed by "_NZ".
    std::string_view name = word_at(inside);
    if (name.ends_with("_NZ")) name.remove_suffix(3);
    tensor.dtype = name;
    return tensor;
}

std::vector<PrintedTensor> tensors_in(std::string_view text) {
    std::vector<PrintedTensor> tensors;
    for (std::size_t at = text.find('<'); at != std::string_view::npos && tensors.size() < kMostTensors;
         at = text.find('<', at + 1)) {
        if (auto tensor = tensor_in(text.substr(at + 1))) tensors.push_back(std::move(*tensor));
    }
    return tensors;
}

}  // namespace

std::optional<PrintedOperation> parse_printed_operation(std::string_view line) {
    constexpr std::string_view kInputs = "| inputs: {", kOutputs = "| outputs: {";
    const std::size_t start = line.find("op: ");
    const std::size_t inputs = line.find(kInputs);
    if (start == std::string_view::npos || inputs == std::string_view::npos || inputs < start) return std::nullopt;
    const std::size_t outputs = line.find(kOutputs, inputs);
    PrintedOperation operation;
    operation.name = word_at(line.substr(start + 4));
    const std::size_t end = outputs == std::string_view::npos ? line.size() : outputs;
    operation.inputs = tensors_in(line.substr(inputs + kInputs.size(), end - inputs - kInputs.size()));
    if (outputs != std::string_view::npos) operation.outputs = tensors_in(line.substr(outputs + kOutputs.size()));
    return operation;
}

}  // namespace ptofix::diagnose
