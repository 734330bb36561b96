#include "fixing/shared_edits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fixing/blocked.h"
#include "fixing/editable_files.h"
#include "fixing/given_files.h"
#include "fixing/importers.h"
#include "text/words.h"

namespace ptofix::fixing {

namespace {

using rules::Applicability;
using rules::Fix;

/// Which sources are of one file. The file system is asked only about those that were not read from it.
class SameFiles {
  public:
    bool is_same(const text::Source& a, const text::Source& b) {
        if (a.identity() && b.identity()) {
            return a.identity()->device == b.identity()->device && a.identity()->inode == b.identity()->inode;
        }
        return key_of(a) == key_of(b);
    }
    bool contain(const Analysis& analysis, const text::Source& file) {
        return std::ranges::any_of(analysis.sources, [&](const auto& source) { return is_same(*source, file); });
    }
    const std::string& key_of(const text::Source& source) {
        const auto [at, fresh] = keys_.try_emplace(source.path());
        if (fresh) at->second = keys_of_.of(source.path());
        return at->second;
    }

  private:
    std::map<std::string, std::string> keys_;  // by path
    PathKeys keys_of_;
};

using PlacedEdits = std::vector<std::tuple<std::string, text::Range, std::string>>;

PlacedEdits placed(const Fix& fix, const Analysis& analysis, SameFiles& files) {
    PlacedEdits edits;
    for (const rules::FileEdit& edit : fix.edits) {
        edits.emplace_back(files.key_of(*analysis.sources[edit.file]), edit.range, edit.text);
    }
    std::ranges::sort(edits);
    return edits;
}

bool is_shared(const std::optional<Fix>& fix) {
    return fix && !fix->read_as.empty() && fix->applicability != Applicability::suggestion;
}

/// What it changes is how a kernel is called.
bool is_about_kernel(const Fix& fix) {
    return fix.isolation.starts_with("kernel ");
}

/// The same change, made so that whoever reads the name sees nothing of it: what to do instead.
Fix* for_others(rules::Rewrite& rewrite) {
    const Fix& fix = *rewrite.fix;
    const auto found = std::ranges::find_if(rewrite.alternatives, [&](const Fix& other) {
        return other.read_as.empty() && !fix.isolation.empty() && other.isolation == fix.isolation &&
               other.applicability == fix.applicability;
    });
    return found == rewrite.alternatives.end() ? nullptr : &*found;
}

class Run {
  public:
    explicit Run(std::span<const Analysis> analyses) : analyses_(analyses) {}

    /// The path of a file that reads what the fix of this finding changes, and does not want it changed.
    std::optional<std::string> objection(std::size_t own, const Diagnosis& diagnosis) {
        const Fix& fix = *diagnosis.rewrite.fix;
        const Analysis& mine = analyses_[own];
        for (std::size_t other = 0; other < analyses_.size(); ++other) {
            if (other == own) continue;
            const Analysis& analysis = analyses_[other];
            const auto is_edited = [&](const rules::FileEdit& edit) {
                return files_.contain(analysis, *mine.sources[edit.file]);
            };
            if (std::ranges::none_of(fix.edits, is_edited) || agrees(other, diagnosis, placed(fix, mine, files_)))
                continue;
            for (const auto& source : analysis.sources) {
                if (files_.contain(mine, *source)) continue;  // the rewriter has seen it
                if (is_about_kernel(fix) && was_asked(own, source->path())) continue;
                if (text::has_word(text_of(*source), fix.read_as)) return source->path();
            }
        }
        return std::nullopt;
    }

    /// A file that is not analysed, and calls a kernel whose signature the fix changes.
    std::optional<std::string> importer(std::size_t own, const Fix& fix) {
        if (!is_about_kernel(fix)) return std::nullopt;
        for (const rules::FileEdit& edit : fix.edits) {
            const auto is_known = [&](const std::string& path) { return was_asked(own, path); };
            if (auto path = importers_.find(analyses_[own].path(edit.file), fix.read_as, is_known)) return path;
        }
        return std::nullopt;
    }

  private:
    /// Has the rewriter looked into every given file for uses, and is this one of them?
    bool was_asked(std::size_t own, const std::string& path) const {
        const auto& asked = analyses_[own].asked;
        return asked != nullptr && asked->contains_key(asked->key_of(path));
    }

    /// Of one in which nothing is found it may not have been read yet. Empty: it is gone meanwhile.
    std::string_view text_of(const text::Source& source) {
        if (source.is_read()) return source.text();
        const auto [at, fresh] = late_.try_emplace(source.path());
        if (fresh) {
            if (auto loaded = text::Source::load(source.path())) at->second = *std::move(loaded);
        }
        return at->second ? at->second->text() : std::string_view{};
    }

    bool agrees(std::size_t other, const Diagnosis& diagnosis, const PlacedEdits& edits) {
        return std::ranges::any_of(analyses_[other].findings, [&](const Diagnosis& d) {
            return d.finding.rule == diagnosis.finding.rule && is_shared(d.rewrite.fix) &&
                   placed(*d.rewrite.fix, analyses_[other], files_) == edits;
        });
    }

    std::span<const Analysis> analyses_;
    SameFiles files_;
    Importers importers_;
    std::map<std::string, std::optional<text::Source>> late_;  // by path
};

}  // namespace

void hold_back_fixes_that_others_read(std::span<Analysis> analyses) {
    Run run(analyses);
    std::vector<std::pair<Diagnosis*, std::string>> objections;  // all asked before any is held back
    for (std::size_t i = 0; i < analyses.size(); ++i) {
        for (Diagnosis& diagnosis : analyses[i].findings) {
            if (!is_shared(diagnosis.rewrite.fix)) continue;
            auto path = run.objection(i, diagnosis);
            if (!path) path = run.importer(i, *diagnosis.rewrite.fix);
            if (path) objections.emplace_back(&diagnosis, std::move(*path));
        }
    }
    for (auto& [diagnosis, path] : objections) {
        rules::Rewrite& rewrite = diagnosis->rewrite;
        if (Fix* other = for_others(rewrite)) {
            std::swap(*rewrite.fix, *other);
            other->applicability = Applicability::suggestion;
            continue;
        }
        const rules::FileEdit& edit = rewrite.fix->edits.front();
        rules::Data data;
        data.set("name", rewrite.fix->read_as).set("path", std::move(path));
        rewrite.blocked = {{kBlockedByOtherReader, std::move(data)}, rules::Location{edit.file, edit.range}};
        rewrite.fix->applicability = Applicability::suggestion;
        for (Fix& fix : rewrite.alternatives) {
            if (!fix.read_as.empty()) fix.applicability = Applicability::suggestion;
        }
    }
}

}  // namespace ptofix::fixing
