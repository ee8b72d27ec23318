// Jetstream: the network's commits as JSON. A post's record is read as the AppView's view of it
// would be, except that nobody says the author's handle, and that pictures are named by digest.
// Deletions, closed accounts and profiles that ask to be shown to signed-in readers only are told.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <boost/json/object.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/stream.hpp>

namespace freshet::sources::bluesky {
namespace {

using base::member;
using base::view_of;
using base::json::value;

constexpr std::string_view default_jetstream = "wss://jetstream2.us-east.bsky.network/subscribe";
constexpr std::string_view profile_collection = "app.bsky.actor.profile";
/// How far a cursor is set back: instances differ by seconds, and what comes again is kept once.
constexpr std::int64_t overlap_us = 5'000'000;
constexpr std::size_t max_cid = 128;
/// Larger commits are not sent; no post that people wrote comes near.
constexpr std::size_t max_message = 262'144;

/// What an account's status means that its posts are gone; the others are troubles of a server.
constexpr std::array<std::string_view, 4> gone_statuses = {"deleted", "takendown", "suspended",
                                                           "deactivated"};

std::string blob_of(const value& blob) {
  auto cid = base::text_of(member(blob, "ref", "$link"));
  if (cid.empty()) cid = base::text_of(member(blob, "cid"));  // records of before 2023
  const bool sound = cid.size() <= max_cid && std::ranges::all_of(cid, base::is_alphanumeric);
  return sound ? cid : std::string();
}

void read_images(const value& list, const std::string& did, post& post) {
  for (const auto& image : base::array_of(list)) {
    const auto cid = blob_of(member(image, "image"));
    if (cid.empty()) continue;
    const auto at = [&](const char* size) {
      return "https://cdn.bsky.app/img/" + std::string(size) + "/plain/" + did + "/" + cid +
             "@jpeg";
    };
    add_media(image, "image", at("feed_fullsize"), at("feed_thumbnail"), post);
  }
}

void read_embed(const value& embed, const std::string& did, post& post) {
  const auto type = view_of(member(embed, "$type"));
  if (type == "app.bsky.embed.images") read_images(member(embed, "images"), did, post);
  if (type == "app.bsky.embed.external")
    add_once(post.links, file_url(view_of(member(embed, "external", "uri"))));
  if (type != "app.bsky.embed.video") return;
  const auto cid = blob_of(member(embed, "video"));
  if (cid.empty()) return;
  const auto folder = "https://video.bsky.app/watch/" + base::percent_encode(did) + "/" + cid;
  const auto kind = view_of(member(embed, "presentation")) == "gif" ? "gif" : "video";
  add_media(embed, kind, folder + "/playlist.m3u8", folder + "/thumbnail.jpg", post);
}

bool asks_for_signed_in_readers(const value& record) {
  const auto& labels = base::array_of(member(record, "labels", "values"));
  return std::ranges::any_of(labels, [](const value& label) {
    return view_of(member(label, "val")) == "!no-unauthenticated";
  });
}

void read_post_commit(const value& commit, const std::string& did, const std::string& uri,
                      std::int64_t time_us, news& news) {
  const auto& record = member(commit, "record");
  const time_point seen{std::chrono::milliseconds(time_us / 1000)};
  base::json::object view;
  view["uri"] = uri;
  view["author"] = base::json::object{{"did", did}};
  view["record"] = record;
  view["indexedAt"] = base::format_time(seen);
  auto made = read_post(view);
  // Edited so that it can no longer be read, or shown: what was kept of it goes too.
  if (!made || asks_for_signed_in_readers(record)) {
    news.deleted.push_back("bluesky:" + uri);
    return;
  }
  const auto& embed = member(record, "embed");
  read_embed(embed, did, *made);
  if (view_of(member(embed, "$type")) == "app.bsky.embed.recordWithMedia")
    read_embed(member(embed, "media"), did, *made);
  news.items.emplace_back(std::move(*made));
}

void read_commit(const value& commit, const std::string& did, std::int64_t time_us, news& news) {
  const auto collection = view_of(member(commit, "collection"));
  const auto operation = view_of(member(commit, "operation"));
  const bool writes = operation == "create" || operation == "update";
  if (collection == profile_collection) {
    const bool asks = writes && asks_for_signed_in_readers(member(commit, "record"));
    (asks ? news.shut_authors : news.reopened_authors).push_back("bluesky:" + did);
    return;
  }
  if (collection != post_collection) return;
  call named;
  named.native_id = "at://" + did + "/" + std::string(post_collection) + "/" +
                    base::text_of(member(commit, "rkey"));
  if (!address_of(named)) return;
  if (operation == "delete") news.deleted.push_back("bluesky:" + named.native_id);
  if (writes) read_post_commit(commit, did, named.native_id, time_us, news);
}

}  // namespace

result<http::request> plan_stream(const settings& settings, std::string_view cursor) {
  http::request out;
  const auto url = settings.get("stream_url");
  out.url = url.empty() ? default_jetstream : url;
  out.url += out.url.find('?') == std::string::npos ? '?' : '&';
  out.url += base::build_query({{"wantedCollections", std::string(post_collection)},
                                {"wantedCollections", std::string(profile_collection)},
                                {"maxMessageSizeBytes", std::to_string(max_message)}});
  const auto from_us = base::parse_number<std::int64_t>(cursor);
  if (from_us && *from_us > overlap_us)
    out.url += "&cursor=" + std::to_string(*from_us - overlap_us);
  return out;
}

result<news> read_stream(const settings&, std::string_view message) {
  const auto parsed = base::parse_json(message);
  if (!parsed) return error(errc::source_error, "a message of Jetstream is no JSON");
  const auto did = base::text_of(member(*parsed, "did"));
  const auto time_us = base::integer_of(member(*parsed, "time_us"));
  if (!is_did(did) || !time_us || *time_us <= 0)
    return error(errc::source_error, "a message of Jetstream has no did or time");
  news out;
  out.cursor = std::to_string(*time_us);
  const auto kind = view_of(member(*parsed, "kind"));
  if (kind == "commit") read_commit(member(*parsed, "commit"), did, *time_us, out);
  if (kind == "account") {
    const auto& account = member(*parsed, "account");
    const auto status = view_of(member(account, "status"));
    const bool gone = std::ranges::find(gone_statuses, status) != gone_statuses.end();
    if (gone && !base::flag_of(member(account, "active")).value_or(true))
      out.lost_authors.push_back("bluesky:" + did);
  }
  return out;
}

}  // namespace freshet::sources::bluesky
