#include "trace/project.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "trace/framework_package.h"

namespace ptofix::trace {

namespace fs = std::filesystem;

namespace {

// Source bytes of the files kept parsed for the next import of them. A flat tree takes about eight times its source.
constexpr std::size_t kKeptBytes = std::size_t{6} * 1024 * 1024;
// Packages nest a few folders deep; the search for a project's root stops there.
constexpr int kMaxParents = 12;

/// By name; the file system is not asked about links.
bool is_same_file(std::string_view found, std::string_view importer_path) {
    if (found == importer_path) return true;
    const auto name = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    if (name(found) != name(importer_path)) return false;
    std::error_code error;
    const auto absolute = [&](std::string_view path) { return fs::absolute(path, error).lexically_normal(); };
    return absolute(found) == absolute(importer_path);
}

}  // namespace

namespace {

/// The same for a file in a folder and in a link to that folder.
std::string overlay_key(const std::string& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error).lexically_normal();
    const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
    return error ? absolute.string() : (folder / absolute.filename()).string();
}

std::string_view file_name(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

struct Project::State {
    explicit State(text::FolderNames& known) : names(known) {}

    text::FolderNames& names;
    std::unordered_map<std::string, bool> exists;
    std::unordered_map<std::string, std::shared_ptr<const text::Source>> overlays;  // by overlay_key
    std::unordered_map<std::string, std::string> resolved;  // folder of the importer + module -> path, or empty
    std::unordered_map<std::string, bool> roots;            // folders
    std::unordered_map<std::string, std::string> folders;   // as an importer's path has it -> from the root
    std::string current;                                    // folder of the process, once it was asked for
    FrameworkPackage framework{[this](const std::string& path) { return is_file(path); }};
    const std::string nothing = {};

    /// Null: there is none.
    std::shared_ptr<const text::Source> overlay(const std::string& path) const {
        // Links are looked up for the few files only that have the name of one.
        const auto has_name = [&](const auto& item) { return file_name(item.first) == file_name(path); };
        if (std::ranges::none_of(overlays, has_name)) return nullptr;
        const auto at = overlays.find(overlay_key(path));
        return at == overlays.end() ? nullptr : at->second;
    }
    bool is_file(const std::string& path) {
        if (overlay(path) != nullptr) return true;
        if (const auto it = exists.find(path); it != exists.end()) return it->second;
        std::error_code error;
        const bool found = fs::is_regular_file(path, error);
        exists.emplace(path, found);
        return found;
    }
    /// "a/b" -> a/b/__init__.py, or else a/b.py: where both are there, Python takes the package.
    std::string module_file(const std::string& base) {
        const std::size_t slash = base.rfind('/');
        const bool may_be_package = !overlays.empty() || slash == 0 || slash == std::string::npos ||
                                    names.may_hold(base.substr(0, slash), std::string_view(base).substr(slash + 1), "");
        if (may_be_package) {
            std::string package = inside(base, "__init__.py");
            if (is_file(package)) return package;
        }
        std::string file = base + ".py";
        if (is_file(file)) return file;
        return {};
    }
    /// Of a file, from the root; empty: it cannot be told.
    const std::string& absolute_folder(std::string_view path) {
        const auto [at, fresh] = folders.try_emplace(std::string(path.substr(0, path.rfind('/') + 1)));
        if (fresh) {
            std::error_code error;
            const fs::path file = fs::absolute(fs::path(path), error).lexically_normal();
            if (!error) at->second = file.parent_path().string();
        }
        return at->second;
    }
    /// Where Python would look: the importer's folder, then its parents up to the project's root, as with any of them
    /// on sys.path.
    std::string find_module(std::string_view module, std::string_view importer_path) {
        std::string base = absolute_folder(importer_path);
        if (base.empty()) return {};
        std::size_t dots = 0;
        while (dots < module.size() && module[dots] == '.') ++dots;
        std::string relative(module.substr(dots));
        std::ranges::replace(relative, '.', '/');
        std::string path;
        if (dots > 0) {
            for (std::size_t i = 1; i < dots; ++i) base = parent(base);
            path = module_file(relative.empty() ? base : inside(base, relative));
        } else {
            const std::string_view first = std::string_view(relative).substr(0, relative.find('/'));
            for (int i = 0; i < kMaxParents && path.empty(); ++i) {
                // Buffers of an editor need not be on the disk.
                const bool may_be = !overlays.empty() || names.may_hold(base, first, ".py");
                if (may_be) path = module_file(inside(base, relative));
                if (is_root(base) || base == "/") break;
                base = parent(base);
            }
        }
        if (path.empty() || framework.holds(path)) return {};
        if (!importer_path.starts_with('/') && !current_folder().empty()) {  // spelled as the one that imports it
            const std::string here = inside(current_folder(), "");
            if (path.starts_with(here)) path.erase(0, here.size());
        }
        return path;
    }
    const std::string& current_folder() {
        if (current.empty()) {
            std::error_code error;
            current = fs::current_path(error).string();
        }
        return current;
    }
    static std::string inside(const std::string& folder, std::string_view name) {
        std::string path = folder;
        if (!path.ends_with('/')) path += '/';
        return path += name;
    }
    static std::string parent(const std::string& folder) {
        return folder.substr(0, std::max<std::size_t>(folder.rfind('/'), 1));
    }
    bool is_root(const std::string& folder) {
        const auto [at, fresh] = roots.try_emplace(folder);
        if (fresh) {
            std::error_code error;
            at->second = std::ranges::any_of(
                std::initializer_list<const char*>{".git", "pyproject.toml", "pto-fix.toml"}, [&](const char* mark) {
                    return names.may_hold(folder, mark, "") && fs::exists(inside(folder, mark), error);
                });
        }
        return at->second;
    }
};

std::shared_ptr<const SourceFile> ParsedFiles::find(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    const auto it = files_.find(path);
    if (it == files_.end()) return nullptr;
    it->second.used = ++clock_;
    return it->second.file;
}

void ParsedFiles::remember(const std::shared_ptr<const SourceFile>& file) {
    const std::scoped_lock lock(mutex_);
    Kept& kept = files_[file->path()];
    if (kept.file != nullptr) bytes_ -= kept.file->text().size();
    kept = {file, ++clock_};
    bytes_ += file->text().size();
    while (bytes_ > kKeptBytes && files_.size() > 1) {
        const auto oldest = std::ranges::min_element(files_, {}, [](const auto& f) { return f.second.used; });
        bytes_ -= oldest->second.file->text().size();
        files_.erase(oldest);
    }
}

void ParsedFiles::forget(const std::string& path) {
    forget_if([&](const std::string& other) { return other == path; });
}

void ParsedFiles::forget_if(const std::function<bool(const std::string& path)>& is_meant) {
    const std::scoped_lock lock(mutex_);
    for (auto it = files_.begin(); it != files_.end();) {
        if (is_meant(it->first)) {
            bytes_ -= it->second.file->text().size();
            it = files_.erase(it);
        } else {
            ++it;
        }
    }
}

Project::Project(std::shared_ptr<ParsedFiles> files)
    : state_(std::make_unique<State>(files->names)), files_(std::move(files)) {}
Project::~Project() = default;

std::expected<std::shared_ptr<const SourceFile>, syntax::ParseRefusal> Project::parse(
    std::shared_ptr<const text::Source> source, bool keep_state) {
    // A file that another one imported is parsed already, and one analysed now may be imported by the next.
    if (!keep_state) {
        if (auto kept = files_->find(source->path())) {
            if (kept->text() == source->text()) return kept;
            files_->forget(source->path());
        }
    }
    auto tree = parser_.parse(source->text(), keep_state);
    if (!tree) return std::unexpected(tree.error());
    const std::string_view text = source->text();
    auto file =
        std::make_shared<const SourceFile>(SourceFile{std::move(source), std::move(*tree), text::LineIndex(text)});
    if (!keep_state) files_->remember(file);
    return file;
}

const std::string& Project::resolve(std::string_view module, std::string_view importer_path) {
    State& state = *state_;
    // The folder stands for the importer: only a module that would import itself depends on its name.
    std::string key(importer_path.substr(0, importer_path.rfind('/') + 1));
    key += '\n';
    key += module;
    auto it = state.resolved.find(key);
    if (it == state.resolved.end()) {
        it = state.resolved.emplace(std::move(key), state.find_module(module, importer_path)).first;
    }
    return is_same_file(it->second, importer_path) ? state.nothing : it->second;
}

std::shared_ptr<const SourceFile> Project::read_import(const std::string& path) {
    if (path.empty()) return nullptr;
    if (auto kept = files_->find(path)) return kept;
    std::shared_ptr<const text::Source> source = state_->overlay(path);
    if (source == nullptr) {
        auto loaded = text::Source::load(path);
        if (!loaded) return nullptr;
        source = std::make_shared<const text::Source>(std::move(*loaded));
    }
    auto file = parse(source);
    return file ? *file : nullptr;
}

std::shared_ptr<const SourceFile> Project::import(std::string_view module, std::string_view importer_path) {
    const std::string& path = resolve(module, importer_path);
    auto file = read_import(path);
    if (recorded_ != nullptr) {
        const auto is_this = [&](const Import& known) {
            return known.module == module && known.importer_path == importer_path;
        };
        if (std::ranges::none_of(*recorded_, is_this)) {
            recorded_->push_back(
                {std::string(module), std::string(importer_path), path, file ? file->source : nullptr});
        }
    }
    return file;
}

void Project::record_imports(std::vector<Import>* into) {
    recorded_ = into;
}

std::shared_ptr<const text::Source> Project::overlay(const std::string& path) const {
    return state_->overlay(path);
}

void Project::set_overlay(const std::string& path, std::shared_ptr<const text::Source> source) {
    const std::string key = overlay_key(path);
    files_->forget_if([&](const std::string& kept) {
        return file_name(kept) == file_name(path) && (kept == path || overlay_key(kept) == key);
    });
    if (source) {
        state_->overlays[key] = std::move(source);
    } else {
        state_->overlays.erase(key);
    }
    state_->resolved.clear();
    state_->exists.clear();
    state_->roots.clear();
    state_->framework.forget();
    files_->names.forget();
}

}  // namespace ptofix::trace
