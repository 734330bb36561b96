#include "text/uri.h"

#include <fmt/format.h>

namespace ptofix::text {

namespace {

constexpr std::string_view kScheme = "file://";

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~/").find(c) != std::string_view::npos;
}

/// Percent signs that two digits follow stand for a byte.
std::string decoded(std::string_view uri) {
    std::string path;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
            path += static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2]));
            i += 2;
        } else {
            path += uri[i];
        }
    }
    return path;
}

}  // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
    constexpr std::string_view kName = "file:";  // in any case
    if (uri.size() < kName.size()) return std::nullopt;
    for (std::size_t i = 0; i < kName.size(); ++i) {
        const char c = uri[i] >= 'A' && uri[i] <= 'Z' ? static_cast<char>(uri[i] - 'A' + 'a') : uri[i];
        if (c != kName[i]) return std::nullopt;
    }
    uri.remove_prefix(kName.size());
    if (uri.starts_with("//")) {  // a host, which is empty or this one; without it the path begins at once
        const std::size_t slash = uri.find('/', 2);
        if (slash == std::string_view::npos) return std::nullopt;
        uri.remove_prefix(slash);
    }
    if (!uri.starts_with('/')) return std::nullopt;
    std::string path = decoded(uri.substr(0, uri.find_first_of("?#")));
    if (path.find('\0') != std::string::npos) return std::nullopt;
    return path;
}

std::string path_of_reference(std::string_view uri) {
    if (auto path = path_of_uri(uri)) return *std::move(path);
    return decoded(uri.substr(0, uri.find_first_of("?#")));
}

std::string uri_of_path(std::string_view path) {
    std::string uri(path.starts_with('/') ? kScheme : std::string_view{});
    for (const char c : path) {
        if (is_plain(c)) {
            uri += c;
        } else {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return uri;
}

}  // namespace ptofix::text
