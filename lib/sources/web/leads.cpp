// The "shared declarative refresh steps" of the HTML standard, with a bound on the delay: after
// longer a reader has read the page, or it only loads itself anew. What a <noscript> has nobody is
// shown.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/charset.hpp>
#include <html/document.hpp>
#include <html/queries.hpp>
#include <markdown/metadata.hpp>
#include <optional>
#include <sources/read_answer.hpp>
#include <sources/web/leads.hpp>

namespace freshet::sources::web {
namespace {

using html::tag_id;

constexpr std::size_t most_delay_s = 5;
constexpr std::size_t most_frames = 5;
/// What is read of a page for them: a page that leads on has hardly more.
constexpr std::size_t looked_at = 64 * 1024;
constexpr std::string_view name = "refresh";

/// Of "0; url='/there'": the address as it is written, "" where there is none; null: it is none
/// that would be followed.
std::optional<std::string_view> reference_of(std::string_view content) {
  content = base::trim(content);
  const auto digits = std::min(content.find_first_not_of("0123456789"), content.size());
  const auto has_fraction = digits < content.size() && content[digits] == '.';
  if (digits == 0 && !has_fraction) return std::nullopt;
  // Nobody waits for two digits' seconds; "05" is 5.
  std::size_t seconds = 0;
  for (const char digit : content.substr(0, digits)) {
    seconds = std::min<std::size_t>(seconds * 10 + static_cast<std::size_t>(digit - '0'), 1000);
  }
  if (seconds > most_delay_s) return std::nullopt;
  content.remove_prefix(std::min(content.find_first_not_of("0123456789."), content.size()));
  if (content.empty()) return content;
  if (std::string_view(";, \t\r\n\f").find(content.front()) == std::string_view::npos)
    return std::nullopt;
  content = base::trim(content);
  if (content.starts_with(';') || content.starts_with(',')) content = base::trim(content.substr(1));
  constexpr std::string_view url = "url";
  if (base::equals_ignoring_ascii_case(content.substr(0, url.size()), url)) {
    const auto behind = base::trim(content.substr(url.size()));
    if (behind.starts_with('=')) content = base::trim(behind.substr(1));
  }
  if (content.starts_with('"') || content.starts_with('\'')) {
    const char quote = content.front();
    content.remove_prefix(1);
    content = content.substr(0, content.find(quote));
  }
  return content;
}

/// Whether `http-equiv = "refresh"` stands there: most pages need not be looked at any further.
bool may_have_element(std::string_view head) {
  constexpr std::string_view attribute = "http-equiv";
  for (auto at = head.find('-'); at != std::string_view::npos; at = head.find('-', at + 1)) {
    constexpr std::size_t before = 4;  // "http"
    if (at < before ||
        !base::equals_ignoring_ascii_case(head.substr(at - before, attribute.size()), attribute))
      continue;
    auto value = base::trim(head.substr(at - before + attribute.size(), 64));
    if (!value.starts_with('=')) continue;
    value = base::trim(value.substr(1));
    if (value.starts_with('"') || value.starts_with('\'')) value = base::trim(value.substr(1));
    if (base::equals_ignoring_ascii_case(value.substr(0, name.size()), name)) return true;
  }
  return false;
}

struct page_beginning {
  html::document page;
  std::string charset;
};

page_beginning parse_beginning(const http::response& answer, base::meter* counted) {
  std::string converted;
  const auto head = std::string_view(answer.body).substr(0, looked_at);
  const auto type = http::find_header(answer.headers, "content-type");
  const auto decoded = html::to_utf8_view(head, type, converted);
  auto page = html::parse(decoded.text, counted);
  html::encode_queries(page, decoded.charset);
  return {std::move(page), std::string(decoded.charset)};
}

/// What is inside of these says nothing to a reader whose browser runs scripts.
bool is_unread(const html::document& page, html::node_id element) {
  return page.is_element(element, tag_id::noscript) ||
         page.is_element(element, tag_id::template_) || page.is_element(element, tag_id::svg);
}

html::node_id next_read(const html::document& page, html::node_id element) {
  page.spend(1);
  const auto root = html::document::root();
  return is_unread(page, element) ? page.next_skipping_children(element, root)
                                  : page.next_in_order(element, root);
}

/// The first one counts, as in browsers; its query is in the page's encoding, like those of links.
std::optional<std::string> written_in(const page_beginning& beginning) {
  const auto& page = beginning.page;
  for (auto element = html::document::root(); element != html::none;
       element = next_read(page, element)) {
    if (page.is_element(element, tag_id::meta) &&
        base::equals_ignoring_ascii_case(base::trim(page.attribute_of(element, "http-equiv")),
                                         name)) {
      if (const auto found = reference_of(page.attribute_of(element, "content")))
        return html::with_encoded_query(*found, beginning.charset);
    }
  }
  return std::nullopt;
}

/// The address that a reader comes to; "" where that is this page again.
std::string resolved(const std::optional<base::url>& page_base, std::string_view reference,
                     std::string_view address) {
  if (!page_base || reference.empty()) return {};
  auto target = base::resolve_url(*page_base, reference);
  if (!target || !target->is_http()) return {};
  target->fragment.clear();
  target->has_fragment = false;
  auto made = target->text();
  return base::canonical_url(made) == base::canonical_url(address) ? std::string() : made;
}

}  // namespace

std::string refresh_target(const http::response& answer, std::string_view address,
                           base::meter* counted) {
  if (const auto field = http::find_header(answer.headers, name); !field.empty()) {
    if (const auto found = reference_of(field))
      return resolved(base::parse_url(address), *found, address);
  }
  const auto head = std::string_view(answer.body).substr(0, looked_at);
  if (!may_have_element(head) || !is_html(answer)) return {};
  const auto beginning = parse_beginning(answer, counted);
  const auto found = written_in(beginning);
  return found ? resolved(markdown::base_of(beginning.page, address), *found, address)
               : std::string();
}

frame_list frames_of(const http::response& answer, std::string_view address, base::meter* counted) {
  frame_list out;
  if (!is_html(answer)) return out;
  const auto page = parse_beginning(answer, counted).page;
  const auto page_base = markdown::base_of(page, address);
  for (auto element = html::document::root();
       page_base && element != html::none && out.addresses.size() < most_frames;
       element = next_read(page, element)) {
    const bool is_frame = page.is_element(element, tag_id::frame);
    if (!is_frame && !page.is_element(element, tag_id::iframe)) continue;
    out.is_set |= is_frame;
    auto found = resolved(page_base, page.attribute_of(element, "src"), address);
    const bool is_new = std::ranges::find(out.addresses, found) == out.addresses.end();
    if (!found.empty() && is_new) out.addresses.push_back(std::move(found));
  }
  return out;
}

}  // namespace freshet::sources::web
