// libgit2, loaded when it is first asked for: it brings fourteen libraries with it, which is half of what the program
// takes to start, and most runs ask it nothing.
#pragma once

#include <git2.h>

namespace ptofix::text {

// Each that this program calls; what is missing here does not compile.
// clang-format off
#define PTOFIX_LIBGIT2_FUNCTIONS(F) \
    F(git_blob_free) F(git_blob_lookup) F(git_buf_dispose) F(git_config_free) F(git_config_get_path) \
    F(git_diff_free) F(git_diff_find_options_init) F(git_diff_find_similar) F(git_diff_get_delta) \
    F(git_diff_index_to_workdir) F(git_diff_num_deltas) F(git_diff_options_init) F(git_diff_tree_to_index) \
    F(git_diff_tree_to_workdir_with_index) F(git_error_last) F(git_filter_list_apply_to_blob) \
    F(git_filter_list_free) F(git_filter_list_load) F(git_ignore_path_is_ignored) F(git_index_free) \
    F(git_index_get_bypath) F(git_libgit2_init) F(git_libgit2_opts) F(git_libgit2_shutdown) F(git_object_free) \
    F(git_object_peel) F(git_odb_hash) F(git_oid_tostr) F(git_patch_free) F(git_patch_from_buffers) \
    F(git_patch_get_hunk) F(git_patch_num_hunks) F(git_patch_print) F(git_repository_commondir) \
    F(git_repository_config) F(git_repository_free) F(git_repository_head_unborn) F(git_repository_index) \
    F(git_repository_is_bare) F(git_repository_open_ext) F(git_repository_workdir) F(git_revparse_single) \
    F(git_status_byindex) F(git_status_list_entrycount) F(git_status_list_free) F(git_status_list_new) \
    F(git_tree_free)
// clang-format on

/// Its functions, under the names that its documentation has.
struct Libgit2 {
#define PTOFIX_MEMBER(name) decltype(&::name) name;  // NOLINT(bugprone-macro-parentheses): it is declared
    PTOFIX_LIBGIT2_FUNCTIONS(PTOFIX_MEMBER)
#undef PTOFIX_MEMBER
};

/// Started with the first call; ends with the program. Throws std::runtime_error with the system's words where the
/// library that the program was built with is not there.
const Libgit2& libgit2();

/// For a std::unique_ptr: FreeGit<&Libgit2::git_tree_free>.
template <auto Free>
struct FreeGit {
    void operator()(auto* thing) const { (libgit2().*Free)(thing); }
};

}  // namespace ptofix::text
