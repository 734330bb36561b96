#include "cli/shown.h"

#include <filesystem>

#include "rules/messages.h"

namespace ptofix::cli {

namespace {

std::string_view message_of(trace::UnknownReason::Why why) {
    using Why = trace::UnknownReason::Why;
    switch (why) {
        case Why::not_given:
            return "unknown.not_given";
        case Why::external_call:
        case Why::library_value:
            return "unknown.external_call";
        case Why::unsupported:
            return "unknown.unsupported";
        case Why::joined:
            return "unknown.joined";
        case Why::undefined_name:
            return "unknown.undefined_name";
        case Why::budget:
            return "unknown.budget";
        case Why::runtime_value:
            return "unknown.runtime_value";
        case Why::error:
            return "unknown.error";
        case Why::recursion:
            break;
    }
    return "unknown.recursion";
}

}  // namespace

std::string reason_text(trace::UnknownReason::Why why, const std::string& detail, rules::Language language) {
    return rules::render({message_of(why), rules::Data().set("detail", detail)}, language);
}

std::string shown_path(const std::string& path, const std::string& current_folder) {
    return path.starts_with(current_folder) ? path.substr(current_folder.size()) : path;
}

std::string current_folder() {
    std::error_code ignored;
    const std::string folder = std::filesystem::current_path(ignored).string();
    return folder.ends_with('/') ? folder : folder + '/';
}

}  // namespace ptofix::cli
