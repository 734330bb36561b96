// What a trace says, as the report shows it: places as paths and lines, numbers as text, reasons in words.
#pragma once

#include <string>

#include "report/trace_view.h"
#include "rules/catalogue.h"
#include "trace/trace.h"

namespace ptofix::cli {

struct TraceViewOptions {
    rules::Language language = rules::Language::en;
    std::string path;            // of the analysed file, as it is shown
    std::string current_folder;  // other files are shown relative to it
    bool all_unknowns = false;
};

report::TraceReport view_of(const trace::Trace& trace, const TraceViewOptions& options);

}  // namespace ptofix::cli
