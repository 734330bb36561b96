#include "rewrites/stitch_number.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "rewrites/lines.h"
#include "rewrites/literal.h"
#include "rewrites/runtime_option.h"
#include "syntax/integer_literal.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using trace::KernelTrace;
using trace::Site;
using trace::Trace;

constexpr std::string_view kArgument = "runtime_options";

/// Who else takes the number: a kernel that is not heavy, one that was not traced, or other code.
std::optional<Blocked> other_user(const Trace& trace, Site number, const rules::StitchEvidence& evidence) {
    const std::vector<LiteralUse> uses = uses_of_literal(trace, number);
    if (evidence.content) {
        // That kernel and the heavy one may get it at one place.
        return used_elsewhere(trace, number, trace.kernels[*evidence.content].function->jit_site,
                              std::max<std::size_t>(uses.size(), 2));
    }
    for (const LiteralUse& use : uses) {
        const bool is_option = use.keyword == kArgument && use.path == std::vector{std::string(kStitchNumber)};
        // Those that take it have reason to, as the evidence says. A kernel that was traced and never got this number
        // got another one under the same name.
        const auto is_kernel = [&](const KernelTrace& kernel) { return makes_kernel(trace, kernel, use.call); };
        if (is_option && std::ranges::any_of(trace.kernels, is_kernel)) continue;
        return used_elsewhere(trace, number, use.site, uses.size());
    }
    return std::nullopt;
}

}  // namespace

std::expected<StitchEdit, Blocked> edit_stitch_number(const Trace& trace, const rules::StitchEvidence& evidence,
                                                      const rules::Location& place) {
    const Site number{evidence.value_file, evidence.value_node};
    if (!number.known()) return std::unexpected(Blocked{{"blocked.literal_unknown", {}}, place});
    const trace::SourceFile& file = *trace.files[number.file];
    const text::Range range = file.tree.range(number.node);
    if (file.tree.kind(number.node) != syntax::Kind::integer ||
        syntax::integer_literal(file.text(number.node)) != evidence.value) {
        return std::unexpected(Blocked{{"blocked.literal_computed", {}}, rules::Location{number.file, range}});
    }
    if (auto blocked = other_user(trace, number, evidence)) return std::unexpected(std::move(*blocked));
    return StitchEdit{replacement(number.file, range, std::to_string(evidence.proposed)),
                      shared_name_of_literal(trace, number)};
}

}  // namespace ptofix::rewrites
