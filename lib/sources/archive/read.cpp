// The answer: items as lib/model wrote them, each with the source that it came from.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/json.hpp>
#include <model/json.hpp>
#include <sources/archive/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::archive {

namespace {

bool is_of(std::string_view id, std::string_view source) {
  return id.size() > source.size() + 1 && id.starts_with(source) && id[source.size()] == ':';
}

/// The archive's file is ours, but not beyond doubt: what is read from it is held to what any item
/// is held to.
author sound(author who, std::string_view source) {
  if (!is_of(who.id, source)) who.id.clear();
  who.handle = clean_name(who.handle);
  who.display_name = clean_name(who.display_name);
  who.url = page_url(who.url);
  who.avatar_url = file_url(who.avatar_url);
  return who;
}

void make_sound(item_common& one) {
  one.url = page_url(one.url);
  one.title = clean_text(one.title);
  one.text = clean_text(one.text);
  one.lang = language_tag(one.lang);
  one.author = sound(std::move(one.author), one.source);
  for (auto& each : one.media) {
    each.url = file_url(each.url);
    each.preview_url = file_url(each.preview_url);
    each.alt = clean_text(each.alt);
  }
  std::erase_if(one.media, [](const struct media& each) {
    return each.url.empty() || (each.type != "image" && each.type != "video" &&
                                each.type != "audio" && each.type != "gif");
  });
  for (auto& tag : one.tags) tag = clean_text(tag);
  std::erase(one.tags, "");
  for (auto& link : one.links) link = file_url(link);
  std::erase(one.links, "");
}

void make_sound(post& one) {
  make_sound(static_cast<item_common&>(one));
  one.reposted_by = sound(std::move(one.reposted_by), one.source);
}

void make_sound(article& one) {
  make_sound(static_cast<item_common&>(one));
  one.site.name = clean_name(one.site.name);
}

/// Whether the item says of which source it is, and that is none that could not be kept.
bool has_origin(const item_common& one) {
  const auto* source = find_source(one.source);
  return source != nullptr && !source->of_archive && is_of(one.id, one.source);
}

result<listing> read(const http::response& answer) {
  const auto json = read_json(answer);
  if (!json) return json.error();
  const auto& items = base::member(*json, "items");
  if (!is_object_list(items))
    return answer_error(errc::source_error, "the archive's answer has no items", answer);
  listing out;
  for (const auto& each : base::array_of(items)) {
    auto one = model::read_item(each);
    if (!one) return one.error();
    out.items.push_back(std::move(*one));
  }
  out.next = base::text_of(base::member(*json, "next"));
  const bool digits = std::ranges::all_of(out.next, base::is_digit);
  if (!digits || out.next.size() > max_position)
    return answer_error(errc::source_error, "the archive's answer has no position", answer);
  return out;
}

/// The items of one kind.
template <class Kind>
result<step> read_only(const http::response& answer) {
  auto page = read(answer);
  if (!page) return page.error();
  std::erase_if(page->items, [](const item& one) {
    return !std::holds_alternative<Kind>(one) || !has_origin(common(one));
  });
  for (auto& one : page->items) make_sound(std::get<Kind>(one));
  return step(std::move(*page));
}

}  // namespace

result<step> read_microblog(const exchange& exchange) { return read_only<post>(exchange.answer); }

result<step> read_news(const exchange& exchange) { return read_only<article>(exchange.answer); }

}  // namespace freshet::sources::archive
