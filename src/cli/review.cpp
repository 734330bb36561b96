#include "cli/review.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cli/edit_fix.h"
#include "cli/shown.h"
#include "report/text.h"
#include "report/view.h"
#include "rules/messages.h"
#include "text/display_width.h"

namespace ptofix::cli {

namespace {

using fixing::Decision;
using fixing::Offer;
using rules::Data;

/// Standard input, line by line; nothing is read beyond what is there.
class Answers {
  public:
    /// The next line, without blanks around it and in small letters; nothing at the end of the input.
    std::optional<std::string> next() {
        std::size_t end = buffer_.find('\n');
        while (end == std::string::npos) {
            char bytes[256];
            const ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) {
                if (buffer_.empty()) return std::nullopt;
                buffer_ += '\n';
            } else {
                buffer_.append(bytes, static_cast<std::size_t>(got));
            }
            end = buffer_.find('\n');
        }
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        constexpr std::string_view kBlanks = " \t\r";
        line.erase(line.find_last_not_of(kBlanks) + 1);
        line.erase(0, line.find_first_not_of(kBlanks));
        for (char& c : line) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        return line;
    }

  private:
    std::string buffer_;
};

/// What the answer means, as its letter; any other is none. A longer word might be meant otherwise than its first
/// letter.
char meaning_of(std::string_view answer) {
    constexpr std::pair<std::string_view, char> kWords[] = {
        {"yes", 'y'}, {"no", 'n'}, {"all", 'a'}, {"quit", 'q'}, {"edit", 'e'}};
    for (const auto& [word, letter] : kWords) {
        if (answer == word) return letter;
    }
    return answer.size() == 1 ? answer.front() : '?';
}

class TerminalReviewer : public fixing::Reviewer {
  public:
    TerminalReviewer(const CheckCommand& command, Output& err)
        : language_(command.language),
          style_{use_colour(command.colour, err), command.language, err.columns().value_or(0)},
          err_(err),
          folder_(current_folder()) {}

    Decision decide(std::span<const Offer> offers) override {
        Decision decision;
        for (std::size_t i = 0; i < offers.size() && !quit_; ++i) {
            const Offer& offer = offers[i];
            const std::string& path = path_of(offer);
            if (no_more_in_.contains(path)) {
                decision.declined.push_back(i);
                continue;
            }
            if (all_in_.contains(path)) {
                decision.accepted = i;
                return decision;
            }
            show(offer);
            if (ask(offer, i + 1, offers.size(), decision)) {
                decision.accepted = i;
                return decision;
            }
            if (!quit_) decision.declined.push_back(i);
        }
        return decision;
    }

    void refused(const std::string& what) override { say("review.refused", Data().set("what", what)); }

  private:
    static const std::string& path_of(const Offer& offer) {
        return offer.analysis->path(offer.diagnosis->finding.location.file);
    }

    void say(std::string_view id, Data data = {}) {
        err_.write(rules::render({id, std::move(data)}, language_) + "\n");
    }

    /// The finding as the text format has it, with the fix that is asked for.
    void show(const Offer& offer) {
        report::FileReport report;
        for (const auto& source : offer.analysis->sources) {
            if (source == offer.analysis->source) report.main = static_cast<std::uint16_t>(report.files.size());
            report.files.push_back(*source);
            report.paths.push_back(shown_path(source->path(), folder_));
        }
        report.path = shown_path(offer.analysis->source->path(), folder_);
        rules::Rewrite rewrite = offer.diagnosis->rewrite;
        rewrite.alternatives.clear();
        report::FindingView view = report::view_of(offer.diagnosis->finding, rewrite, language_);
        view.function = offer.diagnosis->function;
        view.contexts = offer.diagnosis->contexts;
        report.findings.push_back(std::move(view));
        err_.write(report::text_of(report, style_));
    }

    /// True: apply it.
    bool ask(const Offer& offer, std::size_t number, std::size_t count, Decision& decision) {
        while (true) {
            Data data = Data().set("number", static_cast<std::int64_t>(number));
            data.set("count", static_cast<std::int64_t>(count)).set("path", shown_path(path_of(offer), folder_));
            err_.write(rules::render({"review.question", std::move(data)}, language_) + " [y,n,a,d,q,e,?]? ");
            const std::optional<std::string> answer = answers_.next();
            const char letter = answer ? meaning_of(*answer) : 'q';
            // A terminal shows what is typed, and ends the line.
            if (!answer) {
                err_.write("\n");
            } else if (!terminal_) {
                err_.write(text::printable(*answer) + "\n");
            }
            if (letter == 'q') {
                quit_ = true;
                return false;
            }
            switch (letter) {
                case 'y':
                    return true;
                case 'n':
                    return false;
                case 'a':
                    all_in_.insert(path_of(offer));
                    return true;
                case 'd':
                    no_more_in_.insert(path_of(offer));
                    return false;
                case 'e':
                    if (edit(offer, decision)) return true;
                    break;
                default:
                    say("review.help");
                    break;
            }
        }
    }

    bool edit(const Offer& offer, Decision& decision) {
        auto edited = edit_fix(*offer.fix, *offer.analysis->sources[offer.fix->edits.front().file]);
        if (!edited) {
            say(edited.error());
            return false;
        }
        decision.edited = *std::move(edited);
        return true;
    }

    rules::Language language_;
    report::TextStyle style_;
    Output& err_;
    std::string folder_;
    Answers answers_;
    const bool terminal_ = ::isatty(STDIN_FILENO) == 1;
    std::set<std::string> all_in_, no_more_in_;  // paths of files
    bool quit_ = false;
};

}  // namespace

std::unique_ptr<fixing::Reviewer> make_reviewer(const CheckCommand& command, Output& err) {
    return std::make_unique<TerminalReviewer>(command, err);
}

}  // namespace ptofix::cli
