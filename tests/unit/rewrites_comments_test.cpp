// Comments that stand with a statement.
#include <catch2/catch.hpp>

#include "rewrites/comments.h"
#include "rewrites_support.h"

using namespace ptofix;
using syntax::Kind;
using syntax::NodeId;

namespace {

NodeId statement(const trace::SourceFile& file, std::string_view text) {
    for (NodeId id = 0; id < file.tree.nodes().size(); ++id) {
        if (file.tree.kind(id) == Kind::expression_statement && file.text(id).starts_with(text)) return id;
    }
    FAIL("no statement " << text);
    return 0;
}

std::string text_of(const trace::SourceFile& file, text::Range range) {
    return std::string(file.text().substr(range.start, range.size()));
}

}  // namespace

TEST_CASE("the comments directly above a statement are its own, those for a tool are not") {
    const test::Traced traced(
        "if a:\n    # one\n    # two\n    b = 1\n\n    # three\n\n    c = 2\n    # noqa: on\n    d = 3\n"
        "  # less deep\n    e = 4  # behind\n    f = 5; g = 6  # both\n");
    const trace::SourceFile& file = *traced.file;
    const auto above = [&](std::string_view s) {
        return text_of(file, rewrites::comments_above(file, statement(file, s)));
    };
    CHECK(above("b =") == "    # one\n    # two\n");
    CHECK(above("c =").empty());
    CHECK(above("d =").empty());
    CHECK(above("e =").empty());
    CHECK(rewrites::comments_on(file, rewrites::comments_above(file, statement(file, "b ="))) ==
          std::vector<std::string>{"# one", "# two"});
    CHECK(rewrites::comment_behind(file, statement(file, "e =")) == std::string_view("# behind"));
    CHECK(rewrites::lines_with_comment(file, statement(file, "e =")).has_value());
    CHECK_FALSE(rewrites::lines_with_comment(file, statement(file, "g =")).has_value());
    CHECK_FALSE(rewrites::lines_with_comment(file, statement(file, "f =")).has_value());
}

TEST_CASE("a word is found alone, a character of another script anywhere") {
    CHECK(rewrites::mentions("# casts W to bf16", {"w"}));
    CHECK_FALSE(rewrites::mentions("# two weights", {"w"}));
    CHECK_FALSE(rewrites::mentions("# w_bf16", {"w"}));
    CHECK(rewrites::mentions("# 先转换权重", {"转换"}));
    CHECK_FALSE(rewrites::mentions("# nothing", {""}));
    for (const char* comment :
         {"# noqa: E501", "#type: ignore", "# fmt: off", "#: pylint:x", "# PTO-FIX: ignore[PTO207]"}) {
        INFO(comment);
        CHECK(rewrites::is_for_a_tool(comment) == (std::string_view(comment) != "#: pylint:x"));
    }
    CHECK_FALSE(rewrites::is_for_a_tool("# typed weights"));
}

TEST_CASE("blank lines around lines that go do not pile up") {
    const test::Traced traced("a = 1\n\nb = 2\n\nc = 3\nd = 4\n\ne = 5\n");
    const trace::SourceFile& file = *traced.file;
    const auto gone = [&](std::string_view s) {
        return text_of(file, rewrites::with_blank_lines(file, *rewrites::lines_with_comment(file, statement(file, s))));
    };
    CHECK(gone("b =") == "b = 2\n\n");
    CHECK(gone("d =") == "d = 4\n");
    CHECK(gone("e =") == "e = 5\n");
    CHECK(rewrites::ends_paragraph(file, *rewrites::lines_with_comment(file, statement(file, "b =")), ""));
    CHECK_FALSE(rewrites::ends_paragraph(file, *rewrites::lines_with_comment(file, statement(file, "c =")), ""));
}
