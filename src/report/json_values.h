// Values that several JSON documents hold: places, numbers, tiles; and the object around the files of a run. Only for
// this folder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"
#include "report/trace_view.h"

namespace ptofix::report {

/// C1 control characters written as escapes: a terminal obeys them as it does ESC [.
std::string escape_controls(std::string json);
/// A string in JSON.
std::string quoted(const std::string& text);
/// One line; bytes that are no UTF-8 are replaced.
std::string dump(const nlohmann::ordered_json& value);

nlohmann::ordered_json json_of(const Place& place);
void put_place(nlohmann::ordered_json& out, const Place& place);
nlohmann::ordered_json json_of(const Number& number);
nlohmann::ordered_json json_of(const std::vector<Number>& numbers);
nlohmann::ordered_json json_of(const TileView& tile);
nlohmann::ordered_json problem_json(const Problem& problem);

/// {"version": ..., "files": [...]}, a line for each file, which is an object in JSON; those that could not be read
/// come last.
std::string document_of_files(std::string_view version, const std::vector<std::string>& files,
                              const std::vector<Problem>& problems);

}  // namespace ptofix::report
