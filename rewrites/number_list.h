// A list of integers as it is written: [128, 1], (128, 1), {128, 1} or 128, 1; on one line or one number a line, with
// comments. Makes the edits that turn it into another list and leave what stays as it is. Used by rewriters of unroll
// lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

class NumberList {
  public:
    /// nullopt: the value was not written as a display of numbers and module constants, or was changed since.
    static std::optional<NumberList> read(const trace::Trace& trace, const trace::Value& list);

    /// The edits that make it hold exactly these numbers, which are given in descending order and are not empty. A list
    /// that is written in ascending order stays in it.
    std::vector<rules::FileEdit> edits_to(std::vector<std::int64_t> numbers) const;

    trace::Site site() const { return site_; }

  private:
    struct Element {
        text::Range range;
        std::int64_t value = 0;
    };

    std::vector<rules::FileEdit> edits_without_breaks(std::vector<std::int64_t> numbers) const;
    std::string blanks_up_to(std::uint32_t offset) const;
    std::optional<rules::FileEdit> argument_on_own_line() const;
    void break_long_line(std::vector<rules::FileEdit>& edits) const;
    void insert_before(std::size_t element, const std::vector<std::int64_t>& numbers,
                       std::vector<rules::FileEdit>& out) const;
    void append(const std::vector<std::int64_t>& numbers, std::vector<rules::FileEdit>& out) const;
    std::string joined(const std::vector<std::int64_t>& numbers) const;
    std::uint32_t line_of(std::uint32_t offset) const;
    bool ends_its_line(std::uint32_t offset) const;

    const trace::SourceFile* file_ = nullptr;
    trace::Site site_;
    std::vector<Element> elements_;
    std::optional<text::Range> last_comma_;  // behind the last element
    bool one_a_line_ = false;
    std::string separator_;
};

}  // namespace ptofix::rewrites
