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

/// The one range in which two texts differ, between whole characters.
syntax::TextChange difference(std::string_view old_text, std::string_view new_text) {
    const auto is_inside = [](std::string_view text, std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    const std::size_t most = std::min(old_text.size(), new_text.size());
    std::size_t head = static_cast<std::size_t>(
        std::mismatch(old_text.begin(), old_text.begin() + static_cast<std::ptrdiff_t>(most), new_text.begin()).first -
        old_text.begin());
    while (head > 0 && (is_inside(old_text, head) || is_inside(new_text, head))) --head;
    std::size_t tail = 0;
    while (tail < most - head && old_text[old_text.size() - 1 - tail] == new_text[new_text.size() - 1 - tail]) ++tail;
    while (tail > 0 && is_inside(old_text, old_text.size() - tail)) --tail;
    return {{static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(old_text.size() - tail)},
            static_cast<std::uint32_t>(new_text.size() - tail - head)};
}

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
    std::expected<syntax::Tree, syntax::ParseRefusal> tree;
    if (document.file) {
        const syntax::TextChange change = difference(document.file->text(), text);
        tree = project_->parser().reparse(document.file->tree, document.file->text(), {&change, 1}, text);
    } else {
        tree = project_->parser().parse(text, true);
    }
    if (!tree) {
        refusal = tree.error();
        document.file.reset();
        return nullptr;
    }
    document.file = std::make_shared<const trace::SourceFile>(
        trace::SourceFile{document.source, *std::move(tree), document.source->lines()});
    return document.file;
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
    const fixing::Pipeline& pipeline = fixing::default_pipeline();
    const bool worthwhile = fixing::mentions_pypto(*document.source) &&
                            (!pipeline.worth_parsing || pipeline.worth_parsing(document.source->text()));
    if (worthwhile) {
        std::optional<syntax::ParseRefusal> refusal;
        if (const auto file = parsed(document, refusal)) {
            analysis = fixing::analyse(*project_, file, document.config);
            fixing::EditableFiles editable;
            editable.add(document.path);
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
    const fixing::FixResult result = fixing::fix_all(*project_, {{document.source}}, document.config, options);
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
        if (source == nullptr || !fixing::mentions_pypto(*source)) continue;
        configs.push_back(*std::move(config));
        inputs.push_back({std::move(source), &configs.back()});
    }
    return fixing::fix_all(*project_, inputs).files;
}

bool Analyser::forget_users_of(const std::string& path) {
    bool any = false;
    for (auto& [uri, document] : documents_.all()) {
        if (!document.analysis || document.path == path) continue;
        const auto& sources = document.analysis->sources;
        if (std::ranges::none_of(sources, [&](const auto& source) { return source->path() == path; })) continue;
        document.analysis.reset();
        document.stale = true;
        any = true;
    }
    return any;
}

bool Analyser::text_changed(const Document& document) {
    const bool is_new = project_->overlay(document.path) == nullptr;
    project_->set_overlay(document.path, document.source);
    // What could not be imported before may be found now.
    if (!is_new) return forget_users_of(document.path);
    // Opened as it is on disk, it is what others have read already.
    const auto on_disk = text::Source::load(document.path);
    if (on_disk && document.source && on_disk->text() == document.source->text()) return false;
    forget_all();
    return documents_.all().size() > 1;
}

void Analyser::closed(const std::string& path) {
    project_->set_overlay(path, nullptr);
    forget_all();
}

void Analyser::file_changed(const std::string& path) {
    if (is_config_name(path)) return settings_changed();
    if (documents_.find_path(path) != nullptr) return;
    project_->set_overlay(path, nullptr);  // forgets what was read of it, and what was looked for in vain
    forget_all();
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
