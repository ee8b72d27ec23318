// What a string parameter must look like beyond its length, one check a format. It reads one value
// at a time and knows nothing of the call around it.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/host.hpp>
#include <base/ids.hpp>
#include <base/time_zone.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <catalog/formats.hpp>
#include <cstddef>
#include <utility>

namespace freshet::catalog {
namespace {

constexpr std::size_t max_quoted = 64;  // code points of a caller's value in an error sentence
constexpr std::size_t max_subtag = 8;   // BCP 47

char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// Control characters never belong into a parameter; white space between words may.
bool has_control(std::string_view text) noexcept {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
  });
}

bool has_any(std::string_view text, std::string_view set) noexcept {
  return text.find_first_of(set) != std::string_view::npos;
}

constexpr std::string_view white_space = " \t\r\n";
// What ends a name in a URL or opens markup: no platform allows it in a handle.
constexpr std::string_view not_in_names = " \t\r\n/?#\\<>\"'`";

void strip_leading(std::string& value, std::string_view mark) {
  if (value.starts_with(mark)) value.erase(0, mark.size());
}

void trim_in_place(std::string& value) { value = std::string(base::trim(value)); }

std::string name_like(std::string& value, std::string_view mark, const char* text) {
  trim_in_place(value);
  strip_leading(value, mark);
  if (value.empty()) return std::string(text) + " is empty";
  if (value.starts_with(mark)) return quoted(value) + " begins with a second mark";
  if (has_any(value, not_in_names)) {
    return quoted(value) + " is not " + text + ": it has a space or one of / ? # \\ < > \" ' `";
  }
  return {};
}

std::string hashtag(std::string& value) {
  trim_in_place(value);
  strip_leading(value, value.starts_with("#") ? "#" : "\xEF\xBC\x83");  // U+FF03, full width
  if (value.empty()) return "the hashtag is empty";
  if (has_any(value, not_in_names) || value.find("\xEF\xBC\x83") != std::string::npos) {
    return quoted(value) + " is not one hashtag";
  }
  return {};
}

std::string item_id(std::string& value) {
  trim_in_place(value);
  if (!base::parse_item_id(value) || has_any(value, white_space)) {
    return quoted(value) +
           " is not the id of an item; use `<source>:<native id>` as Freshet "
           "returned it";
  }
  return {};
}

std::string http_url(std::string& value) {
  const auto parsed = base::parse_url(value);
  if (!parsed || !parsed->is_http() || parsed->host.empty()) {
    std::string wrong = quoted(value) + " is not an absolute http or https URL";
    // What people type for an address: a host with a dot, maybe with a path.
    const bool is_bare = !parsed && value.find("://") == std::string::npos;
    const auto typed = "https:" + (value.starts_with("//") ? value : "//" + value);
    const auto meant = is_bare ? base::parse_url(typed) : std::nullopt;
    if (meant && meant->host.find('.') != std::string::npos)
      wrong += "; did you mean " + quoted(typed) + "?";
    return wrong;
  }
  value = parsed->text();
  return {};
}

/// What people call the languages that most is written in, and their codes.
constexpr std::pair<std::string_view, std::string_view> language_names[] = {
    {"arabic", "ar"},     {"bengali", "bn"},    {"chinese", "zh"},   {"czech", "cs"},
    {"danish", "da"},     {"deutsch", "de"},    {"dutch", "nl"},     {"english", "en"},
    {"español", "es"},    {"espanol", "es"},    {"finnish", "fi"},   {"français", "fr"},
    {"francais", "fr"},   {"french", "fr"},     {"german", "de"},    {"greek", "el"},
    {"hebrew", "he"},     {"hindi", "hi"},      {"hungarian", "hu"}, {"indonesian", "id"},
    {"italian", "it"},    {"italiano", "it"},   {"japanese", "ja"},  {"korean", "ko"},
    {"norwegian", "no"},  {"persian", "fa"},    {"polish", "pl"},    {"polski", "pl"},
    {"portuguese", "pt"}, {"português", "pt"},  {"romanian", "ro"},  {"russian", "ru"},
    {"spanish", "es"},    {"swedish", "sv"},    {"thai", "th"},      {"turkish", "tr"},
    {"ukrainian", "uk"},  {"vietnamese", "vi"},
};

/// BCP 47: the code of a language, 2 or 3 letters, then subtags of 1 to 8 letters and digits.
/// (Languages of 4 to 8 letters there are none, but as reserved.)
std::string language(std::string& value) {
  std::string wrong = quoted(value) + " is not a BCP 47 language tag such as en or pt-BR";
  std::string name = value;
  std::ranges::transform(name, name.begin(), base::lower);
  for (const auto& [called, code] : language_names)
    if (name == called) wrong += "; did you mean " + quoted(code) + "?";
  std::string out;
  std::size_t begin = 0;
  bool first = true;
  while (begin <= value.size()) {
    const auto end = std::min(value.find('-', begin), value.size());
    std::string subtag = value.substr(begin, end - begin);
    if (subtag.empty() || subtag.size() > max_subtag) return wrong;
    if (!std::ranges::all_of(subtag, first ? base::is_letter : base::is_alphanumeric)) {
      return wrong;
    }
    if (first && (subtag.size() < 2 || subtag.size() > 3)) return wrong;
    std::ranges::transform(subtag, subtag.begin(), base::lower);
    // Scripts are written Latn, regions GB; the rest in small letters (RFC 5646, 2.1.1).
    const bool letters = std::ranges::all_of(subtag, base::is_letter);
    if (!first && letters && subtag.size() == 4) subtag[0] = upper(subtag[0]);
    if (!first && letters && subtag.size() == 2) {
      std::ranges::transform(subtag, subtag.begin(), upper);
    }
    if (!first) out += '-';
    out += subtag;
    first = false;
    begin = end + 1;
  }
  value = out;
  return {};
}

std::string country(std::string& value) {
  if (value.size() != 2 || !base::is_letter(value[0]) || !base::is_letter(value[1])) {
    return quoted(value) + " is not an ISO 3166-1 alpha-2 country code such as GB";
  }
  std::ranges::transform(value, value.begin(), upper);
  return {};
}

/// Labels of letters, digits, "-" and "_", the last of which does not end in a digit, as those of
/// an IPv4 address do. The pattern in json_schema.cpp says the same.
bool is_domain(std::string_view name) noexcept {
  const auto in_label = [](char c) { return base::is_alphanumeric(c) || c == '-' || c == '_'; };
  bool label_begun = false;
  for (const char c : name) {
    if (c == '.' ? !label_begun : !in_label(c)) return false;
    label_begun = c != '.';
  }
  return label_begun && !base::is_digit(name.back());
}

/// How to give a name that has letters beyond ASCII, where it can be one.
std::string in_ascii(std::string_view name) {
  const bool beyond = std::ranges::any_of(name, [](char c) { return c < 0; });
  auto host = beyond ? base::parse_host(name, true) : std::nullopt;
  return host && is_domain(*host) ? std::move(*host) : std::string();
}

/// A domain as DNS has it, without "www." or what else stands for all that is below it.
std::string domain(std::string& value) {
  trim_in_place(value);
  std::string_view name = value;
  if (name.ends_with('.')) name.remove_suffix(1);
  for (const std::string_view mark : {"*.", "."}) {
    if (name.starts_with(mark)) {
      name.remove_prefix(mark.size());
      break;
    }
  }
  if (!is_domain(name)) {
    const std::string ascii = in_ascii(name);
    if (!ascii.empty()) return quoted(value) + " has letters beyond ASCII; give it as " + ascii;
    return quoted(value) + " is not a domain; give it alone, as in example.com";
  }
  std::string lowered(name);
  std::ranges::transform(lowered, lowered.begin(), base::lower);
  constexpr std::string_view www = "www.";
  if (lowered.starts_with(www) && lowered.find('.', www.size()) != lowered.npos)
    lowered.erase(0, www.size());
  value = std::move(lowered);
  return {};
}

/// Names that we made: of sources, of an item's keys.
std::string plain_name(std::string& value, const char* text) {
  const bool right = !value.empty() && std::ranges::all_of(value, [](char c) {
    return (base::is_alphanumeric(c) && c == base::lower(c)) || c == '_' || c == '-';
  });
  return right ? std::string() : quoted(value) + " is not " + text;
}

std::string cursor(std::string& value) {
  const bool right = std::ranges::all_of(
      value, [](char c) { return base::is_alphanumeric(c) || c == '.' || c == '_' || c == '-'; });
  return right ? std::string() : "not a cursor that Freshet returned";
}

/// An entry's number and its hash: "402:9f3c…".
std::string ledger_head(std::string& value) {
  trim_in_place(value);
  constexpr std::size_t most_digits = 18, hash_digits = 64;
  const std::size_t colon = value.find(':');
  const std::string_view all = value;
  const auto number = all.substr(0, colon), hash = all.substr(std::min(colon, all.size()));
  const auto is_hexadecimal = [](char c) { return base::is_digit(c) || (c >= 'a' && c <= 'f'); };
  const bool right = !number.empty() && number.size() <= most_digits &&
                     std::ranges::all_of(number, base::is_digit) &&
                     hash.size() == 1 + hash_digits &&
                     std::ranges::all_of(hash.substr(1), is_hexadecimal);
  return right ? std::string()
               : quoted(value) + " is not a head of the ledger; use `head` as an answer gave it";
}

std::string as_key_id(std::string& value) {
  trim_in_place(value);
  const bool right = value.starts_with("key_") && value.size() > 4 &&
                     std::all_of(value.begin() + 4, value.end(), base::is_alphanumeric);
  return right ? std::string() : quoted(value) + " is not the id of a key; it begins with key_";
}

std::string as_request_id(std::string& value) {
  trim_in_place(value);
  if (base::is_valid_request_id(value)) return {};
  return quoted(value) + " is not a request id";
}

/// "400", "4xx", "ok", "failed".
std::string as_call_status(std::string& value) {
  trim_in_place(value);
  for (char& c : value) c = base::lower(c);
  if (value == "ok" || value == "failed") return {};
  const bool is_class = value.size() == 3 && value.ends_with("xx");
  const auto digits = std::string_view(value).substr(0, is_class ? 1 : value.size());
  const bool right = value.size() == 3 && value.front() >= '1' && value.front() <= '5' &&
                     std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return right ? std::string()
               : quoted(value) + " is not a status such as 400, a class such as 4xx, ok or failed";
}

std::string timezone(std::string& value) {
  trim_in_place(value);
  if (base::time_zone::find(value)) return {};
  return quoted(value) + " is not an IANA time zone such as Europe/Berlin or UTC";
}

}  // namespace

std::string quoted(std::string_view text) {
  const auto shown = base::prefix(text, max_quoted);
  std::string out = "'";
  out += shown;
  if (shown.size() < text.size()) out += "…";
  out += '\'';
  return out;
}

std::string canonicalise(value_format format, std::string& value) {
  if (has_control(value)) return "control characters are not allowed";
  switch (format) {
    case value_format::handle:
      return name_like(value, "@", "a handle");
    case value_format::community:
      return name_like(value, "!", "a community's name");
    case value_format::hashtag:
      return hashtag(value);
    case value_format::item_id:
      return item_id(value);
    case value_format::url:
      return http_url(value);
    case value_format::language:
      return language(value);
    case value_format::country:
      return country(value);
    case value_format::domain:
      return domain(value);
    case value_format::source:
      return plain_name(value, "the name of a source");
    case value_format::name:
      return plain_name(value, "the name of a key");
    case value_format::cursor:
      return cursor(value);
    case value_format::ledger_head:
      return ledger_head(value);
    case value_format::key_id:
      return as_key_id(value);
    case value_format::request_id:
      return as_request_id(value);
    case value_format::call_status:
      return as_call_status(value);
    case value_format::css_selector:
      trim_in_place(value);
      return value.empty() ? "the selector is empty" : std::string();
    case value_format::timezone:
      return timezone(value);
    case value_format::plain:
    case value_format::q:
    case value_format::since:
      break;
  }
  return {};
}

}  // namespace freshet::catalog
