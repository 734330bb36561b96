// The files of a run that are not in the trace, for the few rewriters whose fix reaches beyond it: a kernel's interface
// changes, and so do its calls wherever they are. Implemented by fixing/given_files.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/project.h"
#include "trace/site.h"

namespace ptofix::rewrites {

/// By what name others import the file, or the package of an __init__.py, or the folder.
std::string module_name(const std::string& path);

class OtherFiles {
  public:
    OtherFiles() = default;
    OtherFiles(const OtherFiles&) = delete;
    OtherFiles& operator=(const OtherFiles&) = delete;
    virtual ~OtherFiles() = default;

    struct Importer {
        std::string path;
        std::shared_ptr<const trace::SourceFile> file;  // as it is now; null: it cannot be parsed
        bool at_run_time = false;                       // it imports what a string says
        bool in_string = false;                         // one says where something of that name is
        bool by_other_name = false;                     // it imports the file by the name of a link to it
    };
    /// The files that may reach something of this name through the module at `path` (a file, or a package's folder
    /// without an __init__.py), in the order of their paths.
    virtual std::vector<Importer> importers(const std::string& path, std::string_view name, bool is_last) = 0;

    /// The files that call an attribute of this name, whatever it is an attribute of.
    virtual std::vector<Importer> attribute_callers(std::string_view name) = 0;

    enum class Means : std::uint8_t { no, yes, maybe };
    /// Does `import module`, written in that importer, mean the module at `path`? Maybe: nothing says what it means,
    /// and its last name is the same.
    virtual Means means(std::string_view module, const std::string& importer, const std::string& path) = 0;
    /// What the import of a module reads there; null: nothing that is known.
    virtual std::shared_ptr<const trace::SourceFile> import(std::string_view module, const std::string& importer) = 0;
    /// The same for every spelling of a path.
    virtual const std::string& key_of(const std::string& path) = 0;
    /// By what number edits and places name the file; it need not be in the trace.
    virtual trace::FileId number_of(const std::shared_ptr<const trace::SourceFile>& file) = 0;
};

}  // namespace ptofix::rewrites
