#include "syntax/memory.h"

#include <tree_sitter/api.h>

#include <cstdlib>

namespace ptofix::syntax {

namespace {

void (*out_of_memory)() = std::abort;

void* checked(void* memory, std::size_t size) {
    if (memory == nullptr && size > 0) out_of_memory();
    return memory;
}

}  // namespace

void on_out_of_memory(void (*handler)()) {
    out_of_memory = handler;
    ts_set_allocator(
        [](std::size_t size) { return checked(std::malloc(size), size); },
        [](std::size_t count, std::size_t size) { return checked(std::calloc(count, size), count * size); },
        [](void* old, std::size_t size) { return checked(std::realloc(old, size), size); }, std::free);
}

}  // namespace ptofix::syntax
