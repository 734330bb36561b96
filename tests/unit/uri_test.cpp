#include <catch2/catch.hpp>
#include <string>

#include "text/uri.h"

using ptofix::text::path_of_uri;
using ptofix::text::uri_of_path;

TEST_CASE("the path of a file's URI, however it is spelled") {
    for (const char* uri :
         {"file:///w/a b.py", "file:///w/a%20b.py", "file://localhost/w/a%20b.py", "FILE:///w/a%20b.py",
          "file:/w/a%20b.py", "file:///w/a%20b.py#L5", "file:///w/a%20b.py?x"}) {
        CAPTURE(uri);
        CHECK(path_of_uri(uri) == "/w/a b.py");
    }
    CHECK(path_of_uri("file:///w/%e4%b8%AD.py") == "/w/\u4e2d.py");
    CHECK(path_of_uri("file:///w/100%.py") == "/w/100%.py");
    for (const char* uri : {"", "file:", "file://", "file://host", "file:w.py", "untitled:Untitled-1",
                            "vscode-userdata:/w/a.py", "files:///w/a.py", "file:///w/a%00.py"}) {
        CAPTURE(uri);
        CHECK(!path_of_uri(uri));
    }
}

TEST_CASE("a path made a URI is that path again") {
    for (const std::string path : {"/w/a b.py", "/w/100%25.py", "/w/\u4e2d\U0001f600.py", "/w/a?b#c.py", "/"}) {
        CHECK(path_of_uri(uri_of_path(path)) == path);
    }
}
