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

/// A moment in UTC, to the millisecond. In JSON: RFC 3339 with `Z`.
using time_point = std::chrono::sys_time<std::chrono::milliseconds>;

/// A count that a source may not give.
using count = std::optional<std::int64_t>;

/// Who wrote an item. All null when the source hides it ("[deleted]").
struct author {
  std::string id;            ///< `<source>:<native id>`
  std::string handle;        ///< without a leading @
  std::string display_name;  ///< as they call themselves
  std::string url;           ///< of their page, absolute
  std::string avatar_url;    ///< of their picture, absolute
};

/// A picture, a video or a sound that belongs to an item.
struct media {
  std::string type;                  ///< "image", "video", "audio" or "gif"
  std::string url;                   ///< of the file, or of the page that plays it; absolute
  std::string preview_url;           ///< a smaller picture of it
  std::string alt;                   ///< what its author says is to be seen
  count width;                       ///< pixels
  count height;                      ///< pixels
  std::optional<double> duration_s;  ///< seconds
};

/// The keys that every item has.
struct item_common {
  std::string id;      ///< `<source>:<native id>` or `<source>:<host>/<native id>`; never empty
  std::string source;  ///< the source's name; never empty
  std::string url;     ///< canonical, absolute, without tracking parameters
  std::string title;   ///< plain text
  std::string text;    ///< plain text, entities decoded, NFC
  std::string lang;    ///< BCP 47
  std::optional<time_point> created_at;  ///< when its author published it
  struct author author;                  ///< who wrote it
  std::vector<struct media> media;       ///< in the source's order
  std::vector<std::string> tags;         ///< without a leading #
  std::vector<std::string> links;        ///< absolute addresses in the text
};

/// A post of a microblog.
struct post : item_common {
  /// Counts as the source gave them.
  struct {
    count likes;                  ///< likes or favourites
    count reposts;                ///< reposts or boosts
    count replies;                ///< direct ones
    count quotes;                 ///< posts that quote it
    count views;                  ///< times shown
  } metrics;                      ///< Counts as the source gave them.
  std::string parent_id;          ///< the post this one answers
  std::string conversation_id;    ///< the first post of the thread
  std::string quoted_id;          ///< the post it quotes
  struct author reposted_by;      ///< who put it into the timeline; null if nobody
  std::optional<bool> sensitive;  ///< marked as such by its author or the source
};

/// A user of a microblog, or a creator of short videos. `text` is the bio.
struct user : item_common {
  /// Counts as the source gave them.
  struct {
    count followers;             ///< who follow this user
    count following;             ///< whom this user follows
    count posts;                 ///< posts or videos
  } metrics;                     ///< Counts as the source gave them.
  std::string handle;            ///< without a leading @
  std::string display_name;      ///< as they call themselves
  std::string avatar_url;        ///< of their picture, absolute
  std::string banner_url;        ///< of the picture over their page, absolute
  std::optional<bool> verified;  ///< whether the source vouches for the user
};

/// The music of a short video; null if none is named.
struct music {
  std::string id;      ///< the source's own
  std::string title;   ///< of the piece
  std::string author;  ///< who plays it
};

/// A video. `text` is the description.
struct video : item_common {
  /// Counts as the source gave them.
  struct {
    count views;                     ///< times played
    count likes;                     ///< likes or favourites
    count comments;                  ///< with replies, if the source counts them
    count shares;                    ///< times passed on
  } metrics;                         ///< Counts as the source gave them.
  std::optional<double> duration_s;  ///< seconds
  std::string thumbnail_url;         ///< of its picture, absolute
  struct music music;                ///< what is heard
};

/// A post of a forum.
struct forum_post : item_common {
  /// Counts as the source gave them.
  struct {
    count score;                         ///< votes for it less votes against, or points
    std::optional<double> upvote_ratio;  ///< votes for it, 0 to 1 of all
    count comments;                      ///< under it
    count views;                         ///< times shown
  } metrics;                             ///< Counts as the source gave them.
  std::string community;                 ///< `name` or `name@host`
  std::string link_url;                  ///< where a link post points
  std::optional<bool> sensitive;         ///< marked as such by its author or the source
};

/// A comment under a forum post. Lists are flat and pre-order.
struct comment : item_common {
  /// Counts as the source gave them.
  struct {
    count score;           ///< votes for it less votes against, or points
  } metrics;               ///< Counts as the source gave them.
  std::string post_id;     ///< the forum post that it stands under
  std::string parent_id;   ///< another comment; null at depth 0
  std::int64_t depth = 0;  ///< how many comments it answers, one after the other; 0: none
};

/// What one engine thought of a web result.
struct engine_rank {
  std::string name;  ///< "brave"
  count rank;        ///< from 1
};

/// A result of a web search. `text` is the snippet.
struct web_result : item_common {
  std::int64_t rank = 0;             ///< from 1, through the whole walk
  std::string display_url;           ///< the address as the engine shows it
  std::string site_name;             ///< the site's name
  std::vector<engine_rank> engines;  ///< who found it
};

/// Where an article appeared.
struct site {
  std::string name;     ///< of the paper, the agency, the station
  std::string domain;   ///< "example.org"
  std::string country;  ///< ISO 3166-1 alpha-2
};

/// A piece of press. `text` is the summary.
struct article : item_common {
  struct site site;  ///< where it appeared
};

/// A page as markdown. `text` is the plain text of the chosen content.
struct document : item_common {
  std::string markdown;             ///< "" stays "": a page may hold no text
  std::string final_url;            ///< after redirects
  std::string site_name;            ///< as the page says
  std::string description;          ///< the page's own summary
  std::string image_url;            ///< the picture that stands for the page, absolute
  std::int64_t word_count = 0;      ///< words of the markdown's text
  std::int64_t token_estimate = 0;  ///< in cl100k tokens, within about 10 %
  std::int64_t status_code = 0;     ///< 0 (null in JSON) when nothing was fetched
  std::string content_type;         ///< the header's value
};

/// Any item.
using item = std::variant<post, user, video, forum_post, comment, web_result, article, document>;

/// The keys that every item has, of `any`. The reference lives as long as `any`.
[[nodiscard]] inline const item_common& common(const item& any) noexcept {
  return std::visit([](const auto& one) -> const item_common& { return one; }, any);
}
/// The same, to be changed.
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
