#include "fixing/editable_files.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "fixing/blocked.h"

namespace ptofix::fixing {

namespace fs = std::filesystem;

std::string path_key(const std::string& path) {
    std::error_code error;
    if (fs::exists(path, error)) {
        const fs::path real = fs::canonical(path, error);
        if (!error) return real.string();
    }
    const fs::path absolute = fs::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

std::string PathKeys::of(const std::string& path) {
    std::error_code error;
    const fs::path file(path);
    if (!fs::is_regular_file(fs::symlink_status(file, error))) return path_key(path);
    const auto [at, fresh] = folders_.try_emplace(file.parent_path().string());
    if (fresh) at->second = fs::canonical(at->first.empty() ? fs::path(".") : fs::path(at->first), error).string();
    return at->second.empty() ? path_key(path) : (fs::path(at->second) / file.filename()).string();
}

bool EditableFiles::contains(const std::string& path) const {
    std::call_once(made_, [&] {
        PathKeys keys;
        for (const std::string& own : paths_) keys_.insert(keys.of(own));
    });
    return keys_.contains(path_key(path));
}

void hold_back_fixes_outside(Analysis& analysis, const EditableFiles& editable) {
    // The analysed file is there to be fixed; the file system is asked only about others that a fix edits.
    std::map<std::uint16_t, bool> asked;
    const auto is_outside = [&](const rules::FileEdit& edit) {
        if (analysis.sources[edit.file] == analysis.source) return false;
        const auto [at, fresh] = asked.try_emplace(edit.file);
        if (fresh) at->second = !editable.contains(analysis.path(edit.file));
        return at->second;
    };
    const auto outside_edit = [&](const rules::Fix& fix) -> const rules::FileEdit* {
        const auto at = std::ranges::find_if(fix.edits, is_outside);
        return at == fix.edits.end() ? nullptr : &*at;
    };
    for (Diagnosis& diagnosis : analysis.findings) {
        rules::Rewrite& rewrite = diagnosis.rewrite;
        for (rules::Fix& fix : rewrite.alternatives) {
            if (outside_edit(fix) != nullptr) fix.applicability = rules::Applicability::suggestion;
        }
        const rules::FileEdit* edit = rewrite.fix ? outside_edit(*rewrite.fix) : nullptr;
        if (edit == nullptr) continue;
        rewrite.fix->applicability = rules::Applicability::suggestion;
        rules::Data data;
        data.set("path", analysis.path(edit->file));
        rewrite.blocked = {{kBlockedByOtherFile, std::move(data)}, rules::Location{edit->file, edit->range}};
    }
}

}  // namespace ptofix::fixing
