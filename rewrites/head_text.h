// The words for a batch of heads, in the author's own: how many, how many rows and columns, what a slice was cut from.
// Private to the rewriter of batched matmuls.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rewrites/head_batch.h"
#include "rewrites/liveness.h"
#include "rewrites/names.h"
#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

class HeadText {
  public:
    /// numbers: names that the body binds to numbers that depend on the index, with the expression; read when asked.
    HeadText(const trace::Trace& trace, trace::LoopId loop, const std::map<std::string_view, syntax::NodeId>& numbers);

    bool is_bound_in_body(std::string_view name) const;
    /// Does the expression name anything that the body binds, the index included?
    bool mentions_body(syntax::NodeId node) const;
    /// The expression a view, slice or reshape is made from: `x` of view(x, ...), x.view(...), x[...]; or kNoNode.
    syntax::NodeId cut_from(syntax::NodeId node) const;
    /// The framework's function of that name, "assemble", is what the call calls.
    bool calls(syntax::NodeId call, std::string_view function) const;
    /// How this file calls the framework's reshape.
    std::string reshape_name() const;
    /// The dims of a parameter as its annotation writes them, when the names there mean the same in the kernel's body;
    /// as numbers otherwise.
    std::vector<std::string> declared_dims(trace::TensorId tensor) const;
    /// The matrices of all heads: the tensor that `cut` takes one from, reshaped where it has another shape.
    std::optional<std::string> slice_text(syntax::NodeId expression, syntax::NodeId cut, const HeadValue& head) const;

  private:
    bool is_simple(syntax::NodeId node) const;
    bool is_visible(syntax::NodeId expression) const;
    syntax::NodeId shape_display(syntax::NodeId spec) const;
    std::string heads_text() const;
    std::string shape_item(syntax::NodeId node, std::size_t from_end) const;
    std::string rows_text(syntax::NodeId expression, syntax::NodeId cut, const HeadValue& head) const;

    const trace::Trace& trace_;
    const trace::Loop& loop_;
    const trace::SourceFile& file_;
    const FrameworkNames names_{file_};
    const syntax::Tree& tree_;
    const std::string_view target_;
    const std::map<std::string_view, syntax::NodeId>& numbers_;
    const std::vector<Binding> bound_;
};

}  // namespace ptofix::rewrites
