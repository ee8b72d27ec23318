// When a page was published, out of what it tells machines and shows to people. Pure: it sees
// texts and moments, not the page.
#pragma once

#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::markdown {

struct moment_evidence {
  using moment = std::optional<time_point>;
  moment linked;        ///< of JSON-LD
  moment named;         ///< of a <meta> element whose name is in use for it
  moment property;      ///< of microdata
  moment general;       ///< of a <meta> element named "date", whatever it is a date of
  moment alike;         ///< of a <meta> element with a name of the site's own
  moment shown;         ///< the day that stands around the heading
  moment in_time;       ///< of the first <time> element
  moment in_address;    ///< the day in the page's address
  moment uploaded;      ///< of a video of JSON-LD, which may be only a part of the page
  moment closing;       ///< the labelled day below the article
  moment boxed;         ///< the only day in elements that are named for one
  moment in_remarks;    ///< of the first <time> element, where that is a reader's
  moment shown_edit;    ///< the day beside a word for changing
  moment linked_edit;   ///< of the last change: JSON-LD
  moment named_edit;    ///< of the last change: <meta>
  moment closing_edit;  ///< of the last change, below the article
};

/// The moment of publication; the last change where nothing else is said. Null if nothing is.
[[nodiscard]] std::optional<time_point> page_moment(const moment_evidence& evidence);

/// Where that moment stands: "json-ld", "meta", "microdata", "page" or "address"; "" without one.
[[nodiscard]] std::string_view page_moment_place(const moment_evidence& evidence) noexcept;

/// The last change after that, as machines are told: a word for changing that people are shown
/// dates the day alone. Null if there was none.
[[nodiscard]] std::optional<time_point> page_edit(const moment_evidence& evidence);

/// Whether machines are told, or the address says, when the page was published.
[[nodiscard]] bool is_declared(const moment_evidence& evidence) noexcept;

/// "/2019/11/20/", "/2019/6/2/" or "/2019-11-20-tides" in an address: the day of publication
/// wherever it is used.
[[nodiscard]] std::optional<time_point> day_in_path(std::string_view path);

/// Whether the class of a <time> element says that it is of a change, and of nothing else.
[[nodiscard]] bool names_change(std::string_view class_names) noexcept;

/// What a <meta> element is by its name, in lower case: sites have their own for the same.
enum class meta_moment { none, published, edited };
[[nodiscard]] meta_moment meta_moment_of(std::string_view name) noexcept;

}  // namespace freshet::markdown
