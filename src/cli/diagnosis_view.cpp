#include "cli/diagnosis_view.h"

#include <fmt/format.h>

#include "cli/shown.h"
#include "rules/messages.h"
#include "text/cell_place.h"

namespace ptofix::cli {

namespace {

using diagnose::Confidence;
using diagnose::Together;

std::string_view word_of(Together together) {
    switch (together) {
        case Together::single:
            return "single";
        case Together::several:
            return "several";
        case Together::unknown:
            return "unknown";
        case Together::not_asked:
            break;
    }
    return {};
}

struct ConfidenceWord {
    std::string_view word, text;
};

ConfidenceWord word_of(Confidence confidence) {
    switch (confidence) {
        case Confidence::certain:
            return {"certain", "diagnose.confidence.certain"};
        case Confidence::likely:
            return {"likely", "diagnose.confidence.likely"};
        case Confidence::possible:
            break;
    }
    return {"possible", "diagnose.confidence.possible"};
}

report::MatchView match_view(const diagnose::OperationMatch& match, const fixing::Analysis& analysis,
                             const std::string& folder) {
    report::MatchView view;
    view.path = shown_path(analysis.path(match.place.file), folder);
    const text::CellLine at = text::line_in(*analysis.sources[match.place.file], match.place.range.start);
    view.cell = at.cell;
    view.file_line = analysis.sources[match.place.file]->file_positions(match.place.range).first.line;
    view.line = at.line;
    view.column = at.column;
    view.kernel = match.kernel;
    view.operation = match.operation;
    view.step = match.step;
    view.dtype = match.dtype;
    view.shape = match.shape;
    view.tile = match.tile_numbers;
    if (match.tile_place) {
        view.tile_line = text::line_in(*analysis.sources[match.tile_place->file], match.tile_place->range.start).line;
    }
    if (match.with) {
        view.with = match.with->name;
        if (match.with->axis) view.with += fmt::format(".shape[{}]", *match.with->axis);
        view.with += fmt::format(" = {}", match.with->value);
    }
    return view;
}

}  // namespace

report::VerdictView verdict_view(const diagnose::Verdict& verdict, const diagnose::Case& all, const std::string& folder,
                                 rules::Language language) {
    report::VerdictView view;
    view.kind = diagnose::name_of(verdict.kind);
    view.together = word_of(verdict.together);
    const ConfidenceWord confidence = word_of(verdict.confidence);
    view.confidence = confidence.word;
    view.confidence_words = rules::render({confidence.text, {}}, language);
    view.code = verdict.code;
    view.pool = verdict.pool;
    view.stage = verdict.stage;
    view.pass = verdict.pass;
    view.function = verdict.function;
    view.line = verdict.line;
    for (const std::size_t index : verdict.events) {
        const diagnose::Event& event = all.log.events[index];
        view.messages.push_back({event.line, event.count, event.code, event.text});
        if (const auto* overflow = std::get_if<diagnose::PoolOverflow>(&event.what)) {
            view.bytes = overflow->size;
            view.limit = overflow->limit;
            view.operation = overflow->operation;
        } else if (const auto* refused = std::get_if<diagnose::VecTileRefused>(&event.what)) {
            view.operation = refused->operation;
        } else if (const auto* call = std::get_if<diagnose::CallRefused>(&event.what)) {
            view.operation = call->operation;
        }
    }
    const auto render = [&](const std::vector<rules::Text>& texts, std::vector<std::string>& out) {
        for (const rules::Text& text : texts) out.push_back(rules::render(text, language));
    };
    view.headline = rules::render(verdict.headline, language);
    render(verdict.reasons, view.reasons);
    render(verdict.no_use, view.no_use);
    render(verdict.advice, view.advice);
    for (const diagnose::ShapeGuess& shape : verdict.shapes) {
        view.shapes.push_back({shape.dtype, shape.elements, shape.shape, shape.printed});
    }
    for (const diagnose::OperationMatch& match : verdict.matches) {
        view.matches.push_back(match_view(match, all.analyses[match.analysis], folder));
    }
    return view;
}

}  // namespace ptofix::cli
