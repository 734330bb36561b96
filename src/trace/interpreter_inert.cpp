// Which functions of host code can show nothing of a kernel, a device loop or a tile, told from the names in them: half
// of a file of tests works out what is expected, with a library of the host.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

constexpr int kDeepest = 4;  // of displays within each other that are looked into

bool is_frameworks(std::string_view dotted) {
    return dotted == "pypto" || dotted.starts_with("pypto.");
}

}  // namespace

/// Is it nothing that the framework gave, and holds nothing of the project's code? Functions among it are added to
/// `functions`.
bool Interpreter::is_of_host(const Value& v, int depth, std::vector<const Function*>& functions) const {
    switch (v.tag) {
        case Tag::unknown:  // whatever it is, it is not followed
        case Tag::none:
        case Tag::boolean:
        case Tag::integer:
        case Tag::symbol:
        case Tag::real:
        case Tag::string:
        case Tag::dtype:
        case Tag::ellipsis:
        case Tag::marker:
        case Tag::slice:
        case Tag::range:
            return true;
        case Tag::external:
            return !is_frameworks(*v.as.text);
        case Tag::function:
            functions.push_back(v.as.function);
            return !v.as.function->is_kernel;
        case Tag::list:
        case Tag::tuple:
        case Tag::set:
        case Tag::dict:
            return depth < kDeepest &&
                   std::ranges::all_of(
                       parts_of(v), [&](const Value& part) { return is_of_host(part, depth + 1, functions); });
        default:
            return false;
    }
}

const Interpreter::HostCode& Interpreter::host_code(const Function* f) {
    const auto [at, fresh] = host_code_.try_emplace(f);
    HostCode& code = at->second;
    if (!fresh) return code;
    // Of a method it isn't known what it is called on.
    if (f->site.file == kNoFile || f->owner != nullptr || f->closure == nullptr || !f->closure->is_module ||
        !f->closure->star_modules.empty()) {
        return code;
    }
    const syntax::Tree& tree = trace_.files[f->site.file]->tree;
    const NodeId end = tree[f->site.node].subtree_end;
    charge(end - f->site.node);
    for (NodeId n = f->site.node; n < end; ++n) {
        const Kind kind = tree.kind(n);
        if (kind == Kind::import_statement || kind == Kind::import_from_statement) return code;
        if (kind != Kind::identifier || tree[n].field == Field::attribute) continue;
        const Scope::Entry* e = f->closure->find(trace_.files[f->site.file]->text(n));
        if (e != nullptr && e->bound && !is_of_host(e->value, 0, code.functions)) return code;
    }
    code.is_hosts = true;
    return code;
}

bool Interpreter::is_inert(const Function* f) {
    std::vector<const Function*> reached{f};
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const HostCode& code = host_code(reached[i]);
        if (!code.is_hosts) return false;
        for (const Function* next : code.functions) {
            if (std::ranges::find(reached, next) == reached.end()) reached.push_back(next);
        }
    }
    return true;
}

}  // namespace ptofix::trace
