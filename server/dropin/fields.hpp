// A peer's request against the table of its fields (fields.def): what is of the wrong kind, unknown
// or beyond this server is collected with its reason, never passed over. It fetches nothing and
// knows nothing of the engine.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server::dropin {

/// Firecrawl's, then Tavily's.
enum class route : std::uint8_t {
  firecrawl_scrape,
  firecrawl_search,
  tavily_search,
  tavily_extract,
  tavily_map,
  tavily_crawl
};
[[nodiscard]] constexpr bool is_of_tavily(route way) noexcept {
  return way >= route::tavily_search;
}

enum class field_kind : std::uint8_t { text, flag, whole, texts, list, object, any };
enum class treatment : std::uint8_t { mapped, ignored, warned, refused };

/// One row of fields.def. The views have static storage.
struct peer_field {
  route of;
  std::string_view name;
  field_kind value;
  treatment how;
  std::string_view accepted;
  std::string_view note;
};

/// The row of a field, or null.
[[nodiscard]] const peer_field* find_field(route route, std::string_view name);

/// What there is to say of a field: why it is refused, or that it has no effect.
struct remark {
  std::string name;  ///< "waitFor", "scrapeOptions.waitFor"
  std::string text;
};
/// No more of either is said than max_remarks.
struct field_remarks {
  std::vector<remark> refused, warnings;
};
inline constexpr std::size_t max_remarks = 32;

/// The fields of one object, checked as it is made. The object and the remarks must outlive it.
class field_reader {
 public:
  /// `prefix` goes in front of names in remarks: "scrapeOptions.". Fields of `without` are unknown.
  field_reader(route route, const boost::json::object& body, field_remarks& said,
               std::string_view prefix = {}, std::string_view without = {});

  /// The value, or null where there is none, or one of the wrong kind.
  [[nodiscard]] const boost::json::value* find(std::string_view name) const;
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name, bool fallback) const;
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name) const;
  /// Within bounds, or refused.
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name, std::int64_t least,
                                                  std::int64_t most) const;
  /// Seconds within bounds, in parts if need be, or refused.
  [[nodiscard]] std::optional<std::chrono::milliseconds> seconds(std::string_view name,
                                                                 std::int64_t least,
                                                                 std::int64_t most) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;

  void refuse(std::string_view name, std::string_view text) const;
  void warn(std::string_view name, std::string_view text) const;

 private:
  void check(std::string_view name, const boost::json::value& value) const;

  route route_;
  const boost::json::object* body_;
  field_remarks* said_;
  std::string_view prefix_, without_;
};

/// A whole number, however JSON wrote it: 5 and 5.0.
[[nodiscard]] std::optional<std::int64_t> whole_number(const boost::json::value& value);

}  // namespace freshet::server::dropin
