// Text in the columns of a terminal: how wide letters are, by the C library's own tables, and
// lines of words.
#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <freshet/terminal_text.hpp>
#include <limits>

namespace freshet::terminal_text {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// While it lives, this thread's multibyte characters are UTF-8, whatever the user's locale is.
class utf8_locale {
 public:
  utf8_locale() noexcept : mine_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (mine_ != nullptr) before_ = ::uselocale(mine_);
  }
  ~utf8_locale() {
    if (mine_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(mine_);
  }
  utf8_locale(const utf8_locale&) = delete;
  utf8_locale& operator=(const utf8_locale&) = delete;

 private:
  locale_t mine_;
  locale_t before_ = nullptr;
};

struct letter {
  wchar_t point;
  std::string_view bytes;
  bool is_whole;  ///< false: no UTF-8
};

/// The letter at `position`, which moves behind it. Wants a utf8_locale.
letter next_letter(std::string_view text, std::size_t& position) {
  std::mbstate_t state{};
  wchar_t point = 0;
  const std::size_t size =
      std::mbrtowc(&point, text.data() + position, text.size() - position, &state);
  const bool is_whole = size <= text.size() - position;
  const std::size_t taken = is_whole ? std::max<std::size_t>(size, 1) : 1;
  const letter found{point, text.substr(position, taken), is_whole};
  position += taken;
  return found;
}

std::size_t letter_columns(wchar_t point) {
  return static_cast<std::size_t>(std::max(::wcwidth(point), 0));
}

/// Marks, embeddings, overrides and isolates of direction: what is shown would not be what is
/// there.
bool turns_letters(wchar_t point) {
  return point == 0x061C || point == 0x200E || point == 0x200F ||
         (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

bool is_space(wchar_t point) {
  return point == L' ' || point == L'\t' || point == 0x00A0 || point == 0x2028 || point == 0x2029;
}

/// The words of a text, each with the columns that it takes.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = std::min(text.find_first_not_of(" \n", at), text.size());
    at = std::min(text.find_first_of(" \n", start), text.size());
    if (at > start) words.push_back(text.substr(start, at - start));
  }
  return words;
}

/// How many bytes of `text` fit into so many columns, at least one letter.
std::size_t bytes_that_fit(std::string_view text, std::size_t columns) {
  const utf8_locale utf8;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    used += letter_columns(next_letter(text, at).point);
    if (used > columns && start > 0) return start;
  }
  return text.size();
}

}  // namespace

std::string harmless(std::string_view text, bool keeps_lines) {
  const utf8_locale utf8;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const letter one = next_letter(text, at);
    if (!one.is_whole) {
      out.append(replacement);
    } else if (one.point == L'\n' && keeps_lines) {
      out.push_back('\n');
    } else if (is_space(one.point) || one.point == L'\n') {
      out.push_back(' ');
    } else if (::wcwidth(one.point) >= 0 && one.point != 0 && !turns_letters(one.point)) {
      out.append(one.bytes);
    }
  }
  return out;
}

std::size_t columns_of(std::string_view text) {
  const utf8_locale utf8;
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();)
    columns += letter_columns(next_letter(text, at).point);
  return columns;
}

std::string cut(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::string_view kept = text.substr(0, bytes_that_fit(text, columns - 1));
  if (columns_of(kept) >= columns) kept = {};
  while (kept.ends_with(' ')) kept.remove_suffix(1);
  return std::string(kept).append(ellipsis);
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::size_t most_lines) {
  std::vector<std::string> lines;
  std::size_t used = 0;  // columns of the last line
  bool is_open = false;  // the last line may go on
  for (std::string_view word : words_of(text)) {
    while (!word.empty()) {
      const std::size_t width = columns_of(word);
      if (is_open && used + 1 + width <= columns) {
        lines.back().append(" ").append(word);
        used += 1 + width;
        break;
      }
      if (lines.size() == most_lines) {
        if (lines.empty()) return lines;
        lines.back() = cut(lines.back() + " " + std::string(word), columns);
        if (!lines.back().ends_with(ellipsis)) lines.back().append(ellipsis);
        return lines;
      }
      const std::size_t taken = width <= columns ? word.size() : bytes_that_fit(word, columns);
      lines.emplace_back(word.substr(0, taken));
      used = columns_of(lines.back());
      is_open = taken == word.size();
      word.remove_prefix(taken);
    }
  }
  return lines;
}

std::string paragraph(std::string_view text, std::size_t columns) {
  return definition("", text, 0, columns);
}

std::string definition(std::string_view name, std::string_view text, std::size_t text_column,
                       std::size_t columns) {
  constexpr std::size_t least_text = 24, below_a_name = 4, gap = 2;
  const bool is_narrow = columns < text_column + least_text;
  const std::size_t indent = is_narrow ? below_a_name : text_column;
  std::string out(name);
  std::size_t used = columns_of(name);
  const auto next_line = [&] {
    out.append("\n");
    used = 0;
  };
  if (used > 0 && (is_narrow || used + gap > indent || text.empty())) next_line();
  const std::size_t room = columns > indent ? columns - indent : 1;
  for (const auto& line : wrap(text, room, std::numeric_limits<std::size_t>::max())) {
    out.append(indent - used, ' ').append(line);
    next_line();
  }
  return out;
}

}  // namespace freshet::terminal_text
