#include "text/encoding.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

namespace ptofix::text {
namespace {

// Python's codecs whose iconv counterpart gives the same ASCII half (all 65,000 one- and two-byte inputs of each pair
// were compared). Left out for that reason: cp856 (moves control characters), johab (has no backslash), and all that
// are not supersets of ASCII or carry state (utf-16, utf-7, iso2022_*, hz, EBCDIC pages). glibc's own SHIFT_JIS has a
// yen sign for the backslash, so CP932 stands in; it differs from Python's in six symbols, and every file is checked to
// come back byte for byte before it may be rewritten.
constexpr auto kCodecs = std::to_array<Codec>({
    {"utf-8", "UTF-8", "utf_8 utf8 u8 utf cp65001 utf8_ucs2 utf8_ucs4 utf_8_sig"},
    {"ascii", "ASCII",
     "ascii us_ascii us 646 ansi_x3_4_1968 ansi_x3_4_1986 cp367 csascii ibm367 iso646_us iso_646_irv_1991 iso_ir_6"},
    {"iso8859-1", "ISO-8859-1",
     "latin_1 latin1 latin l1 iso8859_1 iso_8859_1 iso8859 8859 cp819 ibm819 csisolatin1 iso_8859_1_1987 iso_ir_100"},
    {"iso8859-2", "ISO-8859-2", "iso8859_2 iso_8859_2 latin2 l2 csisolatin2 iso_8859_2_1987 iso_ir_101"},
    {"iso8859-3", "ISO-8859-3", "iso8859_3 iso_8859_3 latin3 l3 csisolatin3 iso_8859_3_1988 iso_ir_109"},
    {"iso8859-4", "ISO-8859-4", "iso8859_4 iso_8859_4 latin4 l4 csisolatin4 iso_8859_4_1988 iso_ir_110"},
    {"iso8859-5", "ISO-8859-5", "iso8859_5 iso_8859_5 cyrillic csisolatincyrillic iso_8859_5_1988 iso_ir_144"},
    {"iso8859-6", "ISO-8859-6",
     "iso8859_6 iso_8859_6 arabic asmo_708 ecma_114 csisolatinarabic iso_8859_6_1987 iso_ir_127"},
    {"iso8859-7", "ISO-8859-7",
     "iso8859_7 iso_8859_7 greek greek8 ecma_118 elot_928 csisolatingreek iso_8859_7_1987 iso_ir_126"},
    {"iso8859-8", "ISO-8859-8", "iso8859_8 iso_8859_8 hebrew csisolatinhebrew iso_8859_8_1988 iso_ir_138"},
    {"iso8859-9", "ISO-8859-9", "iso8859_9 iso_8859_9 latin5 l5 csisolatin5 iso_8859_9_1989 iso_ir_148"},
    {"iso8859-10", "ISO-8859-10", "iso8859_10 iso_8859_10 latin6 l6 csisolatin6 iso_8859_10_1992 iso_ir_157"},
    {"iso8859-11", "ISO-8859-11", "iso8859_11 iso_8859_11 thai iso_8859_11_2001"},
    {"iso8859-13", "ISO-8859-13", "iso8859_13 iso_8859_13 latin7 l7"},
    {"iso8859-14", "ISO-8859-14", "iso8859_14 iso_8859_14 latin8 l8 iso_celtic iso_8859_14_1998 iso_ir_199"},
    {"iso8859-15", "ISO-8859-15", "iso8859_15 iso_8859_15 latin9 l9"},
    {"iso8859-16", "ISO-8859-16", "iso8859_16 iso_8859_16 latin10 l10 iso_8859_16_2001 iso_ir_226"},
    {"cp1250", "CP1250", "cp1250 1250 windows_1250"},
    {"cp1251", "CP1251", "cp1251 1251 windows_1251"},
    {"cp1252", "CP1252", "cp1252 1252 windows_1252"},
    {"cp1253", "CP1253", "cp1253 1253 windows_1253"},
    {"cp1254", "CP1254", "cp1254 1254 windows_1254"},
    {"cp1255", "CP1255", "cp1255 1255 windows_1255"},
    {"cp1256", "CP1256", "cp1256 1256 windows_1256"},
    {"cp1257", "CP1257", "cp1257 1257 windows_1257"},
    {"cp1258", "CP1258", "cp1258 1258 windows_1258"},
    {"cp437", "CP437", "cp437 437 ibm437 cspc8codepage437"},
    {"cp737", "CP737", "cp737"},
    {"cp775", "CP775", "cp775 775 ibm775 cspc775baltic"},
    {"cp850", "CP850", "cp850 850 ibm850 cspc850multilingual"},
    {"cp852", "CP852", "cp852 852 ibm852 cspcp852"},
    {"cp855", "CP855", "cp855 855 ibm855 csibm855"},
    {"cp857", "CP857", "cp857 857 ibm857 csibm857"},
    {"cp858", "CP858", "cp858 858 ibm858 csibm858"},
    {"cp860", "CP860", "cp860 860 ibm860 csibm860"},
    {"cp861", "CP861", "cp861 861 ibm861 csibm861 cp_is"},
    {"cp862", "CP862", "cp862 862 ibm862 cspc862latinhebrew"},
    {"cp863", "CP863", "cp863 863 ibm863 csibm863"},
    {"cp865", "CP865", "cp865 865 ibm865 csibm865"},
    {"cp866", "CP866", "cp866 866 ibm866 csibm866"},
    {"cp869", "CP869", "cp869 869 ibm869 csibm869 cp_gr"},
    {"cp874", "CP874", "cp874"},
    {"cp1125", "CP1125", "cp1125 1125 ibm1125 cp866u ruscii"},
    {"koi8-r", "KOI8-R", "koi8_r cskoi8r"},
    {"koi8-t", "KOI8-T", "koi8_t"},
    {"koi8-u", "KOI8-U", "koi8_u"},
    {"kz1048", "RK1048", "kz1048 kz_1048 rk1048 strk1048_2002"},
    {"ptcp154", "PT154", "ptcp154 pt154 cp154 csptcp154 cyrillic_asian"},
    {"hp-roman8", "HP-ROMAN8", "hp_roman8 roman8 r8 cp1051 ibm1051"},
    {"tis-620", "TIS-620", "tis_620 tis620 tis_620_0 tis_620_2529_0 tis_620_2529_1 iso_ir_166"},
    {"mac-roman", "MACINTOSH", "mac_roman macroman macintosh"},
    {"mac-cyrillic", "MAC-CYRILLIC", "mac_cyrillic maccyrillic"},
    {"mac-latin2", "MAC-CENTRALEUROPE", "mac_latin2 maclatin2 mac_centeuro maccentraleurope"},
    {"gb2312", "GB2312",
     "gb2312 chinese euc_cn euccn eucgb2312_cn gb2312_1980 gb2312_80 csiso58gb231280 iso_ir_58 x_mac_simp_chinese"},
    {"gbk", "GBK", "gbk 936 cp936 ms936"},
    {"gb18030", "GB18030", "gb18030 gb18030_2000"},
    {"big5", "BIG5", "big5 big5_tw csbig5 x_mac_trad_chinese"},
    {"big5hkscs", "BIG5-HKSCS", "big5hkscs big5_hkscs hkscs"},
    {"cp950", "CP950", "cp950 950 ms950"},
    {"shift_jis", "CP932", "shift_jis shiftjis sjis s_jis csshiftjis x_mac_japanese"},
    {"cp932", "CP932", "cp932 932 ms932 mskanji ms_kanji windows_31j"},
    {"euc_jp", "EUC-JP", "euc_jp eucjp ujis u_jis"},
    {"euc_jis_2004", "EUC-JISX0213", "euc_jis_2004 euc_jis2004 eucjis2004 jisx0213"},
    {"euc_jisx0213", "EUC-JISX0213", "euc_jisx0213 eucjisx0213"},
    {"euc_kr", "EUC-KR", "euc_kr euckr korean ks_c_5601 ks_c_5601_1987 ks_x_1001 ksc5601 ksx1001 x_mac_korean"},
    {"cp949", "CP949", "cp949 949 ms949 uhc"},
});

bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::size_t space = words.find(' ');
        if (words.substr(0, space) == word) return true;
        if (space == std::string_view::npos) break;
        words.remove_prefix(space + 1);
    }
    return false;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_alphanumeric(char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

/// The names that Python's tokenizer recognises before it asks the codec registry; Emacs writes "utf-8-unix".
std::string_view emacs_name(std::string_view cookie) {
    std::string name;
    for (const char c : cookie.substr(0, 12)) name += c == '_' ? '-' : lower(c);
    const auto is_or_starts = [&name](std::string_view base) {
        return name.starts_with(base) && (name.size() == base.size() || name[base.size()] == '-');
    };
    if (is_or_starts("utf-8")) return "utf_8";
    if (is_or_starts("latin-1") || is_or_starts("iso-8859-1") || is_or_starts("iso-latin-1")) return "latin_1";
    return {};
}

/// PEP 263: ^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)
std::optional<std::string_view> cookie_in_line(std::string_view line) {
    constexpr std::string_view kKeyword = "coding";
    const std::size_t hash = line.find_first_not_of(" \t\f");
    if (hash == std::string_view::npos || line[hash] != '#') return std::nullopt;
    for (std::size_t at = line.find(kKeyword, hash); at != std::string_view::npos; at = line.find(kKeyword, at + 1)) {
        std::size_t start = at + kKeyword.size();
        if (start >= line.size() || (line[start] != ':' && line[start] != '=')) continue;
        start = line.find_first_not_of(" \t", start + 1);
        if (start == std::string_view::npos) return std::nullopt;
        std::size_t end = start;
        while (end < line.size() &&
               (is_alphanumeric(line[end]) || line[end] == '-' || line[end] == '_' || line[end] == '.')) {
            ++end;
        }
        if (end > start) return line.substr(start, end - start);
    }
    return std::nullopt;
}

class Converter {
  public:
    Converter(std::string_view to, std::string_view from)
        : handle_(iconv_open(std::string(to).c_str(), std::string(from).c_str())) {}
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;
    ~Converter() {
        if (is_open()) iconv_close(handle_);
    }

    bool is_open() const { return handle_ != reinterpret_cast<iconv_t>(std::intptr_t{-1}); }

    std::expected<std::string, ConversionError> convert(std::string_view input) {
        constexpr std::size_t kSlack = 64;
        std::string output(input.size() * 2 + kSlack, '\0');
        char* in = const_cast<char*>(input.data());  // iconv's signature; it does not write there
        std::size_t in_left = input.size(), written = 0;
        bool flushing = false;
        while (true) {
            char* out = output.data() + written;
            std::size_t out_left = output.size() - written;
            const std::size_t result = iconv(handle_, flushing ? nullptr : &in, &in_left, &out, &out_left);
            const int error = errno;
            written = output.size() - out_left;
            if (result == static_cast<std::size_t>(-1)) {
                if (error != E2BIG) return malformed(input, in_left);
                output.resize(output.size() * 2);
            } else if (result != 0) {
                return malformed(input, in_left);  // an iconv that replaced what it could not convert
            } else if (flushing) {
                break;
            } else {
                flushing = true;
            }
        }
        output.resize(written);
        return output;
    }

  private:
    static std::unexpected<ConversionError> malformed(std::string_view input, std::size_t in_left) {
        return std::unexpected(ConversionError{ConversionError::Kind::malformed, input.size() - in_left});
    }

    iconv_t handle_;
};

std::expected<std::string, ConversionError> convert(std::string_view to, std::string_view from,
                                                    std::string_view input) {
    Converter converter(to, from);
    if (!converter.is_open()) return std::unexpected(ConversionError{ConversionError::Kind::codec_missing, 0});
    return converter.convert(input);
}

}  // namespace

std::optional<std::string_view> find_cookie(std::string_view source) {
    std::size_t end = source.find_first_of("\r\n");
    const std::string_view first = source.substr(0, end);
    if (auto cookie = cookie_in_line(first)) return cookie;
    const std::size_t visible = first.find_first_not_of(" \t\f");
    const bool second_counts = visible == std::string_view::npos || first[visible] == '#';
    if (!second_counts || end == std::string_view::npos) return std::nullopt;
    end += source.substr(end).starts_with("\r\n") ? 2 : 1;
    return cookie_in_line(source.substr(end, source.find_first_of("\r\n", end) - end));
}

std::string normalised_codec_name(std::string_view name) {
    std::string result;
    bool gap = false;
    for (const char c : name) {
        if (!is_alphanumeric(c)) {
            gap = true;
            continue;
        }
        if (gap && !result.empty()) result += '_';
        gap = false;
        result += lower(c);
    }
    return result;
}

const Codec* find_codec(std::string_view cookie) {
    const std::string_view special = emacs_name(cookie);
    const std::string name = special.empty() ? normalised_codec_name(cookie) : std::string(special);
    for (const Codec& codec : kCodecs) {
        if (has_word(codec.aliases, name)) return &codec;
    }
    return nullptr;
}

const Codec& utf8_codec() {
    return kCodecs.front();
}

std::expected<std::string, ConversionError> decode(const Codec& codec, std::string_view bytes) {
    return convert("UTF-8", codec.iconv_name, bytes);
}

std::expected<std::string, ConversionError> encode(const Codec& codec, std::string_view utf8) {
    return convert(codec.iconv_name, "UTF-8", utf8);
}

}  // namespace ptofix::text
