// Codes that no rule stands for: what they mean is on their page, the rest is a person's to read.
#include "diagnose/case.h"
#include "diagnose/shared.h"
#include "rules/codes.h"

namespace ptofix::diagnose {

void conclude_other(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    for (std::size_t i = 0; i < all.log.events.size(); ++i) {
        const auto* error = std::get_if<OtherError>(&all.log.events[i].what);
        if (error == nullptr || done[i]) continue;
        done[i] = true;
        Verdict verdict = verdict_of(all, i, Kind::other);
        verdict.confidence = Confidence::possible;
        verdict.headline = {"diagnose.other", rules::Data().set("code", verdict.code).set("said", error->said)};
        const bool known = rules::find_code(verdict.code) != nullptr;
        verdict.advice.push_back({known ? "diagnose.advice.explain" : "diagnose.advice.unknown_code",
                                  rules::Data().set("code", verdict.code)});
        out.push_back(std::move(verdict));
    }
}

}  // namespace ptofix::diagnose
