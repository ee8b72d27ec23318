// Statuses and accounts of Mastodon's API as items. Texts are HTML; ids are the instance's own, so
// its host stands in front of each.
#include <base/time_text.hpp>
#include <html/document.hpp>
#include <sources/item_text.hpp>
#include <sources/mastodon/wire.hpp>

namespace freshet::sources::mastodon {
namespace {

using base::member;
using base::view_of;
using base::json::value;

std::string item_id(const value& native, const instance& instance) {
  const auto id = base::text_of(native);
  return is_native_id(id) ? "mastodon:" + instance.host + "/" + id : std::string();
}

/// The picture that a server shows where there is none.
std::string picture_url(const value& from) {
  auto url = file_url(view_of(from));
  return url.ends_with("/missing.png") ? std::string() : url;
}

std::string full_handle(const value& account, const instance& instance) {
  auto handle = clean_name(member(account, "acct"));
  if (!handle.empty() && handle.find('@') == std::string::npos) handle += "@" + instance.host;
  return handle;
}

author read_author(const value& account, const instance& instance) {
  author who;
  who.id = item_id(member(account, "id"), instance);
  who.handle = full_handle(account, instance);
  who.display_name = clean_name(member(account, "display_name"));
  who.url = page_url(view_of(member(account, "url")));
  who.avatar_url = picture_url(member(account, "avatar"));
  return who;
}

bool has_class(std::string_view classes, std::string_view name) {
  while (!classes.empty()) {
    const auto space = classes.find(' ');
    if (classes.substr(0, space) == name) return true;
    if (space == std::string_view::npos) break;
    classes.remove_prefix(space + 1);
  }
  return false;
}

/// The links of a text that are neither mentions nor hashtags.
void read_links(std::string_view fragment, post& post) {
  if (fragment.find("<a") == std::string_view::npos) return;
  const auto page = html::parse(fragment);
  for (auto id = html::document::root(); id != html::none;
       id = page.next_in_order(id, html::document::root())) {
    if (!page.is_element(id, html::tag_id::a)) continue;
    const auto classes = page.attribute_of(id, "class");
    if (has_class(classes, "mention") || has_class(classes, "hashtag") ||
        page.attribute_of(id, "rel") == "tag")
      continue;
    add_once(post.links, file_url(page.attribute_of(id, "href")));
  }
}

void read_size(const value& meta, struct media& media) {
  const auto& size = member(meta, "original");
  media.width = base::integer_of(member(size, "width"));
  media.height = base::integer_of(member(size, "height"));
  media.duration_s = base::number_of(member(size, "duration"));
  // Some versions give them beside the sizes.
  if (!media.width) media.width = base::integer_of(member(meta, "width"));
  if (!media.height) media.height = base::integer_of(member(meta, "height"));
  if (!media.duration_s) media.duration_s = base::number_of(member(meta, "duration"));
}

void read_attachment(const value& attachment, post& post) {
  const auto type = view_of(member(attachment, "type"));
  struct media one;
  one.url = file_url(view_of(member(attachment, "url")));
  if (one.url.empty()) one.url = file_url(view_of(member(attachment, "remote_url")));
  if (one.url.empty()) return;
  if (type == "image" || type == "video" || type == "audio") {
    one.type = type;
  } else if (type == "gifv") {
    one.type = "gif";
  } else {  // a file that the instance did not fetch: nobody knows what it is
    add_once(post.links, one.url);
    return;
  }
  one.preview_url = file_url(view_of(member(attachment, "preview_url")));
  one.alt = clean_text(member(attachment, "description"));
  read_size(member(attachment, "meta"), one);
  post.media.push_back(std::move(one));
}

std::string status_text(const value& status) {
  auto text = clean_html(view_of(member(status, "content")));
  auto warning = clean_text(view_of(member(status, "spoiler_text")));
  if (warning.empty()) return text;
  return text.empty() ? warning : warning + "\n\n" + text;
}

bool is_public(const value& status) {
  const auto visibility = view_of(member(status, "visibility"));
  return visibility.empty() || visibility == "public" || visibility == "unlisted";
}

}  // namespace

std::optional<post> read_status(const value& outer, const instance& instance) {
  const auto& boosted = member(outer, "reblog");
  const auto& status = boosted.is_object() ? boosted : outer;
  post item;
  item.id = item_id(member(status, "id"), instance);
  if (item.id.empty() || !is_public(status) || !is_public(outer)) return std::nullopt;
  item.source = "mastodon";
  item.author = read_author(member(status, "account"), instance);
  item.url = page_url(view_of(member(status, "url")));
  if (item.url.empty()) item.url = page_url(view_of(member(status, "uri")));
  if (item.url.empty() && !item.author.url.empty())
    item.url = page_url(item.author.url + "/" + base::text_of(member(status, "id")));
  item.text = status_text(status);
  item.lang = language_tag(view_of(member(status, "language")));
  item.created_at = base::parse_time(view_of(member(status, "created_at")));
  item.edited_at =
      edit_time(item.created_at, base::parse_time(view_of(member(status, "edited_at"))));
  item.metrics.likes = base::integer_of(member(status, "favourites_count"));
  item.metrics.reposts = base::integer_of(member(status, "reblogs_count"));
  item.metrics.replies = base::integer_of(member(status, "replies_count"));
  item.metrics.quotes = base::integer_of(member(status, "quotes_count"));
  item.parent_id = item_id(member(status, "in_reply_to_id"), instance);
  // The API does not say where a thread begins, except for what begins one. A reply whose parent is
  // gone still names the account that it answered.
  if (item.parent_id.empty() && member(status, "in_reply_to_account_id").is_null())
    item.conversation_id = item.id;
  const auto& quote = member(status, "quote");
  item.quoted_id = item_id(member(quote, "quoted_status", "id"), instance);
  if (item.quoted_id.empty()) item.quoted_id = item_id(member(quote, "quoted_status_id"), instance);
  item.sensitive = base::flag_of(member(status, "sensitive"));
  if (boosted.is_object()) item.reposted_by = read_author(member(outer, "account"), instance);
  for (const auto& attachment : base::array_of(member(status, "media_attachments")))
    read_attachment(attachment, item);
  for (const auto& tag : base::array_of(member(status, "tags")))
    add_once(item.tags, clean_text(view_of(member(tag, "name"))));
  read_links(view_of(member(status, "content")), item);
  add_once(item.links, file_url(view_of(member(status, "card", "url"))));
  return item;
}

std::optional<user> read_account(const value& account, const instance& instance) {
  user item;
  item.id = item_id(member(account, "id"), instance);
  item.handle = full_handle(account, instance);
  if (item.id.empty() || item.handle.empty()) return std::nullopt;
  item.source = "mastodon";
  item.url = page_url(view_of(member(account, "url")));
  item.display_name = clean_name(member(account, "display_name"));
  item.text = clean_html(view_of(member(account, "note")));
  item.created_at = base::parse_time(view_of(member(account, "created_at")));
  item.avatar_url = picture_url(member(account, "avatar"));
  item.banner_url = picture_url(member(account, "header"));
  item.metrics.followers = base::integer_of(member(account, "followers_count"));
  item.metrics.following = base::integer_of(member(account, "following_count"));
  item.metrics.posts = base::integer_of(member(account, "statuses_count"));
  for (const auto& field : base::array_of(member(account, "fields"))) {
    for (auto& link : html::link_targets(view_of(member(field, "value"))))
      add_once(item.links, file_url(link));
  }
  return item;
}

}  // namespace freshet::sources::mastodon
