#include "detectors/places.h"

#include "trace/project.h"

namespace ptofix::detectors {

rules::Location location_of(const trace::Trace& trace, trace::Site site) {
    return {site.file, trace.files[site.file]->tree.range(site.node)};
}

rules::Location header_location(const trace::Trace& trace, trace::Site site) {
    rules::Location location = location_of(trace, site);
    const syntax::Tree& tree = trace.files[site.file]->tree;
    const syntax::NodeId colon = tree.child_of_kind(site.node, syntax::Kind::colon);
    if (colon != syntax::kNoNode) location.range.end = tree[colon].start;
    return location;
}

trace::TensorId root_of(const trace::Trace& trace, trace::TensorId tensor) {
    while (trace.tensors[tensor].base != trace::kNoTensor) tensor = trace.tensors[tensor].base;
    return tensor;
}

}  // namespace ptofix::detectors
