// What the tests of detectors and rewriters share: a kernel as text, traced, with one rule's findings and rewrites.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/detectors.h"
#include "rewrites/rewrites.h"
#include "rules/finding.h"
#include "text/edit.h"
#include "trace/tracer.h"

namespace ptofix::test {

struct Traced {
    trace::Project project;
    std::shared_ptr<const trace::SourceFile> file;
    std::unique_ptr<trace::Trace> trace;

    explicit Traced(std::string text) {
        auto source = text::Source::from_bytes("kernel.py", std::move(text));
        REQUIRE(source);
        auto parsed = project.parse(std::make_shared<const text::Source>(*source));
        REQUIRE(parsed);
        file = *parsed;
        trace = trace::trace_file(project, file, {});
    }

    std::vector<rules::Finding> find(detectors::Detector detector) const {
        std::vector<rules::Finding> found;
        detector(*trace, {}, found);
        return found;
    }
    std::uint32_t line(const rules::Location& location) const {
        return trace->files[location.file]->lines.position(location.range.start).line;
    }
    std::string apply(const rules::Fix& fix) const {
        std::vector<text::Edit> edits;
        for (const rules::FileEdit& e : fix.edits) edits.push_back({e.range, e.text});
        const auto sorted = text::Edits::make(std::move(edits), file->text().size());
        REQUIRE(sorted);
        return sorted->apply(file->text());
    }
};

}  // namespace ptofix::test
