// The terminal's width and colours.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <server/number.hpp>
#include <server/terminal/screen.hpp>

namespace freshet::server {
namespace {

// A narrower terminal wraps by itself, and nobody reads longer lines.
constexpr std::size_t least_columns = 40;
constexpr std::size_t most_columns = 160;
constexpr std::size_t usual_columns = 80;
constexpr std::size_t most_prose_columns = 100;

std::string_view code_of(tone how) {
  switch (how) {
    case tone::plain:
      return "";
    case tone::strong:
      return "1";
    case tone::faint:
      return "2";
    case tone::good:
      return "32";
    case tone::bad:
      return "31";
    case tone::wary:
      return "33";
    case tone::address:
      return "36";
  }
  return "";
}

}  // namespace

std::string screen::paint(tone how, std::string_view text) const {
  if (!has_colours || how == tone::plain || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code_of(how)) + "m" + std::string(text) + "\x1b[0m";
}

std::optional<screen> screen_behind(int file, environment_block environment) {
  if (::isatty(file) != 1) return std::nullopt;
  winsize size{};
  std::size_t columns = ::ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (columns == 0) {
    const auto said = parse_number<std::size_t>(variable(environment, "COLUMNS"));
    columns = said.value_or(usual_columns);
  }
  const std::string kind = variable(environment, "TERM");
  return screen{std::clamp(columns, least_columns, most_columns),
                variable(environment, "NO_COLOR").empty() && !kind.empty() && kind != "dumb"};
}

std::optional<std::size_t> prose_columns(int file, environment_block environment) {
  const auto seen = screen_behind(file, environment);
  if (!seen) return std::nullopt;
  return std::min(seen->columns, most_prose_columns);
}

std::size_t help_columns(environment_block environment) {
  return prose_columns(STDOUT_FILENO, environment).value_or(usual_columns);
}

}  // namespace freshet::server
