#include "fixing/importers.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>

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

std::size_t longest(const fs::path& path) {
    return text::is_notebook_path(path.native()) ? text::kMaxNotebookBytes : kLongestNeighbour;
}

/// Is the module's name on a line that imports it, by statement or by call?
bool imports(std::string_view text, std::string_view module) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (!text::has_word(line, module)) continue;
        const std::string_view code = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
        const bool statement =
            code.starts_with("import ") || (code.starts_with("from ") && text::has_word(code, "import"));
        if (statement || text::has_word(code, "import_module") || text::has_word(code, "__import__")) return true;
    }
    return false;
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
        if (path.extension() == ".py" || text::is_notebook_path(path.native())) paths.push_back(path);
    }
    std::ranges::sort(paths);
    if (paths.size() > kMostNeighbours) paths.resize(kMostNeighbours);
    for (const fs::path& path : paths) {
        const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        std::string bytes;
        if (!file.is_open() || text::read_all(file.get(), longest(path), bytes) != 0) continue;
        if (text::has_part(bytes, "import") && text::is_notebook_path(path.native())) bytes = code_of(bytes);
        if (text::has_part(bytes, "import")) at->second.push_back({path.string(), std::move(bytes)});
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
    const std::string module = file.stem() == "__init__" ? folder.filename().string() : file.stem().string();
    std::vector<fs::path> folders{folder};
    if (is_package(folder)) folders.push_back(folder.parent_path());
    for (const fs::path& each : folders) {
        for (const Neighbour& neighbour : in_folder(each.string())) {
            if (neighbour.path == file.string()) continue;
            if (!text::has_word(neighbour.text, name) || !imports(neighbour.text, module)) continue;
            if (!is_known || !is_known(neighbour.path)) return neighbour.path;
        }
    }
    return std::nullopt;
}

}  // namespace ptofix::fixing
