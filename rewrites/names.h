// How a file names things, for text that a rewriter adds to it: the framework's module, string quotes, names of loops
// that are still free.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rules/finding.h"
#include "syntax/tree.h"
#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// The file's imports of the framework, read once for all findings.
class FrameworkNames {
  public:
    explicit FrameworkNames(const trace::SourceFile& file);
    /// As framework_function.
    std::optional<std::string> function(syntax::NodeId callee) const;
    /// What an import binds: its name here, what it is, and the statement.
    struct Import {
        std::string_view local;
        std::string target;  // "pypto", "pypto.frontend.jit"
        bool is_module = false;
        syntax::NodeId statement = syntax::kNoNode;
    };
    const std::vector<Import>& imports() const { return *imports_; }

  private:
    const trace::SourceFile& file_;
    std::shared_ptr<const std::vector<Import>> imports_;
};

/// What stands before ".loop" in this file: "pypto", or "p" after `import pypto as p`.
struct ModuleName {
    std::string text;
    /// Where the file imports single names only: the edit that adds `import pypto`.
    std::optional<rules::FileEdit> import;
};
/// `at`: where the name is to be used; imports of other functions do not count.
ModuleName framework_module(const trace::SourceFile& file, trace::FileId id, syntax::NodeId at);

/// The dotted name of the framework's function that a callee ("p.matmul", "view" after `from pypto import view`) means,
/// without "pypto."; nullopt: it is no function of the framework, as far as the file's imports tell.
std::optional<std::string> framework_function(const trace::SourceFile& file, syntax::NodeId callee);

/// The quote that most strings of the file have.
char usual_quote(const trace::SourceFile& file);

/// Names in use, and new ones beside them.
class UsedNames {
  public:
    UsedNames(std::initializer_list<std::string> names = {}) : names_(names) {}
    void add(std::string name) { names_.insert(std::move(name)); }
    bool contains(const std::string& name) const { return names_.contains(name); }
    std::size_t size() const { return names_.size(); }
    /// `wanted`, or with the first number from 2 on that makes it new: "LOOP_H_2".
    std::string unused(const std::string& wanted);

  private:
    std::unordered_set<std::string> names_;
    std::unordered_map<std::string, int> next_;  // of a wanted name: the numbers below are in use
};

/// The names that device loops of the kernel and of these files have.
UsedNames loop_names(const trace::Trace& trace);

}  // namespace ptofix::rewrites
