#include "lsp/analyser.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <utility>

#include "fixing/editable_files.h"

namespace ptofix::lsp {

namespace {

// Documents whose syntax tree and trace are kept: those that are typed in, and looked at, in turns.
constexpr std::size_t kKept = 4;

bool is_config_name(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    const std::string_view name = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
    return name == "pto-fix.toml" || name == "pyproject.toml";
}

}  // namespace

Analyser::Analyser(Documents& documents, const Settings& settings)
    : documents_(documents), settings_(settings), project_(std::make_unique<trace::Project>()) {
    configs_.emplace(settings.language);
}

std::optional<fixing::Config> Analyser::config_of(const std::string& path) {
    const config::ConfigResult found = configs_->of_file(path);
    if (!found) {
        if (std::ranges::find(said_, found.error().message) == said_.end()) {
            said_.push_back(found.error().message);
            problems_.push_back(found.error().message);
        }
        return std::nullopt;
    }
    if ((*found)->excludes(path)) return std::nullopt;
    return config::settings(**found, settings_.overrides);
}

std::shared_ptr<const trace::SourceFile> Analyser::parsed(Document& document,
                                                          std::optional<syntax::ParseRefusal>& refusal) {
    if (document.file && document.file->source == document.source) return document.file;
    const std::string_view text = document.source->text();
    auto tree = project_->parser().parse_statements(text);
    if (!tree) {
        refusal = tree.error();
        document.file.reset();
        return nullptr;
    }
    document.file = std::make_shared<const trace::SourceFile>(
        trace::SourceFile{document.source, *std::move(tree), document.source->lines()});
    return document.file;
}

std::shared_ptr<const trace::SourceFile> Analyser::parsed(Document& document) {
    if (document.source == nullptr) return nullptr;
    document.used = ++clock_;
    std::optional<syntax::ParseRefusal> refusal;
    auto file = parsed(document, refusal);
    keep_few();
    return file;
}

const fixing::Analysis* Analyser::analysis(Document& document) {
    document.used = ++clock_;
    if (document.analysis) return document.excluded ? nullptr : &*document.analysis;
    if (!document.is_python || !document.source) return nullptr;
    fixing::Analysis analysis;
    analysis.source = document.source;
    analysis.sources.push_back(document.source);
    const auto config = config_of(document.path);
    document.excluded = !config;
    if (document.excluded) {
        document.analysis = std::move(analysis);
        return nullptr;
    }
    document.config = *config;
    if (fixing::is_worth_parsing(document.source->text())) {
        std::optional<syntax::ParseRefusal> refusal;
        if (const auto file = parsed(document, refusal)) {
            analysis = fixing::analyse(*project_, file, document.config);
            // What is open can be edited. What is not might be changed by somebody else meanwhile.
            fixing::EditableFiles editable;
            for (const auto& [uri, open] : documents_.all()) editable.add(open.path);
            fixing::hold_back_fixes_outside(analysis, editable);
        } else {
            analysis.outcome = fixing::Analysis::Outcome::refused;
            analysis.refusal = refusal;
        }
    }
    document.analysis = std::move(analysis);
    keep_few();
    return &*document.analysis;
}

fixing::Analysis* Analyser::traced(Document& document) {
    const fixing::Analysis* known = analysis(document);
    if (known == nullptr || known->outcome != fixing::Analysis::Outcome::analysed) return nullptr;
    if (!known->trace) {
        const bool stale = document.stale;
        document.analysis.reset();
        if (analysis(document) == nullptr) return nullptr;
        document.stale = stale;
    }
    return document.analysis->trace ? &*document.analysis : nullptr;
}

void Analyser::keep_few() {
    std::vector<Document*> kept;
    for (auto& [uri, document] : documents_.all()) {
        if (document.file || (document.analysis && document.analysis->trace)) kept.push_back(&document);
    }
    if (kept.size() <= kKept) return;
    std::ranges::sort(kept, std::greater(), &Document::used);
    for (Document* document : std::span(kept).subspan(kKept)) {
        document->file.reset();
        if (!document->analysis) continue;
        document->analysis->trace.reset();
        document->analysis->file.reset();
    }
}

std::optional<fixing::Analysis> Analyser::analysis_of_file(const std::string& path) {
    const auto config = config_of(path);
    if (!config) return std::nullopt;
    auto source = text::Source::load(path);
    if (!source) return std::nullopt;
    fixing::Analysis analysis =
        fixing::analyse(*project_, std::make_shared<const text::Source>(*std::move(source)), *config);
    fixing::EditableFiles editable;
    editable.add(path);
    fixing::hold_back_fixes_outside(analysis, editable);
    analysis.trace.reset();
    analysis.file.reset();
    return analysis;
}

std::optional<std::string> Analyser::fixed(Document& document, const fixing::FixOptions& options) {
    if (analysis(document) == nullptr) return std::nullopt;
    // Another document of the same file may be what others import just now.
    const auto shown = project_->overlay(document.path);
    if (shown != document.source) project_->set_overlay(document.path, document.source);
    const fixing::FixResult result = fixing::fix_all(*project_, {{document.source}}, document.config, options);
    if (shown != document.source) project_->set_overlay(document.path, shown);
    for (const fixing::FixedFile& file : result.files) {
        if (file.path == document.source->path()) return file.text;
    }
    return std::string(document.source->text());
}

std::vector<fixing::FixedFile> Analyser::fixed_files(const std::vector<std::string>& paths) {
    std::deque<fixing::Config> configs;  // stay where they are
    std::vector<fixing::FixInput> inputs;
    for (const std::string& path : paths) {
        auto config = config_of(path);
        if (!config) continue;
        std::shared_ptr<const text::Source> source;
        if (const Document* document = documents_.find_path(path)) {
            source = document->source;
        } else if (auto loaded = text::Source::load(path)) {
            source = std::make_shared<const text::Source>(*std::move(loaded));
        }
        if (source == nullptr || !fixing::mentions_pypto(source->text())) continue;
        configs.push_back(*std::move(config));
        inputs.push_back({std::move(source), &configs.back()});
    }
    return fixing::fix_all(*project_, inputs).files;
}

const std::string& Analyser::key_of(const std::string& path) {
    const auto [at, is_new] = keys_.try_emplace(path);
    if (is_new) at->second = fixing::path_key(path);
    return at->second;
}

bool Analyser::forget_if(const std::function<bool(const text::Source& source)>& is_meant, const std::string& key) {
    bool any = false;
    for (auto& [uri, document] : documents_.all()) {
        if (!document.analysis || document.key == key) continue;
        const auto& sources = document.analysis->sources;
        if (std::ranges::none_of(sources, [&](const auto& source) { return is_meant(*source); })) continue;
        document.analysis.reset();
        document.stale = true;
        any = true;
    }
    return any;
}

bool Analyser::forget_users_of(const std::string& key) {
    return forget_if([&](const text::Source& source) { return key_of(source.path()) == key; }, key);
}

bool Analyser::forget_who_may_import(const std::string& path, const std::string& key) {
    std::string name = std::filesystem::path(path).stem().string();
    // A package is imported by its folder's name, and by "from . import".
    const bool is_module = name != "__init__" && path.ends_with(".py");
    return forget_if(
        [&](const text::Source& source) {
            return !is_module || source.text().find(name) != std::string_view::npos || key_of(source.path()) == key;
        },
        key);
}

bool Analyser::text_changed(Document& document) {
    const auto is_importable = [](const text::Source& source) { return !syntax::too_deeply_indented(source.text()); };
    if (!document.importable) {
        const auto on_disk = text::Source::load(document.path);
        document.importable = on_disk && is_importable(*on_disk);
    }
    const bool was_importable = *document.importable;
    document.importable = document.source != nullptr && is_importable(*document.source);
    project_->set_overlay(document.path, document.source);
    // What could not be imported before may be found now.
    if (was_importable != *document.importable) return forget_who_may_import(document.path, document.key);
    return forget_users_of(document.key);
}

void Analyser::closed(const Document& document) {
    // Another document of the same file is what others import now.
    const Document* left = documents_.find_path(document.path);
    project_->set_overlay(document.path, left == nullptr ? nullptr : left->source);
    file_forgotten(document.path);
}

void Analyser::file_changed(const std::string& path) {
    if (is_config_name(path)) return settings_changed();
    if (documents_.find_path(path) != nullptr) return;
    project_->set_overlay(path, nullptr);  // forgets what was read of it, and what was looked for in vain
    file_forgotten(path);
}

void Analyser::file_forgotten(const std::string& path) {
    keys_.clear();
    forget_who_may_import(path, fixing::path_key(path));
}

void Analyser::settings_changed() {
    configs_.emplace(settings_.language);
    said_.clear();
    forget_all();
}

void Analyser::forget_all() {
    for (auto& [uri, document] : documents_.all()) {
        document.analysis.reset();
        document.stale = true;
    }
}

}  // namespace ptofix::lsp
