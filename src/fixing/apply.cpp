#include "fixing/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <numeric>
#include <optional>

namespace ptofix::fixing {

namespace {

using text::Edit;
using text::Edits;
using trace::SourceFile;

// A re-parse costs a walk over the text for each change; beyond this many the whole is parsed anew.
constexpr std::size_t kMaxIncrementalChanges = 64;

struct Outcome {
    std::map<FileIndex, CheckedFile> files;
    std::map<FileIndex, Edits> edits;
};

std::string line_at(std::string_view text, std::uint32_t offset) {
    const text::LineIndex lines(text);
    const std::uint32_t line = lines.line_of(offset);
    return fmt::format("line {}: {}", line, lines.line_text(line));
}

/// One file with these edits, or what is wrong with the result.
std::expected<CheckedFile, std::string> apply_to(syntax::Parser& parser, const CheckedFile& old, const Edits& edits,
                                                 std::span<const AllowedLoss> allowed) {
    const SourceFile& file = *old.file;
    const std::string text = edits.apply(file.text());
    auto bytes = file.source->encode(text);
    if (!bytes) return std::unexpected(fmt::format("text that {} cannot hold", file.source->encoding_name()));
    auto source = file.source->with_bytes(*std::move(bytes));
    if (!source || source->text() != text) return std::unexpected("a text that is no longer read as it was written");
    auto tree = parse_again(parser, file, edits, text);
    if (!tree) return std::unexpected("a file that is refused before it is parsed");

    const auto shared = std::make_shared<const text::Source>(*std::move(source));
    auto made = std::make_shared<const SourceFile>(SourceFile{shared, *std::move(tree), shared->lines()});
    CheckedFile now = CheckedFile::of(std::move(made));
    const auto violation =
        verify({file.text(), file.tree, old.health}, {now.file->text(), now.file->tree, now.health}, edits, allowed);
    if (!violation) return now;
    return std::unexpected(fmt::format("{} ({})", violation->what, line_at(now.file->text(), violation->offset)));
}

/// Sets of fixes of one group of files, tried together.
class Group {
  public:
    Group(syntax::Parser& parser, std::span<const CheckedFile> files, std::span<const Candidate> candidates)
        : parser_(parser), files_(files), candidates_(candidates) {}

    void run(std::span<const AcceptedFix> fixes) {
        add(fixes);
        std::ranges::sort(guilty_, {}, &GuiltyFix::candidate);
    }

    const std::vector<AcceptedFix>& good() const { return good_; }
    std::vector<GuiltyFix>& guilty() { return guilty_; }
    Outcome& outcome() { return outcome_; }

  private:
    /// Adds `fixes` to those that are known to be good together, except the guilty. The recursion halves its input.
    void add(std::span<const AcceptedFix> fixes) {
        if (fixes.empty()) return;
        std::vector<AcceptedFix> together = good_;
        together.insert(together.end(), fixes.begin(), fixes.end());
        auto tried = attempt(together);
        if (tried) {
            good_ = std::move(together);
            outcome_ = *std::move(tried);
        } else if (fixes.size() == 1) {
            guilty_.push_back({fixes.front().candidate, std::move(tried.error())});
        } else {
            add(fixes.first(fixes.size() / 2));
            add(fixes.subspan(fixes.size() / 2));
        }
    }

    std::expected<Outcome, std::string> attempt(std::span<const AcceptedFix> fixes) {
        std::vector<std::size_t> indices;
        std::map<FileIndex, std::vector<AllowedLoss>> allowed;
        for (const AcceptedFix& fix : fixes) {
            indices.push_back(fix.candidate);
            if (!fix.comments_may_go) continue;
            for (const PlacedEdit& placed : candidates_[fix.candidate].edits) {
                allowed[placed.file].push_back({placed.edit.range, fix.suppressions_may_go});
            }
        }
        Outcome outcome;
        for (auto& [index, edits] : edits_of(candidates_, indices)) {
            auto checked = Edits::make(std::move(edits), files_[index].file->text().size());
            if (!checked) return std::unexpected("edits that overlap");
            auto now = apply_to(parser_, files_[index], *checked, allowed[index]);
            if (!now) return std::unexpected(std::move(now.error()));
            outcome.files.emplace(index, *std::move(now));
            outcome.edits.emplace(index, *std::move(checked));
        }
        return outcome;
    }

    syntax::Parser& parser_;
    std::span<const CheckedFile> files_;
    std::span<const Candidate> candidates_;
    std::vector<AcceptedFix> good_;
    std::vector<GuiltyFix> guilty_;
    Outcome outcome_;
};

/// Fixes that edit a common file, directly or by way of others, belong together.
std::vector<std::vector<AcceptedFix>> group_by_files(std::size_t file_count, std::span<const Candidate> candidates,
                                                     std::span<const AcceptedFix> accepted) {
    std::vector<FileIndex> leader(file_count);
    std::iota(leader.begin(), leader.end(), FileIndex{0});
    const auto find = [&](FileIndex f) {
        while (leader[f] != f) f = leader[f] = leader[leader[f]];
        return f;
    };
    for (const AcceptedFix& fix : accepted) {
        const auto& edits = candidates[fix.candidate].edits;
        for (const PlacedEdit& placed : edits) leader[find(placed.file)] = find(edits.front().file);
    }
    std::map<FileIndex, std::vector<AcceptedFix>> groups;
    for (const AcceptedFix& fix : accepted) groups[find(candidates[fix.candidate].edits.front().file)].push_back(fix);
    std::vector<std::vector<AcceptedFix>> result;
    for (auto& [file, fixes] : groups) result.push_back(std::move(fixes));
    return result;
}

}  // namespace

std::expected<syntax::Tree, syntax::ParseRefusal> parse_again(syntax::Parser& parser, const SourceFile& old,
                                                              const Edits& edits, std::string_view text) {
    if (edits.size() > kMaxIncrementalChanges) return parser.parse(text, true);
    std::vector<syntax::TextChange> changes;
    changes.reserve(edits.size());
    for (const Edit& edit : edits.items()) {
        changes.push_back({edit.range, static_cast<std::uint32_t>(edit.text.size())});
    }
    return parser.reparse(old.tree, old.text(), changes, text);
}

CheckedFile CheckedFile::of(std::shared_ptr<const SourceFile> file) {
    const Health health = examine(file->text(), file->tree);
    return {std::move(file), health};
}

Applied apply(syntax::Parser& parser, std::span<const CheckedFile> files, std::span<const Candidate> candidates,
              std::span<const AcceptedFix> accepted) {
    Applied result;
    for (const auto& fixes : group_by_files(files.size(), candidates, accepted)) {
        Group group(parser, files, candidates);
        group.run(fixes);
        for (const AcceptedFix& fix : group.good()) result.candidates.push_back(fix.candidate);
        std::ranges::move(group.guilty(), std::back_inserter(result.guilty));
        result.files.merge(group.outcome().files);
        result.edits.merge(group.outcome().edits);
    }
    return result;
}

}  // namespace ptofix::fixing
