#include "lsp/python_files.h"

#include "config/discovery.h"
#include "config/file_config.h"
#include "text/notebook.h"

namespace ptofix::lsp {

std::vector<std::string> python_files(const std::vector<std::string>& roots) {
    std::vector<std::string> paths;
    for (const config::InputPath& file : config::discover(roots).files) {
        if (!text::is_notebook_path(file.path)) paths.push_back(config::absolute_path(file.path));
    }
    return paths;
}

}  // namespace ptofix::lsp
