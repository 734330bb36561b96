#include "syntax/memory.h"

#include <tree_sitter/api.h>

#include <cstdlib>
#include <cstring>

#include "syntax/arena.h"

namespace ptofix::syntax {

namespace {

void (*out_of_memory)() = std::abort;

thread_local Arena mine;
constinit thread_local Arena* open = nullptr;  // while a ParseMemory exists

void* checked(void* memory, std::size_t size) {
    if (memory == nullptr && size > 0) out_of_memory();
    return memory;
}

void* take(std::size_t size) {
    return checked(open != nullptr ? open->take(size) : std::malloc(size), size);
}

void* take_zeros(std::size_t count, std::size_t size) {
    const std::size_t all = count * size;  // tree-sitter's counts are of 32 bits
    if (open == nullptr) return checked(std::calloc(count, size), all);
    return std::memset(checked(open->take(all), all), 0, all);
}

void* grow(void* memory, std::size_t size) {
    return checked(open != nullptr ? open->grow(memory, size) : std::realloc(memory, size), size);
}

void give(void* memory) {
    if (open != nullptr) {
        open->give(memory);
    } else {
        std::free(memory);
    }
}

}  // namespace

void on_out_of_memory(void (*handler)()) {
    out_of_memory = handler;
}

void install_parser_memory() {
    ts_set_allocator(take, take_zeros, grow, give);
}

ParseMemory::ParseMemory() {
    open = &mine;
}

ParseMemory::~ParseMemory() {
    open = nullptr;
    mine.clear();
}

}  // namespace ptofix::syntax
