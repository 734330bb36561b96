// An analysis as bytes, and back. Left out are its trace, its syntax tree and the evidence of its findings: what
// follows an analysis (merging, applying, reporting) reads none of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/digest.h"
#include "fixing/analysis.h"
#include "trace/project.h"

namespace ptofix::cache {

/// An import that the analysis followed, and the text that it found there.
struct ImportRecord {
    std::string module, importer_path;
    std::string path;  // empty: no file of the project
    Digest text;       // of the file
    bool operator==(const ImportRecord&) const = default;
};

/// Nothing if it cannot be kept: something in it failed, or an imported file could not be read.
std::optional<std::string> to_record(const fixing::Analysis& analysis, const std::vector<trace::Import>& imports);

/// The files of a run, each read once.
using Reader = std::function<std::shared_ptr<const text::Source>(const std::string& path)>;
/// Does the import still mean this?
using ImportCheck = std::function<bool(const ImportRecord&)>;

/// The analysis of `source` that the record was made of. Nothing if the bytes are no record, name what this program
/// does not know, or rest on an import for which `holds` says no.
std::optional<fixing::Analysis> from_record(std::string_view bytes, std::shared_ptr<const text::Source> source,
                                            const ImportCheck& holds, const Reader& read);

}  // namespace ptofix::cache
