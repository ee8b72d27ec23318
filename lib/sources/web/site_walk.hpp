// Where a walk over the addresses of a site stands: which of its sitemaps is read, what was found
// so far and what may still be read for this page. It decides what comes next and remembers nothing
// beyond its text, which goes from one read() to the next.
#pragma once

#include <array>
#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::web {

/// Sitemaps in sitemaps: the first is the site's own.
inline constexpr std::size_t max_sitemap_levels = 3;
/// Sitemaps that are read for one page of ours; the walk goes on behind them.
inline constexpr int max_sitemaps_of_page = 8;
/// The steps of one page: robots.txt, and a sitemap each.
inline constexpr int max_map_follows = max_sitemaps_of_page + 2;

/// Where the walk goes on: a position.
struct map_place {
  int in_sitemaps = 0;  ///< 0: among the links of the page
  int first = 0;        ///< which of the site's own sitemaps
  int second = 0;       ///< which of those that it lists
  int third = 0;
  std::int64_t entry = 0;  ///< of the sitemap, or of the page's links

  [[nodiscard]] std::string text() const;
};
/// "" is the beginning. Error: invalid_cursor.
[[nodiscard]] result<map_place> read_map_place(std::string_view text);

/// Those sitemaps of an index that one page of ours may read. An address that is none is "": it has
/// its place among them.
struct index_part {
  std::vector<std::string> sitemaps;
  bool has_more = false;  ///< it lists others behind them
};

struct site_walk {
  map_place at;
  std::string page;               ///< the address that the walk began with, after redirects
  std::string rules;              ///< the site's robots.txt
  bool has_robots = false;        ///< it has been asked for
  bool guessed = false;           ///< nobody named a sitemap: the usual address is tried
  bool partial = false;           ///< a sitemap could not be read
  int sitemaps = 0;               ///< read for this page of ours
  std::vector<std::string> own;   ///< the site's own sitemaps
  std::vector<std::string> path;  ///< those under way, the outermost first
  /// Of each index under way: the next of its sitemaps, and whether there are more behind them.
  std::array<std::vector<std::string>, max_sitemap_levels - 1> upcoming;
  std::array<bool, max_sitemap_levels - 1> has_more{};
  std::vector<site_address> links;  ///< of the page
  std::vector<site_address> found;
  std::vector<std::string> warnings;

  [[nodiscard]] static std::optional<site_walk> parse(std::string_view state, base::meter* counted);
  [[nodiscard]] std::string text() const;

  /// How many indexes are open: the level of the sitemap that is read next.
  [[nodiscard]] std::size_t level() const noexcept { return path.size(); }
  /// The sitemap to be read next; "" where this page of ours ends.
  [[nodiscard]] std::string next_sitemap(std::size_t wanted);
  /// Goes on behind the sitemap that next_sitemap() gave.
  void leave_sitemap();
  /// Whether that sitemap may be an index, and is not one too many inside another.
  [[nodiscard]] bool may_enter_index() const noexcept { return level() + 1 < max_sitemap_levels; }
  /// Which of its sitemaps is read next, where it is an index.
  [[nodiscard]] std::size_t begin_of_index() const;
  /// That sitemap is an index, and this what begin_of_index() is the first of. It may be entered.
  void enter_index(index_part part);
  /// Whether there is nothing behind this place.
  [[nodiscard]] bool is_over() const;
  void warn(std::string text);

 private:
  [[nodiscard]] int& index(std::size_t level);
  [[nodiscard]] bool is_known(const std::string& sitemap) const;
};

}  // namespace freshet::sources::web
