#include "config/settings.h"

namespace ptofix::config {

fixing::Config settings(const FileConfig& file, const Overrides& overrides) {
    fixing::Config config;
    const std::string& soc = overrides.soc.empty() ? file.soc : overrides.soc;
    config.soc = hardware::soc_of_name(soc).value_or(hardware::Soc::a2a3);
    config.selected = overrides.selected.empty() ? file.selected : overrides.selected;
    config.ignored = file.ignored;
    config.ignored.insert(config.ignored.end(), overrides.ignored.begin(), overrides.ignored.end());
    for (const FileConfig::Severity& severity : file.severities) {
        config.severities.push_back({severity.rule, severity.severity});
    }
    config.legacy_frontend = file.legacy_frontend;
    config.assume = file.assume;
    return config;
}

}  // namespace ptofix::config
