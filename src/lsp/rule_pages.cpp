#include "lsp/rule_pages.h"

#include <filesystem>

#include "text/uri.h"

namespace ptofix::lsp {

namespace {

namespace fs = std::filesystem;

std::string find_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return {};
    const fs::path installed = program.parent_path().parent_path() / "share" / "doc" / "pto-fix" / "rules";
    if (fs::is_directory(installed, error)) return installed.string();
    // A build folder lies one or two levels below the project.
    fs::path folder = program.parent_path();
    for (int level = 0; level < 3 && folder.has_relative_path(); ++level, folder = folder.parent_path()) {
        if (fs::is_regular_file(folder / "docs" / "rules" / "README.md", error)) {
            return (folder / "docs" / "rules").string();
        }
    }
    return {};
}

}  // namespace

std::string page_uri(std::string_view rule, rules::Language language) {
    static const std::string folder = find_folder();
    if (folder.empty()) return {};
    std::error_code error;
    std::string name(rule);
    if (language == rules::Language::zh && fs::is_regular_file(folder + "/" + name + ".zh.md", error)) name += ".zh";
    return text::uri_of_path(folder + "/" + name + ".md");
}

}  // namespace ptofix::lsp
