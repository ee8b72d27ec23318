// Which addresses a page and a robots.txt name, and which of them are of one site. Values only.
#pragma once

#include <base/work.hpp>
#include <freshet/item.hpp>
#include <http/message.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::web {

/// Links of one page that are looked at.
inline constexpr std::size_t max_page_links = 5000;
/// Sitemaps that a robots.txt and a page may name.
inline constexpr std::size_t max_named_sitemaps = 200;
/// The longest address that is given: that of the protocol of sitemaps.
inline constexpr std::size_t max_address_bytes = 2048;

/// The site of a page: all that has its host, "www." set aside, or a host below it, at the same
/// port. A host that is an address of numbers has nothing below it.
class site_of_page {
 public:
  /// `page`: an absolute http(s) address.
  explicit site_of_page(std::string_view page);

  /// The canonical form of an absolute address of this site; "" for any other text.
  [[nodiscard]] std::string address_of(std::string_view written) const;
  /// Of the page itself.
  [[nodiscard]] const std::string& origin() const noexcept { return origin_; }

 private:
  [[nodiscard]] bool is_below(std::string_view host) const;

  std::string origin_, host_, port_;
};

/// What can be read in an address: path and query as words with spaces between them.
[[nodiscard]] std::string words_of_address(std::string_view address);

struct page_links {
  /// The page itself, then its links of the same site, each once, with the words of its first link
  /// as title.
  std::vector<site_address> addresses;
  std::vector<std::string> sitemaps;  ///< of <link rel=sitemap>, absolute
  bool is_cut = false;
};
[[nodiscard]] page_links links_of_page(const http::response& answer, std::string_view address,
                                       base::meter* counted);

/// What stands behind "Sitemap:" in a robots.txt, as written.
[[nodiscard]] std::vector<std::string> sitemaps_named_in(std::string_view robots);

}  // namespace freshet::sources::web
