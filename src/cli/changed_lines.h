// --since and --staged: which lines of which files have changed, asked of texts that fixes go on changing.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/source.h"

namespace ptofix::cli {

class ChangedLines {
  public:
    /// A file that has changed, by its path without links. `before`: its bytes before; nothing: all of it is new.
    void add(std::string path, std::optional<std::string> before);
    bool has_changed(const std::string& path) const { return before_.contains(real(path)); }

    /// Do the lines of this range, in the text as it is now, hold one that was not there before? Lines that a fix wrote
    /// count as changed. What was only deleted touches nothing. May be asked by several threads.
    bool touch(const text::Source& now, text::Range range) const;

  private:
    const std::string& real(const std::string& path) const;
    const std::vector<text::Range>& changed(const text::Source& now, const std::optional<std::string>& before) const;

    std::map<std::string, std::optional<std::string>> before_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::string, std::string> real_paths_;
    struct Known {
        text::Source source;
        std::vector<text::Range> ranges;
    };
    mutable std::map<const void*, Known> known_;  // by the text's place, which the source keeps
};

}  // namespace ptofix::cli
