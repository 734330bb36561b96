#include "config/folder_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "text/parallel.h"

namespace ptofix::config {

namespace {

// With so many folders ahead another thread has its use.
constexpr std::size_t kWorthAThread = 8;
// So many files of one folder are told of on the way; of more, several threads can read at once afterwards.
constexpr std::size_t kMostTold = 200;

}  // namespace

std::vector<std::string> FolderSearch::run(Folder top) {
    // They start while the first folders are looked into.
    text::Crew::of_process().gather(std::min(options_.jobs, text::threads_for(0)) - 1);
    open_.push_back(std::move(top));
    {
        Folders folders(options_.respects_gitignore);
        std::vector<std::string> found;
        while (!open_.empty() && (open_.size() < kWorthAThread || options_.jobs <= 1)) {
            Folder folder = std::move(open_.back());
            open_.pop_back();
            std::ranges::move(look_into(std::move(folder), folders, found), std::back_inserter(open_));
        }
        leave(folders, std::move(found));
    }
    if (!open_.empty()) {
        text::in_parallel(options_.jobs, options_.jobs, [&] { return [&](std::size_t) { work(); }; });
    }
    std::ranges::sort(found_);
    std::ranges::sort(problems_, {}, &report::Problem::path);
    return std::move(found_);
}

void FolderSearch::work() {
    Folders folders(options_.respects_gitignore);
    std::vector<std::string> found;
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return !open_.empty() || busy_ == 0 || failed_; });
        if (open_.empty() || failed_) break;
        Folder folder = std::move(open_.back());
        open_.pop_back();
        ++busy_;
        lock.unlock();
        std::vector<Folder> within;
        try {
            within = look_into(std::move(folder), folders, found);
        } catch (...) {
            lock.lock();
            failed_ = true;  // nobody waits for this thread
            changed_.notify_all();
            throw;
        }
        lock.lock();
        --busy_;
        std::ranges::move(within, std::back_inserter(open_));
        if (open_.size() > 1 || busy_ == 0) changed_.notify_all();
    }
    lock.unlock();
    leave(folders, std::move(found));
}

void FolderSearch::leave(const Folders& folders, std::vector<std::string> found) {
    const std::scoped_lock lock(mutex_);
    std::ranges::move(found, std::back_inserter(found_));
    std::ranges::copy(folders.problems, std::back_inserter(problems_));
    ignored_ += folders.ignored;
}

std::vector<Folder> FolderSearch::look_into(Folder folder, Folders& folders, std::vector<std::string>& found) const {
    std::vector<Folder> within;
    Folders::Entries entries;
    if (!folders.list(folder, is_python_name, entries)) return within;
    if (options_.searched) {
        const std::span<const std::string> told(entries.files.data(), std::min(entries.files.size(), kMostTold));
        options_.searched({folder.path, entries.opened.get(), told, entries.has_config});
    }
    const std::string prefix = prefix_of(folder.path);
    for (const std::string& name : entries.files) found.push_back(prefix + name);
    for (const std::string& name : entries.folders) within.push_back(Folders::within(folder, name));
    return within;
}

}  // namespace ptofix::config
