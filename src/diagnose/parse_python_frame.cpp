// `File "ops/kernel.py", line 42, in kernel` of a traceback.
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

std::optional<PythonFrame> parse_python_frame(std::string_view line) {
    constexpr std::string_view kFile = "File \"";
    const std::size_t at = line.find(kFile);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = line.substr(at + kFile.size());
    const std::size_t end = rest.find("\", line ");
    if (end == std::string_view::npos) return std::nullopt;
    PythonFrame frame;
    frame.file = rest.substr(0, end);
    const auto number = number_after(rest.substr(end), "line ");
    if (!number || *number <= 0 || frame.file.empty()) return std::nullopt;
    frame.line = *number;
    frame.function = behind(rest.substr(end), ", in ");
    return frame;
}

}  // namespace ptofix::diagnose
