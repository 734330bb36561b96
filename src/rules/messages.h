// The message catalogue: every text a user reads, by id, in Chinese and English, with {placeholders} that a Text's data
// fills. Detectors and rewriters name an id and numbers; only here are words. A message is one line in the table of its
// rule (messages_pto201.cpp ...), of what several rules share (messages_blocked.cpp) or of the command line.
//
// Ids: "<rule>.found..." what is wrong, with the numbers; "<rule>.why" what it leads to and "<rule>.label" what stands
// at the carets, both filled from the finding's own data; "<rule>.fix..." what a fix does; "<rule>.blocked..." why
// there is none; "<rule>.related..." what a related place is.
//
// Placeholders: {name}; {name:,} groups digits by three; {name:copy|copies} is the number and the word it calls for. Of
// texts, which may come from a path or a source, nothing reaches a terminal that it would obey.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/catalogue.h"
#include "rules/finding.h"

namespace ptofix::rules {

/// The text in that language. A placeholder without data shows as its name in braces; a test makes sure none does.
/// An id that is not in the catalogue renders as itself.
std::string render(const Text& text, Language language);

/// What the system or src/text says in English ("create temporary file: Permission denied"), in that language as far as
/// the catalogue knows it.
std::string in_language(std::string_view system_words, Language language);

/// A value as it stands in a message, digits grouped by three.
std::string show(const DataValue& value);

struct Message {
    std::string_view id, en, zh;
    std::string_view in(Language language) const { return language == Language::zh ? zh : en; }
};

const Message* find_message(std::string_view id);
/// Every table, for tests.
std::span<const std::span<const Message>> message_tables();
/// The names in braces, in order of appearance.
std::vector<std::string_view> placeholders(std::string_view pattern);

}  // namespace ptofix::rules
