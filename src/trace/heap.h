// Owns every object the values of one trace point to. Objects live as long as the trace; addresses are stable.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trace/project.h"
#include "trace/trace.h"
#include "trace/value.h"

namespace ptofix::trace {

/// The names of one function call, class body or module. Entries are never removed, so an index stays valid.
struct Scope {
    struct Entry {
        std::string_view name;
        Value value;
        bool bound = false;
        std::uint32_t written = 0;        // sequence number of the last write
        std::uint32_t stale_read = 0;     // last read of a value older than the loop around the read ...
        std::uint32_t stale_written = 0;  // ... and when that value had been written
    };
    Scope* parent = nullptr;
    std::vector<Entry> entries;
    bool is_class = false;  // skipped by the lookup of functions nested in it
    bool is_module = false;
    FileId file = kNoFile;
    std::vector<std::string_view> globals;  // names declared global here
    std::vector<std::string_view> nonlocals;
    std::vector<std::string> star_modules;  // from X import *: module names, looked up last

    /// Entries are only ever added. A scope of many names (a generated module) is looked up by hash.
    Entry* find(std::string_view name) {
        constexpr std::size_t kFewNames = 64;
        if (entries.size() > kFewNames) {
            for (std::size_t i = index.size(); i < entries.size(); ++i) index.emplace(entries[i].name, i);
            const auto at = index.find(name);
            return at == index.end() ? nullptr : &entries[at->second];
        }
        for (Entry& e : entries) {
            if (e.name.size() == name.size() && e.name == name) return &e;
        }
        return nullptr;
    }
    std::unordered_map<std::string_view, std::size_t> index;  // of `entries`, once they are many
};

class Heap {
  public:
    template <class T, class... Args>
    T* make(Args&&... args) {
        return &pool<T>().emplace_back(std::forward<Args>(args)...);
    }
    /// A string that lives as long as the heap.
    const std::string* intern(std::string_view text);
    void keep(std::shared_ptr<const SourceFile> file) { files_.push_back(std::move(file)); }
    void keep(std::shared_ptr<void> other) { others_.push_back(std::move(other)); }

  private:
    template <class T>
    std::deque<T>& pool();

    std::deque<List> lists_;
    std::deque<Dict> dicts_;
    std::deque<Slice> slices_;
    std::deque<Range> ranges_;
    std::deque<Function> functions_;
    std::deque<BoundMethod> methods_;
    std::deque<Class> classes_;
    std::deque<Instance> instances_;
    std::deque<Module> modules_;
    std::deque<TensorSpec> specs_;
    std::deque<LoopSpec> loops_;
    std::deque<LazyImport> lazies_;
    std::deque<UnknownReason> reasons_;
    std::deque<Scope> scopes_;
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
    };
    std::unordered_set<std::string, Hash, std::equal_to<>> strings_;
    std::vector<std::shared_ptr<const SourceFile>> files_;
    std::vector<std::shared_ptr<void>> others_;
};

template <>
std::deque<List>& Heap::pool<List>();
template <>
std::deque<Dict>& Heap::pool<Dict>();
template <>
std::deque<Slice>& Heap::pool<Slice>();
template <>
std::deque<Range>& Heap::pool<Range>();
template <>
std::deque<Function>& Heap::pool<Function>();
template <>
std::deque<BoundMethod>& Heap::pool<BoundMethod>();
template <>
std::deque<Class>& Heap::pool<Class>();
template <>
std::deque<Instance>& Heap::pool<Instance>();
template <>
std::deque<Module>& Heap::pool<Module>();
template <>
std::deque<TensorSpec>& Heap::pool<TensorSpec>();
template <>
std::deque<LoopSpec>& Heap::pool<LoopSpec>();
template <>
std::deque<LazyImport>& Heap::pool<LazyImport>();
template <>
std::deque<UnknownReason>& Heap::pool<UnknownReason>();
template <>
std::deque<Scope>& Heap::pool<Scope>();

}  // namespace ptofix::trace
