// Node kinds and fields of the Python grammar as small dense enums. The table that maps the grammar's own symbol
// numbers to these is built once, by name, so that a new grammar version can renumber its symbols without harm.
#pragma once

#include <cstdint>
#include <string_view>

namespace ptofix::syntax {

// clang-format off: a table, laid out by hand
// name in the grammar, enumerator. Named nodes first, then the tokens that carry meaning.
#define PTOFIX_NAMED_KINDS(X) \
    X("module", module_) X("block", block) X("comment", comment) X("identifier", identifier) X("integer", integer) \
    X("float", float_) X("true", true_) X("false", false_) X("none", none) X("ellipsis", ellipsis) \
    X("string", string) X("string_start", string_start) X("string_content", string_content) \
    X("string_end", string_end) X("interpolation", interpolation) X("format_specifier", format_specifier) \
    X("type_conversion", type_conversion) X("escape_sequence", escape_sequence) \
    X("escape_interpolation", escape_interpolation) X("concatenated_string", concatenated_string) \
    X("attribute", attribute) X("subscript", subscript) X("slice", slice) X("call", call) \
    X("argument_list", argument_list) X("keyword_argument", keyword_argument) X("list_splat", list_splat) \
    X("dictionary_splat", dictionary_splat) X("list", list) X("tuple", tuple) X("set", set) \
    X("dictionary", dictionary) X("pair", pair) X("list_comprehension", list_comprehension) \
    X("set_comprehension", set_comprehension) X("dictionary_comprehension", dictionary_comprehension) \
    X("generator_expression", generator_expression) X("for_in_clause", for_in_clause) X("if_clause", if_clause) \
    X("parenthesized_expression", parenthesized_expression) X("parenthesized_list_splat", parenthesized_list_splat) \
    X("expression_list", expression_list) X("unary_operator", unary_operator) X("binary_operator", binary_operator) \
    X("boolean_operator", boolean_operator) X("not_operator", not_operator) \
    X("comparison_operator", comparison_operator) X("conditional_expression", conditional_expression) \
    X("named_expression", named_expression) X("lambda", lambda) X("lambda_parameters", lambda_parameters) \
    X("await", await) X("yield", yield) X("as_pattern", as_pattern) X("as_pattern_target", as_pattern_target) \
    X("expression_statement", expression_statement) X("assignment", assignment) \
    X("augmented_assignment", augmented_assignment) X("pattern_list", pattern_list) \
    X("tuple_pattern", tuple_pattern) X("list_pattern", list_pattern) X("list_splat_pattern", list_splat_pattern) \
    X("dictionary_splat_pattern", dictionary_splat_pattern) X("type", type) X("generic_type", generic_type) \
    X("union_type", union_type) X("member_type", member_type) X("constrained_type", constrained_type) \
    X("splat_type", splat_type) X("type_parameter", type_parameter) X("type_alias_statement", type_alias_statement) \
    X("return_statement", return_statement) X("pass_statement", pass_statement) \
    X("break_statement", break_statement) X("continue_statement", continue_statement) \
    X("raise_statement", raise_statement) X("assert_statement", assert_statement) \
    X("delete_statement", delete_statement) X("global_statement", global_statement) \
    X("nonlocal_statement", nonlocal_statement) X("print_statement", print_statement) \
    X("exec_statement", exec_statement) X("chevron", chevron) X("import_statement", import_statement) \
    X("import_from_statement", import_from_statement) X("future_import_statement", future_import_statement) \
    X("dotted_name", dotted_name) X("aliased_import", aliased_import) X("relative_import", relative_import) \
    X("import_prefix", import_prefix) X("wildcard_import", wildcard_import) X("if_statement", if_statement) \
    X("elif_clause", elif_clause) X("else_clause", else_clause) X("for_statement", for_statement) \
    X("while_statement", while_statement) X("try_statement", try_statement) X("except_clause", except_clause) \
    X("finally_clause", finally_clause) X("with_statement", with_statement) X("with_clause", with_clause) \
    X("with_item", with_item) X("match_statement", match_statement) X("case_clause", case_clause) \
    X("case_pattern", case_pattern) X("class_pattern", class_pattern) X("complex_pattern", complex_pattern) \
    X("dict_pattern", dict_pattern) X("keyword_pattern", keyword_pattern) X("splat_pattern", splat_pattern) \
    X("union_pattern", union_pattern) X("function_definition", function_definition) X("parameters", parameters) \
    X("default_parameter", default_parameter) X("typed_parameter", typed_parameter) \
    X("typed_default_parameter", typed_default_parameter) X("keyword_separator", keyword_separator) \
    X("positional_separator", positional_separator) X("class_definition", class_definition) \
    X("decorated_definition", decorated_definition) X("decorator", decorator) \
    X("line_continuation", line_continuation)

#define PTOFIX_TOKENS(X) \
    X("+", plus) X("-", minus) X("*", star) X("/", slash) X("//", floor_slash) X("%", percent) X("**", power) \
    X("@", at) X("<<", shift_left) X(">>", shift_right) X("&", ampersand) X("|", bar) X("^", caret) X("~", tilde) \
    X("==", equal) X("!=", not_equal) X("<", less) X("<=", less_equal) X(">", greater) X(">=", greater_equal) \
    X("is", is) X("is not", is_not) X("in", in) X("not in", not_in) X("and", and_) X("or", or_) X("not", not_) \
    X("+=", plus_assign) X("-=", minus_assign) X("*=", star_assign) X("/=", slash_assign) \
    X("//=", floor_slash_assign) X("%=", percent_assign) X("**=", power_assign) X("@=", at_assign) \
    X("<<=", shift_left_assign) X(">>=", shift_right_assign) X("&=", ampersand_assign) X("|=", bar_assign) \
    X("^=", caret_assign) X(":=", walrus) X("(", open_paren) X(")", close_paren) X("[", open_bracket) \
    X("]", close_bracket) X("{", open_brace) X("}", close_brace) X(",", comma) X(":", colon) X(".", dot) \
    X(";", semicolon) X("=", assign) X("->", arrow) X("async", async) X("def", def) X("class", class_token) \
    X("for", for_) X("while", while_) X("if", if_) X("elif", elif_) X("else", else_) X("with", with_) X("try", try_) \
    X("except", except_) X("finally", finally_) X("return", return_) X("import", import_) X("from", from_) X("as", as_) \
    X("lambda", lambda_token) X("case", case_token) X("_", underscore)
// clang-format on

enum class Kind : std::uint8_t {
    other,    // a token or node that no one asks for by kind
    error,    // an ERROR node: text the grammar could not place
    missing,  // a token the grammar put in to go on
#define PTOFIX_ENUM(name, id) id,
    PTOFIX_NAMED_KINDS(PTOFIX_ENUM) PTOFIX_TOKENS(PTOFIX_ENUM)
#undef PTOFIX_ENUM
        count_
};

// clang-format off
#define PTOFIX_FIELDS(X) \
    X("alias", alias) X("alternative", alternative) X("argument", argument) X("arguments", arguments) \
    X("attribute", attribute) X("body", body) X("cause", cause) X("condition", condition) \
    X("consequence", consequence) X("definition", definition) X("expression", expression) \
    X("format_specifier", format_specifier) X("function", function) X("guard", guard) X("key", key) X("left", left) \
    X("module_name", module_name) X("name", name) X("object", object) X("operator", operator_) \
    X("operators", operators) X("parameters", parameters) X("return_type", return_type) X("right", right) \
    X("subject", subject) X("subscript", subscript) X("superclasses", superclasses) X("type", type) \
    X("type_conversion", type_conversion) X("type_parameters", type_parameters) X("value", value)
// clang-format on

enum class Field : std::uint8_t {
    none,
#define PTOFIX_ENUM(name, id) id,
    PTOFIX_FIELDS(PTOFIX_ENUM)
#undef PTOFIX_ENUM
        count_
};

/// The grammar's name of a kind ("for_statement", "+"), for messages and tests.
std::string_view name_of(Kind kind);

}  // namespace ptofix::syntax
