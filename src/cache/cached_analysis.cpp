#include "cache/cached_analysis.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <filesystem>

namespace ptofix::cache {

namespace {

/// Everything in it that an analysis depends on.
Digest digest_of(const fixing::Config& config) {
    DigestBuilder digest;
    digest.add(static_cast<std::int64_t>(config.soc)).add(static_cast<std::int64_t>(config.legacy_frontend));
    for (const auto* list : {&config.selected, &config.ignored}) {
        digest.add(static_cast<std::int64_t>(list->size()));
        for (const std::string& selector : *list) digest.add(selector);
    }
    digest.add(static_cast<std::int64_t>(config.severities.size()));
    for (const fixing::SeverityOverride& item : config.severities) {
        digest.add(item.rule).add(item.severity ? static_cast<std::int64_t>(*item.severity) : -1);
    }
    for (const trace::Assumption& item : config.assume) {
        digest.add(item.name).add(static_cast<std::int64_t>(item.axis.has_value())).add(item.axis.value_or(0));
        digest.add(item.value);
    }
    return digest.finish();
}

Digest key_of(const text::Source& source, const fixing::Config& config, const std::string& current_folder) {
    DigestBuilder digest;
    digest.add(build_id()).add(source.path().starts_with('/') ? std::string{} : current_folder);
    digest.add(source.path()).add(static_cast<std::int64_t>(source.is_notebook())).add(digest_of(config));
    return digest.add(cache::digest_of(source.bytes())).finish();
}

/// Writes down what a project imports, as long as it lives.
class Recording {
  public:
    explicit Recording(trace::Project& project) : project_(project) { project_.record_imports(&imports); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording() { project_.record_imports(nullptr); }

    std::vector<trace::Import> imports;

  private:
    trace::Project& project_;
};

// The name of such a note, with the NUL that ends it.
constexpr std::string_view kGnu{"GNU\0", 4};

/// Of the first object of the list, the program itself.
int find_build_id(dl_phdr_info* info, std::size_t, void* into) {
    auto& id = *static_cast<std::string_view*>(into);
    for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_NOTE) continue;
        const auto* at = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
        const char* end = at + header.p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            const char* name = at + sizeof note;
            const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
            const char* content = name + padded(note.n_namesz);
            if (note.n_type == NT_GNU_BUILD_ID && std::string_view(name, note.n_namesz) == kGnu) {
                id = {content, note.n_descsz};
                return 1;
            }
            at = content + padded(note.n_descsz);
        }
    }
    return 1;
}

}  // namespace

std::string_view build_id() {
    static const std::string_view id = [] {
        std::string_view found;
        ::dl_iterate_phdr(find_build_id, &found);
        return found;
    }();
    return id;
}

CachedAnalysis::CachedAnalysis(std::string folder, const std::vector<std::string>& run) : store_(std::move(folder)) {
    std::error_code error;
    folder_ = std::filesystem::current_path(error).string();
    DigestBuilder name;
    name.add("pack").add(build_id()).add(folder_);
    for (const std::string& each : run) name.add(each);
    store_.open_pack(name.finish());
}

void CachedAnalysis::know(const std::shared_ptr<const text::Source>& source) {
    // What git holds of a file, or an editor, is not what an import of it reads.
    if (source->identity()) sources_.emplace(source->path(), source);
}

void CachedAnalysis::forget_texts() {
    sources_.clear();
    texts_.clear();
}

std::shared_ptr<const text::Source> CachedAnalysis::read(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = sources_.try_emplace(path);
    if (fresh) {
        if (auto loaded = text::Source::load(path)) {
            at->second = std::make_shared<const text::Source>(std::move(*loaded));
        }
    }
    return at->second;
}

Digest CachedAnalysis::text_of(const std::string& path) {
    const auto source = read(path);
    if (!source) return {};
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = texts_.try_emplace(path);
    if (fresh) at->second = cache::digest_of(source->bytes());
    return at->second;
}

fixing::Analysis CachedAnalysis::operator()(trace::Project& project, const std::shared_ptr<const text::Source>& source,
                                            const fixing::Config& config) {
    if (!fixing::is_worth_parsing(source->text())) return fixing::analysis_of_idle(source);
    if (config.keep_unknowns || build_id().empty()) {
        return fixing::analyse(project, source, config);
    }

    const Digest key = key_of(*source, config, folder_);
    const auto holds = [&](const ImportRecord& import) {
        if (project.resolve(import.module, import.importer_path) != import.path) return false;
        return import.path.empty() || text_of(import.path) == import.text;
    };
    if (const auto record = store_.find(key)) {
        auto analysis = from_record(*record, source, holds, [&](const std::string& path) { return read(path); });
        if (analysis) {
            ++found_;
            return *std::move(analysis);
        }
    }
    ++missed_;
    const Recording recording(project);
    fixing::Analysis analysis = fixing::analyse(project, source, config);
    if (analysis.asked != nullptr) return analysis;  // the record knows of imports alone
    if (const auto record = to_record(analysis, recording.imports)) store_.keep(key, *record);
    return analysis;
}

}  // namespace ptofix::cache
