// What detectors find and rewriters make of it: plain values that name places by file and byte range. No user-visible
// text is in them: a Text names an entry of the message catalogue and carries the numbers that fill it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rules/evidence.h"
#include "text/range.h"

namespace ptofix::rules {

/// A byte range of one of the files of the trace (Trace::files).
struct Location {
    std::uint16_t file = 0;
    text::Range range;
    bool operator==(const Location&) const = default;
    auto operator<=>(const Location&) const = default;
};

enum class Severity : std::uint8_t { info, warning, error };

using DataValue = std::variant<std::int64_t, double, bool, std::string, std::vector<std::int64_t>>;
/// Numbers and names by key, in the order in which they are shown. The keys are part of the JSON contract.
class Data {
  public:
    Data& set(std::string key, DataValue value);
    const DataValue* find(std::string_view key) const;
    const std::vector<std::pair<std::string, DataValue>>& items() const { return items_; }
    bool operator==(const Data&) const = default;

  private:
    std::vector<std::pair<std::string, DataValue>> items_;
};

/// An entry of the message catalogue (rules/messages.h) with what fills its {placeholders}.
struct Text {
    std::string_view id;
    Data data;
    bool operator==(const Text&) const = default;
};

struct Related {
    Location location;
    Text text;
};

enum class Applicability : std::uint8_t { suggestion, unsafe, safe };

struct FileEdit {
    std::uint16_t file = 0;
    text::Range range;
    std::string text;
    bool operator==(const FileEdit&) const = default;
    auto operator<=>(const FileEdit&) const = default;
};

/// Edits that belong together: all or none is applied.
struct Fix {
    Applicability applicability = Applicability::safe;
    Text description;
    std::vector<FileEdit> edits;
    /// Fixes with the same non-empty key exclude each other in one round: they change the same thing from two sides
    /// (a kernel's signature and its callers).
    std::string isolation;
    /// The comments inside the edited ranges that the fix means to remove (with the statement they describe).
    bool removes_comments = false;
    /// The name by which other files may read what the edits change (a constant, a field); empty: no other file can.
    std::string read_as = {};
};

/// Why a finding has no fix that may be applied by itself, and the place that blocks it.
struct Blocked {
    Text reason;
    std::optional<Location> location;
};

struct Finding {
    std::string_view rule;  // "PTO201"
    Severity severity = Severity::warning;
    Location location;
    /// What the finding is about where one place can be about several things, such as a loop over weights. Findings of
    /// one rule at one place about one thing are one finding in several contexts.
    std::uint32_t subject = 0;
    Text message;  // its data is the finding's `data`
    std::vector<Related> related;
    Evidence evidence;
};

/// The message of a suppression that could be read and hides nothing.
inline constexpr std::string_view kUnusedSuppression = "PTO001.found.unused";

/// Whether its fix is written only where its rule is selected by name: what is an info may not be worth a change. Of an
/// unused suppression there is nothing else to be done.
inline bool waits_for_name(const Finding& finding) {
    return finding.severity == Severity::info && finding.message.id != kUnusedSuppression;
}

/// A rewriter's answer.
struct Rewrite {
    std::optional<Fix> fix;
    std::vector<Fix> alternatives;
    std::optional<Blocked> blocked;  // set when there is no safe fix: why
};

}  // namespace ptofix::rules
