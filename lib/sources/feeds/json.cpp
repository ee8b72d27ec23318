// JSON Feed 1 and 1.1 as the same structure that XML feeds become.
#include <base/json.hpp>
#include <sources/feeds/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::feeds {

namespace {

using base::member;
using base::json::value;

std::vector<feed_person> people_of(const value& from) {
  std::vector<feed_person> out;
  const auto add = [&](const value& one) {
    if (out.size() == syndication::max_people) return;
    feed_person found{clean_text(member(one, "name")), base::text_of(member(one, "url")),
                      base::text_of(member(one, "avatar"))};
    if (!found.name.empty()) out.push_back(std::move(found));
  };
  for (const auto& one : base::array_of(member(from, "authors"))) add(one);
  if (out.empty()) add(member(from, "author"));
  return out;
}

void add_attachments(const value& value, feed_entry& entry) {
  const auto image = base::text_of(member(value, "image"));
  const auto banner = base::text_of(member(value, "banner_image"));
  for (const auto& one : {image, banner}) {
    if (!one.empty()) entry.attachments.push_back({"image", one, "", "", {}, {}, {}});
  }
  for (const auto& one : base::array_of(member(value, "attachments"))) {
    media found;
    found.url = base::text_of(member(one, "url"));
    found.type = syndication::media_type(base::view_of(member(one, "mime_type")), found.url);
    found.alt = base::text_of(member(one, "title"));
    found.duration_s = base::number_of(member(one, "duration_in_seconds"));
    const bool usable = !found.url.empty() && !found.type.empty();
    if (usable && entry.attachments.size() < syndication::max_media_per_entry)
      entry.attachments.push_back(found);
  }
}

feed_entry entry_of(const value& from) {
  feed_entry out;
  out.guid = base::text_of(member(from, "id"));
  out.guid_is_address = true;
  out.address = base::text_of(member(from, "url"));
  if (out.address.empty()) out.address = base::text_of(member(from, "external_url"));
  out.title = {base::text_of(member(from, "title")), false};
  out.summary = {base::text_of(member(from, "summary")), false};
  out.content = {base::text_of(member(from, "content_html")), true};
  if (out.content.text.empty()) out.content = {base::text_of(member(from, "content_text")), false};
  out.published.push_back(base::text_of(member(from, "date_published")));
  out.changed.push_back(base::text_of(member(from, "date_modified")));
  out.authors = people_of(from);
  for (const auto& tag : base::array_of(member(from, "tags"))) {
    if (out.tags.size() < syndication::max_tags) out.tags.push_back(base::text_of(tag));
  }
  out.lang = base::text_of(member(from, "language"));
  add_attachments(from, out);
  return out;
}

}  // namespace

result<feed> read_json_feed(const http::response& answer) {
  auto body = parse_body(answer);
  if (!body) return body.error();
  const auto& items = member(*body, "items");
  if (!is_object_list(items) ||
      base::view_of(member(*body, "version")).find("jsonfeed.org") == std::string_view::npos) {
    return error(errc::source_error, "the answer is neither RSS nor Atom nor a JSON feed");
  }
  feed out;
  out.title = {base::text_of(member(*body, "title")), false};
  out.address = base::text_of(member(*body, "home_page_url"));
  out.lang = base::text_of(member(*body, "language"));
  out.authors = people_of(*body);
  for (const auto& one : base::array_of(items)) {
    if (!one.is_object()) continue;
    if (out.entries.size() == syndication::max_entries) {
      out.cut = true;
      break;
    }
    out.entries.push_back(entry_of(one));
  }
  return out;
}

}  // namespace freshet::sources::feeds
