#pragma once

// A Python source, or the code of a notebook, as the rest of the program sees it: a path, and UTF-8 text that every
// offset refers to. It remembers the file's own bytes, encoding and place on disk, so that positions can be reported in
// the file and new text can be written back to it. Everything from the parser to the reports reads one of these.

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/edit.h"
#include "text/line_index.h"
#include "text/range.h"

namespace ptofix::text {

/// Larger files are refused: tree-sitter needs about a hundred bytes of memory for a byte of source.
inline constexpr std::size_t kMaxSourceBytes = 16U << 20U;
/// Of a notebook, whose outputs are not parsed; its code may be as long as another source.
inline constexpr std::size_t kMaxNotebookBytes = 256U << 20U;
/// How large the file of that name may be.
std::size_t max_bytes(std::string_view path);

struct LoadError {
    enum class Kind {
        not_found,
        not_readable,               ///< detail: the system's words
        not_a_file,                 ///< detail: "directory", "fifo", "socket", "character device", "block device"
        too_large,                  ///< offset: size of the file, as far as it is known
        binary,                     ///< a NUL byte at offset, or detail: "utf-16", "utf-32" for such a byte order mark
        invalid_utf8,               ///< offset, line
        undecodable,                ///< not text in the encoding the cookie declares; detail: its name, offset, line
        unknown_encoding,           ///< detail: the name in the cookie
        bom_conflicts_with_cookie,  ///< detail: the name in the cookie
        notebook_malformed,         ///< detail: what is wrong with the notebook; offset, line
        notebook_version            ///< detail: its format, which is not 4
    };
    Kind kind = Kind::not_found;
    std::string detail = {};
    std::uint64_t offset = 0;  ///< in the file's bytes
    std::uint32_t line = 0;    ///< from 1
};

struct EncodeError {
    enum class Kind { not_rewritable, not_in_encoding };
    Kind kind = Kind::not_rewritable;
    std::uint32_t offset = 0;    ///< for not_in_encoding: where in the new text
    std::string character = {};  ///< for not_in_encoding: the character there, in UTF-8
};

/// The stable names of the kinds, for JSON and tests.
std::string_view to_string(LoadError::Kind kind);
std::string_view to_string(EncodeError::Kind kind);

/// Which file was read, and its state when it was.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;  ///< of the inode: set by the system alone, at every change of the file or its names

    /// The same file with the same contents, as far as programs say that they changed it: names and permissions may
    /// have changed.
    friend bool operator==(const FileIdentity& a, const FileIdentity& b) {
        return a.device == b.device && a.inode == b.inode && a.size == b.size && a.modified_ns == b.modified_ns;
    }
};

/// Where in a notebook something is. What is counted in the text of the cells joined is its lines: the cell's own are
/// from 1 behind the line before `first_line`.
struct CellPlace {
    std::uint32_t number = 0;      ///< of the cell, among all cells, from 1
    std::uint32_t first_line = 1;  ///< of the cell, among the lines of the text
    std::uint32_t last_line = 1;   ///< likewise
};

/// A cheap handle on immutable contents; copies share them, and threads may use them at once.
class Source {
  public:
    /// From standard input, an editor's buffer or a test: nothing on disk is read, and it has no identity.
    static std::expected<Source, LoadError> from_bytes(std::string path, std::string bytes);
    /// From an editor, whose text is decoded already: a coding cookie in it says how the file is stored, not how to
    /// read this.
    static std::expected<Source, LoadError> from_text(std::string path, std::string text);
    /// From a regular file; links are followed. Of a notebook that does not name PyPTO nothing is parsed: its text is
    /// empty.
    static std::expected<Source, LoadError> load(std::string path);
    /// The same of a path that was seen to lead to a regular file: the system is not asked again.
    static std::expected<Source, LoadError> load_regular(std::string path);
    /// The same, of a name in a folder that is open.
    static std::expected<Source, LoadError> load_regular(std::string path, int folder, const std::string& name);

    /// Stands for a file that need not be read, because it is as it was when it turned out to be UTF-8 in which nothing
    /// is found: it has no text.
    static Source unread(std::string path, const FileIdentity& identity);

    const std::string& path() const;
    bool is_read() const;
    /// Of the file, in bytes.
    std::uint64_t size() const;
    /// For UTF-8 files exactly the file's bytes, with the byte order mark when there is one.
    std::string_view text() const;
    /// The file as it is on disk.
    std::string_view bytes() const;
    const LineIndex& lines() const;

    /// Python's name of the encoding: "utf-8", "gbk", "iso8859-15".
    std::string_view encoding_name() const;
    bool has_bom() const;

    /// Are the cells of a notebook joined to its text?
    bool is_notebook() const;
    /// The cell of a notebook that an offset is in.
    std::optional<CellPlace> cell(std::uint32_t offset) const;
    /// An edit of a notebook's text as one of its cell's own text, in bytes.
    Edit cell_edit(const Edit& edit) const;
    /// False for a range of a notebook's text that is more than a part of one cell, or no Python as it is.
    bool may_edit(Range range) const;

    /// False when decoding lost something: encoding the text again does not give the file's bytes.
    bool rewritable() const;
    /// The bytes of a new version of the file, in the file's encoding. `new_text` keeps the byte order mark of text().
    std::expected<std::string, EncodeError> encode(std::string_view new_text) const;
    /// Another version of this file, read as this one was.
    std::expected<Source, LoadError> with_bytes(std::string bytes) const;
    /// The offset in bytes() of an offset in text().
    std::uint32_t file_offset(std::uint32_t offset) const;
    /// The bytes of bytes() that stand for this range of text().
    Range file_range(Range range) const;
    /// Where it begins and ends for who sees the file as it is: in a notebook, the lines of its JSON.
    std::pair<Position, Position> file_positions(Range range) const;
    /// What changes in the file when its text becomes this one, sorted. Nothing when it cannot be written; of a file
    /// that is no notebook too, whose text can be edited itself.
    std::optional<std::vector<Edit>> notebook_edits(std::string_view new_text) const;
    /// The same for edits of its text, without reading the cells anew that they leave as they are.
    std::optional<std::vector<Edit>> notebook_edits(const Edits& edits) const;
    /// The lines of the file as it is.
    const LineIndex& file_lines() const;

    const std::optional<FileIdentity>& identity() const;

  private:
    struct Contents;
    explicit Source(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
    enum class Cookie { obeyed, ignored };
    static std::expected<Source, LoadError> decode_notebook(std::string path, std::string bytes,
                                                            std::optional<FileIdentity> identity, bool parses);
    static std::expected<Source, LoadError> decode_bytes(std::string path, std::string bytes,
                                                         std::optional<FileIdentity> identity, Cookie cookie);

    std::shared_ptr<const Contents> contents_;
};

}  // namespace ptofix::text
