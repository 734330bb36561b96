// What PyPTO says of a vec tile: F4FFFF for its number of axes (also when none was set), FC1000 and FC1001 for a
// missing one and for numbers that an operation wants to be multiples.
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

/// "ADD" of "Operation: ADD. Tile shape size 1 ...".
std::string operation_in(std::string_view line) {
    return std::string(word_at(behind(line, "Operation: ")));
}

}  // namespace

std::optional<VecTileRefused> parse_vec_tile(std::string_view line) {
    using Fault = VecTileRefused::Fault;
    VecTileRefused found;
    found.operation = operation_in(line);
    if (line.find("Tile shape size ") != std::string_view::npos &&
        line.find("is not matched") != std::string_view::npos) {
        found.fault = Fault::rank;
        found.tile_axes = number_after(line, "Tile shape size ");
        found.tensor_axes = number_after(line, "output shape size ");
        found.function = between(line, "nction[", "]");
        return found;
    }
    if (line.find("TileShape is no set") != std::string_view::npos ||
        line.find("tile shape not set") != std::string_view::npos) {
        found.fault = Fault::missing;
        return found;
    }
    if (line.find("size of the tile shape along axis ") != std::string_view::npos) {
        found.fault = Fault::multiple;
        found.axis = number_after(line, "along axis ");
        found.multiple = number_after(line, "multiple of ");
        found.got = number_after(line, "Got ");
        return found;
    }
    if (line.find("tileShape of last axis need to 8 align") != std::string_view::npos) {
        found.fault = Fault::multiple;
        found.multiple = 8;
        return found;
    }
    if (line.find("last axis need 32Byte align") != std::string_view::npos ||
        line.find("is not align 32B") != std::string_view::npos) {
        found.fault = Fault::bytes;
        return found;
    }
    const std::string_view value = behind(line, "has invalid shape value: ");
    if (const auto number = number_at(value); number && *number <= 0 && *number != -1) {
        found.fault = Fault::numbers;
        found.got = number;
        return found;
    }
    return std::nullopt;
}

}  // namespace ptofix::diagnose
