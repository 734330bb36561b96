#include "cli/inputs.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <unordered_map>

#include "cli/import_words.h"
#include "cli/path_list.h"
#include "cli/problems.h"
#include "cli/read_ahead.h"
#include "config/config_finder.h"
#include "config/folders.h"
#include "rules/messages.h"
#include "text/file_set.h"
#include "text/parallel.h"
#include "trace/framework_package.h"

namespace ptofix::cli {

namespace {

/// What is staged, where that is what counts.
ReadFile read(const config::InputPath& input, const Scope& scope, ReadAhead& ahead) {
    const std::string* staged = scope.staged(input.path);
    if (staged != nullptr) return read_bytes(input.path, *staged);
    return input.named ? read_named(input.path) : ahead.read(input.path);
}

std::vector<ReadFile> read_all_files(std::span<const config::InputPath> files, ReadAhead& ahead, const Scope& scope,
                                     unsigned jobs) {
    std::unordered_map<std::string, ReadFile> known = ahead.take();
    std::vector<ReadFile> results(files.size());
    std::vector<std::size_t> unread;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto at = known.find(files[i].path);
        // Of a file that is named too more is said than of one that a folder holds.
        if (at != known.end() && !files[i].named && scope.staged(files[i].path) == nullptr) {
            results[i] = std::move(at->second);
        } else {
            unread.push_back(i);
        }
    }
    const auto threads = std::min<std::size_t>(jobs, unread.size() / kFilesWorthAThread + 1);
    text::in_parallel(unread.size(), static_cast<unsigned>(threads), [&] {
        return [&](std::size_t i) { results[unread[i]] = read(files[unread[i]], scope, ahead); };
    });
    return results;
}

/// Leaves of the names that lead to one file the first.
void drop_repeated(std::vector<config::InputPath>& files,
                   std::vector<std::shared_ptr<const config::FileConfig>>& configs, std::vector<ReadFile>& results) {
    text::FileSet seen;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const auto& identity = results[i].identity;
        if (!(identity ? seen.insert(files[i].path, *identity) : seen.insert(files[i].path))) continue;
        if (kept != i) {
            files[kept] = std::move(files[i]);
            configs[kept] = std::move(configs[i]);
            results[kept] = std::move(results[i]);
        }
        ++kept;
    }
    files.resize(kept);
    configs.resize(kept);
    results.resize(kept);
}

/// Of the files beyond the scope those that may import one of it are read as well.
std::set<std::string> importers(std::span<const config::InputPath> files, std::span<const ReadFile> results,
                                const Scope& scope) {
    std::vector<Module> modules;
    std::vector<std::string> further;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const bool own = scope.owns(files[i].path);
        if (results[i].source != nullptr) {
            modules.push_back({files[i].path, results[i].source->text(), own});
        } else if (own) {
            further.push_back(files[i].path);
        }
    }
    want_importers(modules, further);
    std::set<std::string> paths;
    for (Module& module : modules) {
        if (module.wanted) paths.insert(std::move(module.path));
    }
    return paths;
}

void sort_out(std::span<const config::InputPath> files, std::vector<ReadFile>& results,
              std::vector<std::shared_ptr<const config::FileConfig>>& configs, rules::Language language,
              const std::string& here, Inputs& out) {
    trace::FrameworkPackage framework([](const std::string& path) {
        std::error_code error;
        return std::filesystem::is_regular_file(path, error);
    });
    // In a folder that is searched, as in site-packages; who names a file of it means it.
    std::string folder;  // of the last file; files are sorted
    bool is_folder_theirs = false;
    const auto is_frameworks = [&](const config::InputPath& file) {
        if (file.named) return false;
        const std::string_view own = std::string_view(file.path).substr(0, file.path.rfind('/') + 1);
        if (own != folder || own.empty()) {
            folder = own;
            is_folder_theirs = framework.holds(config::absolute_path(file.path, here));
        }
        return is_folder_theirs;
    };
    std::set<std::string> importing;
    if (!out.scope.is_everything()) importing = importers(files, results, out.scope);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string& path = files[i].path;
        ReadFile& read = results[i];
        const bool own = out.scope.owns(path);
        if (!own) out.beside.push_back(path);
        const bool is_strange = read.error && read.error->kind == text::LoadError::Kind::notebook_version;
        if (is_strange && !files[i].named) {
            out.unread.push_back(path);
            if (own) out.notes.push_back("pto-fix: " + problem_of(path, *read.error, language).message);
        } else if (own && read.error) {
            out.problems.push_back(problem_of(path, *read.error, language));
        } else if (read.mentions && (own || importing.contains(path)) && !is_frameworks(files[i])) {
            out.files.push_back({path, std::move(read.source), std::move(configs[i])});
        } else if (own) {
            out.others.push_back(path);
        }
    }
}

}  // namespace

std::optional<Input> stdin_input(const CheckCommand& command, const std::string& path, const std::string& bytes,
                                 std::vector<Problem>& problems) {
    config::ConfigFinder finder(command.language);
    config::ConfigResult config = std::make_shared<const config::FileConfig>();
    const std::string absolute = config::absolute_path(command.stdin_filename.empty() ? "." : path);
    if (!command.config_path.empty()) {
        config = finder.for_file(finder.read(command.config_path), absolute);
    } else if (!command.no_config) {
        config = finder.of_file(command.stdin_filename.empty() ? absolute + "/stdin.py" : absolute);
    }
    if (!config) {
        problems.push_back({config.error().path, "configuration", config.error().message});
        return std::nullopt;
    }
    if (command.force_exclude) {
        const bool ignores = command.choice.respect_gitignore && (*config)->respect_gitignore;
        if ((*config)->excludes(absolute) || (ignores && config::is_ignored_by_git(absolute))) return std::nullopt;
    }
    if (bytes.size() > text::max_bytes(path)) {
        const text::LoadError error{.kind = text::LoadError::Kind::too_large, .offset = bytes.size()};
        problems.push_back(problem_of(path, error, command.language));
        return std::nullopt;
    }
    auto source = text::Source::from_bytes(path, bytes);
    if (!source) {
        problems.push_back(problem_of(path, source.error(), command.language));
        return std::nullopt;
    }
    return Input{path, std::make_shared<const text::Source>(std::move(*source)), std::move(*config)};
}

Inputs read_inputs(const CheckCommand& command, cache::KnownFiles* known) {
    Inputs out;
    config::ConfigFinder finder(command.language);
    config::ConfigResult given = std::make_shared<const config::FileConfig>();
    if (!command.config_path.empty()) given = finder.read(command.config_path);
    const bool look = command.config_path.empty() && !command.no_config;
    const auto config_of = [&](const std::string& absolute) {
        return look ? finder.of_file(absolute) : finder.for_file(given, absolute);
    };
    const std::string here = config::absolute_path(".");
    const auto is_left_out = [&](const config::FileConfig& config, const config::InputPath& file,
                                 const std::string& absolute) {
        return config.excludes(absolute) && (!file.named || command.force_exclude);
    };
    ReadAhead ahead(known);
    config::DiscoveryOptions options;
    options.jobs = text::threads_for(command.jobs);
    std::mutex mutex;  // of the finder, while several threads search
    options.searched = [&](const config::SearchedFolder& folder) {
        const std::string absolute = config::absolute_path(folder.path, here);
        const std::string prefix = config::prefix_of(absolute);
        std::vector<config::ConfigResult> file_configs;
        {
            const std::scoped_lock lock(mutex);
            if (!folder.may_have_config) finder.holds_none(absolute);
            for (const std::string& name : folder.files) file_configs.push_back(config_of(prefix + name));
        }
        ahead.read(folder, [&](std::size_t i) {
            const auto& config = file_configs[i];
            return config && !is_left_out(**config, {folder.files[i], false}, prefix + folder.files[i]);
        });
    };
    options.may_repeat = true;
    options.force_exclude = command.force_exclude;
    options.respects_gitignore = [&](const std::string& folder) {
        const config::ConfigResult config = config_of(folder + "/any.py");
        return command.choice.respect_gitignore && (!config || (*config)->respect_gitignore);
    };
    options.excludes = [&](const std::string& path) {
        const std::string absolute = config::absolute_path(path);
        const config::ConfigResult config = config_of(absolute);
        return config && (*config)->excludes(absolute);
    };
    if (!command.choice.files_from.empty()) {
        auto list = read_path_list(command.choice.files_from, command.choice.null_ends_paths, command.language);
        if (!list) {
            out.problems.push_back(std::move(list.error()));
            return out;
        }
        options.listed = std::move(*list);
    }
    config::Discovery found = config::discover(command.paths, options);
    out.ignored = found.ignored;
    for (const Problem& problem : found.problems) {
        out.problems.push_back(problem_of(problem.path, problem.kind, problem.message, command.language));
    }
    for (const config::LeftOut& left : found.left_out) {
        const std::string_view id = left.by_git ? "input.all_ignored" : "input.all_excluded";
        out.notes.push_back("pto-fix: " + rules::render({id, rules::Data().set("path", left.path)}, command.language));
    }
    std::set<std::string> broken;
    std::vector<config::InputPath> files;
    std::vector<std::shared_ptr<const config::FileConfig>> configs;
    for (config::InputPath& file : found.files) {
        const std::string absolute = config::absolute_path(file.path, here);
        config::ConfigResult config = config_of(absolute);
        if (!config) {
            if (broken.insert(config.error().path).second) {
                out.problems.push_back({config.error().path, "configuration", config.error().message});
            }
        } else if (is_left_out(**config, file, absolute)) {
            ++out.excluded;
        } else {
            files.push_back(std::move(file));
            configs.push_back(std::move(*config));
        }
    }
    out.none_left = files.empty();
    std::vector<std::string> paths;
    for (const config::InputPath& file : files) paths.push_back(file.path);
    auto scope = Scope::of(command, paths);
    if (!scope) {
        out.problems.push_back(std::move(scope.error()));
        return out;
    }
    out.scope = std::move(*scope);
    std::vector<ReadFile> results = read_all_files(files, ahead, out.scope, command.jobs);
    drop_repeated(files, configs, results);
    sort_out(files, results, configs, command.language, here, out);
    return out;
}

}  // namespace ptofix::cli
