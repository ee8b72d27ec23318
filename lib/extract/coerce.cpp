// One function a kind; which are tried, and in which order, the schema says.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>
#include <extract/coerce.hpp>
#include <html/document.hpp>

namespace freshet::extract {
namespace json = base::json;

namespace {

constexpr double largest_exact = 9007199254740992.0;  // 2^53
constexpr std::size_t date_length = 10;               // 2026-10-12

/// Which member of an object stands for it, by what is wanted.
constexpr std::array<std::string_view, 7> names_of_text = {"@value", "name", "headline", "text",
                                                           "value",  "url",  "@id"};
constexpr std::array<std::string_view, 6> names_of_address = {"url", "contentUrl", "@id",
                                                              "src", "href",       "@value"};
constexpr std::array<std::string_view, 5> names_of_number = {"@value", "value", "price",
                                                             "ratingValue", "name"};

template <class Names>
const json::value& stand_in(const json::value& given, const Names& names) {
  // An object in an object in an object is none that a name stands for.
  constexpr int most_steps = 3;
  const auto* at = &given;
  for (int i = 0; i < most_steps && (at->is_object() || at->is_array()); ++i) {
    if (const auto* list = at->if_array()) {
      if (list->empty()) break;
      at = &list->front();
      continue;
    }
    const json::value* found = nullptr;
    for (const auto name : names) {
      found = at->get_object().if_contains(name);
      if (found != nullptr && !found->is_null()) break;
    }
    if (found == nullptr) break;
    at = found;
  }
  return *at;
}

std::string plain(const json::value& from) {
  if (!from.is_string()) return base::text_of(from);
  const auto text = base::view_of(from);
  const bool has_markup =
      text.find("</") != std::string_view::npos || text.find("<br") != std::string_view::npos;
  const auto said = has_markup ? html::plain_text(text) : html::decode_entities(text);
  return base::nfc(base::collapse_spaces(said));
}

/// The word behind "https://schema.org/", as in "InStock".
std::string_view term_of(std::string_view text) {
  const auto at = text.find("schema.org/");
  return at == std::string_view::npos ? text
                                      : text.substr(at + std::string_view("schema.org/").size());
}

std::optional<json::value> as_date(std::string_view text, bool with_time) {
  const auto at = base::parse_time(text);
  if (!at) return std::nullopt;
  if (with_time) return json::value(json::string(base::format_time(*at)));
  // The day as it is written: in UTC it may be another.
  const bool is_iso = text.size() >= date_length && text[4] == '-' && text[7] == '-';
  return json::value(json::string(is_iso ? std::string(text.substr(0, date_length))
                                         : base::format_time(*at).substr(0, date_length)));
}

std::optional<json::value> as_address(const json::value& given,
                                      const std::optional<base::url>& base) {
  const auto text = base::view_of(stand_in(given, names_of_address));
  if (base::trim(text).empty()) return std::nullopt;
  const auto resolved = base ? base::resolve_url(*base, text) : base::parse_url(text);
  if (!resolved || !resolved->is_http()) return std::nullopt;
  return json::value(json::string(resolved->text()));
}

std::optional<json::value> as_string(const json::value& given, const wanted_value& wanted,
                                     const std::optional<base::url>& base) {
  if (wanted.format == text_format::uri) return as_address(given, base);
  auto text = plain(stand_in(given, names_of_text));
  if (text.empty()) return std::nullopt;
  if (wanted.format == text_format::date_time) return as_date(text, true);
  if (wanted.format == text_format::date) return as_date(text, false);
  if (wanted.format == text_format::email) {
    if (base::to_lower_ascii(text).starts_with("mailto:")) text.erase(0, 7);
    const auto sign = text.find('@');
    if (sign == std::string::npos || sign == 0 || text.find(' ') != std::string::npos) {
      return std::nullopt;
    }
  }
  const auto length = base::length(text);
  if (length < wanted.least_length || length > wanted.most_length) return std::nullopt;
  return json::value(json::string(text));
}

std::optional<json::value> as_number(const json::value& given, const wanted_value& wanted,
                                     bool whole) {
  const auto& one = stand_in(given, names_of_number);
  if (one.is_bool()) return std::nullopt;
  const auto number = one.is_string() ? number_in(plain(one)) : base::number_of(one);
  if (!number || (wanted.least && *number < *wanted.least) ||
      (wanted.most && *number > *wanted.most)) {
    return std::nullopt;
  }
  const bool is_whole = std::trunc(*number) == *number && std::abs(*number) < largest_exact;
  if (is_whole) return json::value(static_cast<std::int64_t>(*number));
  if (whole) return std::nullopt;
  return json::value(*number);
}

std::optional<json::value> as_boolean(const json::value& from) {
  if (from.is_bool()) return from;
  constexpr std::array<std::string_view, 8> yes = {
      "true", "yes", "1", "on", "instock", "in stock", "onlineonly", "available"};
  constexpr std::array<std::string_view, 8> no = {
      "false", "no", "0", "off", "soldout", "out of stock", "outofstock", "discontinued"};
  const auto text = base::to_lower_ascii(term_of(plain(stand_in(from, names_of_text))));
  if (std::ranges::find(yes, text) != yes.end()) return json::value(true);
  if (std::ranges::find(no, text) != no.end()) return json::value(false);
  return std::nullopt;
}

/// The one of `allowed` that is meant: a text may be written in other capitals, or as the address
/// of a term of schema.org.
std::optional<json::value> allowed_one(const json::value& found,
                                       std::span<const json::value> allowed) {
  if (allowed.empty()) return found;
  for (const auto& one : allowed) {
    if (one == found) return one;
    const auto a = base::number_of(one), b = base::number_of(found);
    if (!one.is_string() && a && b && *a == *b) return one;
    if (one.is_string() && found.is_string() &&
        base::equals_ignoring_ascii_case(base::view_of(one), term_of(base::view_of(found)))) {
      return one;
    }
  }
  return std::nullopt;
}

/// Digits with separators between them, as a number.
std::optional<double> value_of_digits(std::string text) {
  const auto last_comma = text.rfind(','), last_dot = text.rfind('.');
  const auto count = [&](char c) { return std::ranges::count(text, c); };
  char decimal = '.';
  if (last_comma != std::string::npos && last_dot != std::string::npos) {
    decimal = last_comma > last_dot ? ',' : '.';
  } else if (last_comma != std::string::npos) {
    const bool is_group = count(',') > 1 || text.size() - last_comma - 1 == 3;
    decimal = is_group ? '.' : ',';
  } else if (last_dot != std::string::npos && count('.') > 1) {
    decimal = ',';
  }
  std::erase(text, decimal == '.' ? ',' : '.');
  std::ranges::replace(text, ',', '.');
  return base::parse_number<double>(text);
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  const auto begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return std::nullopt;
  std::string digits;
  for (std::size_t at = begin; at < text.size() && digits.size() < 40; ++at) {
    const char c = text[at];
    const bool goes_on = at + 1 < text.size() && base::is_digit(text[at + 1]);
    // A group of three behind a space or an apostrophe is of the same number.
    const bool is_group = (c == ' ' || c == '\'') && at + 3 < text.size() && goes_on &&
                          base::is_digit(text[at + 2]) && base::is_digit(text[at + 3]) &&
                          (at + 4 == text.size() || !base::is_digit(text[at + 4]));
    if (base::is_digit(c) || ((c == ',' || c == '.') && goes_on)) {
      digits += c;
    } else if (!is_group) {
      const bool has_exponent = (c == 'e' || c == 'E') && goes_on;
      if (has_exponent) return base::parse_number<double>(base::trim(text.substr(begin)));
      break;
    }
  }
  auto number = value_of_digits(std::move(digits));
  const auto before = text.substr(0, begin);
  const bool is_negative = before.ends_with('-') || before.ends_with("\xE2\x88\x92");
  const bool is_range = before.size() > 1 && base::is_alphanumeric(before[before.size() - 2]);
  if (number && is_negative && !is_range) number = -*number;
  return number;
}

std::optional<json::value> coerce(const json::value& given, const wanted_value& wanted,
                                  const std::optional<base::url>& base) {
  if (given.is_null()) return std::nullopt;
  std::optional<json::value> made;
  if (wanted.is(kind_boolean)) made = as_boolean(given);
  if (!made && wanted.is(kind_integer)) made = as_number(given, wanted, true);
  if (!made && wanted.is(kind_number)) made = as_number(given, wanted, false);
  if (!made && wanted.is(kind_string)) made = as_string(given, wanted, base);
  return made ? allowed_one(*made, wanted.allowed) : std::nullopt;
}

}  // namespace freshet::extract
