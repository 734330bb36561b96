#include "cli/dirty_tree.h"

#include <algorithm>

#include "cli/shown.h"
#include "git/uncommitted.h"
#include "rules/messages.h"

namespace ptofix::cli {

namespace {

using report::Problem;
using rules::Data;
using rules::Language;

constexpr std::size_t kNamed = 3;

Problem problem(std::string_view id, std::span<const std::string> files, Language language) {
    const std::string folder = current_folder();
    std::string named;
    for (const std::string& file : files.first(std::min(files.size(), kNamed))) {
        named += (named.empty() ? "" : ", ") + shown_path(file, folder);
    }
    if (files.size() > kNamed) named += ", ...";
    Data data = Data().set("count", static_cast<std::int64_t>(files.size())).set("files", std::move(named));
    return {shown_path(files.front(), folder), "uncommitted", rules::render({id, std::move(data)}, language)};
}

}  // namespace

std::optional<Problem> work_in_the_way(std::span<const Input> inputs, std::span<const std::string> others,
                                       const ApplyOptions& options, Language language) {
    if (options.allow_dirty) return std::nullopt;
    std::vector<std::string> files(others.begin(), others.end());
    for (const Input& input : inputs) files.push_back(input.path);
    const git::Uncommitted found = git::uncommitted_around(files);
    if (!found.files.empty()) return problem("cli.dirty", found.files, language);
    if (found.unreadable.empty()) return std::nullopt;
    const auto& [work_tree, detail] = found.unreadable.front();
    Data data = Data().set("path", work_tree).set("detail", detail);
    return Problem{work_tree, "uncommitted", rules::render({"cli.work_tree_unreadable", std::move(data)}, language)};
}

std::optional<Problem> work_in_the_way(std::span<const ChangedFile> files, const ApplyOptions& options,
                                       Language language) {
    if (options.allow_dirty) return std::nullopt;
    std::vector<std::string> paths;
    for (const ChangedFile& file : files) paths.push_back(file.path);
    const git::Uncommitted found = git::untracked_among(paths);
    if (found.files.empty()) return std::nullopt;
    return problem("cli.untracked", found.files, language);
}

}  // namespace ptofix::cli
