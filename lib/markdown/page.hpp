// A page to a document item: metadata, main content, markdown. Needs no network and no account.
#pragma once

#include <base/work.hpp>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

class block_model;
struct choice_report;

enum class page_mode { article, page };
enum class link_style { inline_links, footnotes, none };
/// What becomes of a page with safety marks: they are listed, what they stand on is left out, too,
/// or the page is refused.
enum class safety_mode { report, strip, refuse };

struct page_options {
  page_mode mode = page_mode::article;
  std::vector<std::string> include;  ///< CSS selectors: only these parts
  std::vector<std::string> exclude;  ///< CSS selectors: without these parts
  link_style links = link_style::inline_links;
  bool images = true;
  safety_mode safety = safety_mode::report;
  const block_model* model = nullptr;  ///< the table of the choice; null: the one compiled in
  choice_report* report = nullptr;     ///< gets what was chosen and why, where it was chosen
};

struct page_source {
  std::string_view body;          ///< as received
  std::string_view content_type;  ///< the header's value; "" if unknown
  std::string_view url;           ///< the final URL; links are resolved against it; may be ""
};

/// Where in a page what is said of it was found: `json-ld`, `microdata`, `opengraph`, `meta`,
/// `title` (the element), `heading`, `address`, or `page`, what people are shown; "" where there is
/// nothing.
struct taken_from {
  std::string title, authors, created_at;
};

struct page_result {
  freshet::document document;         ///< without id, source, status_code
  std::vector<std::string> warnings;  ///< "it is not certain that this is the main content"
  /// Where each top-level block of document.markdown begins (byte offsets, ascending), so that a
  /// budget can cut between blocks.
  std::vector<std::size_t> blocks;
  taken_from places;
  bool is_frames = false;  ///< readers see frames alone; the text is for those without them
};

/// The most steps of a meter that reading a page of so many bytes may take, and that all selectors
/// together may take on it. Pages that people read take less than a fifth.
[[nodiscard]] std::uint64_t page_bound(std::size_t bytes) noexcept;
[[nodiscard]] std::uint64_t selection_bound(std::size_t bytes) noexcept;

/// Errors: unsupported_content (not text, or far more work than pages of its size take),
/// unsafe_content (where marks are refused; the detail names their rules),
/// invalid_request (a selector that is bad or takes too much work, at /include or /exclude); with a
/// meter of some work also cancelled and source_timeout. The bound is linear in the page's size;
/// what was spent is spent on the meter, too. HTML, XHTML, plain text and markdown itself are
/// understood.
[[nodiscard]] result<page_result> convert(const page_source& source, const page_options& options,
                                          base::meter* meter = nullptr);

/// The number of cl100k tokens of a text, estimated without a vocabulary, within about 10 %.
[[nodiscard]] std::int64_t estimate_tokens(std::string_view text);

}  // namespace freshet::markdown
