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
        bool partial = false;        // bound on some of the ways to here only
        std::uint32_t written = 0;   // sequence number of the last write
        std::uint32_t saved = 0;     // the trail's level that has a copy of it
        std::uint32_t noted = 0;     // the loop, by its start, that knows that an older value was read in it ...
        std::uint32_t noted_of = 0;  // ... and when that value had been written
        std::uint32_t key = 0;       // key_of(name)
    };
    /// Names of different keys differ: most are told apart without looking at their letters.
    static std::uint32_t key_of(std::string_view name) {
        if (name.empty()) return 0;
        const auto letter = [&](std::size_t at) {
            return static_cast<std::uint32_t>(static_cast<unsigned char>(name[at]));
        };
        const auto size = static_cast<std::uint32_t>(name.size());
        return (size << 24U) ^ (letter(0) << 16U) ^ (letter(name.size() / 2) << 8U) ^ letter(name.size() - 1);
    }
    Scope* parent = nullptr;
    std::uint32_t birth = 0;
    std::vector<Entry> entries;
    bool is_class = false;          // skipped by the lookup of functions nested in it
    bool is_comprehension = false;  // := in it binds in the scope around
    bool is_module = false;
    bool kept = false;   // a function, a class or a generator made in it or below it can still reach its names
    bool ended = false;  // its code has run and nothing can reach its names any more
    FileId file = kNoFile;
    std::vector<std::string_view> globals;  // names declared global here
    std::vector<std::string_view> nonlocals;
    std::vector<std::string> star_modules;  // from X import *: those whose names are not known, looked up last

    /// Entries are only ever added. A scope of many names (a generated module) is looked up by hash.
    Entry* find(std::string_view name) {
        constexpr std::size_t kFewNames = 64;
        if (entries.size() > kFewNames) {
            for (std::size_t i = index.size(); i < entries.size(); ++i) index.emplace(entries[i].name, i);
            const auto at = index.find(name);
            return at == index.end() ? nullptr : &entries[at->second];
        }
        const std::uint32_t key = key_of(name);
        for (Entry& e : entries) {
            if (e.key == key && e.name == name) return &e;
        }
        return nullptr;
    }
    /// Of a name that it has none of.
    Entry* add(std::string_view name) {
        Entry& e = entries.emplace_back();
        e.name = name;
        e.key = key_of(name);
        return &e;
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
    std::deque<Iterator> iterators_;
    std::deque<View> views_;
    std::deque<Function> functions_;
    std::deque<BoundMethod> methods_;
    std::deque<Class> classes_;
    std::deque<Instance> instances_;
    std::deque<Module> modules_;
    std::deque<TensorSpec> specs_;
    std::deque<LoopSpec> loops_;
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
std::deque<Iterator>& Heap::pool<Iterator>();
template <>
std::deque<View>& Heap::pool<View>();
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
std::deque<UnknownReason>& Heap::pool<UnknownReason>();
template <>
std::deque<Scope>& Heap::pool<Scope>();

}  // namespace ptofix::trace
