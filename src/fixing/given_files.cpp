#include "fixing/given_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "fixing/editable_files.h"
#include "fixing/import_lines.h"
#include "fixing/loaded_notebook.h"
#include "fixing/string_names.h"
#include "text/compatible_name.h"
#include "text/notebook.h"
#include "text/words.h"

namespace ptofix::fixing {

namespace {

using rewrites::module_name;

namespace fs = std::filesystem;

constexpr std::string_view kDots = ".", kPackage = "__init__", kAnyModule = "import_module";

/// "a.b" -> "b", "..b" -> "b", ".." -> "."
std::string_view last_name(std::string_view module) {
    const std::string_view last = module.substr(module.rfind('.') + 1);
    return last.empty() ? kDots : last;
}

bool is_package(const std::string& path) {
    return fs::path(path).stem() == kPackage;
}

/// By what other names the folder of the module has it, or the folder around its package: Python imports links too.
std::vector<std::string> names_of_links(const std::string& path) {
    std::error_code error;
    std::vector<std::string> names;
    const fs::path target = fs::canonical(is_package(path) ? fs::path(path).parent_path() : fs::path(path), error);
    if (error || !target.has_parent_path()) return names;
    for (fs::directory_iterator entry(target.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code unknown;
        if (!entry->is_symlink(unknown) || fs::canonical(entry->path(), unknown) != target) continue;
        names.push_back(entry->path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

/// `.name(`, read off without parsing.
template <typename Visit>
void each_attribute_call(std::string_view text, Visit&& visit) {
    for (std::size_t at = text.find('.'); at != std::string_view::npos; at = text.find('.', at + 1)) {
        std::size_t begin = at + 1;
        while (begin < text.size() && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
        std::size_t end = begin;
        while (end < text.size() && text::is_name_byte(text[end])) ++end;
        std::size_t open = end;
        while (open < text.size() && (text[open] == ' ' || text[open] == '\t')) ++open;
        if (end > begin && open < text.size() && text[open] == '(') visit(text.substr(begin, end - begin));
    }
}

/// `sys.path.insert(...)`, `from sys import path`, `site.addsitedir(...)`
bool says_where_modules_are(std::string_view text) {
    return (text::has_word(text, "sys") && text::has_word(text, "path")) || text::has_word(text, "addsitedir");
}

}  // namespace

void GivenFiles::add(std::shared_ptr<const text::Source> source) {
    std::string path = source->path();
    files_.push_back({std::move(path), source->is_read() ? std::move(source) : nullptr});
}

void GivenFiles::add(std::string path) {
    files_.push_back({std::move(path), nullptr});
}

std::shared_ptr<const text::Source> GivenFiles::source(std::uint32_t index) const {
    const File& file = files_[index];
    if (file.source != nullptr) return file.source;
    if (text::is_notebook_path(file.path)) return load_notebook(file.path);
    auto loaded = text::Source::load(file.path);
    return loaded ? std::make_shared<const text::Source>(*std::move(loaded)) : nullptr;
}

void GivenFiles::read() const {
    std::call_once(read_, [&] {
        for (std::uint32_t i = 0; i < files_.size(); ++i) {
            const auto text = source(i);
            if (text == nullptr) {
                unread_.push_back(i);
                continue;
            }
            each_import_line(text->text(), [&](const ImportLine& line) {
                imports_[std::string(last_name(line.module))].push_back({i, line.is_from, line.module, line.names});
            });
            if (imports_at_run_time(text->text())) run_time_.push_back(i);
            if (says_where_modules_are(text->text())) with_own_path_.push_back(path_key(files_[i].path));
            each_name_in_string(text->text(), [&](std::string_view name) { note(in_strings_, name, i); });
            each_attribute_call(text->text(), [&](std::string_view name) { note(attribute_calls_, name, i); });
            text::each_disguised_name(text->text(), [&](std::string_view name) { note(disguised_, name, i); });
        }
        std::ranges::sort(with_own_path_);
    });
}

std::span<const GivenFiles::Import> GivenFiles::imports_of(std::string_view last_name) const {
    read();
    const auto found = imports_.find(std::string(last_name));
    return found == imports_.end() ? std::span<const Import>() : std::span<const Import>(found->second);
}

void GivenFiles::note(FilesByName& files, std::string_view name, std::uint32_t file) {
    std::vector<std::uint32_t>& those = files[std::string(name)];
    if (those.empty() || those.back() != file) those.push_back(file);
}

std::span<const std::uint32_t> GivenFiles::found(const FilesByName& files, std::string_view name) const {
    read();
    const auto found = files.find(std::string(name));
    return found == files.end() ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(found->second);
}

std::span<const std::uint32_t> GivenFiles::with_path_to(std::string_view name) const {
    return found(in_strings_, name);
}

std::span<const std::uint32_t> GivenFiles::with_attribute_call(std::string_view name) const {
    return found(attribute_calls_, name);
}

std::span<const std::uint32_t> GivenFiles::with_disguised(std::string_view name) const {
    return found(disguised_, name);
}

std::span<const std::uint32_t> GivenFiles::unread() const {
    read();
    return unread_;
}

const std::vector<std::uint32_t>& GivenFiles::at_run_time(std::string_view word) const {
    read();
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = run_time_by_word_.try_emplace(std::string(word));
    if (fresh) {
        std::ranges::copy_if(run_time_, std::back_inserter(at->second), [&](std::uint32_t i) {
            const auto text = source(i);
            return text != nullptr && text::has_word(text->text(), word);
        });
    }
    return at->second;
}

const std::string& GivenFiles::key_of(const std::string& path) const {
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = keys_.try_emplace(path);
    if (fresh) at->second = path_key(path);
    return at->second;
}

const std::vector<std::string>& GivenFiles::links_to(const std::string& path) const {
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = links_.try_emplace(path);
    if (fresh) at->second = names_of_links(path);
    return at->second;
}

bool GivenFiles::changes_path(const std::string& key) const {
    read();
    return std::ranges::binary_search(with_own_path_, key);
}

bool GivenFiles::contains_key(const std::string& key) const {
    read();
    std::call_once(keyed_, [&] {
        PathKeys keys;
        for (const File& file : files_) own_keys_.push_back(keys.of(file.path));
        std::ranges::sort(own_keys_);
    });
    return std::ranges::binary_search(own_keys_, key);
}

std::shared_ptr<const text::Source> ReachableFiles::present_text(std::uint32_t file) const {
    auto source = project_.overlay(given_->path(file));
    return source != nullptr ? source : given_->source(file);
}

std::shared_ptr<const trace::SourceFile> ReachableFiles::parse(std::uint32_t file) {
    auto source = present_text(file);
    if (source == nullptr) return nullptr;
    if (text::is_notebook_path(source->path()) && !source->is_notebook()) return nullptr;
    auto parsed = project_.parse(std::move(source));
    return parsed && (*parsed)->tree.error_count() == 0 ? *std::move(parsed) : nullptr;
}

std::vector<rewrites::OtherFiles::Importer> ReachableFiles::importers(const std::string& path, std::string_view name,
                                                                      bool is_last) {
    analysis_.asked = given_;
    const std::string module = module_name(path);
    struct Found {
        std::uint32_t file;
        bool at_run_time = false, in_string = false, by_other_name = false;
    };
    std::map<std::string, Found> found;  // by key: one file by two paths is one file
    const auto has_word = [&](std::uint32_t file, std::string_view word) {
        const auto source = given_->source(file);
        return source != nullptr && text::has_word(source->text(), word);
    };
    const auto look_at = [&](const GivenFiles::Import& import) {
        const std::string& importer = given_->path(import.file);
        if (import.is_from && import.names.find('*') == std::string::npos && !text::has_word(import.names, name)) {
            return;
        }
        if (means(import.module, importer, path) == Means::no) return;
        // Whoever has a package need not care for what is deep inside of it.
        if (!is_last && !has_word(import.file, name)) return;
        found.try_emplace(given_->key_of(importer), Found{import.file});
    };
    for (const std::uint32_t file : given_->unread()) {
        found.try_emplace(given_->key_of(given_->path(file)), Found{file});
    }
    for (const std::uint32_t file : given_->at_run_time(module)) {
        if (!has_word(file, name) && !has_word(file, "getattr")) continue;
        found.emplace(given_->key_of(given_->path(file)), Found{file, true});
    }
    if (is_last) {
        for (const std::uint32_t file : given_->with_path_to(name)) {
            found.try_emplace(given_->key_of(given_->path(file)), Found{file}).first->second.in_string = true;
        }
    }
    // A package that imports whatever is in its folder.
    for (const std::uint32_t file : given_->at_run_time(kAnyModule)) {
        const fs::path init = given_->path(file);
        if (is_package(init) && !is_package(path) && init.parent_path() == fs::path(path).parent_path()) {
            found.try_emplace(given_->key_of(init), Found{file}).first->second.by_other_name = true;
        }
    }
    for (const std::string_view spelled : {name, std::string_view(module)}) {
        for (const std::uint32_t file : given_->with_disguised(spelled)) {
            if (spelled == module && !is_last) continue;
            found.try_emplace(given_->key_of(given_->path(file)), Found{file}).first->second.by_other_name = true;
        }
    }
    for (const std::string& link : given_->links_to(path)) {
        for (const GivenFiles::Import& import : given_->imports_of(link)) {
            if (!has_word(import.file, name) && !has_word(import.file, "getattr")) continue;
            found.try_emplace(given_->key_of(given_->path(import.file)), Found{import.file})
                .first->second.by_other_name = true;
        }
    }
    std::ranges::for_each(given_->imports_of(module), look_at);
    if (is_package(path)) std::ranges::for_each(given_->imports_of(kDots), look_at);
    std::vector<Importer> all;
    for (const auto& [key, one] : found) {
        all.push_back({given_->path(one.file), parse(one.file), one.at_run_time, one.in_string, one.by_other_name});
    }
    return all;
}

std::vector<rewrites::OtherFiles::Importer> ReachableFiles::attribute_callers(std::string_view name) {
    analysis_.asked = given_;
    std::vector<Importer> all;
    for (const std::uint32_t file : given_->with_attribute_call(name)) all.push_back({given_->path(file), parse(file)});
    return all;
}

rewrites::OtherFiles::Means ReachableFiles::means(std::string_view module, const std::string& importer,
                                                  const std::string& path) {
    const std::string_view last = last_name(module);
    if (last == kDots ? !is_package(path) : last != module_name(path) && !is_package(path)) return Means::no;
    const std::string& target = project_.resolve(module, importer);
    if (!target.empty()) {
        if (given_->key_of(target) == given_->key_of(path)) return Means::yes;
        // One of that name is nearer, but where Python looks first is said by the importer.
        return last == module_name(path) && given_->changes_path(given_->key_of(importer)) ? Means::maybe : Means::no;
    }
    return last == module_name(path) && given_->key_of(importer) != given_->key_of(path) ? Means::maybe : Means::no;
}

std::shared_ptr<const trace::SourceFile> ReachableFiles::import(std::string_view module, const std::string& importer) {
    return project_.import(module, importer);
}

trace::FileId ReachableFiles::number_of(const std::shared_ptr<const trace::SourceFile>& file) {
    const std::string& key = given_->key_of(file->path());
    for (std::size_t id = 0; id < analysis_.sources.size(); ++id) {
        if (given_->key_of(analysis_.sources[id]->path()) == key) return static_cast<trace::FileId>(id);
    }
    kept_.push_back(file);
    admitted_.emplace_back(file.get());
    analysis_.sources.push_back(file->source);
    return static_cast<trace::FileId>(analysis_.sources.size() - 1);
}

}  // namespace ptofix::fixing
