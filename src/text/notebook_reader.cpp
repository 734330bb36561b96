#include "text/notebook_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "text/magics.h"
#include "text/utf8.h"

namespace ptofix::text {

namespace {

constexpr double kFormat = 4;  // 4.0 is the same to Python
constexpr std::string_view kNoNotebook = "no nbformat";
constexpr std::string_view kNoCells = "no list of cells";
constexpr std::string_view kUnsoundCell = "a cell without a type or a source";
constexpr std::string_view kNoText = "a character that no text has in a cell";

/// "python", "Python 3", "ipython": whatever runs cells as Python.
bool is_python_name(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("python") != std::string::npos;
}

/// Not with a NUL, or half of a surrogate pair.
bool is_text(std::string_view own) {
    return own.find('\0') == std::string_view::npos && find_invalid_utf8(own) == std::string_view::npos;
}

}  // namespace

std::expected<Notebook, NotebookError> NotebookReader::read() {
    bool is_number = false;
    const bool is_object = cursor_.object([&](std::string_view key) {
        // Of two values of one name the last one counts, as it does for Jupyter.
        if (key == "cells") {
            read_cells();
        } else if (key == "metadata") {
            is_python_ = read_metadata();
        } else if (key == "nbformat") {
            const char first = cursor_.next();
            is_number = first >= '0' && first <= '9';
            if (is_number) {
                format_ = cursor_.word();
            } else {
                cursor_.skip();
            }
        } else {
            cursor_.skip();
        }
    });
    if (!is_object || !is_number) return std::unexpected(NotebookError{false, std::string(kNoNotebook)});
    if (std::strtod(format_.c_str(), nullptr) != kFormat) return std::unexpected(NotebookError{true, format_});
    if (!has_cells_) return std::unexpected(NotebookError{false, std::string(kNoCells)});
    if (!fault_.detail.empty()) return std::unexpected(std::move(fault_));
    if (is_python_) join();
    return std::move(notebook_);
}

void NotebookReader::read_cells() {
    cells_.clear();
    fault_ = {};
    std::uint32_t number = 0;
    has_cells_ = cursor_.list([&] { read_cell(++number); });
}

void NotebookReader::read_cell(std::uint32_t number) {
    cursor_.next();
    Notebook::Cell cell;
    cell.number = number;
    std::string type;
    bool has_source = false;
    const std::size_t start = cursor_.at();
    cursor_.object([&](std::string_view key) {
        if (key == "source") {
            has_source = read_source(cell);
        } else if (key == "cell_type") {
            type = cursor_.decoded(cursor_.string());
        } else {
            cursor_.skip();
        }
    });
    std::string_view fault;
    if (type.empty() || !has_source) {
        fault = kUnsoundCell;
    } else if (type == "code" && !is_text(cell.own)) {
        fault = kNoText;
    }
    if (!fault.empty() && fault_.detail.empty()) fault_ = {false, std::string(fault), start};
    if (type == "code") cells_.push_back(std::move(cell));
}

bool NotebookReader::read_source(Notebook::Cell& cell) {
    cell.literals.clear();
    cell.own.clear();
    bool only_strings = true;
    const auto read_string = [&] {
        const Range raw = cursor_.string();
        only_strings = only_strings && !raw.empty();
        if (raw.empty()) return;
        const auto start = static_cast<std::uint32_t>(cell.own.size());
        cell.own += cursor_.decoded(raw);
        cell.literals.push_back({raw, {start, static_cast<std::uint32_t>(cell.own.size())}});
    };
    cell.is_list = cursor_.next() == '[';
    if (cell.is_list) {
        cursor_.list(read_string);
    } else {
        read_string();
    }
    return only_strings;
}

/// The kernel's language, else the one that a kernel once said it speaks; without either it is Python.
bool NotebookReader::read_metadata() {
    std::string kernel, spoken;
    cursor_.object([&](std::string_view part) {
        if (part != "kernelspec" && part != "language_info") return cursor_.skip();
        const bool is_kernel = part == "kernelspec";
        std::string& into = is_kernel ? kernel : spoken;
        cursor_.object([&](std::string_view key) {
            if (key != (is_kernel ? "language" : "name")) return cursor_.skip();
            into = cursor_.decoded(cursor_.string());
        });
    });
    const std::string& language = kernel.empty() ? spoken : kernel;
    return language.empty() || is_python_name(language);
}

/// What lines between cells begin with: no cell has it.
std::string NotebookReader::border() const {
    std::string marks = "# %%";
    const auto is_there = [&](const Notebook::Cell& cell) {
        return cell.own.find(marks + " cell ") != std::string::npos;
    };
    while (std::ranges::any_of(cells_, is_there)) marks += '%';
    return marks + " cell ";
}

void NotebookReader::join() {
    const std::string border = this->border();
    NotebookNames& names = notebook_.names_;
    for (const Notebook::Cell& cell : cells_) names.read(cell.own);
    for (Notebook::Cell& cell : cells_) {
        if (!notebook_.cells_.empty()) {
            notebook_.borders_.push_back(fmt::format("{}{}\n", border, cell.number));
            notebook_.text_ += notebook_.borders_.back();
        }
        PythonCell python = python_of_cell(cell.own, names);
        cell.line_end_added = !python.text.empty() && !python.text.ends_with('\n');
        if (cell.line_end_added) python.text += '\n';
        const auto start = static_cast<std::uint32_t>(notebook_.text_.size());
        notebook_.text_ += python.text;
        cell.range = {start, static_cast<std::uint32_t>(notebook_.text_.size())};
        cell.replaced = std::move(python.replaced);
        cell.head = python.head;
        notebook_.cells_.push_back(std::move(cell));
    }
}

}  // namespace ptofix::text
