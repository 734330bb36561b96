#include "diagnose/size_shapes.h"

#include <array>

#include "hardware/dtype.h"
#include "hardware/tile.h"

namespace ptofix::diagnose {

namespace {

struct Width {
    std::string_view name;
    std::int64_t bytes;
};
constexpr std::array kWidths{Width{"DT_FP32", 4}, Width{"DT_BF16", 2}, Width{"DT_INT8", 1}};

std::optional<ShapeGuess> printed_guess(const PrintedTensor& tensor, std::int64_t size) {
    const auto dtype = hardware::dtype_of_pypto_name(tensor.dtype);
    if (!dtype || hardware::size_of(*dtype) == 0 || tensor.shape.empty()) return std::nullopt;
    std::int64_t elements = 1;
    for (const std::int64_t extent : tensor.shape) elements = hardware::saturating_multiply(elements, extent);
    // The buffer is padded: it may have a little more.
    const std::int64_t bytes = hardware::saturating_multiply(elements, hardware::size_of(*dtype));
    if (bytes > size || size / 2 > bytes) return std::nullopt;
    return ShapeGuess{tensor.dtype, elements, tensor.shape, true};
}

}  // namespace

std::vector<std::int64_t> likely_shape(std::int64_t elements) {
    constexpr std::int64_t kLongestRow = 512;
    if (elements <= 1) return {elements};
    for (std::int64_t columns = kLongestRow; columns >= 16; columns /= 2) {
        if (elements % columns == 0 && elements / columns > 1) return {elements / columns, columns};
    }
    return {elements};
}

std::vector<ShapeGuess> shapes_of(const PoolOverflow& overflow) {
    std::vector<ShapeGuess> guesses;
    if (!overflow.size) return guesses;
    if (overflow.operation.empty()) {
        for (const PrintedOperation& operation : overflow.operations) {
            for (const PrintedTensor& tensor : operation.outputs) {
                if (auto guess = printed_guess(tensor, *overflow.size)) return {*std::move(guess)};
            }
        }
    }
    for (const Width& width : kWidths) {
        if (*overflow.size % width.bytes != 0) continue;
        const std::int64_t elements = *overflow.size / width.bytes;
        guesses.push_back({std::string(width.name), elements, likely_shape(elements), false});
    }
    return guesses;
}

}  // namespace ptofix::diagnose
