// How much the traces of a run know of what kernels set; a site that several of them evaluate is counted once.
#pragma once

#include <map>
#include <string>

#include "report/trace_view.h"
#include "trace/trace.h"

namespace ptofix::cli {

class CoverageCount {
  public:
    explicit CoverageCount(std::string current_folder) : current_folder_(std::move(current_folder)) {}

    /// `path`: of the traced file, as it is shown.
    void add(const trace::Trace& trace, const std::string& path);
    /// Sites of the added files alone, by path and place.
    report::CoverageReport take();

  private:
    struct Key {
        std::string path;  // absolute
        std::uint32_t offset;
        std::uint8_t kind;
        auto operator<=>(const Key&) const = default;
    };
    struct Site {
        report::SettingView view;
        std::uint8_t best = 0;  // trace::Resolution
        bool counted = false;   // it stands in a file of the run
    };
    std::string current_folder_;
    std::size_t files_ = 0;
    std::map<Key, Site> sites_;
};

}  // namespace ptofix::cli
