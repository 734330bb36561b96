#include "cache/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "text/disk_file.h"

namespace ptofix::cache {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestRecord = std::size_t{64} << 20U;
// So many files take longer to open than a pack of them takes to write.
constexpr std::size_t kWorthPacking = 16;
constexpr std::time_t kDay = std::time_t{24} * 60 * 60;
constexpr std::time_t kUnusedFor = 14 * kDay;
// By which backup programs know that this can be made again (bford.info/cachedir).
constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n# What pto-fix keeps between runs; it may be removed at any time.\n";

std::time_t now() {
    return std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
}

/// Under another name first: who reads the path sees all of it or none.
bool write_whole(const std::string& path, std::string_view bytes) {
    static std::atomic<unsigned> next{0};
    const std::string temporary = fmt::format("{}.{}.{}", path, ::getpid(), next++);
    const text::FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.is_open()) return false;
    if (text::write_all(file.get(), bytes) == 0 && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
    ::unlink(temporary.c_str());
    return false;
}

}  // namespace

std::string default_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && *cache == '/') return std::string(cache) + "/pto-fix";
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home == '/') return std::string(home) + "/.cache/pto-fix";
    return {};
}

std::string Store::path_of(const Digest& key) const {
    const std::string digits = key.hex();
    return fmt::format("{}/{}/{}", folder_, std::string_view(digits).substr(0, 2), std::string_view(digits).substr(2));
}

std::optional<std::string> Store::read(const Digest& key) const {
    // Whatever stands in its place: nobody waits for a pipe.
    const text::FileDescriptor file(::open(path_of(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status{};
    std::string bytes;
    if (!file.is_open() || ::fstat(file.get(), &status) != 0 || S_ISREG(status.st_mode) == 0) return std::nullopt;
    if (text::read_all(file.get(), status, kLargestRecord, bytes) != 0) return std::nullopt;
    if (now() - status.st_mtime > kDay) ::futimens(file.get(), nullptr);
    return bytes;
}

void Store::open_pack(const Digest& name) {
    name_ = name;
    if (auto bytes = read(name)) pack_.read(std::move(*bytes));
}

std::optional<std::string> Store::find(const Digest& key) {
    if (const auto packed = pack_.find(key)) return std::string(*packed);
    std::optional<std::string> record = read(key);
    if (record) remember(key, *record);
    return record;
}

void Store::remember(const Digest& key, std::string record) {
    const std::scoped_lock lock(mutex_);
    if (name_) unpacked_.emplace_back(key, std::move(record));
}

void Store::keep_beside(const Digest& key, std::string record) {
    std::call_once(made_, [&] { has_folder_ = make_folder(); });
    if (has_folder_) remember(key, std::move(record));
    has_more_beside_ = true;
}

void Store::close_pack() {
    if (!name_ || unpacked_.empty()) return;
    if (unpacked_.size() + pack_.found() < kWorthPacking && !has_more_beside_) return;
    const std::string bytes = pack_.with(unpacked_);
    if (bytes.size() <= kLargestRecord) write(*name_, bytes);
}

bool Store::make_folder() const {
    std::error_code error;
    fs::create_directories(folder_, error);
    const std::string tag = folder_ + "/CACHEDIR.TAG";
    return !error && (fs::exists(tag, error) || write_whole(tag, kTag));
}

void Store::keep(const Digest& key, std::string_view record) {
    std::call_once(made_, [&] { has_folder_ = make_folder(); });  // whoever comes meanwhile waits
    if (!has_folder_) return;
    kept_ = true;
    write(key, record);
    remember(key, std::string(record));
}

void Store::write(const Digest& key, std::string_view bytes) const {
    const std::string path = path_of(key);
    if (write_whole(path, bytes)) return;
    ::mkdir(path.substr(0, path.rfind('/')).c_str(), 0700);  // the usual reason, the first time
    write_whole(path, bytes);
}

void Store::tidy_up() {
    if (!kept_) return;
    const std::string mark = folder_ + "/tidied";
    struct stat status{};
    if (::stat(mark.c_str(), &status) == 0 && now() - status.st_mtime < kDay) return;
    write_whole(mark, "");
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error)) {
        const std::string path = entry->path().string();
        const bool old = ::lstat(path.c_str(), &status) == 0 && now() - status.st_mtime > kUnusedFor;
        if (old && S_ISREG(status.st_mode) && entry.depth() == 1) ::unlink(path.c_str());
    }
}

}  // namespace ptofix::cache
