#pragma once

// The encodings Python source can declare in its first two lines (PEP 263), under all the names Python knows them by,
// and conversion between them and UTF-8 by iconv. Used by source.cpp, and
// by the command line for lists of paths.

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace ptofix::text {

struct Codec {
    std::string_view name;  ///< as Python's codecs.lookup() calls it
    std::string_view iconv_name;
    std::string_view aliases;  ///< normalised, separated by spaces

    bool is_utf8() const { return name == "utf-8"; }
};

/// The name in the coding cookie of line 1 or 2, if there is one. `source` starts after a byte order mark.
std::optional<std::string_view> find_cookie(std::string_view source);

/// Python's normalisation of a codec name: lower case, runs of punctuation as one underscore.
std::string normalised_codec_name(std::string_view name);

/// The codec a cookie names, nullptr when Python or we have none that can hold Python source. Offered are the codecs in
/// which every ASCII byte is that ASCII character and no state is carried from one character to the next.
const Codec* find_codec(std::string_view cookie);

const Codec& utf8_codec();

struct ConversionError {
    enum class Kind { codec_missing, malformed };
    Kind kind = Kind::malformed;
    std::size_t offset = 0;  ///< in the input, of what cannot be converted
};

std::expected<std::string, ConversionError> decode(const Codec& codec, std::string_view bytes);
std::expected<std::string, ConversionError> encode(const Codec& codec, std::string_view utf8);

}  // namespace ptofix::text
