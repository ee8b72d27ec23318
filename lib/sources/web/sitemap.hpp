// Sitemaps (sitemaps.org): XML of addresses or of further sitemaps, feeds, and plain lists, read
// entry by entry in one pass over the text. Entities that a document defines are not expanded, and
// what is not understood is skipped: nothing here grows beyond the text, and nothing fails.
#pragma once

#include <base/work.hpp>
#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::sources::web {

/// What the protocol allows a sitemap; what is beyond is not read.
inline constexpr std::size_t max_sitemap_bytes = 50u << 20;
inline constexpr std::int64_t max_sitemap_entries = 50'000;

enum class sitemap_kind : std::uint8_t {
  none,       ///< it is no sitemap
  addresses,  ///< a <urlset>, a feed or a list
  index       ///< a <sitemapindex>: its entries are sitemaps
};

struct sitemap_entry {
  std::string address, title, change_frequency;
  std::optional<time_point> last_modified;
  std::optional<double> priority;
};

/// Reads one sitemap. The text outlives it.
class sitemap_reader {
 public:
  /// `utf8`: unpacked. Counts its work where there is a meter, and throws what that throws.
  explicit sitemap_reader(std::string_view utf8, base::meter* counted = nullptr);

  [[nodiscard]] sitemap_kind kind() const noexcept { return kind_; }
  /// The next entry that has an address; false behind the last one.
  [[nodiscard]] bool next(sitemap_entry& to);
  /// Goes on behind the first `count` entries, whose fields are not read.
  void skip(std::int64_t count);
  /// How many entries are read or skipped: those without an address, too.
  [[nodiscard]] std::int64_t entries() const noexcept { return entries_; }
  /// Whether the document's own end was seen; a list has none.
  [[nodiscard]] bool is_whole() const noexcept { return is_list_ || ended_; }

 private:
  struct tag {
    std::string_view name;        ///< with its prefix
    std::string_view attributes;  ///< the text behind the name
    bool closes = false, is_empty = false;
  };

  void look_at_root();
  [[nodiscard]] std::string_view next_line();
  [[nodiscard]] bool pass_entry(sitemap_entry* to);
  [[nodiscard]] std::optional<tag> next_tag();
  void skip_markup();
  void open(const tag& tag, sitemap_entry& entry);
  void close(std::string_view name, sitemap_entry& entry);

  std::string_view text_;
  base::meter* meter_;
  std::size_t at_ = 0;
  std::int64_t entries_ = 0;
  sitemap_kind kind_ = sitemap_kind::none;
  bool is_list_ = false;
  bool in_entry_ = false;
  bool ended_ = false;
  std::string_view root_;
  std::string field_;  ///< the name of the element whose text is gathered; "": of none
  std::string said_;   ///< its text so far
};

}  // namespace freshet::sources::web
