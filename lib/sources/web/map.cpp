// The addresses of a site: the links of its page, then its robots.txt, then one sitemap after
// another. Each answer goes into the walk, which says what is asked next; a sitemap that cannot be
// read is told of and left out. Nothing is decided here about where we may fetch: the transport
// obeys robots.txt and refuses private addresses, whoever has named them.
#include <algorithm>
#include <base/gzip.hpp>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/charset.hpp>
#include <http/robots.hpp>
#include <limits>
#include <query/text_query.hpp>
#include <sources/read_answer.hpp>
#include <sources/web/page_links.hpp>
#include <sources/web/site_walk.hpp>
#include <sources/web/sitemap.hpp>
#include <sources/web/wire.hpp>
#include <unordered_set>

namespace freshet::sources::web {
namespace {

constexpr std::string_view page_accepted =
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5";
constexpr std::string_view sitemap_accepted = "application/xml,text/xml;q=0.9,*/*;q=0.5";
constexpr std::string_view robots_path = "/robots.txt", usual_sitemap = "/sitemap.xml";
/// A walk that goes on reads what it has read before, as long as it is not older than this.
constexpr std::chrono::seconds age_within_walk{3600};
constexpr std::size_t shown_address = 200;

http::request request_for(const call& call, const map_place& place, std::string address,
                          std::string_view accepted) {
  http::request out;
  out.url = std::move(address);
  out.headers = {{"Accept", std::string(accepted)}};
  out.obey_robots = call.respect_robots;
  out.max_age = call.max_age;
  const bool goes_on = place.in_sitemaps != 0 || place.entry > 0;
  if (goes_on && !out.max_age) out.max_age = age_within_walk;
  out.truncate_body = true;
  return out;
}

/// Unpacked and in UTF-8.
std::string text_of_sitemap(const exchange& given, site_walk& walk, std::string_view address) {
  std::string body(given.answer.body);
  given.spend(body.size() / 16);
  const auto cut = [&] {
    walk.warn("map: only the beginning of " + std::string(base::prefix(address, shown_address)) +
              " is read: it is larger than a sitemap may be");
  };
  if (base::is_gzip(body)) {
    auto inside = base::gunzip(body, max_sitemap_bytes);
    given.spend(inside.text.size() / 16);
    if (inside.is_cut) cut();
    if (inside.is_broken) {
      walk.partial = true;
      walk.warn("map: what " + std::string(base::prefix(address, shown_address)) +
                " is packed into is broken; what comes behind that is left out");
    }
    body = std::move(inside.text);
  } else if (body.size() >= http::max_body_bytes) {
    cut();
  }
  std::string storage;
  const auto type = http::find_header(given.answer.headers, "content-type");
  return std::string(html::to_utf8_view(body, type, storage).text);
}

/// Finds what may be given, and makes it an item.
class address_filter {
 public:
  address_filter(const exchange& given, site_walk& walk)
      : given_(given), walk_(walk), site_(walk.page) {
    if (given.call.respect_robots) rules_ = http::robots_rules::parse(walk.rules);
    for (const auto& one : walk.links) links_.insert(one.url);
  }

  /// False where the page is full, and the address has to wait for the next one.
  bool take(site_address found, bool is_link) {
    given_.spend(4 + found.url.size() / 16);
    if (!is_link && links_.contains(found.url)) return true;
    if (!is_wanted(found) || !is_allowed(found.url)) return true;
    if (walk_.found.size() >= wanted()) return false;
    walk_.found.push_back(std::move(found));
    return true;
  }

  /// The canonical address, if it is one of the site; "" else.
  [[nodiscard]] std::string address_of(std::string_view written) const {
    return site_.address_of(written);
  }

 private:
  [[nodiscard]] std::size_t wanted() const {
    return static_cast<std::size_t>(std::max(given_.call.limit, 1));
  }

  [[nodiscard]] bool is_wanted(const site_address& found) const {
    const auto& q = given_.call.q;
    if (q.terms.empty()) return true;
    site_address read;
    read.title = found.title;
    read.text = words_of_address(found.url);
    given_.spend(4 + (read.title.size() + read.text.size()) / 4);
    return query::matches(q, read);
  }

  [[nodiscard]] bool is_allowed(const std::string& address) const {
    if (!rules_) return true;
    const auto url = base::parse_url(address);
    if (!url || url->origin() != site_.origin()) return true;  // another host has other rules
    const auto says =
        rules_->check(given_.call.crawler, url->path + (url->has_query ? "?" + url->query : ""));
    given_.spend(says.steps);
    return says.allowed;
  }

  const exchange& given_;
  site_walk& walk_;
  site_of_page site_;
  std::optional<http::robots_rules> rules_;
  std::unordered_set<std::string, base::text_hash> links_;
};

listing page_of_walk(const site_walk& walk) {
  listing out;
  for (auto one : walk.found) {
    one.id = "web:" + one.url;
    one.source = "web";
    out.items.emplace_back(std::move(one));
  }
  if (!walk.is_over()) out.next = walk.at.text();
  out.warnings = walk.warnings;
  out.partial = walk.partial;
  return out;
}

step go_on(const exchange& given, site_walk& walk) {
  auto next = walk.next_sitemap(static_cast<std::size_t>(std::max(given.call.limit, 1)));
  if (next.empty()) return page_of_walk(walk);
  auto request = request_for(given.call, walk.at, std::move(next), sitemap_accepted);
  return follow{std::move(request), walk.text()};
}

void give_links(const exchange& given, site_walk& walk) {
  if (walk.at.in_sitemaps != 0) return;
  address_filter filter(given, walk);
  while (static_cast<std::size_t>(walk.at.entry) < walk.links.size()) {
    if (!filter.take(walk.links[static_cast<std::size_t>(walk.at.entry)], true)) return;
    ++walk.at.entry;
  }
  walk.at = {.in_sitemaps = 1};
}

void name_sitemap(site_walk& walk, const std::string& address) {
  const auto url = base::parse_url(address);
  if (!url || !url->is_http() || walk.own.size() >= max_named_sitemaps) return;
  if (std::ranges::find(walk.own, address) == walk.own.end()) walk.own.push_back(address);
}

/// The page that the walk begins with: a web page, or a sitemap itself.
result<step> read_start(const exchange& given) {
  const auto& answer = given.answer;
  if (auto problem = error_of_page(answer)) return *std::move(problem);
  const auto signs = sniff(answer);
  if (signs.block_page) {
    return answer_error(errc::source_blocked, "the site answered with a challenge", answer);
  }
  const auto place = read_map_place(given.position);
  if (!place) return place.error();
  site_walk walk;
  walk.at = *place;
  walk.page = answer.final_url.empty() ? given.call.url : answer.final_url;
  if (signs.html) {
    auto links = links_of_page(answer, walk.page, given.meter);
    walk.links = std::move(links.addresses);
    for (const auto& one : links.sitemaps) name_sitemap(walk, one);
    if (links.is_cut) walk.warn("map: the page has more links than are read");
  } else {
    const auto text = text_of_sitemap(given, walk, walk.page);
    if (sitemap_reader(text, given.meter).kind() != sitemap_kind::none) {
      name_sitemap(walk, walk.page);
      walk.at.in_sitemaps = 1;
    }
  }
  const auto origin = base::parse_url(walk.page)->origin();
  auto request = request_for(given.call, walk.at, origin + std::string(robots_path), "text/plain");
  request.obey_robots = false;
  request.body_limit = http::max_robots_bytes;
  return step{follow{std::move(request), walk.text()}};
}

/// What the site says to crawlers, and the sitemaps that it names.
void read_robots(const exchange& given, site_walk& walk) {
  const auto& answer = given.answer;
  const bool is_there = given.failure == nullptr && answer.status >= 200 && answer.status < 300;
  if (given.failure != nullptr || answer.status >= 500) {
    walk.partial = true;
    walk.warn("map: the robots.txt of the site cannot be read, and with it what sitemaps it names");
  }
  // Many servers label it as HTML; what is some begins like it.
  if (is_there && !base::trim(answer.body).starts_with('<')) {
    walk.rules = base::repair_utf8(answer.body);
  }
  const bool is_sitemap = walk.own.size() == 1 && walk.own.front() == walk.page;
  if (is_sitemap) return;
  const auto origin = base::parse_url(walk.page)->origin();
  for (const auto& one : sitemaps_named_in(walk.rules)) {
    name_sitemap(walk, base::resolve_url(origin + std::string(robots_path), one));
  }
  walk.guessed = walk.own.empty();
  if (walk.guessed) name_sitemap(walk, origin + std::string(usual_sitemap));
}

/// Tells of a sitemap that cannot be read; one that was only guessed need not be there, which is
/// not what a server says that fails.
void lose_sitemap(site_walk& walk, std::string_view address, std::string_view why) {
  if (walk.guessed && walk.level() == 0) return;
  walk.partial = true;
  walk.warn("map: the sitemap " + std::string(base::prefix(address, shown_address)) + ' ' +
            std::string(why));
}

/// Of the sitemaps that an index lists, each once, those from `begin` on that one page of ours may
/// read: the others are passed over as they are written.
index_part part_of_index(sitemap_reader& reader, std::string_view address, std::size_t begin) {
  index_part out;
  std::unordered_set<std::string, base::text_hash> seen;
  sitemap_entry entry;
  while (reader.entries() < max_sitemap_entries && reader.next(entry)) {
    const auto& written = *seen.insert(std::move(entry.address)).first;
    const auto place = seen.size();
    if (place <= begin || place == begin + out.sitemaps.size()) continue;
    if (out.sitemaps.size() == max_sitemaps_of_page) {
      out.has_more = true;
      break;
    }
    auto listed = base::resolve_url(address, written);
    const auto url = base::parse_url(listed);
    const bool is_one = url && url->is_http() && listed.size() <= max_address_bytes;
    out.sitemaps.push_back(is_one ? std::move(listed) : std::string());
  }
  return out;
}

/// Tells of a sitemap that has no end of its own.
void tell_if_cut(site_walk& walk, const sitemap_reader& reader, std::string_view address) {
  if (reader.is_whole()) return;
  walk.partial = true;
  walk.warn("map: the sitemap " + std::string(base::prefix(address, shown_address)) +
            " breaks off; what came before was read");
}

/// False where the page of ours is full before the sitemap ends.
bool read_entries(const exchange& given, site_walk& walk, sitemap_reader& reader,
                  const std::string& address) {
  address_filter filter(given, walk);
  sitemap_entry entry;
  reader.skip(walk.at.entry);
  while (reader.next(entry)) {
    const auto place = reader.entries() - 1;
    if (place >= max_sitemap_entries) {
      walk.warn("map: a sitemap has more entries than it may have; the rest is left out");
      return true;
    }
    site_address one;
    one.url = filter.address_of(base::resolve_url(address, entry.address));
    if (one.url.empty()) continue;
    one.title = std::move(entry.title);
    one.found_in = "sitemap";
    one.found_at = address;
    one.last_modified = entry.last_modified;
    one.change_frequency = std::move(entry.change_frequency);
    one.priority = entry.priority;
    if (filter.take(std::move(one), false)) continue;
    walk.at.entry = place;
    return false;
  }
  tell_if_cut(walk, reader, address);
  return true;
}

void read_sitemap(const exchange& given, site_walk& walk) {
  const auto& answer = given.answer;
  const auto address = walk.next_sitemap(std::numeric_limits<std::size_t>::max());
  ++walk.sitemaps;
  if (address.empty()) return;
  if (given.failure != nullptr) {
    const auto why = describe(given.failure->code()).name;
    lose_sitemap(walk, address, "is not to be had: " + std::string(why));
    return walk.leave_sitemap();
  }
  if (answer.status < 200 || answer.status >= 300) {
    if (answer.status >= 500) walk.guessed = false;
    lose_sitemap(walk, address, "answers with status " + std::to_string(answer.status));
    return walk.leave_sitemap();
  }
  const auto text = text_of_sitemap(given, walk, address);
  sitemap_reader reader(text, given.meter);
  if (reader.kind() == sitemap_kind::none) {
    lose_sitemap(walk, address, "is none");
    walk.leave_sitemap();
  } else if (reader.kind() == sitemap_kind::addresses) {
    if (read_entries(given, walk, reader, address)) walk.leave_sitemap();
  } else if (walk.may_enter_index()) {
    auto part = part_of_index(reader, address, walk.begin_of_index());
    if (!part.has_more && reader.entries() < max_sitemap_entries)
      tell_if_cut(walk, reader, address);
    walk.enter_index(std::move(part));
  } else {
    lose_sitemap(walk, address, "lists sitemaps deeper than they may be listed");
    walk.leave_sitemap();
  }
}

}  // namespace

result<http::request> plan_map(const call& call, const settings&, std::string_view position) {
  const auto place = read_map_place(position);
  if (!place) return place.error();
  auto page = plan_page(call, {}, "");
  if (!page) return page.error();
  return request_for(call, *place, std::move(page->url), page_accepted);
}

result<step> read_map(const exchange& exchange) {
  if (exchange.state.empty()) return read_start(exchange);
  auto walk = site_walk::parse(exchange.state, exchange.meter);
  if (!walk) return error(errc::internal, "the state of the walk cannot be read");
  if (walk->has_robots) {
    read_sitemap(exchange, *walk);
  } else {
    walk->has_robots = true;
    read_robots(exchange, *walk);
    give_links(exchange, *walk);
  }
  return go_on(exchange, *walk);
}

}  // namespace freshet::sources::web
