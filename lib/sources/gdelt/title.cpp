// GDELT cuts titles into tokens and joins them with spaces. The joins that no writer would have
// made are undone; where a space could be the author's own ("A - B"), it stays.
#include <base/unicode.hpp>
#include <sources/gdelt/wire.hpp>
#include <vector>

namespace freshet::sources::gdelt {

namespace {

constexpr std::string_view closing[] = {",", ".", ";", ":", "!", "?", ")",
                                        "]", "}", "%", "…", "’", "”", "»"};
constexpr std::string_view opening[] = {"(", "[", "{", "‘", "“", "«", "$", "£", "€", "#", "@"};
constexpr std::string_view apostrophes[] = {"'", "’"};
constexpr std::string_view contracted[] = {"s", "t", "re", "ve", "ll", "d", "m", "S", "T"};

template <std::size_t N>
bool is_one_of(const std::string_view (&list)[N], std::string_view token) {
  for (const auto one : list) {
    if (one == token) return true;
  }
  return false;
}

bool is_number(std::string_view token) {
  return !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto space = text.find(' ');
    if (space != 0) out.push_back(text.substr(0, space));
    text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
  }
  return out;
}

}  // namespace

std::string untokenised(std::string_view title) {
  const auto collapsed = base::collapse_spaces(title);
  const auto tokens = tokens_of(collapsed);
  const auto at = [&](std::size_t i) { return i < tokens.size() ? tokens[i] : std::string_view{}; };
  std::string out;
  bool joined = true;  // nothing before the first token
  bool in_quotes = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto token = tokens[i];
    bool before = joined || is_one_of(closing, token);
    joined = is_one_of(opening, token);
    if (token == "\"") {
      before = before || in_quotes;
      joined = !in_quotes;
      in_quotes = !in_quotes;
    }
    if (is_one_of(apostrophes, token) && i > 0 && is_one_of(contracted, at(i + 1))) {
      before = true;
      joined = true;
    }
    const bool in_number = (token == "." || token == ",") && i > 0 && is_number(at(i - 1)) &&
                           is_number(at(i + 1)) &&
                           (token == "." || (at(i - 1).size() <= 3 && at(i + 1).size() == 3));
    if (in_number) joined = true;
    if (!before && !out.empty()) out += ' ';
    out += token;
  }
  return out;
}

}  // namespace freshet::sources::gdelt
