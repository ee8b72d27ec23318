// What the sources of web results share: a result from the address that an engine gives, the dates
// that engines write, and which language and country were asked for. What an engine's page or JSON
// looks like is each source's own affair.
#pragma once

#include <chrono>
#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <sources/position.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources {

/// A quota of days or months that is used up is asked for again after this time, when the source
/// does not say when it is filled.
inline constexpr std::chrono::seconds quota_pause{3600};

/// A result at an address as an engine gives it, redirect wrappers taken off: id, source, url,
/// display_url and site_name. Null for an advert, and for what is no web address.
[[nodiscard]] std::optional<web_result> result_at(std::string_view source,
                                                  std::string_view address);

/// Appends a result at the next rank of the one engine that has found it. Null is nothing to add.
void add_ranked(std::optional<web_result> found, std::string_view engine, std::int64_t& rank,
                listing& out);

/// The same for a search that wants pictures or videos: the result becomes one, if it has it.
void add_ranked_as(catalog::operation op, std::optional<web_result> found, std::string_view engine,
                   std::int64_t& rank, listing& out);
/// A result of one engine or of several as what the operation gives. Null for one without a
/// picture where that is wanted.
[[nodiscard]] std::optional<item> result_as(catalog::operation op, web_result found);

/// Appends a suggestion at the next rank; "" is nothing to add.
void add_suggestion(std::string_view source, std::string text, listing& out);
/// Suggestions as OpenSearch has them: the query, then a list of texts. Error: source_error.
[[nodiscard]] result<listing> read_suggestions(std::string_view source,
                                               const http::response& answer);

/// "1:02:03" in seconds; null if it is none.
[[nodiscard]] std::optional<double> read_clock_duration(std::string_view text);

/// A moment as engines write it: "Aug 19, 2024", "19 Aug 2024", "3 days ago" (before `now`), or any
/// form that base::parse_time() knows.
[[nodiscard]] std::optional<time_point> read_result_date(std::string_view text, time_point now);

/// Takes the date that engines put before a snippet ("Aug 19, 2024 · An overly …") off it.
[[nodiscard]] std::optional<time_point> take_leading_date(std::string& snippet, time_point now);

/// When an answer was given: what "3 days ago" counts from.
[[nodiscard]] time_point moment_of(const http::response& answer, const call& call) noexcept;

/// The language and the country that a call asks for, one of them perhaps inside the other
/// ("pt-BR"). Empty where it does not say.
struct locale_wish {
  std::string language;  ///< lower case: "pt"
  std::string script;    ///< "Hant"
  std::string country;   ///< upper case: "BR"
};
[[nodiscard]] locale_wish locale_of(const call& call);

}  // namespace freshet::sources
