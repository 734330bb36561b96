#include "text/append_utf8.h"

#include <utf8proc.h>

namespace ptofix::text {

void append_utf8(std::string& output, char32_t value) {
    utf8proc_uint8_t encoded[4];
    const utf8proc_ssize_t size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(value), encoded);
    output.append(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(size));
}

}  // namespace ptofix::text
