#include "cli/problems.h"

#include <catch2/catch.hpp>

using namespace ptofix;
using cli::problem_of;
using rules::Language;

TEST_CASE("what could not be written is told with the path that was given and the system's words") {
    using Kind = text::WriteError::Kind;
    const text::WriteError full{Kind::no_space, "rename: No space left on device", "/real/k.py", {}};
    const report::Problem problem = problem_of("k.py", full, Language::en);
    CHECK(problem.kind == "no-space");
    CHECK(problem.path == "k.py");
    CHECK(problem.message == "k.py: not written: no space left (rename: No space left on device)");
    CHECK(problem_of("k.py", full, Language::zh).message == "k.py：未写入：空间不足（重命名：设备空间不足）");
}

TEST_CASE("an old text that could not be put back is never lost from sight") {
    using Kind = text::WriteError::Kind;
    const text::WriteError lost{Kind::failed, "write: Input/output error", "/real/k.py", "/real/.pto-fix-1.tmp"};
    for (const Language language : {Language::en, Language::zh}) {
        const report::Problem problem = problem_of("k.py", lost, language);
        CHECK(problem.kind == "left-in-backup");
        CHECK(problem.message.find("/real/.pto-fix-1.tmp") != std::string::npos);
    }
}
