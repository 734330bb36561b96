// Writes suppression comments: the bulk way to take a tool into use with what it finds today, each with a reason. The
// counterpart of suppressions.*, by whose parser every comment that is written is read again before it counts.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/registry.h"
#include "text/edit.h"
#include "text/range.h"
#include "trace/project.h"

namespace ptofix::fixing {

/// A finding to silence.
struct SuppressionWish {
    std::string_view rule;
    text::Range place;
};

struct AddedSuppressions {
    text::Edits edits;
    std::vector<std::size_t> silenced;  // indices of the wishes that the new text grants
};

/// At the end of the statement's header where a comment has a place and the line stays readable, else on a line of its
/// own above it; one comment for all the rules of a place. No edits when nothing can be silenced, or when the file
/// would not be as sound as it was.
AddedSuppressions add_suppressions(trace::Project& project, const std::shared_ptr<const trace::SourceFile>& file,
                                   std::span<const SuppressionWish> wishes, std::string_view reason,
                                   const Pipeline& pipeline = default_pipeline());

}  // namespace ptofix::fixing
