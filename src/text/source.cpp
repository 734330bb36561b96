#include "text/source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <mutex>
#include <utility>

#include "text/disk_file.h"
#include "text/encoding.h"
#include "text/notebook.h"
#include "text/utf8.h"
#include "text/words.h"

namespace ptofix::text {

struct Source::Contents {
    std::string path;
    std::string bytes;
    std::string decoded;  ///< the text, when it is not the bytes themselves
    bool text_is_bytes = true;
    const Codec* codec = nullptr;
    bool has_bom = false;
    bool obeys_cookie = true;
    bool rewritable = true;
    bool is_read = true;
    std::optional<Notebook> notebook;
    std::optional<FileIdentity> identity;
    mutable std::once_flag lines_once;
    mutable std::optional<LineIndex> lines;
    mutable std::once_flag file_lines_once;
    mutable std::optional<LineIndex> file_lines;  ///< of a notebook's bytes

    std::string_view text() const { return text_is_bytes ? bytes : notebook ? notebook->text() : decoded; }
};

namespace {

using Kind = LoadError::Kind;

/// Without it there is nothing to look for, whatever else the file is.
constexpr std::string_view kPypto = "pypto";

std::uint32_t line_at(std::string_view bytes, std::size_t offset) {
    std::uint32_t line = 1;
    for (std::size_t i = 0; i < offset; ++i) {
        if (bytes[i] == '\n' || (bytes[i] == '\r' && !(i + 1 < bytes.size() && bytes[i + 1] == '\n'))) ++line;
    }
    return line;
}

LoadError error_at(Kind kind, std::string_view bytes, std::size_t offset, std::string detail = {}) {
    return {kind, std::move(detail), offset, line_at(bytes, offset)};
}

std::string_view foreign_byte_order_mark(std::string_view bytes) {
    using namespace std::string_view_literals;
    if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) return "utf-32";
    if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return "utf-16";
    return {};
}

LoadError error_of_system(int error) {
    if (error == ENOENT || error == ENOTDIR) return {.kind = Kind::not_found, .detail = error_text(error)};
    return {.kind = Kind::not_readable, .detail = error_text(error)};
}

/// Start of the line (ended by \n alone, which no character of an offered codec contains) of `offset`, and its number.
std::pair<std::size_t, std::size_t> line_feed_before(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t last = before.rfind('\n');
    const auto count = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    return {last == std::string_view::npos ? 0 : last + 1, count};
}

std::size_t after_line_feeds(std::string_view bytes, std::size_t count) {
    std::size_t at = 0;
    for (; count > 0; --count) {
        const std::size_t next = bytes.find('\n', at);
        if (next == std::string_view::npos) break;
        at = next + 1;
    }
    return at;
}

}  // namespace

std::string_view to_string(LoadError::Kind kind) {
    switch (kind) {
        case Kind::not_found:
            return "not-found";
        case Kind::not_readable:
            return "not-readable";
        case Kind::not_a_file:
            return "not-a-file";
        case Kind::too_large:
            return "too-large";
        case Kind::binary:
            return "binary";
        case Kind::invalid_utf8:
            return "invalid-utf8";
        case Kind::undecodable:
            return "undecodable";
        case Kind::unknown_encoding:
            return "unknown-encoding";
        case Kind::bom_conflicts_with_cookie:
            return "bom-conflicts-with-cookie";
        case Kind::notebook_malformed:
            return "notebook-malformed";
        case Kind::notebook_version:
            return "notebook-version";
    }
    return "";
}

std::string_view to_string(EncodeError::Kind kind) {
    return kind == EncodeError::Kind::not_rewritable ? "not-rewritable" : "not-in-encoding";
}

std::size_t max_bytes(std::string_view path) {
    return is_notebook_path(path) ? kMaxNotebookBytes : kMaxSourceBytes;
}

std::expected<Source, LoadError> Source::from_bytes(std::string path, std::string bytes) {
    return decode_bytes(std::move(path), std::move(bytes), std::nullopt, Cookie::obeyed);
}

std::expected<Source, LoadError> Source::from_text(std::string path, std::string text) {
    return decode_bytes(std::move(path), std::move(text), std::nullopt, Cookie::ignored);
}

std::expected<Source, LoadError> Source::with_bytes(std::string bytes) const {
    if (contents_->notebook) return decode_notebook(path(), std::move(bytes), std::nullopt, true);
    return decode_bytes(path(), std::move(bytes), std::nullopt,
                        contents_->obeys_cookie ? Cookie::obeyed : Cookie::ignored);
}

std::expected<Source, LoadError> Source::load(std::string path) {
    // Asked before opening, because opening a device can do things and opening a FIFO waits.
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) return std::unexpected(error_of_system(errno));
    if (S_ISREG(status.st_mode) == 0) {
        return std::unexpected(LoadError{.kind = Kind::not_a_file, .detail = std::string(file_type_name(status))});
    }
    return load_regular(std::move(path));
}

std::expected<Source, LoadError> Source::load_regular(std::string path) {
    const std::string name = path;
    return load_regular(std::move(path), AT_FDCWD, name);
}

std::expected<Source, LoadError> Source::load_regular(std::string path, int folder, const std::string& name) {
    struct stat status{};
    const FileDescriptor file(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file.is_open() || fstat(file.get(), &status) != 0) return std::unexpected(error_of_system(errno));
    if (S_ISREG(status.st_mode) == 0) {
        return std::unexpected(LoadError{.kind = Kind::not_a_file, .detail = std::string(file_type_name(status))});
    }
    const std::size_t most = max_bytes(path);
    if (static_cast<std::uint64_t>(status.st_size) > most) {
        return std::unexpected(
            LoadError{.kind = Kind::too_large, .offset = static_cast<std::uint64_t>(status.st_size)});
    }
    std::string bytes;
    if (const int error = read_all(file.get(), status, most + 1, bytes); error != 0) {
        return std::unexpected(error_of_system(error));
    }
    return decode_bytes(std::move(path), std::move(bytes), identity_of(status), Cookie::obeyed);
}

Source Source::unread(std::string path, const FileIdentity& identity) {
    auto contents = std::make_shared<Contents>();
    contents->path = std::move(path);
    contents->codec = &utf8_codec();
    contents->identity = identity;
    contents->is_read = false;
    return Source(std::move(contents));
}

std::expected<Source, LoadError> Source::decode_bytes(std::string path, std::string bytes,
                                                      std::optional<FileIdentity> identity, Cookie obeyed) {
    const bool is_notebook = obeyed == Cookie::obeyed && is_notebook_path(path);
    if (bytes.size() > (is_notebook ? kMaxNotebookBytes : kMaxSourceBytes)) {
        return std::unexpected(LoadError{.kind = Kind::too_large, .offset = bytes.size()});
    }
    if (is_notebook) {
        const bool names_pypto = has_part(bytes, kPypto);
        return decode_notebook(std::move(path), std::move(bytes), identity, names_pypto);
    }
    if (const auto mark = foreign_byte_order_mark(bytes); !mark.empty()) {
        return std::unexpected(LoadError{.kind = Kind::binary, .detail = std::string(mark)});
    }
    if (const std::size_t nul = bytes.find('\0'); nul != std::string::npos) {
        return std::unexpected(error_at(Kind::binary, bytes, nul));
    }
    const bool has_bom = bytes.starts_with(kUtf8Bom);
    auto cookie = find_cookie(std::string_view(bytes).substr(has_bom ? kUtf8Bom.size() : 0));
    if (obeyed == Cookie::ignored) cookie.reset();
    const Codec* codec = cookie ? find_codec(*cookie) : &utf8_codec();
    if (codec == nullptr || (has_bom && !codec->is_utf8())) {
        return std::unexpected(
            LoadError{.kind = codec == nullptr ? Kind::unknown_encoding : Kind::bom_conflicts_with_cookie,
                      .detail = std::string(*cookie)});
    }

    auto contents = std::make_shared<Contents>();
    if (codec->is_utf8()) {
        if (const std::size_t bad = find_invalid_utf8(bytes); bad != std::string_view::npos) {
            return std::unexpected(error_at(Kind::invalid_utf8, bytes, bad));
        }
    } else if (!is_ascii(bytes)) {
        auto decoded = decode(*codec, bytes);
        if (!decoded) {
            if (decoded.error().kind == ConversionError::Kind::codec_missing) {
                return std::unexpected(LoadError{.kind = Kind::unknown_encoding, .detail = std::string(*cookie)});
            }
            return std::unexpected(
                error_at(Kind::undecodable, bytes, decoded.error().offset, std::string(codec->name)));
        }
        const auto again = text::encode(*codec, *decoded);
        contents->rewritable = again && *again == bytes;
        contents->decoded = std::move(*decoded);
        contents->text_is_bytes = false;
    }
    contents->path = std::move(path);
    contents->bytes = std::move(bytes);
    contents->codec = codec;
    contents->has_bom = has_bom;
    contents->obeys_cookie = obeyed == Cookie::obeyed;
    contents->identity = identity;
    return Source(std::move(contents));
}

std::expected<Source, LoadError> Source::decode_notebook(std::string path, std::string bytes,
                                                         std::optional<FileIdentity> identity, bool parses) {
    if (const std::size_t bad = find_invalid_utf8(bytes); bad != std::string_view::npos) {
        return std::unexpected(error_at(Kind::invalid_utf8, bytes, bad));
    }
    std::expected<Notebook, NotebookError> notebook;
    if (parses) notebook = Notebook::parse(bytes);
    if (!notebook) {
        const NotebookError& error = notebook.error();
        return std::unexpected(error_at(error.other_version ? Kind::notebook_version : Kind::notebook_malformed, bytes,
                                        error.offset, error.detail));
    }
    if (notebook->text().size() > kMaxSourceBytes) {
        return std::unexpected(LoadError{.kind = Kind::too_large, .offset = notebook->text().size()});
    }
    auto contents = std::make_shared<Contents>();
    contents->path = std::move(path);
    contents->bytes = std::move(bytes);
    contents->codec = &utf8_codec();
    contents->text_is_bytes = false;
    contents->identity = identity;
    contents->notebook = std::move(*notebook);
    return Source(std::move(contents));
}

bool Source::is_notebook() const {
    return contents_->notebook.has_value();
}

std::optional<CellPlace> Source::cell(std::uint32_t offset) const {
    if (!contents_->notebook) return std::nullopt;
    const Notebook::Place place = contents_->notebook->place(contents_->bytes, {offset, offset});
    return CellPlace{place.cell, lines().line_of(place.text.start),
                     lines().line_of(place.text.empty() ? place.text.end : place.text.end - 1)};
}

Edit Source::cell_edit(const Edit& edit) const {
    return contents_->notebook ? contents_->notebook->own_edit(edit) : edit;
}

bool Source::may_edit(Range range) const {
    return !contents_->notebook || contents_->notebook->may_edit(range);
}

const std::string& Source::path() const {
    return contents_->path;
}
bool Source::is_read() const {
    return contents_->is_read;
}
std::uint64_t Source::size() const {
    return is_read() ? contents_->bytes.size() : contents_->identity->size;
}
std::string_view Source::text() const {
    assert(is_read());
    return contents_->text();
}
std::string_view Source::bytes() const {
    assert(is_read());
    return contents_->bytes;
}
std::string_view Source::encoding_name() const {
    return contents_->codec->name;
}
bool Source::has_bom() const {
    return contents_->has_bom;
}
bool Source::rewritable() const {
    return contents_->rewritable;
}
const std::optional<FileIdentity>& Source::identity() const {
    return contents_->identity;
}

const LineIndex& Source::lines() const {
    std::call_once(contents_->lines_once, [this] { contents_->lines.emplace(contents_->text()); });
    return *contents_->lines;
}

std::expected<std::string, EncodeError> Source::encode(std::string_view new_text) const {
    if (!rewritable()) return std::unexpected(EncodeError{.kind = EncodeError::Kind::not_rewritable});
    if (contents_->notebook) {
        const auto edits = notebook_edits(new_text);
        if (!edits) return std::unexpected(EncodeError{.kind = EncodeError::Kind::not_rewritable});
        return text::apply(contents_->bytes, *edits);
    }
    const auto not_in_encoding = [&](std::size_t offset) {
        const CodePoint point = offset < new_text.size() ? code_point_at(new_text, offset) : CodePoint{};
        return std::unexpected(EncodeError{.kind = EncodeError::Kind::not_in_encoding,
                                           .offset = static_cast<std::uint32_t>(offset),
                                           .character = std::string(new_text.substr(offset, point.size))});
    };
    if (contents_->codec->is_utf8() || is_ascii(new_text)) {
        const std::size_t bad = find_invalid_utf8(new_text);
        if (bad != std::string_view::npos) return not_in_encoding(bad);
        return std::string(new_text);
    }
    auto encoded = text::encode(*contents_->codec, new_text);
    if (!encoded) return not_in_encoding(encoded.error().offset);
    // Some converters drop or merge characters without saying so; what does not come back is not written.
    const auto again = decode(*contents_->codec, *encoded);
    if (!again || *again != new_text) {
        const std::string_view back = again ? std::string_view(*again) : std::string_view();
        const auto differ = std::mismatch(new_text.begin(), new_text.end(), back.begin(), back.end()).first;
        return not_in_encoding(floor_to_code_point(new_text, static_cast<std::size_t>(differ - new_text.begin())));
    }
    return std::move(*encoded);
}

std::optional<std::vector<Edit>> Source::notebook_edits(std::string_view new_text) const {
    if (!contents_->notebook) return std::nullopt;
    auto edits = contents_->notebook->put_back(contents_->bytes, new_text);
    if (!edits) return std::nullopt;
    // What does not come back as it is meant to be is not written.
    const auto again = Notebook::parse(text::apply(contents_->bytes, *edits));
    if (!again || again->text() != new_text) return std::nullopt;
    return edits;
}

std::optional<std::vector<Edit>> Source::notebook_edits(const Edits& edits) const {
    if (!contents_->notebook) return std::nullopt;
    if (auto in_file = contents_->notebook->put_back(contents_->bytes, edits.items())) return in_file;
    return notebook_edits(edits.apply(text()));
}

Range Source::file_range(Range range) const {
    if (contents_->notebook) return contents_->notebook->place(contents_->bytes, range).raw;
    return {file_offset(range.start), file_offset(range.end)};
}

const LineIndex& Source::file_lines() const {
    if (!contents_->notebook) return lines();
    std::call_once(contents_->file_lines_once, [this] { contents_->file_lines.emplace(contents_->bytes); });
    return *contents_->file_lines;
}

std::pair<Position, Position> Source::file_positions(Range range) const {
    if (contents_->notebook) range = file_range(range);
    return {file_lines().position(range.start), file_lines().position(range.end)};
}

std::uint32_t Source::file_offset(std::uint32_t offset) const {
    if (contents_->notebook) return contents_->notebook->place(contents_->bytes, {offset, offset}).raw.start;
    const std::string_view text = this->text();
    if (contents_->text_is_bytes) return static_cast<std::uint32_t>(std::min<std::size_t>(offset, text.size()));
    const std::size_t at = floor_to_code_point(text, offset);
    const auto [line_start, line_feeds] = line_feed_before(text, at);
    const std::size_t file_line = after_line_feeds(contents_->bytes, line_feeds);
    const auto prefix = text::encode(*contents_->codec, text.substr(line_start, at - line_start));
    const std::size_t length = prefix ? prefix->size() : 0;
    return static_cast<std::uint32_t>(std::min(file_line + length, contents_->bytes.size()));
}

}  // namespace ptofix::text
