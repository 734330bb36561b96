#include "trace/project.h"

#include <algorithm>
#include <filesystem>

namespace ptofix::trace {

namespace fs = std::filesystem;

namespace {

// Source bytes of the files kept parsed for the next import of them. A flat tree takes about eight times its source.
constexpr std::size_t kCachedBytes = 6 * 1024 * 1024;
// Packages nest a few folders deep; the search for a project's root stops there.
constexpr int kMaxParents = 12;

}  // namespace

struct Project::State {
    struct Cached {
        std::shared_ptr<const SourceFile> file;
        std::uint64_t used;
    };
    std::unordered_map<std::string, Cached> files;
    std::unordered_map<std::string, bool> exists;
    std::unordered_map<std::string, std::shared_ptr<const text::Source>> overlays;
    std::unordered_map<std::string, std::string> resolved;  // folder of the importer + module -> path, or empty
    std::size_t bytes = 0;
    std::uint64_t clock = 0;

    auto forget(std::unordered_map<std::string, Cached>::iterator it) {
        bytes -= it->second.file->text().size();
        return files.erase(it);
    }
    void remember(const std::shared_ptr<const SourceFile>& file) {
        bytes += file->text().size();
        files[file->path()] = {file, ++clock};
        while (bytes > kCachedBytes && files.size() > 1) {
            forget(std::ranges::min_element(files, {}, [](const auto& f) { return f.second.used; }));
        }
    }

    bool is_file(const std::string& path) {
        if (overlays.contains(path)) return true;
        if (const auto it = exists.find(path); it != exists.end()) return it->second;
        std::error_code error;
        const bool found = fs::is_regular_file(path, error);
        exists.emplace(path, found);
        return found;
    }
    /// "a/b" -> a/b.py or a/b/__init__.py
    std::string module_file(const fs::path& base) {
        std::string file = base.string() + ".py";
        if (is_file(file)) return file;
        std::string package = (base / "__init__.py").string();
        if (is_file(package)) return package;
        return {};
    }
};

Project::Project() : state_(std::make_unique<State>()) {}
Project::~Project() = default;

std::expected<std::shared_ptr<const SourceFile>, syntax::ParseRefusal> Project::parse(
    std::shared_ptr<const text::Source> source, bool keep_state) {
    // A file that another one imported is parsed already, and one analysed now may be imported by the next.
    if (!keep_state) {
        if (auto it = state_->files.find(source->path()); it != state_->files.end()) {
            if (it->second.file->text() == source->text()) {
                it->second.used = ++state_->clock;
                return it->second.file;
            }
            state_->forget(it);
        }
    }
    auto tree = parser_.parse(source->text(), keep_state);
    if (!tree) return std::unexpected(tree.error());
    const std::string_view text = source->text();
    auto file = std::make_shared<const SourceFile>(SourceFile{std::move(source), std::move(*tree), text::LineIndex(text)});
    if (!keep_state) state_->remember(file);
    return file;
}

std::shared_ptr<const SourceFile> Project::import(std::string_view module, std::string_view importer_path) {
    std::error_code error;
    const fs::path importer = fs::absolute(fs::path(importer_path), error).lexically_normal();
    if (error) return nullptr;
    const fs::path folder = importer.parent_path();
    const bool relative_paths = fs::path(importer_path).is_relative();
    std::string key = folder.string() + (relative_paths ? "\n" : "\n/") + std::string(module);
    std::string path;
    if (const auto it = state_->resolved.find(key); it != state_->resolved.end()) {
        path = it->second;
    } else {
        std::size_t dots = 0;
        while (dots < module.size() && module[dots] == '.') ++dots;
        std::string relative(module.substr(dots));
        std::ranges::replace(relative, '.', '/');
        if (dots > 0) {
            fs::path base = folder;
            for (std::size_t i = 1; i < dots; ++i) base = base.parent_path();
            path = relative.empty() ? state_->module_file(base) : state_->module_file(base / relative);
        } else {
            // The importer's folder, then its parents up to the project's root: as with any of them on sys.path.
            fs::path base = folder;
            for (int i = 0; i < kMaxParents && path.empty(); ++i) {
                path = state_->module_file(base / relative);
                const bool root = fs::exists(base / ".git", error) || fs::exists(base / "pyproject.toml", error) ||
                                  fs::exists(base / "pto-fix.toml", error);
                if (root || !base.has_parent_path() || base == base.parent_path()) break;
                base = base.parent_path();
            }
        }
        if (path == importer.string()) path.clear();
        if (relative_paths && !path.empty()) {  // a file is spelled as the one that imports it
            const std::string spelled = fs::path(path).lexically_relative(fs::current_path(error)).string();
            if (!spelled.empty() && !spelled.starts_with("..")) path = spelled;
        }
        state_->resolved.emplace(std::move(key), path);
    }
    if (path.empty()) return nullptr;
    if (auto it = state_->files.find(path); it != state_->files.end()) {
        it->second.used = ++state_->clock;
        return it->second.file;
    }
    std::shared_ptr<const text::Source> source;
    const std::string overlay_key = fs::absolute(path, error).lexically_normal().string();
    if (const auto it = state_->overlays.find(overlay_key); it != state_->overlays.end()) {
        source = it->second;
    } else {
        auto loaded = text::Source::load(path);
        if (!loaded) return nullptr;
        source = std::make_shared<const text::Source>(std::move(*loaded));
    }
    auto file = parse(source);
    return file ? *file : nullptr;
}

std::shared_ptr<const text::Source> Project::overlay(const std::string& path) const {
    std::error_code error;
    const auto at = state_->overlays.find(fs::absolute(path, error).lexically_normal().string());
    return at == state_->overlays.end() ? nullptr : at->second;
}

void Project::set_overlay(const std::string& path, std::shared_ptr<const text::Source> source) {
    std::error_code error;
    const std::string absolute = fs::absolute(path, error).lexically_normal().string();
    for (auto it = state_->files.begin(); it != state_->files.end();) {
        const bool meant = fs::absolute(it->first, error).lexically_normal() == absolute;
        it = meant ? state_->forget(it) : std::next(it);
    }
    if (source) {
        state_->overlays[absolute] = std::move(source);
    } else {
        state_->overlays.erase(absolute);
    }
    state_->resolved.clear();
    state_->exists.clear();
}

}  // namespace ptofix::trace
