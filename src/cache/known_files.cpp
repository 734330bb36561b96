#include "cache/known_files.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

namespace ptofix::cache {

namespace {

// Some file systems count in two seconds.
constexpr std::chrono::nanoseconds kSettled = std::chrono::seconds(3);

/// As it is written down: no padding.
struct Line {
    std::uint64_t device, inode, size;
    std::int64_t modified_ns, changed_ns;
    Digest digest;
    std::uint64_t use;
};

/// Is the file on a local file system that keeps the time of an inode's change? Others give that of the file's, which
/// programs set, or remember for a while what a server has said.
bool keeps_times(const std::string& path) {
    constexpr std::array kKinds = {0xEF53L /* ext2 to ext4 */, 0x58465342L /* XFS */,      0x9123683EL /* Btrfs */,
                                   0xF2F52010L /* F2FS */,     0xCA451A4EL /* bcachefs */, 0x2FC12FC1L /* ZFS */,
                                   0x01021994L /* tmpfs */,    0x858458F6L /* ramfs */,    0x794C7630L /* overlayfs */};
    struct statfs status{};
    return ::statfs(path.c_str(), &status) == 0 &&
           std::ranges::find(kKinds, static_cast<std::int64_t>(status.f_type)) != kKinds.end();
}

bool is_unchanged(const text::FileIdentity& now, const text::FileIdentity& then) {
    return now == then && now.changed_ns == then.changed_ns;
}

}  // namespace

void KnownFiles::read(std::string_view bytes) {
    if (bytes.size() % sizeof(Line) != 0) return;
    files_.reserve(bytes.size() / sizeof(Line));
    for (; !bytes.empty(); bytes.remove_prefix(sizeof(Line))) {
        Line line;
        std::memcpy(&line, bytes.data(), sizeof line);
        if (line.use > static_cast<std::uint64_t>(KnownText::Use::analysed)) continue;
        Known& known = files_[{line.device, line.inode}];
        known.file = {line.device, line.inode, line.size, line.modified_ns, line.changed_ns};
        known.text = {static_cast<KnownText::Use>(line.use), line.digest};
    }
}

std::optional<KnownText> KnownFiles::find(const text::FileIdentity& file) const {
    const auto at = files_.find({file.device, file.inode});
    if (at == files_.end() || !is_unchanged(file, at->second.file)) return std::nullopt;
    at->second.found = true;
    return at->second.text;
}

bool KnownFiles::covers(const text::Source& source) {
    return source.identity() && !source.is_notebook() && source.encoding_name() == "utf-8";
}

void KnownFiles::note(const std::string& path, const text::FileIdentity& file, const KnownText& text) {
    if (std::max(file.modified_ns, file.changed_ns) > (now_ - kSettled).count()) return;
    if (const auto known = find(file); known && known->use == text.use) return;
    const std::scoped_lock lock(mutex_);
    const auto [device, fresh] = relied_on_.try_emplace(file.device);
    if (fresh) device->second = keeps_times(path);
    if (device->second) news_.emplace_back(file, text);
}

std::string KnownFiles::bytes() const {
    std::string bytes;
    std::unordered_set<text::FileKey, text::FileKeyHash> written;
    const auto write = [&](const text::FileIdentity& file, const KnownText& text) {
        if (!written.insert({file.device, file.inode}).second) return;
        const Line line{file.device,
                        file.inode,
                        file.size,
                        file.modified_ns,
                        file.changed_ns,
                        text.digest,
                        static_cast<std::uint64_t>(text.use)};
        bytes.append(reinterpret_cast<const char*>(&line), sizeof line);
    };
    for (auto news = news_.rbegin(); news != news_.rend(); ++news) write(news->first, news->second);  // the last counts
    for (const auto& [key, known] : files_) {
        if (known.found) write(known.file, known.text);
    }
    return bytes;
}

}  // namespace ptofix::cache
