#include "fixing/importers.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <utility>

#include "fixing/loaded_notebook.h"
#include "text/disk_file.h"
#include "text/notebook.h"
#include "text/source.h"
#include "text/words.h"

namespace ptofix::fixing {

namespace {

namespace fs = std::filesystem;

// Folders of generated code are not read to the end: beyond this many files nobody looks for a caller by eye either.
constexpr std::size_t kMostNeighbours = 1000;
constexpr std::size_t kLongestNeighbour = 1U << 20U;
constexpr std::string_view kPackage = "__init__";

std::size_t longest(const fs::path& path) {
    return text::is_notebook_path(path.native()) ? text::kMaxNotebookBytes : kLongestNeighbour;
}

std::string_view last_name(std::string_view module) {
    return module.substr(module.rfind('.') + 1);
}

/// What is looked for: modules that have the function, or are a part of the way to it, and its names there.
struct Wanted {
    std::set<std::string, std::less<>> modules, names;

    bool is_named_in(std::string_view text) const {
        return std::ranges::any_of(names, [&](const std::string& name) { return text::has_word(text, name); });
    }
};

/// "name as other": others may import it by that.
void add_other_names(std::string_view clause, Wanted& wanted) {
    while (!clause.empty()) {
        const std::string_view part = clause.substr(0, clause.find(','));
        clause.remove_prefix(std::min(part.size() + 1, clause.size()));
        const std::size_t as = text::find_word(part, "as");
        if (as == std::string_view::npos || !wanted.is_named_in(part.substr(0, as))) continue;
        std::string other(part.substr(as + 2));
        std::erase_if(other, [](char c) { return !text::is_name_byte(c); });
        wanted.names.insert(std::move(other));
    }
}

/// Does it find what comes at run time?
bool looks_up(std::string_view text) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"getattr", "__dict__", "vars", "eval", "exec"},
                               [&](std::string_view word) { return text::has_word(text, word); });
}

bool may_use(std::string_view text, const std::vector<ImportLine>& imports, const Wanted& wanted) {
    if (!wanted.is_named_in(text) && !looks_up(text)) return false;
    const auto leads_there = [&](const ImportLine& line) {
        if (!wanted.modules.contains(last_name(line.module))) return false;
        return !line.is_from || line.names.find('*') != std::string::npos || wanted.is_named_in(line.names);
    };
    if (std::ranges::any_of(imports, leads_there)) return true;
    return imports_at_run_time(text) && std::ranges::any_of(wanted.modules, [&](const std::string& module) {
               return !module.empty() && text::has_word(text, module);
           });
}

/// By its name; one without an ending says on its first line whether it is a script of Python's.
bool may_be_python(const fs::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return ending.empty() || ending == ".py" || ending == ".pyw" || text::is_notebook_path(path.native());
}

bool is_script(std::string_view text) {
    return text.starts_with("#!") && text::has_part(text.substr(0, text.find_first_of("\r\n")), "python");
}

/// Of the cells of a notebook.
std::string code_of(const std::string& notebook) {
    const auto parsed = text::Notebook::parse(notebook);
    return parsed ? parsed->text() : lines_of_json(notebook);
}

bool is_package(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / "__init__.py", error);
}

}  // namespace

const std::vector<Importers::Neighbour>& Importers::in_folder(const std::string& folder) {
    const auto [at, fresh] = folders_.try_emplace(folder);
    if (!fresh) return at->second;
    std::error_code error;
    std::vector<fs::path> paths;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const fs::path& path = entry->path();
        if (may_be_python(path)) paths.push_back(path);
    }
    std::ranges::sort(paths);
    if (paths.size() > kMostNeighbours) paths.resize(kMostNeighbours);
    for (const fs::path& path : paths) {
        const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        std::string bytes;
        if (!file.is_open() || text::read_all(file.get(), longest(path), bytes) != 0) continue;
        if (path.extension().empty() && !is_script(bytes)) continue;
        if (text::has_part(bytes, "import") && text::is_notebook_path(path.native())) bytes = code_of(bytes);
        if (!text::has_part(bytes, "import")) continue;
        std::vector<ImportLine> imports;
        each_import_line(bytes, [&](const ImportLine& line) { imports.push_back(line); });
        at->second.push_back({path.string(), std::move(bytes), std::move(imports)});
    }
    return at->second;
}

std::optional<std::string> Importers::find(const std::string& path, std::string_view name,
                                           const std::function<bool(const std::string&)>& is_known) {
    std::error_code error;
    const fs::path file = fs::weakly_canonical(path, error);
    if (text::is_notebook_path(file.native())) return std::nullopt;  // Python imports no notebook
    if (error || !fs::is_regular_file(file, error)) return std::nullopt;
    const fs::path folder = file.parent_path();
    const bool is_init = file.stem() == kPackage;
    Wanted wanted;
    wanted.names.emplace(name);
    wanted.modules.insert(is_init ? folder.filename().string() : file.stem().string());
    if (is_init) wanted.modules.emplace();  // from . import name
    std::vector<fs::path> folders{folder};
    while (is_package(folders.back()) && folders.back() != folders.back().parent_path()) {
        wanted.modules.insert(folders.back().filename().string());  // package.module.name
        folders.push_back(folders.back().parent_path());
    }
    // Whoever imports it hands it on, so that those who import that one are asked too.
    std::set<std::string> passed;
    for (bool is_done = false; !is_done;) {
        is_done = true;
        for (const fs::path& each : folders) {
            for (const Neighbour& neighbour : in_folder(each.string())) {
                if (neighbour.path == file.string() || passed.contains(neighbour.path)) continue;
                if (!may_use(neighbour.text, neighbour.imports, wanted)) continue;
                if (!is_known || !is_known(neighbour.path)) return neighbour.path;
                passed.insert(neighbour.path);
                is_done = false;
                const fs::path one = neighbour.path;
                wanted.modules.insert(one.stem() == kPackage ? each.filename().string() : one.stem().string());
                if (one.stem() == kPackage) wanted.modules.emplace();
                for (const ImportLine& line : neighbour.imports) add_other_names(line.names, wanted);
            }
        }
    }
    return std::nullopt;
}

}  // namespace ptofix::fixing
