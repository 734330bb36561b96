#include "cli/read_ahead.h"

#include <fcntl.h>

#include <exception>
#include <utility>

#include "fixing/analysis.h"
#include "text/disk_file.h"
#include "text/large_pages.h"

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

}  // namespace

ReadFile read_file(const config::InputPath& input) {
    auto loaded = input.named ? text::Source::load(input.path) : text::Source::load_regular(input.path);
    if (loaded) return keep_mention(std::move(*loaded));
    // A folder may hold files that are no business of ours; a file that cannot be opened may be one of them or not.
    const bool opened = loaded.error().kind != text::LoadError::Kind::not_readable &&
                        loaded.error().kind != text::LoadError::Kind::too_large;
    if (!input.named && opened && !bytes_mention_pypto(input.path)) return {};
    return {nullptr, std::move(loaded.error()), false};
}

ReadFile read_bytes(const std::string& path, const std::string& bytes) {
    auto source = text::Source::from_bytes(path, bytes);
    if (!source) return {nullptr, std::move(source.error()), false};
    return keep_mention(std::move(*source));
}

ReadAhead::~ReadAhead() {
    stop();
}

void ReadAhead::want(const config::InputPath& input) {
    {
        const std::scoped_lock lock(mutex_);
        wanted_.push_back(input);
    }
    if (thread_.joinable()) {
        has_more_.notify_one();
    } else if (may_start_ && wanted_.size() >= kFilesWorthAThread) {
        thread_ = std::jthread([this] { run(); });
    }
}

void ReadAhead::run() {
    text::prefer_large_pages();
    std::unique_lock lock(mutex_);
    while (true) {
        has_more_.wait(lock, [&] { return is_over_ || !wanted_.empty(); });
        if (is_over_) return;
        const config::InputPath input = std::move(wanted_.front());
        wanted_.pop_front();
        lock.unlock();
        try {
            read_.emplace(input.path, read_file(input));
        } catch (const std::exception&) {  // whoever reads it then is told
            return;
        }
        lock.lock();
    }
}

void ReadAhead::stop() {
    {
        const std::scoped_lock lock(mutex_);
        is_over_ = true;
    }
    has_more_.notify_one();
    if (thread_.joinable()) thread_.join();
}

std::unordered_map<std::string, ReadFile> ReadAhead::take() {
    stop();
    return std::move(read_);
}

}  // namespace ptofix::cli
