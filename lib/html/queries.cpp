// Only what is beyond ASCII is looked at: the rest is the business of whoever parses the address.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <html/charset.hpp>
#include <html/queries.hpp>
#include <span>
#include <vector>

namespace freshet::html {

namespace {

/// Where scripts load pictures late, they take the address from `data-src`.
constexpr std::array<std::string_view, 6> names_of_addresses = {"href",   "src",  "action",
                                                                "poster", "cite", "data-src"};
/// Lists of addresses, each with its size.
constexpr std::array<std::string_view, 4> names_of_sets = {"srcset", "imagesrcset", "data-srcset",
                                                           "data-lazy-srcset"};
/// Longer addresses are data, and so are longer lists.
constexpr std::size_t longest_address = 8192, longest_set = 65'536;

bool is_beyond_ascii(char c) noexcept { return (c & 0x80) != 0; }

/// Other schemes are always read as UTF-8.
bool has_other_scheme(std::string_view address) {
  const auto end = address.find_first_of(":/?#");
  if (end == std::string_view::npos || address[end] != ':') return false;
  const auto scheme = base::to_lower_ascii(base::trim(address.substr(0, end)));
  return scheme != "http" && scheme != "https" && scheme != "ftp";
}

/// Bytes of characters beyond ASCII; some of them, and of "&#N;", are of ASCII.
void append_percent(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789ABCDEF", encoded = "\"#<>'&;";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && encoded.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += {'%', digits[byte >> 4], digits[byte & 0xF]};
    }
  }
}

bool may_have_to(std::string_view text, std::size_t longest) {
  return text.size() <= longest && text.find('?') != std::string_view::npos &&
         std::ranges::any_of(text, is_beyond_ascii);
}

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// White space parts an address from its size and from the next one.
std::string with_encoded_set(std::string_view set, std::string_view charset) {
  constexpr std::string_view spaces = " \t\n\f\r";
  std::string out;
  while (!set.empty()) {
    const auto word = set.substr(0, set.find_first_of(spaces));
    out += with_encoded_query(word, charset);
    set.remove_prefix(word.size());
    const auto gap = std::min(set.find_first_not_of(spaces), set.size());
    out += set.substr(0, gap);
    set.remove_prefix(gap);
  }
  return out;
}

}  // namespace

std::string with_encoded_query(std::string_view address, std::string_view charset) {
  const auto end = std::min(address.find('#'), address.size());
  const auto mark = address.find('?');
  if (charset == "UTF-8" || mark >= end || has_other_scheme(address)) return std::string(address);
  std::string out(address.substr(0, mark));
  for (auto at = mark; at < end;) {
    auto next = at;
    while (next < end && !is_beyond_ascii(address[next])) ++next;
    out += address.substr(at, next - at);
    at = next;
    while (next < end && is_beyond_ascii(address[next])) ++next;
    if (next > at) append_percent(out, from_utf8(address.substr(at, next - at), charset));
    at = next;
  }
  return out.append(address.substr(end));
}

void encode_queries(document& page, std::string_view charset) {
  if (charset == "UTF-8") return;
  std::vector<attribute> changed;
  for (node_id id = 1; id < page.size(); ++id) {
    const auto count = page.at(id).attribute_count;
    page.spend(1 + count);
    const std::span<const attribute> all(page.attributes_begin(id), count);
    const auto is_set = [](const attribute& one) { return is_among(one.name, names_of_sets); };
    const auto has_to = [&](const attribute& one) {
      return is_set(one) ? may_have_to(one.value, longest_set)
                         : is_among(one.name, names_of_addresses) &&
                               may_have_to(one.value, longest_address);
    };
    if (std::ranges::none_of(all, has_to)) continue;
    changed.assign(all.begin(), all.end());
    for (auto& one : changed) {
      if (!has_to(one)) continue;
      page.spend(one.value.size());
      one.value = page.keep(is_set(one) ? with_encoded_set(one.value, charset)
                                        : with_encoded_query(one.value, charset));
    }
    page.set_attributes(id, changed);
  }
}

}  // namespace freshet::html
