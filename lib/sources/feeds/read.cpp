// A feed's entries as articles, the newest first. Dialects are told apart by the first byte; a feed
// that breaks off gives what came before, with a warning.
#include <algorithm>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/feeds/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/redirect_wrapper.hpp>

namespace freshet::sources::feeds {

namespace {

constexpr std::string_view source_name = "feeds";

std::string plain(const feed_text& from) {
  return from.is_html ? clean_html(from.text) : clean_text(from.text);
}

/// What is relative in an entry is relative to this.
std::string base_of(const feed& feed, const feed_entry& entry, const std::string& feed_address) {
  auto out = feed_address;
  for (const auto& step : {feed.address, entry.base}) {
    if (step.empty()) continue;
    const auto resolved = base::resolve_url(out, step);
    if (!resolved.empty()) out = resolved;
  }
  return out;
}

std::string absolute(const std::string& against, const std::string& reference) {
  if (reference.empty()) return "";
  if (base::read_plain_url(reference)) return reference;
  const auto whole = base::parse_url(reference);
  return file_url(whole ? reference : base::resolve_url(against, reference));
}

std::string address_of(const feed_entry& entry, const std::string& against) {
  for (const auto& one : {entry.original_address, entry.address}) {
    const auto url = page_url(unwrapped_address(absolute(against, one)));
    if (!url.empty()) return url;
  }
  return entry.guid_is_address ? page_url(unwrapped_address(entry.guid)) : "";
}

author author_of(const std::vector<feed_person>& people, const std::string& against) {
  author out;
  for (const auto& one : people) {
    if (!out.display_name.empty()) out.display_name += ", ";
    out.display_name += clean_html(one.name);
    if (out.url.empty()) out.url = page_url(absolute(against, one.url));
    if (out.avatar_url.empty()) out.avatar_url = absolute(against, one.avatar_url);
  }
  return out;
}

site site_of(const feed& feed, const feed_entry& entry, const article& article,
             const std::string& raw_address, const std::string& feed_address) {
  site out;
  const auto host = base::host_of(article.url);
  if (!entry.origin_name.empty()) {
    out.name = clean_html(entry.origin_name);
    out.domain = base::host_of(entry.origin_address);
  } else if (!article.url.empty() && unwrapped_address(raw_address) != raw_address) {
    out.name = host;  // the feed only found it elsewhere
  } else {
    out.name = plain(feed.title);
  }
  for (const auto& known : {host, base::host_of(feed.address), base::host_of(feed_address)}) {
    if (out.domain.empty()) out.domain = known;
  }
  if (out.name.empty()) out.name = out.domain;
  return out;
}

void add_media(const feed_entry& entry, const std::string& against, article& to) {
  for (auto one : entry.attachments) {
    one.url = absolute(against, one.url);
    one.preview_url = absolute(against, one.preview_url);
    one.alt = clean_html(one.alt);
    if (!one.url.empty()) to.media.push_back(std::move(one));
  }
}

/// Null if it has neither a title nor an address: nothing a reader could use.
std::optional<article> article_of(const feed& feed, const feed_entry& entry,
                                  const std::string& feed_address) {
  article out;
  const auto against = base_of(feed, entry, feed_address);
  out.url = address_of(entry, against);
  out.title = base::collapse_spaces(plain(entry.title));
  if (out.url.empty() && out.title.empty()) return std::nullopt;
  const auto& key = !out.url.empty() ? out.url : !entry.guid.empty() ? entry.guid : out.title;
  out.id = std::string(source_name) + ":" + digest_id(key);
  out.source = source_name;
  out.text = plain(entry.summary);
  if (out.text.empty()) out.text = plain(entry.content);
  out.lang = language_tag(entry.lang.empty() ? feed.lang : entry.lang);
  out.created_at = syndication::time_of(entry);
  out.author = author_of(entry.authors.empty() ? feed.authors : entry.authors, against);
  for (const auto& tag : entry.tags) add_once(out.tags, clean_html(tag));
  for (const auto& text : {entry.summary, entry.content}) {
    if (!text.is_html) continue;
    for (const auto& link : html::link_targets(text.text)) add_once(out.links, file_url(link));
  }
  add_media(entry, against, out);
  const auto raw = absolute(against, entry.address);
  out.site = site_of(feed, entry, out, raw, feed_address);
  return out;
}

bool begins_with_brace(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  return base::trim(body).starts_with('{');
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  if (auto failure = check_status(answer)) return std::move(*failure);
  exchange.spend(answer.body.size());
  const bool is_json = begins_with_brace(answer.body);
  auto in = is_json ? read_json_feed(answer) : syndication::read_feed(answer, exchange.meter);
  if (!in) return answer_error(in.error().code(), in.error().detail(), answer);
  const auto& address = answer.final_url.empty() ? exchange.settings.base_url : answer.final_url;
  std::vector<article> all;
  std::size_t left_out = 0;
  for (const auto& entry : in->entries) {
    exchange.spend(entry.summary.text.size() + entry.content.text.size());
    if (auto found = article_of(*in, entry, address)) {
      all.push_back(std::move(*found));
    } else {
      ++left_out;
    }
  }
  std::ranges::stable_sort(all, is_newer);
  listing out;
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
                           " without a title and an address were left out");
  }
  for (auto& one : all) out.items.emplace_back(std::move(one));
  return step(std::move(out));
}

}  // namespace freshet::sources::feeds
