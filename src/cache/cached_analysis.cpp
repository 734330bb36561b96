#include "cache/cached_analysis.h"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "text/disk_file.h"

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

/// `text`: of the source's bytes.
Digest key_of(const text::Source& source, const Digest& text, const fixing::Config& config,
              const std::string& current_folder) {
    DigestBuilder digest;
    digest.add(build_id()).add(source.path().starts_with('/') ? std::string{} : current_folder);
    digest.add(source.path()).add(static_cast<std::int64_t>(source.is_notebook())).add(digest_of(config));
    return digest.add(text).finish();
}

/// Nothing of it is shown but that it was looked at.
bool is_silent(const fixing::Analysis& analysis) {
    return analysis.findings.empty() && analysis.suppressed.empty() && !analysis.syntax_error &&
           analysis.outcome != fixing::Analysis::Outcome::refused && !analysis.missing_block && !analysis.cut_short;
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

/// Of a file of which nothing is to be said.
fixing::Analysis silence(const std::shared_ptr<const text::Source>& source) {
    fixing::Analysis analysis;
    analysis.sources.push_back(source);
    analysis.source = source;
    return analysis;
}

Digest key_of_files() {
    return DigestBuilder().add("files").finish();
}

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

CachedAnalysis::CachedAnalysis(std::string folder, const std::vector<std::string>& run)
    : store_(std::move(folder)), files_(std::chrono::system_clock::now().time_since_epoch()) {
    std::error_code error;
    folder_ = std::filesystem::current_path(error).string();
    DigestBuilder name;
    name.add("pack").add(build_id()).add(folder_);
    // Who may read other files is told so: what is known of a file says nothing of that.
    name.add(static_cast<std::int64_t>(::geteuid())).add(static_cast<std::int64_t>(::getegid()));
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(::getgroups(0, nullptr), 0)));
    groups.resize(static_cast<std::size_t>(std::max(::getgroups(static_cast<int>(groups.size()), groups.data()), 0)));
    for (const gid_t group : groups) name.add(static_cast<std::int64_t>(group));
    for (const std::string& each : run) name.add(each);
    store_.open_pack(name.finish());
    if (const auto known = store_.beside(key_of_files())) files_.read(*known);
}

void CachedAnalysis::tidy_up() {
    if (files_.has_news()) store_.keep_beside(key_of_files(), files_.bytes());
    store_.close_pack();
    store_.tidy_up();
}

void CachedAnalysis::know(const std::shared_ptr<const text::Source>& source) {
    // What git holds of a file, or an editor, is not what an import of it reads.
    if (source->identity()) sources_.emplace(source->path(), source);
}

void CachedAnalysis::forget_texts() {
    sources_.clear();
    texts_.clear();
}

/// As the run has it; null where it has none.
std::shared_ptr<const text::Source> CachedAnalysis::given(const std::string& path) const {
    const std::shared_lock lock(mutex_);
    const auto at = sources_.find(path);
    return at == sources_.end() ? nullptr : at->second;
}

std::shared_ptr<const text::Source> CachedAnalysis::read(const std::string& path) {
    const auto is_read = [](const std::shared_ptr<const text::Source>& source) {
        return source == nullptr || source->is_read();
    };
    {
        const std::shared_lock lock(mutex_);
        const auto at = sources_.find(path);
        if (at != sources_.end() && is_read(at->second)) return at->second;
    }
    auto loaded = text::Source::load(path);
    auto source = loaded ? std::make_shared<const text::Source>(std::move(*loaded)) : nullptr;
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = sources_.try_emplace(path, source);
    if (!is_read(at->second)) at->second = std::move(source);
    return at->second;  // of another thread that was faster, if there was one: all have the same
}

/// As the run has it, or if that is enough, as a file that need not be read; null where it must be.
std::shared_ptr<const text::Source> CachedAnalysis::given_or_known(const std::string& path) const {
    if (auto source = given(path)) return source;
    struct stat status{};
    if (files_.is_empty() || ::stat(path.c_str(), &status) != 0) return nullptr;
    const text::FileIdentity identity = text::identity_of(status);
    if (!files_.find(identity)) return nullptr;
    return std::make_shared<const text::Source>(text::Source::unread(path, identity));
}

Digest CachedAnalysis::digest_now(const std::string& path) {
    if (const auto source = given_or_known(path); source && !source->is_read()) {
        const auto known = files_.find(*source->identity());
        if (known && known->use != KnownText::Use::mentions) return known->digest;
    }
    const auto source = read(path);
    return source ? cache::digest_of(source->bytes()) : Digest{};
}

Digest CachedAnalysis::text_of(const std::string& path) {
    {
        const std::shared_lock lock(mutex_);
        if (const auto at = texts_.find(path); at != texts_.end()) return at->second;
    }
    const Digest digest = digest_now(path);
    const std::scoped_lock lock(mutex_);
    return texts_.emplace(path, digest).first->second;
}

bool CachedAnalysis::holds(trace::Project& project, const ImportRecord& import) {
    if (project.resolve(import.module, import.importer_path) != import.path) return false;
    return import.path.empty() || text_of(import.path) == import.text;
}

/// Of a source that was not read; nothing if there may be something to be said of it.
std::optional<fixing::Analysis> CachedAnalysis::known_silence(trace::Project& project,
                                                              const std::shared_ptr<const text::Source>& source,
                                                              const fixing::Config& config) {
    const auto known = files_.find(*source->identity());
    if (!known || known->use == KnownText::Use::mentions) return std::nullopt;
    if (known->use != KnownText::Use::analysed) return silence(source);
    if (config.keep_unknowns || build_id().empty()) return std::nullopt;
    const auto record = store_.find(key_of(*source, known->digest, config, folder_));
    if (!record) return std::nullopt;
    auto analysis = from_record(
        *record, source, [&](const ImportRecord& import) { return holds(project, import); },
        [&](const std::string& path) {
            const auto known = given_or_known(path);  // nothing is shown of it
            return known ? known : read(path);
        });
    if (!analysis || !is_silent(*analysis)) return std::nullopt;
    ++found_;
    return analysis;
}

fixing::Analysis CachedAnalysis::operator()(trace::Project& project, const std::shared_ptr<const text::Source>& given,
                                            const fixing::Config& config) {
    std::shared_ptr<const text::Source> source = given;
    if (!source->is_read()) {
        if (auto analysis = known_silence(project, source, config)) return *std::move(analysis);
        auto loaded = text::Source::load(source->path());
        const std::scoped_lock lock(mutex_);
        if (!loaded) {
            lost_.emplace(source->path(), std::move(loaded.error()));
            return silence(given);
        }
        source = std::make_shared<const text::Source>(*std::move(loaded));
        sources_[source->path()] = source;
    }
    const bool is_noted = KnownFiles::covers(*source);
    const Digest text = cache::digest_of(source->bytes());
    if (!fixing::is_worth_parsing(source->text())) {
        fixing::Analysis idle = fixing::analysis_of_idle(source);
        if (is_noted && is_silent(idle)) files_.note(source->path(), *source->identity(), {KnownText::Use::idle, text});
        return idle;
    }
    if (config.keep_unknowns || build_id().empty()) {
        return fixing::analyse(project, source, config);
    }

    if (is_noted) files_.note(source->path(), *source->identity(), {KnownText::Use::analysed, text});
    const Digest key = key_of(*source, text, config, folder_);
    if (const auto record = store_.find(key)) {
        auto analysis = from_record(
            *record, source, [&](const ImportRecord& import) { return holds(project, import); },
            [&](const std::string& path) { return read(path); });
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
