// Where the parser gets its memory, and what happens when there is none.
#pragma once

namespace ptofix::syntax {

/// `handler` must not return; it is called on any thread and must not allocate. Left to itself, tree-sitter ends the
/// process with a signal. Call once.
void on_out_of_memory(void (*handler)());

/// Gives tree-sitter the allocator of this file. Before it makes anything.
void install_parser_memory();

/// While one exists on a thread, all that tree-sitter allocates there comes out of blocks that the thread keeps for its
/// next parse. A tree that is read once and dropped costs no walk to free it, a sixth of what parsing does. Everything
/// allocated meanwhile goes with it: parser and tree are made while it exists and forgotten, not deleted. Nothing from
/// before may be freed or grown meanwhile. One at a time on a thread.
class ParseMemory {
  public:
    ParseMemory();
    ~ParseMemory();
    ParseMemory(const ParseMemory&) = delete;
    ParseMemory& operator=(const ParseMemory&) = delete;
};

}  // namespace ptofix::syntax
