#include "rewrites/tile_groups.h"

#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

using trace::OpId;
using trace::TileId;
using trace::Trace;

std::map<std::vector<std::int64_t>, SameNumbers> groups_by_numbers(const Trace& trace, trace::Site call) {
    std::map<std::vector<std::int64_t>, SameNumbers> groups;
    for (TileId id = 0; id < trace.tiles.size(); ++id) {
        if (trace.tiles[id].call != call) continue;
        if (const auto numbers = trace::known_tile(trace, id)) groups[*numbers].settings.push_back(id);
    }
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const trace::Operation& op = trace.operations[id];
        const bool on_tiles = op.engine == trace::Engine::vector || op.engine == trace::Engine::create;
        if (!on_tiles || op.vec_tile == trace::kNone || trace.tiles[op.vec_tile].call != call) continue;
        if (const auto numbers = trace::known_tile(trace, op.vec_tile)) groups[*numbers].operations.push_back(id);
    }
    return groups;
}

}  // namespace ptofix::rewrites
