# Puts the files of this folder into a C++ source: cmake -DFOLDER=... -DTARGET=... -P embed.cmake
set(text "// Made from src/report/html by embed.cmake.\n#include \"report/html_page.h\"\n\nnamespace ptofix::report {\n\n")
foreach(pair "kHtmlPage page.html" "kHtmlStyle page.css" "kHtmlScript page.js")
  separate_arguments(parts UNIX_COMMAND "${pair}")
  list(GET parts 0 name)
  list(GET parts 1 file)
  # As numbers: no text of the file can end the literal or be read as CMake's.
  file(READ "${FOLDER}/${file}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND text "static constexpr char ${name}Bytes[] = {${bytes}};\n")
  string(APPEND text "constinit const std::string_view ${name}(${name}Bytes, sizeof(${name}Bytes));\n\n")
endforeach()
string(APPEND text "}  // namespace ptofix::report\n")
file(WRITE "${TARGET}" "${text}")
