#pragma once

// Puts a new version of a source in place of the one that was read, so that at any moment, and after any failure, the
// file holds either the old text or the new. Only --apply and its like call this.

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "text/source.h"

namespace ptofix::text {

struct WriteOptions {
    /// Wait until the disk has it. Off only where a crash of the machine does not matter, as in tests.
    bool sync = true;
    /// The mode that the file shall have afterwards; nullopt: the one that it has.
    std::optional<unsigned> mode = std::nullopt;
};

/// A file and what was read from it. The bytes belong to somebody else.
struct FileState {
    std::string path;
    std::string_view bytes;
    FileIdentity identity;
};

struct WriteError {
    enum class Kind {
        no_file,            ///< the source was not read from disk
        vanished,           ///< the file is gone
        changed_meanwhile,  ///< it is another file now, or has other contents than were read
        read_only,          ///< its mode or file system says that it must not be written
        not_permitted,      ///< the system refuses, e.g. to create a file in its directory
        no_space,           ///< disk or quota full
        failed              ///< anything else
    };
    Kind kind = Kind::failed;
    std::string detail = {};  ///< the step that failed and the system's words, empty when the kind says it all
    std::string path = {};    ///< the file, links resolved
    std::string backup = {};  ///< where the old text is, if writing in place failed and it could not be put back
};

std::string_view to_string(WriteError::Kind kind);

/// Links are followed and stay links. The new bytes go to a temporary file in the file's directory, which takes over
/// owner, mode and extended attributes, is flushed to disk and renamed over the file after a last look that it still
/// holds what was read. A file that has other hard links, or whose owner cannot be kept, is written in place instead,
/// so that all its names see the new text: the old text lies in a temporary file beside it until that is done, space
/// is reserved first, and a failure puts the old text back.
std::expected<void, WriteError> write_file(const Source& read, std::string_view new_bytes,
                                           const WriteOptions& options = {});
std::expected<void, WriteError> write_file(const FileState& read, std::string_view new_bytes,
                                           const WriteOptions& options = {});

/// The two halves of write_file(), for files that belong together: when all of them are prepared, the disk has room for
/// all, and what is left to do for each is a rename. One that is not committed leaves nothing behind. The bytes that
/// were read and the new ones must outlive it; so must HeldSignals, where Ctrl-C is to find all of the files or none.
class PendingWrite {
  public:
    static std::expected<PendingWrite, WriteError> prepare(const FileState& read, std::string_view new_bytes,
                                                           const WriteOptions& options = {});
    PendingWrite(PendingWrite&& other) noexcept;
    PendingWrite& operator=(PendingWrite&& other) noexcept;
    ~PendingWrite();

    /// Once.
    std::expected<void, WriteError> commit();

  private:
    struct State;
    explicit PendingWrite(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ptofix::text
