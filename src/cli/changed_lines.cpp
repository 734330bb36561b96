#include "cli/changed_lines.h"

#include <algorithm>

#include "config/file_config.h"
#include "git/repository.h"
#include "text/diff.h"

namespace ptofix::cli {

void ChangedLines::add(std::string path, std::optional<std::string> before) {
    before_.insert_or_assign(std::move(path), std::move(before));
}

const std::string& ChangedLines::real(const std::string& path) const {
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = real_paths_.try_emplace(path);
    if (fresh) at->second = git::real_path(config::absolute_path(path));
    return at->second;
}

const std::vector<text::Range>& ChangedLines::changed(const text::Source& now,
                                                      const std::optional<std::string>& before) const {
    const std::scoped_lock lock(mutex_);
    const auto found = known_.find(now.text().data());
    if (found != known_.end()) return found->second.ranges;
    std::vector<text::Range> ranges;
    // What could not be read before is new as a whole.
    const auto old = before ? now.with_bytes(*before) : std::unexpected(text::LoadError{});
    if (old) {
        ranges = text::changed_lines(old->text(), now.text());
    } else {
        ranges.push_back({0, static_cast<std::uint32_t>(now.text().size())});
    }
    return known_.emplace(now.text().data(), Known{now, std::move(ranges)}).first->second.ranges;
}

bool ChangedLines::touch(const text::Source& now, text::Range range) const {
    const auto file = before_.find(real(now.path()));
    if (file == before_.end()) return false;
    const std::vector<text::Range>& ranges = changed(now, file->second);
    const std::string_view text = now.text();
    const std::size_t before = range.start == 0 ? std::string_view::npos : text.rfind('\n', range.start - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    // A range that ends behind a line's end does not reach into the next one.
    const std::size_t last = range.empty() ? range.end : range.end - 1;
    const std::size_t end = std::min(text.find('\n', last), text.size() - 1) + 1;
    return std::ranges::any_of(ranges, [&](const text::Range& r) { return r.start < end && start < r.end; });
}

}  // namespace ptofix::cli
