// Links out of the tree of a page, in its order.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/charset.hpp>
#include <html/document.hpp>
#include <html/queries.hpp>
#include <markdown/metadata.hpp>
#include <sources/web/page_links.hpp>
#include <unordered_set>

namespace freshet::sources::web {
namespace {

using html::node_id;
using html::tag_id;

constexpr std::size_t max_link_text = 300;
constexpr std::size_t max_link_bytes = 4u << 10;  // of a link's text that is looked at
constexpr std::string_view www = "www.";

std::string_view without_www(std::string_view host) {
  if (host.starts_with(www)) host.remove_prefix(www.size());
  return host;
}

std::string text_of_link(const html::document& page, node_id element) {
  std::string text;
  for (auto at = page.next_in_order(element, element);
       at != html::none && text.size() < max_link_bytes; at = page.next_in_order(at, element)) {
    page.spend(1);
    if (page.at(at).type == html::node_type::text) text += std::string(page.at(at).text) + ' ';
  }
  text = base::collapse_spaces(text);
  return base::nfc(base::prefix(text, max_link_text));
}

/// Whether a list of words, as in rel, has one.
bool has_word(std::string_view list, std::string_view word) {
  const auto lower = base::to_lower_ascii(list);
  std::size_t at = 0;
  while ((at = lower.find(word, at)) != std::string::npos) {
    const auto end = at + word.size();
    const bool begins = at == 0 || lower[at - 1] == ' ';
    if (begins && (end == lower.size() || lower[end] == ' ')) return true;
    at = end;
  }
  return false;
}

class link_collector {
 public:
  link_collector(const html::document& page, std::string_view address)
      : page_(page), site_(address), base_(markdown::base_of(page, address)) {}

  page_links collect(std::string_view address) {
    add(address, {});
    for (node_id at = 1; at < page_.size(); ++at) {
      page_.spend(1);
      if (page_.is_element(at, tag_id::title) && title_.empty()) title_ = text_of_link(page_, at);
      const auto rel = page_.attribute_of(at, "rel");
      if (page_.is_element(at, tag_id::link) && has_word(rel, "sitemap")) name_sitemap(at);
      const bool is_link = page_.is_element(at, tag_id::a) || page_.is_element(at, tag_id::area);
      if (!is_link || !page_.has_attribute(at, "href")) continue;
      if (out_.addresses.size() >= max_page_links) {
        out_.is_cut = true;
        break;
      }
      add(absolute(at), text_of_link(page_, at));
    }
    if (!out_.addresses.empty()) out_.addresses.front().title = title_;
    for (auto& one : out_.addresses) {
      one.found_in = "page";
      one.found_at = address;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string absolute(node_id element) const {
    const auto reference = page_.attribute_of(element, "href");
    const std::size_t before = base_ ? base_->path.size() + base_->query.size() : 0;
    page_.spend(1 + (reference.size() + before) / 16);
    const auto resolved = base_ ? base::resolve_url(*base_, reference) : std::nullopt;
    return resolved ? resolved->text() : std::string();
  }

  void add(std::string_view written, std::string title) {
    const auto address = site_.address_of(written);
    if (address.empty() || !seen_.insert(address).second) return;
    auto& one = out_.addresses.emplace_back();
    one.url = address;
    one.title = std::move(title);
  }

  void name_sitemap(node_id at) {
    if (out_.sitemaps.size() >= max_named_sitemaps) return;
    auto address = absolute(at);
    if (address.empty() || address.size() > max_address_bytes) return;
    out_.sitemaps.push_back(std::move(address));
  }

  const html::document& page_;
  const site_of_page site_;
  const std::optional<base::url> base_;
  std::string title_;
  std::unordered_set<std::string, base::text_hash> seen_;
  page_links out_;
};

}  // namespace

site_of_page::site_of_page(std::string_view page) {
  const auto url = base::parse_url(page);
  if (!url) return;
  origin_ = url->origin();
  host_ = without_www(url->host);
  port_ = url->port;
}

bool site_of_page::is_below(std::string_view host) const {
  if (host_.empty() || host.size() <= host_.size() || !host.ends_with(host_)) return false;
  const bool is_number = base::is_digit(host_.back()) || host_.back() == ']';
  return !is_number && host[host.size() - host_.size() - 1] == '.';
}

std::string site_of_page::address_of(std::string_view written) const {
  if (written.empty() || written.size() > max_address_bytes) return {};
  auto url = base::parse_url(written);
  if (!url || !url->is_http() || url->port != port_) return {};
  const auto host = without_www(url->host);
  if (host != host_ && !is_below(host)) return {};
  url->username.clear();
  url->password.clear();
  return base::canonical_url(url->text());
}

std::string words_of_address(std::string_view address) {
  const auto url = base::parse_url(address);
  if (!url) return {};
  auto text = base::repair_utf8(base::percent_decode(url->path + ' ' + url->query, true));
  std::ranges::replace_if(
      text,
      [](char c) { return std::string_view("-_/.=&+~,;:").find(c) != std::string_view::npos; },
      ' ');
  return text;
}

page_links links_of_page(const http::response& answer, std::string_view address,
                         base::meter* counted) {
  std::string storage;
  const auto type = http::find_header(answer.headers, "content-type");
  const auto decoded = html::to_utf8_view(answer.body, type, storage);
  auto page = html::parse(decoded.text, counted);
  html::encode_queries(page, decoded.charset);
  return link_collector(page, address).collect(address);
}

std::vector<std::string> sitemaps_named_in(std::string_view robots) {
  constexpr std::string_view name = "sitemap";
  std::vector<std::string> out;
  while (!robots.empty()) {
    const auto end = std::min(robots.find_first_of("\r\n"), robots.size());
    const auto line = base::trim(robots.substr(0, std::min(end, robots.find('#'))));
    robots.remove_prefix(std::min(end + 1, robots.size()));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (!base::equals_ignoring_ascii_case(base::trim(line.substr(0, colon)), name)) continue;
    const auto address = base::trim(line.substr(colon + 1));
    if (!address.empty() && address.size() <= max_address_bytes) out.emplace_back(address);
  }
  return out;
}

}  // namespace freshet::sources::web
