// The items every platform answers with: one shape, eight objects. A typed mirror of the contract's
// section 3; the JSON they become is written in one place, lib/model. The values own their strings.
//
// An empty string means that the source did not say, and is null in JSON, except where a comment
// says otherwise; an empty vector is []; an empty optional is null.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace freshet {

/// A moment in UTC, to the millisecond.
using time_point = std::chrono::sys_time<std::chrono::milliseconds>;

/// A count that a source may not give.
using count = std::optional<std::int64_t>;

/// Who wrote an item. All null when the source hides it ("[deleted]").
struct author {
  std::string id;      ///< `<source>:<native id>`
  std::string handle;  ///< without a leading @
  std::string display_name;
  std::string url;
  std::string avatar_url;
};

/// A picture, a video or a sound that belongs to an item.
struct media {
  std::string type;  ///< "image", "video", "audio" or "gif"
  std::string url;
  std::string preview_url;
  std::string alt;
  count width;   ///< pixels
  count height;  ///< pixels
  std::optional<double> duration_s;
};

/// The keys that every item has.
struct item_common {
  std::string id;      ///< `<source>:<native id>` or `<source>:<host>/<native id>`; never empty
  std::string source;  ///< the source's name; never empty
  std::string url;     ///< canonical, absolute, without tracking parameters
  std::string title;
  std::string text;  ///< plain text, entities decoded, NFC
  std::string lang;  ///< BCP 47
  std::optional<time_point> created_at;
  struct author author;
  std::vector<struct media> media;
  std::vector<std::string> tags;   ///< without a leading #
  std::vector<std::string> links;  ///< absolute
};

/// A post of a microblog.
struct post : item_common {
  struct {
    count likes, reposts, replies, quotes, views;
  } metrics;
  std::string parent_id;        ///< the post this one answers
  std::string conversation_id;  ///< the first post of the thread
  std::string quoted_id;
  struct author reposted_by;  ///< who put it into the timeline; null if nobody
  std::optional<bool> sensitive;
};

/// A user of a microblog, or a creator of short videos. `text` is the bio.
struct user : item_common {
  struct {
    count followers, following, posts;
  } metrics;
  std::string handle;
  std::string display_name;
  std::string avatar_url;
  std::string banner_url;
  std::optional<bool> verified;
};

/// The music of a short video; null if none is named.
struct music {
  std::string id, title, author;
};

/// A video. `text` is the description.
struct video : item_common {
  struct {
    count views, likes, comments, shares;
  } metrics;
  std::optional<double> duration_s;
  std::string thumbnail_url;
  struct music music;
};

/// A post of a forum.
struct forum_post : item_common {
  struct {
    count score;
    std::optional<double> upvote_ratio;  ///< 0 to 1
    count comments, views;
  } metrics;
  std::string community;  ///< `name` or `name@host`
  std::string link_url;   ///< where a link post points
  std::optional<bool> sensitive;
};

/// A comment under a forum post. Lists are flat and pre-order.
struct comment : item_common {
  struct {
    count score;
  } metrics;
  std::string post_id;
  std::string parent_id;  ///< another comment; null at depth 0
  std::int64_t depth = 0;
};

/// What one engine thought of a web result.
struct engine_rank {
  std::string name;
  count rank;  ///< from 1
};

/// A result of a web search. `text` is the snippet.
struct web_result : item_common {
  std::int64_t rank = 0;  ///< from 1, through the whole walk
  std::string display_url;
  std::string site_name;
  std::vector<engine_rank> engines;
};

/// Where an article appeared.
struct site {
  std::string name, domain;
  std::string country;  ///< ISO 3166-1 alpha-2
};

/// A piece of press. `text` is the summary.
struct article : item_common {
  struct site site;
};

/// A page as markdown. `text` is the plain text of the chosen content.
struct document : item_common {
  std::string markdown;  ///< "" stays "": a page may hold no text
  std::string final_url;
  std::string site_name;
  std::string description;
  std::string image_url;
  std::int64_t word_count = 0;
  std::int64_t token_estimate = 0;  ///< in cl100k tokens, within about 10 %
  std::int64_t status_code = 0;     ///< 0 (null in JSON) when nothing was fetched
  std::string content_type;
};

/// Any item.
using item = std::variant<post, user, video, forum_post, comment, web_result, article, document>;

/// The keys that every item has, of `any`. The reference lives as long as `any`.
[[nodiscard]] inline const item_common& common(const item& any) noexcept {
  return std::visit([](const auto& one) -> const item_common& { return one; }, any);
}
[[nodiscard]] inline item_common& common(item& any) noexcept {
  return std::visit([](auto& one) -> item_common& { return one; }, any);
}

/// The value of `object`: "post", "user", "video", "forum_post", "comment", "web_result", "article"
/// or "document".
[[nodiscard]] inline const char* object_name(const item& any) noexcept {
  constexpr const char* names[] = {"post",    "user",       "video",   "forum_post",
                                   "comment", "web_result", "article", "document"};
  return names[any.index()];
}

}  // namespace freshet
