// What both peers' searches have in common: the words of a query, windows of time, domains, and the
// results that come of a call. Pure: the time is an argument.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <freshet/response.hpp>
#include <optional>
#include <server/dropin/fields.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server::dropin {

using instant = std::chrono::sys_seconds;

/// A query without its operators.
struct words {
  std::string q;
  std::vector<std::string> without;  ///< the domains of "-site:"
};
/// Reads field `name`; refuses what it cannot keep. `with_or`: whether OR is an operator there.
[[nodiscard]] words read_words(const field_reader& fields, std::string_view name, bool with_or);

/// A window that ends now.
struct window {
  std::string since;       ///< of our grammar
  std::string not_before;  ///< RFC 3339, exact where `since` is wider; "" if it is not
  [[nodiscard]] bool open() const noexcept { return since.empty(); }
};
/// "qdr:d2", "cdr:1,cd_min:11/1/2026", "sbd:1".
[[nodiscard]] window read_tbs(const field_reader& fields, std::string_view name, instant now);
/// "2026-11-01"; `fields` fields that are refused say why.
[[nodiscard]] std::optional<std::chrono::sys_days> read_date(std::string_view text);
/// Since the beginning of that day; refused as `name` if it lies in the future.
[[nodiscard]] window since_day(const field_reader& fields, std::string_view name,
                               std::chrono::sys_days day, instant now);

/// Host names in lower case, of "example.org", "*.example.org" and "https://example.org".
[[nodiscard]] std::vector<std::string> read_domains(const field_reader& fields,
                                                    std::string_view name);

/// What a search call is to answer.
struct wish {
  std::int64_t limit = 0;
  std::vector<std::string> within;   ///< domains of which each result is of one; empty: of any
  std::vector<std::string> without;  ///< domains
  std::string not_before;
};
/// Tells a search of the web the wish's domains, as far as it takes them: it then finds more of
/// what read_results() lets through.
void keep_to_domains(boost::json::object& parameters, const wish& wish);
/// How many results are asked of the engine, so that some may be left out.
[[nodiscard]] std::int64_t limit_of(const wish& what);

struct search_findings {
  std::vector<boost::json::object> items;
  std::vector<std::string> warnings;
};
/// The items that the wish lets through, and what the call warned of.
[[nodiscard]] search_findings read_results(const response& answered, const wish& wish);

/// The first picture of an item, or "".
[[nodiscard]] std::string_view picture_of(const boost::json::object& item);
/// RFC 3339 as a time.
[[nodiscard]] std::optional<instant> read_time(std::string_view text);

}  // namespace freshet::server::dropin
