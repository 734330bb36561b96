#include "git/ignore_names.h"

#include <fnmatch.h>
#include <strings.h>

#include <algorithm>
#include <string>

namespace ptofix::git {

namespace {

/// Escapes, classes and negated sets are libgit2's to understand.
bool is_involved(std::string_view component) {
    return component.find('\\') != std::string_view::npos || component.find("[^") != std::string_view::npos ||
           component.find("[!") != std::string_view::npos || component.find("[[") != std::string_view::npos;
}

char lower(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view last_component(std::string_view& path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    path.remove_suffix(path.size() - (slash == std::string_view::npos ? 0 : slash));
    return name;
}

}  // namespace

IgnoreNames::Component::Component(std::string_view component) : text(component), kind(Kind::glob) {
    if (is_involved(component)) {
        kind = Kind::involved;
    } else if (component.find_first_of("?[") == std::string_view::npos) {
        const auto stars = std::ranges::count(component, '*');
        if (stars < 2) kind = stars == 0 ? Kind::plain : Kind::one_star;
        if (stars < 2 && !component.ends_with('*')) last = lower(component.back());
    }
}

bool IgnoreNames::Component::may_match(const std::string& name) const {
    if (last != 0 && (name.empty() || lower(name.back()) != last)) return false;
    switch (kind) {
        case Kind::plain:
            return text.size() == name.size() && ::strcasecmp(text.c_str(), name.c_str()) == 0;
        case Kind::one_star: {
            const std::size_t before = text.find('*'), behind = text.size() - before - 1;
            return name.size() >= before + behind && ::strncasecmp(text.c_str(), name.c_str(), before) == 0 &&
                   ::strcasecmp(text.c_str() + before + 1, name.c_str() + name.size() - behind) == 0;
        }
        case Kind::glob:
            return ::fnmatch(text.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
        case Kind::involved:
            break;
    }
    return true;
}

void IgnoreNames::add(std::string_view text, std::string_view folder) {
    while (folder.ends_with('/')) folder.remove_suffix(1);
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        // Blanks at the end mean nothing unless escaped; where they do, the component has a backslash.
        while (line.ends_with(' ') || line.ends_with('\r') || line.ends_with('\t')) line.remove_suffix(1);
        while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
        if (line.empty() || line.starts_with('#') || line.starts_with('!')) continue;
        // A slash elsewhere than at the end ties a pattern to the folder.
        const bool is_tied = line.substr(0, line.find_last_not_of('/') + 1).find('/') != std::string_view::npos;
        Pattern pattern;
        bool is_open = !is_tied;
        while (!line.empty()) {
            const std::string_view component = last_component(line);
            is_open = is_open || component == "**";
            if (component.empty() || component == "**") break;
            pattern.components.emplace_back(component);
        }
        if (!is_open) pattern.folder = folder;
        if (std::ranges::find(patterns_, pattern) == patterns_.end()) patterns_.push_back(std::move(pattern));
    }
}

bool IgnoreNames::may_mean(std::string_view path) const {
    std::vector<std::string> names;         // as far as a pattern has asked
    std::vector<std::string_view> folders;  // that each of them is in
    return std::ranges::any_of(patterns_, [&](const Pattern& pattern) {
        const std::vector<Component>& components = pattern.components;
        for (std::size_t i = 0; i < components.size(); ++i) {
            if (i == names.size()) {
                names.emplace_back(last_component(path));
                folders.push_back(path);
            }
            if (!components[i].may_match(names[i])) return false;
        }
        return pattern.folder.empty() || components.empty() || folders[components.size() - 1] == pattern.folder;
    });
}

}  // namespace ptofix::git
