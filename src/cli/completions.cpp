#include "cli/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptofix::cli {

namespace {

std::string joined(std::span<const std::string> words) {
    return fmt::format("{}", fmt::join(words, " "));
}

/// In single quotes of the three shells; nothing in our own words holds one.
std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

std::string bash(const CompletedProgram& program) {
    std::string names;
    std::string cases;
    std::string paths;
    for (const CompletedOption& option : program.options) {
        names += (names.empty() ? "" : " ") + option.name;
        if (!option.takes_value) continue;
        if (!option.values.empty()) {
            cases += fmt::format("        {}) values={} ;;\n", option.name, in_quotes(joined(option.values)));
        } else {
            paths += (paths.empty() ? "" : "|") + option.name;
        }
    }
    return fmt::format(
        R"(# bash completion of pto-fix
_pto_fix() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} values= front= word
    COMPREPLY=()
    # --format=json comes as three words.
    if [ "$before" = "=" ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    if [ "$current" = "=" ]; then before=${{COMP_WORDS[COMP_CWORD-1]}} current=; fi
    case $before in
{}        {}) mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames 2>/dev/null; return ;;
    esac
    if [ "$values" ]; then
        # Several values are separated by commas.
        case $current in *,*) front=${{current%,*}}, ;; esac
        mapfile -t COMPREPLY < <(compgen -W "$values" -P "$front" -- "${{current##*,}}")
        return
    fi
    if [[ $current = -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W {} -- "$current")
        return
    fi
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        if [ "$word" = explain ]; then
            mapfile -t COMPREPLY < <(compgen -W {} -- "$current")
            return
        fi
    done
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -W {} -- "$current")
    fi
    compopt -o filenames 2>/dev/null
}}
complete -F _pto_fix pto-fix
)",
        cases, paths, in_quotes(names), in_quotes(joined(program.explained)), in_quotes(joined(program.subcommands)));
}

/// A description as _arguments wants it, in brackets.
std::string zsh_words(std::string_view words) {
    std::string out;
    for (const char c : words) {
        if (c == '[' || c == ']' || c == '\\' || c == ':') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh(const CompletedProgram& program) {
    std::string specs;
    for (const CompletedOption& option : program.options) {
        std::string value;
        if (option.takes_value) {
            const std::string action = option.is_list ? fmt::format("_sequence compadd - {}", joined(option.values))
                                       : option.values.empty() ? "_files"
                                                               : fmt::format("({})", joined(option.values));
            value = fmt::format(":value:{}", action);
        }
        specs +=
            fmt::format("    {} \\\n", in_quotes(fmt::format("*{}{}[{}]{}", option.name, option.takes_value ? "=" : "",
                                                             zsh_words(option.words), value)));
    }
    return fmt::format(
        R"(#compdef pto-fix
_pto_fix() {{
    local -a subcommands=({}) explained=({})
    if (( ${{words[(I)explain]}} )); then
        _arguments {} '*:rule or code:($explained)'
        return
    fi
    _arguments -s \
{}    '1: :{{ compadd -a subcommands; _files }}' \
    '*:path:_files'
}}
if [ "$funcstack[1]" = "_pto-fix" ]; then _pto_fix "$@"; else compdef _pto_fix pto-fix; fi
)",
        joined(program.subcommands), joined(program.explained), "'--lang[language]:value:(en zh)'", specs);
}

std::string fish(const CompletedProgram& program) {
    std::string out = "# fish completion of pto-fix\n";
    for (const std::string& subcommand : program.subcommands) {
        out += fmt::format("complete -c pto-fix -n __fish_use_subcommand -a {}\n", in_quotes(subcommand));
    }
    out += fmt::format("complete -c pto-fix -n '__fish_seen_subcommand_from explain' -f -a {}\n",
                       in_quotes(joined(program.explained)));
    for (const CompletedOption& option : program.options) {
        std::string value;
        if (option.is_list) {
            value = fmt::format(" -x -a '(__fish_append , {})'", joined(option.values));
        } else if (!option.values.empty()) {
            value = fmt::format(" -x -a {}", in_quotes(joined(option.values)));
        } else if (option.takes_value) {
            value = " -r";
        }
        out +=
            fmt::format("complete -c pto-fix -l {} -d {}{}\n", option.name.substr(2), in_quotes(option.words), value);
    }
    return out;
}

}  // namespace

std::string completion_script(std::string_view shell, const CompletedProgram& program) {
    if (shell == "zsh") return zsh(program);
    return shell == "fish" ? fish(program) : bash(program);
}

}  // namespace ptofix::cli
