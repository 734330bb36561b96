// The numbers of a document in its margin: what a tile call takes of each pool on hover and beside the call, how often
// an unroll list copies its body, what a kernel costs to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "budget/budget.h"
#include "fixing/analysis.h"
#include "lsp/client.h"
#include "text/range.h"

namespace ptofix::lsp {

class Numbers {
  public:
    /// The analysis has its trace, which is left as it was.
    Numbers(fixing::Analysis& analysis, hardware::Soc soc, const ClientCapabilities& client, rules::Language language);

    /// In Markdown, and the range it is about: the tile call at the offset. Nothing: there is none.
    std::optional<std::pair<std::string, text::Range>> tile_at(std::uint32_t offset) const;
    /// The tables of all tile calls of the document, in Markdown.
    std::string page() const;
    Json inlay_hints(text::Range within) const;
    Json code_lenses(const std::string& uri) const;

  private:
    std::optional<text::Range> place(trace::Site site) const;
    std::string words(std::string_view id, rules::Data data = {}) const;
    std::string table(const budget::KernelBudget& kernel, const budget::TileBudget& tile) const;

    const trace::Trace& trace_;
    const text::LineIndex& lines_;
    std::vector<budget::KernelBudget> kernels_;
    const ClientCapabilities& client_;
    rules::Language language_;
};

}  // namespace ptofix::lsp
