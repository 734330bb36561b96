// Applies a set of merged fixes to the files they edit, in memory, and verifies what comes out. A fix that breaks a
// file is found by bisection and left out alone; the others are applied. Each round of the fixpoint is one call.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/merge.h"
#include "fixing/verify.h"
#include "trace/project.h"

namespace ptofix::fixing {

/// A parsed file with its health, as apply() reads and makes it.
struct CheckedFile {
    std::shared_ptr<const trace::SourceFile> file;
    Health health;

    static CheckedFile of(std::shared_ptr<const trace::SourceFile> file);
};

/// Parses the text that edits make of a file. Quicker where that file keeps its parse state.
std::expected<syntax::Tree, syntax::ParseRefusal> parse_again(syntax::Parser& parser, const trace::SourceFile& old,
                                                              const text::Edits& edits, std::string_view text);

/// A candidate that was accepted by merge(), and what verification must know of it.
struct AcceptedFix {
    std::size_t candidate;             // index into the candidates
    bool comments_may_go = false;      // not safe, or it says that it removes comments
    bool suppressions_may_go = false;  // it is about them
};

struct GuiltyFix {
    std::size_t candidate;
    std::string what;
};

struct Applied {
    std::vector<std::size_t> candidates;  // that are in the new texts
    std::vector<GuiltyFix> guilty;
    std::map<FileIndex, CheckedFile> files;  // the changed ones
    std::map<FileIndex, text::Edits> edits;  // from the old texts to the new ones
};

/// `files` by FileIndex. All edits of a fix are applied or none, in all of its files.
Applied apply(syntax::Parser& parser, std::span<const CheckedFile> files, std::span<const Candidate> candidates,
              std::span<const AcceptedFix> accepted);

}  // namespace ptofix::fixing
