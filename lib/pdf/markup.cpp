// Tags, attributes and character references.
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <charconv>
#include <pdf/markup.hpp>

namespace freshet::pdf {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t longest_reference = 12;

/// The character of "&name;" or "&#n;" without its frame; 0 if it is none.
char32_t referred(std::string_view name) {
  if (name == "amp") return U'&';
  if (name == "lt") return U'<';
  if (name == "gt") return U'>';
  if (name == "quot") return U'"';
  if (name == "apos") return U'\'';
  if (name.size() < 2 || name.front() != '#') return 0;
  name.remove_prefix(1);
  const bool hex = name.front() == 'x';
  if (hex) name.remove_prefix(1);
  unsigned value = 0;
  const auto [end, status] =
      std::from_chars(name.data(), name.data() + name.size(), value, hex ? 16 : 10);
  const bool good = status == std::errc() && end == name.data() + name.size() &&
                    value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
  return good ? static_cast<char32_t>(value) : 0;
}

std::string decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto mark = text.find('&');
    out += text.substr(0, mark);
    if (mark == std::string_view::npos) break;
    text.remove_prefix(mark);
    const auto end = text.substr(0, longest_reference).find(';');
    const char32_t point = end == std::string_view::npos ? 0 : referred(text.substr(1, end - 1));
    if (point != 0) {
      base::append_utf8(out, point);
    } else {
      out += '&';
    }
    text.remove_prefix(point != 0 ? end + 1 : 1);
  }
  return out;
}

}  // namespace

bool markup_reader::next() {
  if (text_.empty()) return false;
  if (text_.front() != '<') {
    inside_ = text_.substr(0, text_.find('<'));
    text_.remove_prefix(inside_.size());
    is_text_ = true;
    name_ = {};
    return true;
  }
  // A value in quotation marks may hold a '>'.
  std::size_t end = 1;
  char quote = 0;
  for (; end < text_.size(); ++end) {
    const char c = text_[end];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      break;
    }
  }
  inside_ = text_.substr(1, end - 1);
  text_.remove_prefix(std::min(end + 1, text_.size()));
  is_text_ = false;
  name_ = inside_.substr(0, inside_.find_first_of(" \t\r\n/>", 1));
  return true;
}

std::string markup_reader::text() const { return is_text_ ? decoded(inside_) : std::string(); }

std::string markup_reader::attribute(std::string_view name) const {
  std::string_view rest = inside_.substr(name_.size());
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    const auto equals = rest.find('=');
    if (equals == std::string_view::npos || equals + 1 >= rest.size()) return {};
    const std::string_view key = rest.substr(0, equals);
    const char quote = rest[equals + 1];
    if (quote != '"' && quote != '\'') return {};
    rest.remove_prefix(equals + 2);
    const auto end = rest.find(quote);
    if (end == std::string_view::npos) return {};
    if (key == name) return decoded(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return {};
}

double markup_reader::number(std::string_view name) const {
  const std::string value = attribute(name);
  constexpr double largest = 1e6;  // no page has a place beyond
  std::string_view text = value;
  const double out = base::take_number<double>(text).value_or(0);
  return out > -largest && out < largest ? out : 0;
}

std::string escaped(std::string_view text) {
  constexpr std::string_view special = "&<>\"'";
  constexpr std::string_view references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  while (true) {
    const auto at = text.find_first_of(special);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += references[special.find(text[at])];
    text.remove_prefix(at + 1);
  }
}

}  // namespace freshet::pdf
