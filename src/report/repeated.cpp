#include "report/repeated.h"

namespace ptofix::report {

void Repeated::add(const Place& place, std::size_t part, int severity, bool of_own_file) {
    Holder holder{dropped_.size(), {severity, of_own_file}};
    dropped_.push_back(false);
    const std::uint32_t which = seen_[{place, part}]++;
    const auto [at, fresh] = kept_.try_emplace({place, which}, holder);
    if (fresh) return;
    if (holder.worth > at->second.worth) std::swap(at->second, holder);
    dropped_[holder.finding] = true;
}

}  // namespace ptofix::report
