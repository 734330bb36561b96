// The message catalogue: every text a user reads, by id, in Chinese and English, with {placeholders} that a Text's data
// fills. Detectors and rewriters name an id and numbers; only here are words.
#pragma once

#include <string>

#include "rules/catalogue.h"
#include "rules/finding.h"

namespace ptofix::rules {

/// The text in that language. A placeholder without data shows as its name in braces; a test makes sure none does.
std::string render(const Text& text, Language language);

}  // namespace ptofix::rules
