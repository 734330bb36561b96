#include "cache/record.h"

#include <algorithm>
#include <cereal/archives/binary.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#include <stdexcept>

#include "rules/messages.h"

// How each struct is written and read: one function for both ways, so that they cannot differ.
namespace ptofix {

namespace cache {

/// A name of the program's own tables, that outlives every record.
struct Unknown : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class Archive, class Find>
void name(Archive& archive, std::string_view& view, const Find& find) {
    std::string own(view);
    archive(own);
    if constexpr (Archive::is_loading::value) view = find(own);
}

template <class Archive>
void rule_id(Archive& archive, std::string_view& id) {
    name(archive, id, [](const std::string& read) {
        const fixing::RuleEntry* rule = fixing::default_pipeline().find(read);
        if (rule == nullptr) throw Unknown(read);
        return rule->id;
    });
}

template <class Archive>
void message_id(Archive& archive, std::string_view& id) {
    name(archive, id, [](const std::string& read) {
        const rules::Message* message = rules::find_message(read);
        if (message == nullptr && !read.empty()) throw Unknown(read);
        return message == nullptr ? std::string_view{} : message->id;
    });
}

template <class Archive>
void serialize(Archive& archive, Digest& digest) {
    archive(digest.high, digest.low);
}

template <class Archive>
void serialize(Archive& archive, ImportRecord& import) {
    archive(import.module, import.importer_path, import.path, import.text);
}

}  // namespace cache

namespace text {

template <class Archive>
void serialize(Archive& archive, Range& range) {
    archive(range.start, range.end);
}

}  // namespace text

namespace rules {

template <class Archive>
void serialize(Archive& archive, Location& location) {
    archive(location.file, location.range);
}

template <class Archive>
void save(Archive& archive, const Data& data) {
    archive(data.items());
}

template <class Archive>
void load(Archive& archive, Data& data) {
    std::vector<std::pair<std::string, DataValue>> items;
    archive(items);
    for (auto& [key, value] : items) data.set(std::move(key), std::move(value));
}

template <class Archive>
void serialize(Archive& archive, Text& text) {
    cache::message_id(archive, text.id);
    archive(text.data);
}

template <class Archive>
void serialize(Archive& archive, Related& related) {
    archive(related.location, related.text);
}

template <class Archive>
void serialize(Archive& archive, FileEdit& edit) {
    archive(edit.file, edit.range, edit.text);
}

template <class Archive>
void serialize(Archive& archive, Fix& fix) {
    archive(fix.applicability, fix.description, fix.edits, fix.isolation, fix.removes_comments, fix.read_as);
}

template <class Archive>
void serialize(Archive& archive, Blocked& blocked) {
    archive(blocked.reason, blocked.location);
}

template <class Archive>
void serialize(Archive& archive, Rewrite& rewrite) {
    archive(rewrite.fix, rewrite.alternatives, rewrite.blocked);
}

template <class Archive>
void serialize(Archive& archive, Finding& finding) {
    cache::rule_id(archive, finding.rule);
    archive(finding.severity, finding.location, finding.subject, finding.message, finding.related);
}

}  // namespace rules

namespace fixing {

template <class Archive>
void serialize(Archive& archive, Suppression& suppression) {
    archive(suppression.comment, suppression.range, suppression.list, suppression.whole_file,
            suppression.alone_on_line);
    auto count = static_cast<std::uint32_t>(suppression.rules.size());
    archive(count);
    suppression.rules.resize(count);
    for (std::string_view& rule : suppression.rules) cache::rule_id(archive, rule);
    archive(suppression.rule_ranges, suppression.reason);
}

template <class Archive>
void serialize(Archive& archive, Diagnosis& diagnosis) {
    archive(diagnosis.finding, diagnosis.rewrite, diagnosis.contexts, diagnosis.function, diagnosis.suppression);
}

}  // namespace fixing

namespace cache {

namespace {

/// Another number for another layout; the build's own mark is part of every key beside it.
constexpr std::uint32_t kLayout = 2;

struct Frame {
    std::uint32_t layout = kLayout;
    std::vector<ImportRecord> imports;
    std::vector<std::string> paths;  // of Analysis::sources; empty for the analysed file
    std::uint8_t outcome = 0;
    std::optional<text::Range> syntax_error;
    bool missing_block = false;
    bool cut_short = false;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(layout);
        if (layout != kLayout) throw Unknown("layout");
        archive(imports, paths, outcome, syntax_error, missing_block, cut_short);
    }
};

}  // namespace

std::optional<std::string> to_record(const fixing::Analysis& analysis, const std::vector<trace::Import>& imports) {
    if (analysis.outcome == fixing::Analysis::Outcome::refused || !analysis.errors.empty()) return std::nullopt;
    Frame frame;
    for (const trace::Import& import : imports) {
        if (!import.path.empty() && import.read == nullptr) return std::nullopt;
        const Digest text = import.read ? digest_of(import.read->bytes()) : Digest{};
        frame.imports.push_back({import.module, import.importer_path, import.path, text});
    }
    for (const auto& source : analysis.sources) {
        const bool main = source == analysis.source;
        const auto is_known = [&](const trace::Import& import) { return import.path == source->path(); };
        // Where a text came from otherwise, nothing would tell that it has changed.
        if (!main && std::ranges::none_of(imports, is_known)) return std::nullopt;
        frame.paths.push_back(main ? std::string{} : source->path());
    }
    frame.outcome = static_cast<std::uint8_t>(analysis.outcome);
    frame.syntax_error = analysis.syntax_error;
    frame.missing_block = analysis.missing_block;
    frame.cut_short = analysis.cut_short;
    std::ostringstream out;
    {
        cereal::BinaryOutputArchive archive(out);
        archive(frame, analysis.findings, analysis.suppressed);
    }
    std::string body = std::move(out).str();
    const Digest digest = digest_of(body);
    body.append(reinterpret_cast<const char*>(&digest), sizeof digest);
    return body;
}

std::optional<fixing::Analysis> from_record(std::string_view bytes, std::shared_ptr<const text::Source> source,
                                            const ImportCheck& holds, const Reader& read) {
    Digest digest;
    if (bytes.size() < sizeof digest) return std::nullopt;
    const std::string_view body = bytes.substr(0, bytes.size() - sizeof digest);
    bytes.copy(reinterpret_cast<char*>(&digest), sizeof digest, body.size());
    if (digest_of(body) != digest) return std::nullopt;
    try {
        std::istringstream in{std::string(body)};
        cereal::BinaryInputArchive archive(in);
        Frame frame;
        archive(frame);
        if (!std::ranges::all_of(frame.imports, holds)) return std::nullopt;
        fixing::Analysis analysis;
        for (const std::string& path : frame.paths) {
            analysis.sources.push_back(path.empty() ? source : read(path));
            if (!analysis.sources.back()) return std::nullopt;
        }
        analysis.source = std::move(source);
        analysis.outcome = static_cast<fixing::Analysis::Outcome>(frame.outcome);
        analysis.syntax_error = frame.syntax_error;
        analysis.missing_block = frame.missing_block;
        analysis.cut_short = frame.cut_short;
        archive(analysis.findings, analysis.suppressed);
        return analysis;
    } catch (const std::exception&) {  // of another program, or from a disk that lies
        return std::nullopt;
    }
}

}  // namespace cache

}  // namespace ptofix
