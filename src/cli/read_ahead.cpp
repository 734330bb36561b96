#include "cli/read_ahead.h"

#include <fcntl.h>

#include <expected>
#include <utility>

#include "config/folders.h"
#include "fixing/analysis.h"
#include "text/disk_file.h"
#include "text/notebook.h"

namespace ptofix::cli {

namespace {

/// In any encoding: in those of two and four bytes a character, the others of an ASCII letter are zero.
bool bytes_mention_pypto(const std::string& path) {
    const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    std::string bytes;
    if (!file.is_open() || text::read_all(file.get(), text::max_bytes(path), bytes) != 0) return false;
    std::erase(bytes, '\0');
    return fixing::mentions_pypto(bytes);
}

ReadFile keep_mention(text::Source source) {
    ReadFile result;
    result.mentions = fixing::mentions_pypto(source.text());
    result.identity = source.identity();
    if (result.mentions) result.source = std::make_shared<const text::Source>(std::move(source));
    return result;
}

ReadFile come_to(const config::InputPath& input, std::expected<text::Source, text::LoadError> loaded) {
    if (loaded) return keep_mention(std::move(*loaded));
    // A folder may hold files that are no business of ours; a file that cannot be opened may be one of them or not.
    const bool opened = loaded.error().kind != text::LoadError::Kind::not_readable &&
                        loaded.error().kind != text::LoadError::Kind::too_large;
    if (!input.named && opened && !bytes_mention_pypto(input.path)) return {};
    return {nullptr, std::move(loaded.error()), false};
}

}  // namespace

ReadFile read_named(const std::string& path) {
    return come_to({path, true}, text::Source::load(path));
}

ReadFile read_bytes(const std::string& path, const std::string& bytes) {
    auto source = text::Source::from_bytes(path, bytes);
    if (!source) return {nullptr, std::move(source.error()), false};
    return keep_mention(std::move(*source));
}

std::optional<ReadFile> ReadAhead::as_known(const std::string& path, int folder, const std::string& name) const {
    if (known_ == nullptr || known_->is_empty() || text::is_notebook_path(path)) return std::nullopt;
    struct stat status{};
    if (::fstatat(folder, name.c_str(), &status, 0) != 0) return std::nullopt;
    const text::FileIdentity identity = text::identity_of(status);
    const auto text = known_->find(identity);
    if (!text) return std::nullopt;
    ReadFile result;
    result.identity = identity;
    result.mentions = text->use != cache::KnownText::Use::none;
    if (result.mentions) result.source = std::make_shared<const text::Source>(text::Source::unread(path, identity));
    return result;
}

ReadFile ReadAhead::read_in(int folder, const std::string& name, const std::string& path) {
    if (auto known = as_known(path, folder, name)) return *std::move(known);
    auto loaded = text::Source::load_regular(path, folder, name);
    if (!loaded || known_ == nullptr) return come_to({path, false}, std::move(loaded));
    const text::Source source = *loaded;
    ReadFile result = come_to({path, false}, std::move(loaded));
    if (cache::KnownFiles::covers(source)) {
        using Use = cache::KnownText::Use;
        known_->note(path, *source.identity(),
                     result.mentions ? cache::KnownText{Use::mentions}
                                     : cache::KnownText{Use::none, cache::digest_of(source.bytes())});
    }
    return result;
}

ReadFile ReadAhead::read(const std::string& path) {
    return read_in(AT_FDCWD, path, path);
}

void ReadAhead::read(const config::SearchedFolder& folder, const std::function<bool(std::size_t)>& wants) {
    const std::string prefix = config::prefix_of(folder.path);
    std::vector<std::pair<std::string, ReadFile>> results;
    for (std::size_t i = 0; i < folder.files.size(); ++i) {
        if (!wants(i)) continue;
        const std::string& name = folder.files[i];
        std::string path = prefix + name;
        ReadFile result = read_in(folder.opened, name, path);
        results.emplace_back(std::move(path), std::move(result));
    }
    const std::scoped_lock lock(mutex_);
    for (auto& [path, result] : results) read_.emplace(std::move(path), std::move(result));
}

}  // namespace ptofix::cli
