#include "fixing/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fixing/blocked.h"
#include "fixing/suppression_findings.h"

namespace ptofix::fixing {

namespace {

using rules::Applicability;
using rules::Blocked;
using rules::FileEdit;
using rules::Fix;
using syntax::Kind;

/// Rewriters break lines with "\n"; a file's own line break is put in. What was copied from the file is left alone.
std::string with_line_breaks(std::string_view text, std::string_view newline) {
    if (newline == "\n" || text.find('\n') == std::string_view::npos) return std::string(text);
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) {
            result += newline;
        } else {
            result += text[i];
        }
    }
    return result;
}

/// The comments that share a byte with the range, in order.
std::span<const text::Range> comments_in(const AdmittedFile& file, text::Range range) {
    const std::span<const text::Range> all = file.comments();
    const auto first = std::ranges::partition_point(all, [&](text::Range c) { return c.end <= range.start; });
    const auto last = std::ranges::partition_point(all, [&](text::Range c) { return c.start < range.end; });
    return first < last ? std::span(first, last) : std::span<const text::Range>();
}

std::string_view comment_text(std::string_view text, text::Range comment) {
    text = text.substr(comment.start, comment.size());
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

struct LostComment {
    rules::Location location;
    bool is_suppression;
};

/// The first comment in the edited ranges whose words do not come back in what the fix writes. A comment that comes
/// back less often than it is there counts as lost.
std::optional<LostComment> lost_comment(const Fix& fix, std::span<const AdmittedFile> files, bool suppressions_only) {
    std::optional<std::string> written;  // all that the fix writes; made when a comment is to be looked up in it
    for (const FileEdit& edit : fix.edits) {
        const AdmittedFile& file = files[edit.file];
        if (edit.range.empty()) continue;
        for (const text::Range comment : comments_in(file, edit.range)) {
            const std::string_view text = comment_text(file.file->text(), comment);
            const bool is_suppression = holds_directive(text);
            if (suppressions_only && !is_suppression) continue;
            if (!written) {
                written.emplace();
                for (const FileEdit& e : fix.edits) (*written += e.text) += '\n';
            }
            const std::size_t at = written->find(text);
            if (at == std::string::npos) return LostComment{{edit.file, comment}, is_suppression};
            written->replace(at, text.size(), text.size(), '\n');  // found once, not to be found again
        }
    }
    return std::nullopt;
}

/// The first f-string that would show other text: an edit is within what it shows of its own code, or takes the place
/// of it all and does not bring it back.
std::optional<rules::Location> changed_shown_code(const Fix& fix, std::span<const AdmittedFile> files) {
    for (const FileEdit& edit : fix.edits) {
        for (const text::Range shown : files[edit.file].shown_code()) {
            if (edit.range.end <= shown.start || edit.range.start >= shown.end) continue;
            const std::string_view code = files[edit.file].file->text().substr(shown.start, shown.size());
            const bool comes_back =
                edit.range.contains(shown) && std::ranges::any_of(fix.edits, [&](const FileEdit& e) {
                    return e.text.find(code) != std::string::npos;
                });
            if (!comes_back) return rules::Location{edit.file, shown};
        }
    }
    return std::nullopt;
}

/// A fault of the rewriter, or nothing. Afterwards the edits are in order and none is idle.
std::optional<std::string> tidy(Fix& fix, std::span<const AdmittedFile> files) {
    for (FileEdit& edit : fix.edits) {
        if (edit.file >= files.size()) return fmt::format("an edit names file {} of {}", edit.file, files.size());
        const std::string_view text = files[edit.file].file->text();
        if (edit.range.end < edit.range.start || edit.range.end > text.size()) {
            return fmt::format("an edit has the range [{}, {}) in a text of {} bytes", edit.range.start, edit.range.end,
                               text.size());
        }
        // Text at the start of the first line goes behind the byte order mark, which is no part of that line.
        const std::uint32_t first = files[edit.file].file->source->has_bom() ? 3 : 0;
        edit.range = {std::max(edit.range.start, first), std::max(edit.range.end, first)};
        edit.text = with_line_breaks(edit.text, files[edit.file].file->lines.newline_for(edit.range.start));
    }
    std::erase_if(fix.edits, [&](const FileEdit& edit) {
        return files[edit.file].file->text().substr(edit.range.start, edit.range.size()) == edit.text;
    });
    std::stable_sort(fix.edits.begin(), fix.edits.end(), [](const FileEdit& a, const FileEdit& b) {
        return std::pair(a.file, a.range) < std::pair(b.file, b.range);
    });
    for (std::size_t i = 1; i < fix.edits.size(); ++i) {
        const FileEdit& before = fix.edits[i - 1];
        const FileEdit& edit = fix.edits[i];
        if (edit.file == before.file && edit.range.start < before.range.end) {
            return fmt::format("edits [{}, {}) and [{}, {}) of one fix overlap", before.range.start, before.range.end,
                               edit.range.start, edit.range.end);
        }
    }
    return std::nullopt;
}

/// What keeps the fix from being applied by itself, with the applicability it is left with.
struct Demotion {
    Applicability to;
    Blocked why;
};

std::optional<Demotion> demotion(const Fix& fix, std::span<const AdmittedFile> files, std::string_view rule) {
    for (const FileEdit& edit : fix.edits) {
        if (const text::Range* range = files[edit.file].broken.touching(edit.range)) {
            return Demotion{Applicability::suggestion,
                            {{kBlockedByBrokenCode, {}}, rules::Location{edit.file, *range}}};
        }
        if (!files[edit.file].file->source->may_edit(edit.range)) {
            return Demotion{Applicability::suggestion, {{kBlockedByCells, {}}, std::nullopt}};
        }
        if (!files[edit.file].file->source->rewritable()) {
            return Demotion{Applicability::suggestion, {{kBlockedByEncoding, {}}, std::nullopt}};
        }
    }
    if (rule == kInvalidSuppression) return std::nullopt;
    if (const auto lost = lost_comment(fix, files, true)) {
        return Demotion{Applicability::suggestion, {{kBlockedBySuppression, {}}, lost->location}};
    }
    if (fix.applicability == Applicability::safe && !fix.removes_comments) {
        if (const auto lost = lost_comment(fix, files, false)) {
            return Demotion{Applicability::unsafe, {{kBlockedByComment, {}}, lost->location}};
        }
    }
    if (fix.applicability == Applicability::safe) {
        if (const auto changed = changed_shown_code(fix, files)) {
            return Demotion{Applicability::unsafe, {{kBlockedByShownCode, {}}, changed}};
        }
    }
    return std::nullopt;
}

}  // namespace

const AdmittedFile::Seen& AdmittedFile::seen() const {
    if (seen_) return *seen_;
    seen_.emplace();
    const syntax::Tree& tree = file->tree;
    for (syntax::NodeId id = 0; id < tree.nodes().size(); ++id) {
        if (tree.kind(id) == Kind::comment) seen_->comments.push_back(tree.range(id));
        // One within the format of another has a kind of its own.
        const bool is_field = tree.kind(id) == Kind::interpolation ||
                              (tree.kind(id) == Kind::other && tree.child_of_kind(id, Kind::open_brace) == id + 1);
        const syntax::NodeId equals = is_field ? tree.child_of_kind(id, Kind::assign) : syntax::kNoNode;
        if (equals != syntax::kNoNode) seen_->shown_code.push_back({tree[id].start, tree[equals].end});
    }
    return *seen_;
}

std::expected<void, std::string> admit(rules::Rewrite& rewrite, std::span<const AdmittedFile> files,
                                       std::string_view rule) {
    std::optional<std::string> fault;
    if (rewrite.fix) {
        fault = tidy(*rewrite.fix, files);
        if (!fault && rewrite.fix->edits.empty()) fault = "the fix changes nothing";
        if (fault) {
            rewrite.fix.reset();
        } else if (auto demoted = demotion(*rewrite.fix, files, rule)) {
            rewrite.fix->applicability = std::min(rewrite.fix->applicability, demoted->to);
            rewrite.blocked = std::move(demoted->why);
        }
    }
    std::erase_if(rewrite.alternatives, [&](Fix& fix) {
        auto own_fault = tidy(fix, files);
        if (own_fault && !fault) fault = std::move(own_fault);
        if (own_fault || fix.edits.empty()) return true;
        if (const auto demoted = demotion(fix, files, rule))
            fix.applicability = std::min(fix.applicability, demoted->to);
        return false;
    });
    if (fault) return std::unexpected(*std::move(fault));
    return {};
}

}  // namespace ptofix::fixing
