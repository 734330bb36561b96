#include "cli/scope.h"

#include <algorithm>
#include <set>

#include "cli/problems.h"
#include "config/file_config.h"
#include "git/changes.h"
#include "git/repository.h"
#include "rules/messages.h"

namespace ptofix::cli {

namespace {

using report::Problem;
using rules::Data;

Problem problem(std::string_view kind, std::string_view message, const std::string& path, Data data,
                rules::Language language) {
    data.set("path", path);
    return {path, std::string(kind), rules::render({message, std::move(data)}, language)};
}

std::expected<std::vector<git::Change>, Problem> changes_of(const std::string& work_tree, const CheckCommand& command) {
    const FileChoice& choice = command.choice;
    auto changes = choice.staged ? git::staged_changes(work_tree) : git::changes_since(work_tree, choice.since);
    if (changes) return std::move(*changes);
    using Kind = git::ChangesError::Kind;
    const Kind kind = changes.error().kind;
    const Data data = Data().set("revision", choice.since).set("detail", changes.error().detail);
    const rules::Language language = command.language;
    if (kind == Kind::unknown_revision) {
        return std::unexpected(problem("unknown-revision", "input.unknown_revision", work_tree, data, language));
    }
    if (kind == Kind::bare) return std::unexpected(problem("bare", "input.bare", work_tree, data, language));
    return std::unexpected(problem("git-failed", "input.git_failed", work_tree, data, language));
}

}  // namespace

std::expected<Scope, Problem> Scope::of(const CheckCommand& command, std::span<const std::string> paths) {
    Scope scope;
    const FileChoice& choice = command.choice;
    const bool by_lines = choice.staged || !choice.since.empty();
    scope.is_part_ = by_lines || choice.shard.of > 1;
    if (!scope.is_part_) return scope;
    std::map<std::string, git::Change> changed;
    if (by_lines) {
        scope.lines_ = std::make_shared<ChangedLines>();
        std::set<std::string> folders, work_trees;
        for (const std::string& path : paths) {
            const std::string real = git::real_path(config::absolute_path(path));
            const std::string folder = real.substr(0, std::max<std::size_t>(real.rfind('/'), 1));
            if (!folders.insert(folder).second) continue;
            auto work_tree = git::find_work_tree(folder);
            if (!work_tree) {
                return std::unexpected(problem("no-repository", "input.no_repository", path, {}, command.language));
            }
            work_trees.insert(std::move(*work_tree));
        }
        for (const std::string& work_tree : work_trees) {
            auto changes = changes_of(work_tree, command);
            if (!changes) return std::unexpected(std::move(changes.error()));
            if (choice.staged && command.mode != Mode::check) {
                auto unstaged = git::unstaged_files(work_tree);
                if (!unstaged) {
                    const Data data = Data().set("revision", choice.since).set("detail", unstaged.error().detail);
                    return std::unexpected(
                        problem("git-failed", "input.git_failed", work_tree, data, command.language));
                }
                scope.unstaged_.insert(unstaged->begin(), unstaged->end());
            }
            for (git::Change& change : *changes) {
                scope.lines_->add(change.path, change.before);
                std::string path = change.path;
                changed.insert_or_assign(std::move(path), std::move(change));
            }
        }
    }
    ShardFilter shard(choice.shard, command.mode != Mode::check);
    for (const std::string& path : paths) {
        if (!shard.holds(path)) continue;
        if (choice.shard.of > 1) scope.shard_.insert(git::real_path(config::absolute_path(path)));
        if (!by_lines) {
            scope.own_.emplace(path, std::nullopt);
        } else if (const auto change = changed.find(git::real_path(config::absolute_path(path)));
                   change != changed.end()) {
            scope.own_.emplace(path, change->second.staged);
        }
    }
    return scope;
}

const std::string* Scope::staged(const std::string& path) const {
    const auto found = own_.find(path);
    return found == own_.end() || !found->second ? nullptr : &*found->second;
}

bool Scope::is_unstaged(const std::string& path) const {
    return !unstaged_.empty() && unstaged_.contains(git::real_path(config::absolute_path(path)));
}

bool Scope::holds(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const {
    if (!is_part_) return true;
    if (!shard_.empty() && !edits_own_alone(diagnosis, analysis)) return false;
    if (!lines_) return owns(analysis.source->path());
    const auto touched = [&](std::uint16_t file, text::Range range) {
        return lines_->touch(*analysis.sources[file], range);
    };
    const rules::Location& at = diagnosis.finding.location;
    if (touched(at.file, at.range)) return true;
    const auto edit_touches = [&](const rules::FileEdit& edit) { return touched(edit.file, edit.range); };
    return diagnosis.rewrite.fix && std::ranges::any_of(diagnosis.rewrite.fix->edits, edit_touches);
}

/// Two shards that write one file would overwrite each other.
bool Scope::edits_own_alone(const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) const {
    return !diagnosis.rewrite.fix ||
           std::ranges::all_of(diagnosis.rewrite.fix->edits, [&](const rules::FileEdit& edit) {
               return shard_.contains(git::real_path(config::absolute_path(analysis.path(edit.file))));
           });
}

bool Scope::touches(const report::FindingView& finding, const report::FileReport& report) const {
    if (lines_->touch(report.files[finding.primary.file], finding.primary.range)) return true;
    return finding.fix && std::ranges::any_of(finding.fix->edits, [&](const rules::FileEdit& edit) {
               return lines_->touch(report.files[edit.file], edit.range);
           });
}

void Scope::narrow(std::vector<report::FileReport>& reports,
                   const std::function<bool(const std::string&)>& keeps) const {
    if (!is_part_) return;
    std::erase_if(reports, [&](report::FileReport& report) {
        if (lines_) {
            const auto untouched = [&](const report::FindingView& finding) { return !touches(finding, report); };
            std::erase_if(report.findings, untouched);
            std::erase_if(report.silenced, untouched);
        }
        const bool is_about = owns(report.path) || (lines_ && !report.findings.empty());
        return !is_about && !keeps(report.path);
    });
}

}  // namespace ptofix::cli
