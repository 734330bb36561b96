// A finding in a file that several parts of a run analysed is told by each of them. Which one stays, for merged reports
// of every format: the most severe, then the one of the file's own analysis, then the first. Only for this folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ptofix::report {

class Repeated {
  public:
    /// Rule, path, first and last line and column.
    using Place = std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

    /// The next finding, of this part. Two of one part at one place are two.
    void add(const Place& place, std::size_t part, int severity, bool of_own_file);
    /// By the order in which they were added: is there a better one?
    const std::vector<bool>& is_dropped() const { return dropped_; }

  private:
    struct Holder {
        std::size_t finding = 0;
        std::pair<int, bool> worth;
    };
    std::map<std::pair<Place, std::uint32_t>, Holder> kept_;
    std::map<std::pair<Place, std::size_t>, std::uint32_t> seen_;  // by part
    std::vector<bool> dropped_;
};

}  // namespace ptofix::report
