// A feed's entries as articles, the newest first. Dialects are told apart by the first byte; a feed
// that breaks off gives what came before, with a warning.
#include <algorithm>
#include <base/byline.hpp>
#include <base/gzip.hpp>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/feeds/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/redirect_wrapper.hpp>
#include <utility>

namespace freshet::sources::feeds {

namespace {

constexpr std::string_view source_name = "feeds";

std::string plain(const feed_text& from) {
  return from.is_html ? clean_html(from.text) : clean_text(from.text);
}

/// `against`, or what a step from there leads to.
std::string resolved(std::string against, const std::string& step) {
  if (step.empty()) return against;
  auto further = base::resolve_url(against, step);
  return further.empty() || further.size() > max_address_bytes ? against : further;
}

std::string absolute(const std::string& against, const std::string& reference) {
  if (reference.empty()) return "";
  if (base::read_plain_url(reference)) return reference;
  const auto whole = base::parse_url(reference);
  return file_url(whole ? reference : base::resolve_url(against, reference));
}

std::string address_of(const feed_entry& entry, const std::string& against) {
  for (const auto* one : {&entry.original_address, &entry.address}) {
    auto url = page_url(unwrapped_address(absolute(against, *one)));
    if (!url.empty()) return url;
  }
  return entry.guid_is_address ? page_url(unwrapped_address(entry.guid)) : "";
}

/// Code points of what names people.
constexpr std::size_t most_of_byline = 4000;

/// Feeds, too, write several people as one; an address is that of who has the name alone.
std::vector<author> authors_of(const std::vector<feed_person>& people, const std::string& against) {
  std::vector<author> out;
  for (const auto& one : people) {
    const auto names =
        base::byline_names(clean_name(clean_html(base::prefix(one.name, most_of_byline))));
    for (const auto& name : names) {
      if (out.size() >= base::max_byline_names) return out;
      author& person = out.emplace_back();
      person.display_name = name;
      if (names.size() > 1) continue;
      person.url = page_url(absolute(against, one.url));
      person.avatar_url = absolute(against, one.avatar_url);
    }
  }
  return out;
}

/// What the entries of a feed have in common.
struct feed_place {
  std::string address;          ///< what is relative in them is relative to this
  std::string home;             ///< where several entries lead, as to the page of the whole site
  std::string name;             ///< of the site
  std::string domain;           ///< of the site, for articles without an address
  std::vector<author> authors;  ///< of entries that name none
};

feed_place place_of(const feed& feed, const std::string& feed_address) {
  feed_place out;
  out.address = resolved(feed_address, feed.base.empty() ? feed.address : feed.base);
  out.name = clean_name(plain(feed.title));
  out.domain = base::host_of(feed.address);
  if (out.domain.empty()) out.domain = base::host_of(feed_address);
  out.authors = authors_of(feed.authors, out.address);
  const auto home = page_url(absolute(out.address, feed.address));
  const auto leads_home = [&](const feed_entry& entry) {
    return address_of(entry, resolved(out.address, entry.base)) == home;
  };
  if (!home.empty() && std::ranges::count_if(feed.entries, leads_home) > 1) out.home = home;
  return out;
}

site site_of(const feed_place& place, const feed_entry& entry, const article& article,
             const std::string& against) {
  site out;
  auto host = base::host_of(article.url);
  if (!entry.origin_name.empty()) {
    out.name = clean_name(clean_html(entry.origin_name));
    out.domain = base::host_of(entry.origin_address);
  } else {
    const auto raw = absolute(against, entry.address);
    const bool found_elsewhere = !article.url.empty() && unwrapped_address(raw) != raw;
    out.name = found_elsewhere ? host : place.name;
  }
  if (out.domain.empty()) out.domain = host.empty() ? place.domain : std::move(host);
  if (out.name.empty()) out.name = out.domain;
  return out;
}

void add_media(feed_entry& entry, const std::string& against, article& out) {
  for (auto& one : entry.attachments) {
    one.url = absolute(against, one.url);
    one.preview_url = absolute(against, one.preview_url);
    one.alt = clean_html(one.alt);
    if (!one.url.empty()) out.media.push_back(std::move(one));
  }
}

/// The text of the first that has any, and the links of both: each is read once.
void set_text(article& article, const feed_entry& entry) {
  for (const auto* one : {&entry.summary, &entry.content}) {
    const bool is_sought = article.text.empty();
    if (!one->is_html) {
      if (is_sought) article.text = clean_text(one->text);
      continue;
    }
    auto read = is_sought ? clean_html_with_links(one->text)
                          : html::text_with_links{"", html::link_targets(one->text)};
    if (is_sought) article.text = std::move(read.text);
    for (const auto& link : read.links) add_once(article.links, file_url(link));
  }
}

/// Null if it has neither a title nor an address nor a text: nothing a reader could use.
std::optional<article> article_of(const feed& feed, const feed_place& place, feed_entry& entry) {
  article out;
  const auto against = resolved(place.address, entry.base);
  out.url = address_of(entry, against);
  // One page is one article; what only shares the site's home is none of it.
  if (!out.url.empty() && out.url == place.home) out.links.push_back(std::exchange(out.url, ""));
  out.title = base::collapse_spaces(plain(entry.title));
  set_text(out, entry);
  if (out.url.empty() && out.title.empty() && out.text.empty()) return std::nullopt;
  const auto& key = !out.url.empty()      ? out.url
                    : !entry.guid.empty() ? entry.guid
                    : !out.title.empty()  ? out.title
                                          : out.text;
  out.id = std::string(source_name) + ":" + digest_id(key);
  out.source = source_name;
  out.lang = language_tag(entry.lang.empty() ? feed.lang : entry.lang);
  out.created_at = syndication::time_of(entry);
  out.edited_at = syndication::edit_of(entry);
  set_authors(out, entry.authors.empty() ? place.authors : authors_of(entry.authors, against));
  for (const auto& tag : entry.tags) add_once(out.tags, clean_html(tag));
  add_media(entry, against, out);
  out.site = site_of(place, entry, out, against);
  return out;
}

bool begins_with_brace(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  return base::trim(body).starts_with('{');
}

result<feed> read_any(const exchange& exchange, const http::response& answer) {
  exchange.spend(answer.body.size());
  const bool is_json = begins_with_brace(answer.body);
  auto in = is_json ? read_json_feed(answer) : syndication::read_feed(answer, exchange.meter);
  if (!in) return answer_error(in.error().code(), in.error().detail(), answer);
  return in;
}

/// Unpacked first where it is a file that was packed, of which no header says so.
result<feed> feed_in(const exchange& exchange) {
  const auto& answer = exchange.answer;
  if (!base::is_gzip(answer.body)) return read_any(exchange, answer);
  auto inside = base::gunzip(answer.body, http::max_body_bytes);
  http::response unpacked;
  unpacked.status = answer.status;
  unpacked.headers = answer.headers;
  unpacked.final_url = answer.final_url;
  unpacked.counted = answer.counted;
  unpacked.body = std::move(inside.text);
  return read_any(exchange, unpacked);
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  if (answer.status == 404 || answer.status == 410) {
    return answer_error(errc::source_error, "there is no feed here; check sources.feeds.urls",
                        answer);
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  auto in = feed_in(exchange);
  if (!in) return in.error();
  const auto& address = answer.final_url.empty() ? exchange.settings.base_url : answer.final_url;
  listing out;
  std::size_t left_out = 0;
  const auto place = place_of(*in, address);
  for (auto& entry : in->entries) {
    exchange.spend(entry.summary.text.size() + entry.content.text.size());
    if (auto found = article_of(*in, place, entry)) {
      out.items.emplace_back(std::move(*found));
    } else {
      ++left_out;
    }
  }
  std::ranges::stable_sort(out.items, [](const item& one, const item& other) {
    return is_newer(std::get<article>(one), std::get<article>(other));
  });
  const auto where = base::host_of(address);
  if (!in->problem.empty()) {
    out.warnings.push_back("feeds: the feed of " + where + " is broken at " + in->problem +
                           "; the entries before it were read");
    out.partial = true;
  }
  if (in->cut) {
    out.warnings.push_back("feeds: the feed of " + where + " has more than " +
                           std::to_string(syndication::max_entries) +
                           " entries; the rest was left out");
    out.partial = true;
  }
  if (left_out > 0) {
    out.warnings.push_back("feeds: " + std::to_string(left_out) + " entries of " + where +
                           " without a title, an address and a text were left out");
  }
  return step(std::move(out));
}

result<step> read_headlines(const exchange& exchange) { return read_search(exchange); }

}  // namespace freshet::sources::feeds
