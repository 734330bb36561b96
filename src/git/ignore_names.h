// Which paths the patterns of ignore files can mean at all, judged generously by the ends of both: who asks libgit2
// about these alone gets the same answers, and most walks need not ask at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::git {

class IgnoreNames {
  public:
    /// The lines of an ignore file, and the folder that they are about.
    void add(std::string_view text, std::string_view folder);
    /// False: no pattern ignores this path itself. What is in an ignored folder is not found by its own name.
    bool may_mean(std::string_view path) const;
    bool empty() const { return patterns_.empty(); }

  private:
    struct Component {
        enum class Kind : std::uint8_t {
            plain,     // a name
            one_star,  // and nothing else that is special
            glob,
            involved,  // libgit2's to understand
        };
        explicit Component(std::string_view component);

        std::string text;
        Kind kind;
        char last = 0;  // of the names that it may match, in lower case; 0: any
        bool operator==(const Component&) const = default;
        bool may_match(const std::string& name) const;
    };
    struct Pattern {
        std::vector<Component> components;  // the last one first, up to the first `**`
        std::string folder;                 // that the first of them is in; empty: any
        bool operator==(const Pattern&) const = default;
    };
    std::vector<Pattern> patterns_;
};

}  // namespace ptofix::git
