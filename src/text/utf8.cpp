#include "text/utf8.h"

#include <algorithm>
#include <cstring>

namespace ptofix::text {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;
constexpr std::size_t kBlock = 64;

/// Compilers make of this type what the processor has.
using Words = std::uint64_t __attribute__((vector_size(16)));

bool block_is_ascii(const char* block) {
    Words words[kBlock / sizeof(Words)];
    std::memcpy(words, block, kBlock);
    const Words all = (words[0] | words[1]) | (words[2] | words[3]);
    return ((all[0] | all[1]) & kHighBits) == 0;
}

unsigned char byte_at(std::string_view text, std::size_t offset) {
    return static_cast<unsigned char>(text[offset]);
}

/// Size of the well-formed sequence at `offset` (Unicode 15, table 3-7), 0 when ill-formed.
std::uint32_t sequence_size(std::string_view text, std::size_t offset) {
    const unsigned char lead = byte_at(text, offset);
    if (lead < 0x80U) return 1;
    std::uint32_t size = 0;
    unsigned char lowest = 0x80U, highest = 0xBFU;  // of the second byte
    if (lead >= 0xC2U && lead <= 0xDFU) {
        size = 2;
    } else if (lead >= 0xE0U && lead <= 0xEFU) {
        size = 3;
        if (lead == 0xE0U) lowest = 0xA0U;
        if (lead == 0xEDU) highest = 0x9FU;
    } else if (lead >= 0xF0U && lead <= 0xF4U) {
        size = 4;
        if (lead == 0xF0U) lowest = 0x90U;
        if (lead == 0xF4U) highest = 0x8FU;
    } else {
        return 0;
    }
    if (offset + size > text.size()) return 0;
    const unsigned char second = byte_at(text, offset + 1);
    if (second < lowest || second > highest) return 0;
    for (std::uint32_t i = 2; i < size; ++i) {
        if (!is_continuation_byte(text[offset + i])) return 0;
    }
    return size;
}

/// Behind the ASCII that starts here.
std::size_t skip_ascii(std::string_view text, std::size_t offset) {
    std::uint64_t word = 0;
    for (; offset + sizeof word <= text.size(); offset += sizeof word) {
        std::memcpy(&word, text.data() + offset, sizeof word);
        if ((word & kHighBits) != 0) break;
    }
    while (offset < text.size() && byte_at(text, offset) < 0x80U) ++offset;
    return offset;
}

/// Of three bytes, of which the others are any continuation bytes.
bool is_plain_lead(unsigned char lead) {
    return lead >= 0xE1U && lead <= 0xEFU && lead != 0xEDU;
}

}  // namespace

bool is_ascii(std::string_view text) {
    std::size_t offset = 0;
    for (; offset + kBlock <= text.size(); offset += kBlock) {
        if (!block_is_ascii(text.data() + offset)) return false;
    }
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(offset), text.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0x80U; });
}

std::size_t find_invalid_utf8(std::string_view text) {
    std::size_t offset = 0;
    while (offset < text.size()) {
        if (byte_at(text, offset) < 0x80U) {
            while (offset + kBlock <= text.size() && block_is_ascii(text.data() + offset)) offset += kBlock;
            offset = skip_ascii(text, offset);
            continue;
        }
        // What Chinese is written in, mostly: three bytes, and any that may follow may.
        if (offset + 3 <= text.size() && is_plain_lead(byte_at(text, offset)) &&
            is_continuation_byte(text[offset + 1]) && is_continuation_byte(text[offset + 2])) {
            offset += 3;
            continue;
        }
        const std::uint32_t size = sequence_size(text, offset);
        if (size == 0) return offset;
        offset += size;
    }
    return std::string_view::npos;
}

CodePoint code_point_at(std::string_view text, std::size_t offset) {
    const std::uint32_t size = sequence_size(text, offset);
    const char32_t lead = byte_at(text, offset);
    if (size == 0) return {};
    if (size == 1) return {lead, 1};
    char32_t value = lead & (0x7FU >> size);
    for (std::uint32_t i = 1; i < size; ++i) value = (value << 6U) | (byte_at(text, offset + i) & 0x3FU);
    return {value, size};
}

std::size_t floor_to_code_point(std::string_view text, std::size_t offset) {
    if (offset >= text.size()) return text.size();
    // A sequence has at most three continuation bytes; ill-formed runs are single bytes, as in code_point_at.
    for (std::size_t back = 0; back <= 3 && back <= offset; ++back) {
        if (is_continuation_byte(text[offset - back])) continue;
        const std::uint32_t size = sequence_size(text, offset - back);
        return size > back ? offset - back : offset;
    }
    return offset;
}

}  // namespace ptofix::text
