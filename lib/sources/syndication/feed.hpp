// A feed as one structure, between the readers of its syntax and what a source makes of it; and the
// reading of RSS and Atom. Sources that come as feeds share it; it knows none of them.
#pragma once

#include <base/work.hpp>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <http/message.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::syndication {

/// Limits of one feed; what is beyond them is left out, entries with a warning.
inline constexpr std::size_t max_entries = 500;
inline constexpr std::size_t max_media_per_entry = 20;
/// People, dates of a kind and tags of an entry, and people of a feed.
inline constexpr std::size_t max_people = 50, max_dates = 16, max_tags = 1000;

/// A text and whether it is an HTML fragment.
struct feed_text {
  std::string text;
  bool is_html = false;
};

struct feed_person {
  std::string name, url, avatar_url;
};

/// One entry, as the feed says it: addresses may be relative, dates are still text.
struct feed_entry {
  std::string guid;
  bool guid_is_address = false;
  std::string address;           ///< of the article
  std::string original_address;  ///< before a redirecting service
  std::string base;              ///< xml:base
  feed_text title, summary, content;
  std::vector<std::string> published, changed;  ///< dates of each
  std::vector<feed_person> authors;
  std::vector<std::string> tags;
  std::vector<media> attachments;
  std::string lang;
  std::string origin_name, origin_address;  ///< of the site that an aggregator quotes
};

struct feed {
  feed_text title;
  std::string address;  ///< of the site
  std::string base;     ///< xml:base
  std::string lang;
  std::vector<feed_person> authors;
  std::vector<feed_entry> entries;
  bool cut = false;     ///< it had more than max_entries
  std::string problem;  ///< why reading stopped early; "" if it did not
};

/// Bytes as XML that a strict reader takes: UTF-8, stray ampersands escaped, HTML's entities
/// decoded, the document type, comments and processing instructions dropped. Entities that the
/// document defines as plain text are put in; all others stay as they are written, as text.
[[nodiscard]] std::string clean_xml(std::string_view bytes, std::string_view content_type);

/// RSS 0.9x, 1.0 and 2.0, and Atom. Keeps what came before a mistake. Error: source_error if it is
/// none of them. Counts its work where there is a meter; throws what that throws.
[[nodiscard]] result<feed> read_xml_feed(std::string_view clean, base::meter* counted = nullptr);

/// The feed in a good answer. Error: source_error, also for one that breaks off before its first
/// entry.
[[nodiscard]] result<feed> read_feed(const http::response& answer, base::meter* counted = nullptr);

/// A date as feeds write it: what base::parse_time() reads, seconds since 1970, and RFC 822 with
/// the months of some other languages.
[[nodiscard]] std::optional<time_point> feed_time(std::string_view text);

/// The first date of an entry that can be read, of its publication or else of a change.
[[nodiscard]] std::optional<time_point> time_of(const feed_entry& entry);
/// When an entry was changed after its publication; null unless it says both.
[[nodiscard]] std::optional<time_point> edit_of(const feed_entry& entry);

/// "image", "video", "audio" or "" by MIME type, else by the address's ending.
[[nodiscard]] std::string media_type(std::string_view mime, std::string_view address);

}  // namespace freshet::sources::syndication
