// What a shell and `man` want to know of the program: completion of a line, and the manual page.
// Both come from the table of commands and the description of the endpoints; nothing is listed
// here.
#include <algorithm>
#include <boost/json.hpp>
#include <freshet/engine.hpp>
#include <freshet/version.hpp>
#include <iterator>
#include <server/commands/commands.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

/// A shell's own script: it asks the program for the words that may come next.
struct shell_script {
  std::string_view shell;
  std::string_view text;
};

constexpr shell_script scripts[] = {
    {"bash", R"shell(# freshet completion bash > ~/.local/share/bash-completion/completions/freshet
_freshet() {
  local line=${COMP_LINE:0:COMP_POINT} words
  IFS=$' \t' read -r -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local last=${words[-1]} before="" IFS=$'\n'
  [[ $last == *=* && $COMP_WORDBREAKS == *=* ]] && before="${last%%=*}="
  COMPREPLY=($("${words[0]}" completion words -- "${words[@]:1}" 2>/dev/null))
  COMPREPLY=("${COMPREPLY[@]#"$before"}")
  if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _freshet freshet
)shell"},
    {"zsh", R"shell(#compdef freshet
# freshet completion zsh > _freshet, in a folder of $fpath
_freshet() {
  local -a found open closed
  found=(${(f)"$(${words[1]} completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( ! $#found )); then _files; return; fi
  open=(${(M)found:#*=})
  closed=(${found:#*=})
  compadd -S '' -a open
  compadd -a closed
}
if [ "$funcstack[1]" = "_freshet" ]; then _freshet "$@"; else compdef _freshet freshet; fi
)shell"},
    {"fish", R"shell(# freshet completion fish > ~/.config/fish/completions/freshet.fish
function __freshet_words
    set -l words (commandline -opc) (commandline -ct)
    $words[1] completion words -- $words[2..-1] 2>/dev/null
end
complete -c freshet -a '(__freshet_words)'
)shell"}};

using words = std::span<const std::string_view>;

void add_matching(std::vector<std::string>& out, std::string_view last, std::string word) {
  if (word.starts_with(last) && std::ranges::find(out, word) == out.end()) {
    out.push_back(std::move(word));
  }
}

/// The first words of commands, or the second ones of a family.
std::vector<std::string> command_words(words before, std::string_view last) {
  std::vector<std::string> found;
  if (before.size() > 1) return found;
  const std::string family = before.empty() ? "" : std::string(before[0]) + " ";
  for (const command& one : commands()) {
    if (!one.name.starts_with(family)) continue;
    const std::string_view rest = one.name.substr(family.size());
    add_matching(found, last, std::string(rest.substr(0, rest.find(' '))));
  }
  return found;
}

/// The operands among the words of a line, and whether the last of them waits for its value.
std::pair<std::vector<std::string_view>, bool> operands_of(const command& command, words given) {
  std::vector<std::string_view> operands;
  bool wants_value = false;
  for (const std::string_view word : given) {
    if (wants_value) {
      wants_value = false;
    } else if (word.starts_with("--")) {
      const auto option = std::ranges::find(command.options, word, &option_spec::name);
      wants_value = option != command.options.end() && !option->value.empty();
    } else {
      operands.push_back(word);
    }
  }
  return {std::move(operands), wants_value};
}

/// Endpoints, or the parameters of the one that was named and what they may be.
std::vector<std::string> call_words(std::span<const std::string_view> operands,
                                    std::string_view last) {
  std::vector<std::string> found;
  boost::system::error_code missing;
  const json::value document = json::parse(openapi_document("http://localhost"), missing);
  const json::value* paths = missing ? nullptr : document.find_pointer("/paths", missing);
  if (paths == nullptr || !paths->is_object()) return found;
  if (operands.empty()) {
    for (const auto& [path, about] : paths->get_object()) {
      const std::string_view name = path;
      if (name.starts_with("/v1/")) add_matching(found, last, std::string(name.substr(4)));
    }
    return found;
  }
  const json::value* path = paths->get_object().if_contains("/v1/" + std::string(operands[0]));
  const json::value* parameters =
      path == nullptr
          ? nullptr
          : path->find_pointer("/post/requestBody/content/application~1json/schema/properties",
                               missing);
  if (parameters == nullptr || !parameters->is_object()) return found;
  for (const auto& [name, about] : parameters->get_object()) {
    const std::string parameter = std::string(name) + "=";
    if (std::ranges::any_of(operands.subspan(1),
                            [&](std::string_view one) { return one.starts_with(parameter); })) {
      continue;
    }
    if (!last.starts_with(parameter)) {
      add_matching(found, last, parameter);
      continue;
    }
    const json::value* choices = about.find_pointer("/enum", missing);
    if (choices == nullptr) choices = about.find_pointer("/items/enum", missing);
    if (choices != nullptr && choices->is_array()) {
      for (const json::value& one : choices->get_array()) {
        if (one.is_string()) {
          add_matching(found, last, parameter + std::string(one.get_string()));
        }
      }
    } else if (const json::value* type = about.find_pointer("/type", missing);
               type != nullptr && *type == json::value("boolean")) {
      add_matching(found, last, parameter + "true");
      add_matching(found, last, parameter + "false");
    }
  }
  return found;
}

/// What the last of these words may be; nothing where only files or values of the user's fit.
std::vector<std::string> next_words(words line) {
  const std::string_view last = line.empty() ? std::string_view() : line.back();
  const words before = line.empty() ? line : line.first(line.size() - 1);
  const auto [of, used] =
      before.empty() ? std::pair<const command*, std::size_t>() : find_command(before);
  if (of == nullptr) return command_words(before, last);
  const auto [operands, wants_value] = operands_of(*of, before.subspan(used));
  std::vector<std::string> found;
  if (wants_value) return found;
  if (last.starts_with('-')) {
    for (const option_spec& option : of->options) {
      if (option.repeats || std::ranges::find(before, option.name) == before.end()) {
        add_matching(found, last, std::string(option.name));
      }
    }
    add_matching(found, last, "--help");
  } else if (of->name == "call") {
    found = call_words(operands, last);
  } else if (of->name == "completion" && operands.empty()) {
    for (const shell_script& one : scripts) add_matching(found, last, std::string(one.shell));
  }
  return found;
}

int show_completion(const invocation& line) {
  const auto& operands = line.options.operands();
  if (operands[0] == "words") {
    const std::vector<std::string_view> given(operands.begin() + 1, operands.end());
    std::string text;
    for (const std::string& word : next_words(given)) text.append(word).append("\n");
    return finish(print(text));
  }
  if (operands.size() > 1) return wrong_usage("completion takes one shell");
  for (const shell_script& one : scripts) {
    if (one.shell == operands[0]) return finish(print(one.text));
  }
  return wrong_usage("completion is for bash, zsh or fish, not '" + operands[0] + "'");
}

/// Text as roff takes it for text.
std::string roff(std::string_view text) {
  std::string out;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) out.append("\\&");
    starts_line = c == '\n';
    if (c == '\\') {
      out.append("\\e");
    } else if (c == '-') {
      out.append("\\-");
    } else {
      out.push_back(c);
    }
  }
  return out;
}

int show_manual(const invocation&) {
  std::string out = ".TH FRESHET 1 \"\" \"Freshet " + std::string(version) +
                    "\" \"User Commands\"\n.SH NAME\nfreshet \\- one API over public\\-data "
                    "platforms\n.SH SYNOPSIS\n.B freshet\n.I COMMAND\n.RI [ OPTIONS ]\n";
  for (const command_group& group : command_groups()) {
    out.append(".SH ").append(roff(group.title)).append("\n");
    for (const auto& family : group.families) {
      for (const command& one : family) {
        out.append(".SS freshet ").append(roff(one.name));
        if (!one.operands.empty()) out.append(" ").append(roff(one.operands));
        out.append("\n").append(roff(one.summary)).append("\n");
        for (const option_spec& option : one.options) {
          out.append(".TP\n.B ").append(roff(option.name));
          if (!option.value.empty()) out.append(" ").append(roff(option.value));
          out.append("\n").append(roff(option.help)).append("\n");
        }
        out.append(".P\nExample:\n.P\n.EX\n").append(roff(one.example)).append("\n.EE\n");
      }
    }
  }
  out.append(
      ".SH FILES\n.TP\n.I /etc/freshet/freshet.toml\nThe configuration of the service.\n"
      ".TP\n.I /var/lib/freshet\nIts data folder: the book of accounts, keys and credits, and the "
      "pepper under which keys are hashed.\n"
      ".SH SIGNALS\nThe server finishes what runs and ends at SIGTERM or SIGINT, and at once at "
      "the "
      "second. It reads its certificate anew at SIGHUP.\n"
      ".SH EXIT STATUS\n0: it worked; 1: the call failed; 2: wrong usage.\n"
      ".SH ENVIRONMENT\n.TP\n.B FRESHET_URL\nThe server that \\fBfreshet call\\fR and \\fBfreshet "
      "mcp\\fR ask.\n"
      ".TP\n.B FRESHET_API_KEY\nThe API key for calls to a server.\n"
      ".TP\n.B FRESHET__A__B__C\nThe setting a.b.c.\n"
      ".TP\n.B NO_COLOR\nNo colours on a terminal.\n");
  return finish(print(out));
}

constexpr command shell_rows[] = {
    {"completion", "SHELL [WORD...]",
     "Print what makes bash, zsh or fish complete commands, endpoints and parameters.",
     "freshet completion bash > ~/.local/share/bash-completion/completions/freshet",
     show_completion},
    {"manual", "", "Print the manual page.", "freshet manual | man -l -", show_manual},
};

}  // namespace

std::span<const command> shell_commands() noexcept { return shell_rows; }

}  // namespace freshet::server
