// What Reddit's feeds give to everybody: posts without their scores, and comments without what they
// answer, which a warning says. Today's feeds are Atom, older ones RSS.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/comment_tree.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/reddit/wire.hpp>
#include <sources/rich_text.hpp>
#include <sources/syndication/feed.hpp>

namespace freshet::sources::reddit {

namespace {

using syndication::feed;
using syndication::feed_entry;

/// Around the text that an author wrote; what follows it is the feed's own.
constexpr std::string_view text_begins = "<!-- SC_OFF -->", text_ends = "<!-- SC_ON -->";
constexpr std::string_view body_begins = "<div class=\"md\">";

result<feed> read_feed(const http::response& answer) {
  if (answer.status == 403 && !is_html(answer)) {
    // Without a reason it is the caller's address that is refused, and not what was asked for.
    const auto body = parse_body(answer);
    if (!body || base::view_of(base::member(*body, "reason")).empty()) {
      return answer_error(errc::source_blocked, "Reddit refuses the request", answer);
    }
  }
  if (auto read = read_api(answer); !read && read.error().code() != errc::source_error) {
    return read.error();
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  if (answer.counted != nullptr) answer.counted->spend(answer.body.size());
  return syndication::read_feed(answer, answer.counted);
}

void say_problem(const feed& feed, listing& listing) {
  if (feed.problem.empty()) return;
  listing.partial = true;
  listing.warnings.push_back("reddit: the feed is broken at " + feed.problem +
                             "; the entries before it were read");
}

/// The numbers in /r/<community>/comments/<post>/<slug>/<comment>/.
struct feed_address {
  std::string community, post, comment;
};

feed_address address_of(const feed_entry& entry) {
  feed_address out;
  const auto url = base::parse_url(entry.address.empty() ? entry.guid : entry.address);
  if (!url) return out;
  const auto parts = path_segments(url->path);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == "r" && i == 0) out.community = parts[1];
    if (parts[i] != "comments") continue;
    if (is_number(parts[i + 1])) out.post = parts[i + 1];
    if (i + 3 < parts.size() && is_number(parts[i + 3])) out.comment = parts[i + 3];
    break;
  }
  return out;
}

std::string_view content_of(const feed_entry& entry) {
  return entry.content.text.empty() ? entry.summary.text : entry.content.text;
}

/// What the author wrote; "" for a link.
std::string_view written(std::string_view content) {
  auto begin = content.find(text_begins);
  if (begin == std::string_view::npos) begin = content.find(body_begins);
  if (begin == std::string_view::npos) return {};
  const auto end = content.find(text_ends, begin);
  if (end != std::string_view::npos) return content.substr(begin, end - begin);
  const auto submitted = content.rfind("submitted by");
  return content.substr(begin, submitted == std::string_view::npos ? submitted : submitted - begin);
}

author writer_of(const feed_entry& entry) {
  constexpr std::string_view profile = "reddit.com/user/";
  for (const auto& one : entry.authors) {
    std::string_view name = one.name;
    if (name.starts_with("/u/")) name.remove_prefix(3);
    if (auto found = author_of(name); !found.handle.empty()) return found;
  }
  const auto content = content_of(entry);
  const auto at = content.rfind(profile);
  if (at == std::string_view::npos) return {};
  const auto rest = content.substr(at + profile.size());
  return author_of(rest.substr(0, rest.find_first_of("\"'/?#&<> ")));
}

/// An address out of an attribute, where ampersands are escaped, perhaps several times.
std::string unescaped(std::string_view attribute) {
  constexpr std::string_view escape = "amp;";
  std::string out;
  while (!attribute.empty()) {
    const auto mark = attribute.find('&');
    out += attribute.substr(0, mark);
    if (mark == std::string_view::npos) break;
    attribute.remove_prefix(mark + 1);
    while (attribute.starts_with(escape)) attribute.remove_prefix(escape.size());
    out += '&';
  }
  return out;
}

/// Where a post points: the address behind "[link]", unless that is the post itself.
std::string link_of(std::string_view content, std::string_view post) {
  const auto mark = content.find(">[link]<");
  if (mark == std::string_view::npos) return "";
  constexpr std::string_view attribute = "href=\"";
  const auto open = content.rfind(attribute, mark);
  if (open == std::string_view::npos) return "";
  const auto begin = open + attribute.size();
  const auto end = content.find('"', begin);
  if (end == std::string_view::npos || end > mark) return "";
  const auto url = page_url(unescaped(content.substr(begin, end - begin)));
  return url.find("/comments/" + std::string(post)) == std::string::npos ? url : "";
}

std::optional<forum_post> post_in(const feed_entry& entry) {
  const auto where = address_of(entry);
  if (where.post.empty() || !where.comment.empty()) return std::nullopt;
  forum_post out;
  const auto content = content_of(entry);
  read_rich_text(written(content), site_url, out);
  out.id = id_of(where.post);
  out.source = source_name;
  const auto folder = where.community.empty() ? "" : "/r/" + where.community;
  const auto given = base::parse_url(entry.address);
  out.url = page_url(std::string(site_url) +
                     (given && given->path.find("/comments/" + where.post) != std::string::npos
                          ? given->path
                          : folder + "/comments/" + where.post + "/"));
  out.title = base::collapse_spaces(entry.title.is_html ? clean_html(entry.title.text)
                                                        : clean_text(entry.title.text));
  out.created_at = syndication::time_of(entry);
  out.edited_at = syndication::edit_of(entry);
  out.author = writer_of(entry);
  out.community = clean_name(where.community);
  out.link_url = link_of(content, where.post);
  if (out.media.empty()) {
    for (auto one : entry.attachments) {
      one.url = file_url(one.url);
      one.preview_url = file_url(one.preview_url);
      one.alt = clean_text(one.alt);
      if (!one.url.empty()) out.media.push_back(std::move(one));
    }
  }
  return out;
}

std::optional<comment> comment_in(const feed_entry& entry, const std::string& post) {
  const auto where = address_of(entry);
  if (where.comment.empty() || where.post != post) return std::nullopt;
  comment out;
  read_rich_text(written(content_of(entry)), site_url, out);
  out.id = id_of(where.comment);
  out.source = source_name;
  const auto given = base::parse_url(entry.address.empty() ? entry.guid : entry.address);
  out.url = page_url(std::string(site_url) + (given ? given->path : ""));
  out.created_at = syndication::time_of(entry);
  out.edited_at = syndication::edit_of(entry);
  out.author = writer_of(entry);
  out.post_id = id_of(post);
  return out;
}

}  // namespace

result<listing> read_search_feed(const call& call, const http::response& answer,
                                 std::string_view position) {
  const auto in = read_feed(answer);
  if (!in) return in.error();
  listing out;
  say_problem(*in, out);
  std::string last;
  for (const auto& entry : in->entries) {
    auto post = post_in(entry);
    if (!post) continue;
    last = post->id.substr(source_name.size() + 1);
    out.items.emplace_back(std::move(*post));
  }
  const auto full = static_cast<std::size_t>(std::clamp(call.limit, 1, max_page_size));
  const bool goes_on = in->entries.size() >= full && !last.empty() && "t3_" + last != position;
  if (goes_on && !is_past(call, out)) out.next = "t3_" + last;
  return out;
}

result<listing> read_comments_feed(const call& call, const http::response& answer,
                                   std::string_view position) {
  const auto in = read_feed(answer);
  if (!in) return in.error();
  const auto post = post_of(call);
  std::vector<comment> all;
  for (const auto& entry : in->entries) {
    if (auto one = comment_in(entry, post)) all.push_back(std::move(*one));
  }
  auto page = page_of_thread(std::move(all), position, call.limit);
  if (!page) return page;
  say_problem(*in, *page);
  page->partial = true;
  page->warnings.push_back(
      "reddit: without an application (sources.reddit.client_id) comments come from a feed, which "
      "does not say what each answers");
  return page;
}

result<listing> read_post_feed(const call& call, const http::response& answer) {
  const auto in = read_feed(answer);
  if (!in) return in.error();
  const auto id = id_of(post_of(call));
  for (const auto& entry : in->entries) {
    auto post = post_in(entry);
    if (!post || post->id != id) continue;
    listing out;
    out.items.emplace_back(std::move(*post));
    return out;
  }
  return answer_error(errc::not_found, "the feed does not hold the post", answer);
}

}  // namespace freshet::sources::reddit
