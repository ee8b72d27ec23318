// The characters that mean something in GFM, each with the context in which they do.
#include <algorithm>
#include <markdown/escape.hpp>

namespace freshet::markdown {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\t'; }
/// A letter or digit of any script: bytes above ASCII count as letters.
bool is_word(char c) noexcept {
  return is_digit(c) || is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// Whether "&..." reads as a character reference.
bool begins_reference(std::string_view text) noexcept {
  std::size_t at = 1;
  if (at < text.size() && text[at] == '#') {
    ++at;
    if (at < text.size() && (text[at] == 'x' || text[at] == 'X')) ++at;
  }
  const std::size_t from = at;
  while (at < text.size() && (is_digit(text[at]) || is_letter(text[at]))) ++at;
  return at > from && at < text.size() && text[at] == ';';
}

/// [1] or [^1] or [x]: reads as a reference where such a definition exists.
bool begins_label(std::string_view text) noexcept {
  std::size_t at = 1;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at > 1 && at < text.size() && text[at] == ']';
}

bool needs_escape(char c, char before, char after, std::string_view rest,
                  escape_context where) noexcept {
  switch (c) {
    case '\\':
      return after == '\0' || is_ascii_punctuation(after);
    case '`':
      return true;
    case '*':
      return !(is_space(before) && is_space(after)) && !(before == '\n' && is_space(after));
    case '_':
      // Inside a word it is none; between spaces neither.
      if (is_word(before) && is_word(after)) return false;
      return !(is_space(before) && is_space(after));
    case '~':
      return after == '~' || before == '~' || (!is_space(before) && before != '\n');
    case '[':
      return rest.starts_with("[^") || (where.has_references && begins_label(rest)) ||
             (before == '\n' && rest.find("]:") != std::string_view::npos) ||
             rest.starts_with("[ ] ") || rest.starts_with("[x] ");
    case ']':
      return after == '(';
    case '(':
      return before == ']' && rest.size() == 1;
    case '<':
      return is_letter(after) || after == '/' || after == '!' || after == '?' || after == '\0';
    case '&':
      return begins_reference(rest);
    case '|':
      return where.in_table;
    default:
      return false;
  }
}

}  // namespace

bool is_ascii_punctuation(char c) noexcept {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

void append_escaped(std::string& out, char c, char before, char after, std::string_view rest,
                    escape_context where) {
  if (needs_escape(c, before, after, rest, where)) out += '\\';
  out += c;
}

std::size_t line_start_escape(std::string_view line, bool after_text) {
  constexpr std::size_t longest_number = 9, longest_heading = 6;
  constexpr std::size_t none = std::string_view::npos;
  if (line.empty()) return none;
  const char c = line[0];
  const auto ends_or_space = [&](std::size_t at) {
    return at >= line.size() || is_space(line[at]);
  };
  if (c == '>') return 0;
  if (c == '#') {
    const auto count = std::min(line.find_first_not_of('#'), line.size());
    return count <= longest_heading && ends_or_space(count) ? 0 : none;
  }
  if (c == '-' || c == '+') {
    if (ends_or_space(1)) return 0;
  }
  if (c == '-' || c == '=') {
    // An underline of what stands before it, or a rule.
    const bool rule = line.find_first_not_of(std::string{c, ' '}) == none;
    if (rule && (after_text || (c == '-' && std::count(line.begin(), line.end(), c) >= 3))) {
      return 0;
    }
    return none;
  }
  if (line.starts_with("~~~")) return 0;
  if (is_digit(c)) {
    std::size_t at = 0;
    while (at < line.size() && is_digit(line[at])) ++at;
    if (at > longest_number || at >= line.size()) return none;
    if ((line[at] == '.' || line[at] == ')') && ends_or_space(at + 1)) return at;
  }
  return none;
}

std::string fence_for(std::string_view text, char c) {
  std::size_t longest = 0, run = 0;
  for (const char one : text) {
    run = one == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max<std::size_t>(3, longest + 1), c);
}

std::string code_span(std::string_view text, bool in_table) {
  std::size_t longest = 0, run = 0;
  for (const char one : text) {
    run = one == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string ticks(longest == 0 ? 1 : longest + 1, '`');
  std::string inner;
  for (const char c : text) {
    if (in_table && c == '|') inner += '\\';
    inner += c;
  }
  const bool pad = !text.empty() && (text.front() == '`' || text.back() == '`');
  return ticks + (pad ? " " : "") + inner + (pad ? " " : "") + ticks;
}

std::string link_destination(std::string_view url, bool in_table) {
  int depth = 0;
  bool balanced = true;
  for (const char c : url) {
    if (c == '(') ++depth;
    if (c == ')') balanced &= --depth >= 0;
  }
  balanced &= depth == 0;
  std::string out;
  for (const char c : url) {
    if (c == ' ' || c == '\n' || c == '\t') {
      out += "%20";
    } else if (!balanced && (c == '(' || c == ')')) {
      out += c == '(' ? "%28" : "%29";
    } else if (c == '<' || c == '>') {
      out += c == '<' ? "%3C" : "%3E";
    } else if (in_table && c == '|') {
      out += "%7C";
    } else if (c == '\\') {
      out += "%5C";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace freshet::markdown
