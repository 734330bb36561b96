#include "cli/read_ahead.h"

#include <fcntl.h>

#include <expected>
#include <utility>

#include "fixing/analysis.h"
#include "text/disk_file.h"

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

ReadFile read_file(const config::InputPath& input) {
    return come_to(input, input.named ? text::Source::load(input.path) : text::Source::load_regular(input.path));
}

ReadFile read_bytes(const std::string& path, const std::string& bytes) {
    auto source = text::Source::from_bytes(path, bytes);
    if (!source) return {nullptr, std::move(source.error()), false};
    return keep_mention(std::move(*source));
}

void ReadAhead::read(const config::FoundFile& file) {
    ReadFile result = come_to(file.input, text::Source::load_regular(file.input.path, file.folder, file.name));
    const std::scoped_lock lock(mutex_);
    read_.emplace(file.input.path, std::move(result));
}

}  // namespace ptofix::cli
