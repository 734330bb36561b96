// What PyPTO says of a vec tile: F4FFFF for its number of axes (also when none was set), FC1000 and FC1001 for a
// missing one and for numbers that an operation wants to be multiples.
#include <algorithm>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

/// "ADD" of "Operation: ADD. Tile shape size 1 ...".
std::string operation_in(std::string_view line) {
    return std::string(word_at(behind(line, "Operation: ")));
}

/// "[1, 64]" behind `before`: how many numbers.
std::optional<std::int64_t> count_of_list(std::string_view line, std::string_view before) {
    const std::string_view list = between(behind(line, before), "[", "]");
    if (list.empty()) return std::nullopt;
    return std::ranges::count(list, ',') + 1;
}

}  // namespace

std::optional<VecTileRefused> parse_vec_tile(std::string_view line) {
    using Fault = VecTileRefused::Fault;
    VecTileRefused found;
    found.operation = operation_in(line);
    if (line.find("Tile shape size ") != std::string_view::npos &&
        line.find("is not matched") != std::string_view::npos) {
        found.fault = Fault::rank;
        found.tile_axes = number_between(line, "Tile shape size ", " is");
        found.tensor_axes = number_between(line, "output shape size ", ".");
        found.function = between(line, "nction[", "]");
        return found;
    }
    constexpr std::string_view kRankEqual = " requires tile_shape rank equal to shape rank";
    if (const std::size_t at = line.find(kRankEqual); at != std::string_view::npos) {
        std::size_t start = at;
        while (start > 0 && is_word(line[start - 1])) --start;
        found.operation = line.substr(start, at - start);
        found.tensor_axes = count_of_list(line, ", shape is ");
        found.tile_axes = count_of_list(line, "tile_shape is ");
        return found;
    }
    // transpose says no more than this.
    if (line.find("TileShape dim num should same") != std::string_view::npos) return found;
    if (line.find("TileShape is no set") != std::string_view::npos ||
        line.find("tile shape not set") != std::string_view::npos) {
        found.fault = Fault::missing;
        return found;
    }
    if (line.find("size of the tile shape along axis ") != std::string_view::npos) {
        found.fault = Fault::multiple;
        found.axis = number_between(line, "along axis ", " ");
        found.multiple = number_between(line, "multiple of ", ".");
        found.got = number_between(line, "Got ", ".");
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
    const auto number = number_between(line, "has invalid shape value: ", ".");
    if (number && *number <= 0 && *number != -1) {
        found.fault = Fault::numbers;
        found.axis = number_between(line, "at dimension[", "]");
        found.got = number;
        return found;
    }
    return std::nullopt;
}

}  // namespace ptofix::diagnose
