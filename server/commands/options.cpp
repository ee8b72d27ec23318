// The parser.
#include <algorithm>
#include <server/commands/options.hpp>
#include <server/nearest.hpp>
#include <server/terminal/screen.hpp>

namespace freshet::server {

std::string parsed_options::text(std::string_view name, std::string_view fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(fallback) : found->second.back();
}

std::vector<std::string> parsed_options::all(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

/// The parser's state while it goes through the arguments.
struct option_parser {
  std::span<const option_spec> known;
  parse_outcome out;

  [[nodiscard]] std::string unknown(std::string_view name) const {
    std::vector<std::string_view> names{"--help"};
    for (const option_spec& spec : known) names.push_back(spec.name);
    return "unknown option '" + std::string(name) + "'" + did_you_mean(name, names);
  }

  void store(std::string_view name, std::string_view value) {
    out.options.values_[std::string(name)].emplace_back(value);
  }

  /// Takes the option at arguments[place]; returns how many arguments it used, 0 if it is wrong.
  std::size_t take(std::span<const std::string_view> arguments, std::size_t place) {
    const std::string_view argument = arguments[place];
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    if (argument == "-h" || argument == "--help") {
      store("--help", "");
      return 1;
    }
    const auto spec = std::ranges::find(known, name, &option_spec::name);
    if (spec == known.end()) {
      out.wrong = unknown(name);
      return 0;
    }
    if (out.options.has(name) && !spec->repeats) {
      out.wrong = std::string(name) + " is given twice";
      return 0;
    }
    if (spec->value.empty()) {
      if (equals != std::string_view::npos) {
        out.wrong = std::string(name) + " takes no value";
        return 0;
      }
      store(name, "");
      return 1;
    }
    if (equals != std::string_view::npos) {
      store(name, argument.substr(equals + 1));
      return 1;
    }
    if (place + 1 == arguments.size()) {
      out.wrong = std::string(name) + " needs a value: " + std::string(spec->value);
      return 0;
    }
    store(name, arguments[place + 1]);
    return 2;
  }

  void add_operand(std::string_view operand) { out.options.operands_.emplace_back(operand); }
};

parse_outcome parse_options(std::span<const option_spec> known,
                            std::span<const std::string_view> arguments) {
  option_parser parser{known, {}};
  bool only_operands = false;
  for (std::size_t at = 0; at < arguments.size();) {
    const std::string_view argument = arguments[at];
    if (only_operands || argument.size() < 2 || argument[0] != '-') {
      parser.add_operand(argument);
      ++at;
    } else if (argument == "--") {
      only_operands = true;
      ++at;
    } else {
      const std::size_t used = parser.take(arguments, at);
      if (used == 0) break;
      at += used;
    }
  }
  return std::move(parser.out);
}

std::string describe_options(std::span<const option_spec> known, std::size_t columns) {
  constexpr std::size_t help_column = 28;
  std::string out;
  const auto add = [&](std::string_view name, std::string_view value, std::string_view help) {
    std::string line = "  " + std::string(name);
    if (!value.empty()) line.append(" ").append(value);
    out += definition(line, help, help_column, columns);
  };
  for (const option_spec& spec : known) add(spec.name, spec.value, spec.help);
  add("--help", "", "this text");
  return out;
}

}  // namespace freshet::server
