// The cleaning of texts and addresses that all sources share.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/byline.hpp>
#include <base/digest.hpp>
#include <base/number.hpp>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <html/tokens/entities.hpp>
#include <model/shown_text.hpp>
#include <sources/item_text.hpp>

namespace freshet::sources {

namespace {

/// Code points of a name that are read at all.
constexpr std::size_t most_read_of_name = 8 * max_name_points;

/// The address; "" if writing it made it too long.
std::string within_bound(std::string address) {
  return address.size() <= max_address_bytes ? std::move(address) : std::string();
}

/// An absolute http(s) address without a name and a password, which who follows it would send, and
/// which read like a host ("https://bank.example@evil.example/"); null for any other.
std::optional<base::url> web_address(std::string_view text) {
  auto url = base::parse_url(base::repair_utf8(text));
  if (!url || !url->is_http() || url->host.empty()) return std::nullopt;
  url->username.clear();
  url->password.clear();
  return url;
}

/// Without white space at the ends.
std::string trimmed(std::string text) {
  const auto inner = base::trim(text);
  if (inner.size() == text.size()) return text;
  return std::string(inner);
}

}  // namespace

std::string clean_text(std::string_view text) {
  if (base::is_clean(text)) return std::string(base::trim(text));
  return trimmed(base::nfc(base::repair_utf8(text)));
}

std::string clean_text(const base::json::value& value) {
  return value.is_string() ? clean_text(base::view_of(value)) : clean_text(base::text_of(value));
}

std::string clean_name(std::string_view text) {
  std::string name(base::prefix(text, most_read_of_name));
  model::to_one_line(name);
  name = clean_text(name);
  if (name.size() <= max_name_points) return name;
  return std::string(base::trim(base::prefix(name, max_name_points)));
}

std::string clean_name(const base::json::value& value) {
  return value.is_string() ? clean_name(base::view_of(value)) : clean_name(base::text_of(value));
}

std::string clean_html(std::string_view fragment) {
  // The text of a fragment is clean already.
  if (base::is_clean(fragment)) return trimmed(html::plain_text(fragment));
  return trimmed(html::plain_text(base::repair_utf8(fragment)));
}

html::text_with_links clean_html_with_links(std::string_view fragment) {
  if (!base::is_clean(fragment)) return {clean_html(fragment), html::link_targets(fragment)};
  auto out = html::read_fragment(fragment);
  out.text = trimmed(std::move(out.text));
  return out;
}

std::string clean_escaped(std::string_view text) {
  if (text.find('&') == std::string_view::npos) return clean_text(text);
  std::string decoded;
  html::append_decoded(decoded, base::repair_utf8(text), false);
  return clean_text(decoded);
}

count count_in(std::string_view text) noexcept {
  const auto number = base::parse_number<std::int64_t>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

std::string digest_id(std::string_view key) {
  constexpr std::size_t digits = 16;
  return base::hex(base::as_text(base::sha256(key))).substr(0, digits);
}

bool is_name(std::string_view text, std::size_t longest, std::string_view others) noexcept {
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [others](char c) {
    return base::is_alphanumeric(c) || others.find(c) != std::string_view::npos;
  });
}

bool is_digits(std::string_view text, std::size_t longest) noexcept {
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, base::is_digit);
}

std::string upper_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string page_url(std::string_view text) {
  if (text.size() > max_address_bytes) return {};
  if (base::read_plain_url(text)) return within_bound(base::canonical_url(text));
  if (text.empty()) return {};
  const auto url = web_address(text);
  if (!url) return {};
  return within_bound(base::canonical_url(url->text()));
}

std::string file_url(std::string_view text) {
  if (text.size() > max_address_bytes) return {};
  if (base::read_plain_url(text)) return std::string(text);
  if (text.empty()) return {};
  const auto url = web_address(text);
  if (!url) return {};
  return within_bound(url->text());
}

std::string language_tag(std::string_view text) {
  constexpr std::size_t longest = 35;  // of RFC 5646, section 4.4.1
  text = base::trim(text);
  if (text.empty() || text.size() > longest) return {};
  std::string tag(text);
  std::ranges::replace(tag, '_', '-');
  using base::is_letter;
  std::size_t primary = 0;
  while (primary < tag.size() && is_letter(tag[primary])) ++primary;
  if (primary < 2 || primary > 3 || (primary < tag.size() && tag[primary] != '-')) return {};
  std::size_t length = 0;
  for (std::size_t i = primary; i < tag.size(); ++i) {
    if (tag[i] == '-') {
      if (length == 0 && i != primary) return {};
      length = 0;
      continue;
    }
    if (!is_letter(tag[i]) && (tag[i] < '0' || tag[i] > '9')) return {};
    if (++length > 8) return {};
  }
  if (tag.back() == '-') return {};
  const auto language = base::to_lower_ascii(std::string_view(tag).substr(0, primary));
  // Undetermined, several and none are what null says.
  if (language == "und" || language == "mul" || language == "zxx" || language == "mis") return {};
  return language + tag.substr(primary);
}

void set_authors(article& article, std::vector<author> people) {
  if (people.size() > base::max_byline_names) people.resize(base::max_byline_names);
  for (auto& one : people) one.display_name = clean_name(one.display_name);
  article.authors = std::move(people);
  if (!article.authors.empty()) article.author = article.authors.front();
}

void set_authors(article& article, std::string_view byline) {
  std::vector<author> people;
  for (const auto& said : base::byline_names(byline)) {
    if (auto name = clean_name(said); !name.empty())
      people.push_back({"", "", std::move(name), "", ""});
  }
  set_authors(article, std::move(people));
}

std::optional<time_point> edit_time(const std::optional<time_point>& created,
                                    std::optional<time_point> edited) noexcept {
  const bool is_later = edited && (!created || *edited > *created);
  return is_later ? edited : std::nullopt;
}

bool is_newer(const article& a, const article& b) noexcept {
  if (!a.created_at || !b.created_at) return a.created_at && !b.created_at;
  return *a.created_at > *b.created_at;
}

void add_once(std::vector<std::string>& out, std::string text) {
  if (out.size() >= most_once || text.empty() || std::ranges::find(out, text) != out.end()) return;
  out.push_back(std::move(text));
}

}  // namespace freshet::sources
