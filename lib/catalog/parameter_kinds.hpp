// The kinds of parameters with their bounds, and those of every call or of every list: what the
// table of parameters is made of.
#pragma once

#include <algorithm>
#include <array>
#include <catalog/endpoint.hpp>

namespace freshet::catalog {

// Bounds that several parameters share.
constexpr std::int64_t max_q_length = 512;     // the contract, section 2
constexpr std::int64_t max_since_length = 16;  // "9999w" is the longest; the rest is courtesy
constexpr std::int64_t max_url_length = 8192;
constexpr std::int64_t max_id_length = 1024;
constexpr std::int64_t max_name_length = 256;
constexpr std::int64_t max_cursor_length = 8192;  // the contract, section 4
constexpr std::int64_t max_choice_length = 16;
constexpr std::int64_t max_sources = 32;
constexpr std::int64_t max_fields = 64;
constexpr std::int64_t max_selectors = 32;
constexpr std::int64_t max_sites = 20;
constexpr std::int64_t max_token_budget = 1'000'000;
constexpr std::int64_t max_highlight_tokens = 10'000;
constexpr std::int64_t max_credit_amount = 1'000'000'000;
constexpr std::int64_t max_cache_age_s = 31'536'000;  // a year
constexpr std::int64_t min_timeout_ms = 1'000;
constexpr std::int64_t min_deadline_ms = 100;
constexpr std::int64_t max_timeout_ms = 120'000;
constexpr std::int64_t max_schema_bytes = 32'768;

template <std::size_t... N>
constexpr auto join(const std::array<parameter, N>&... parts) {
  std::array<parameter, (N + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const auto& one : part) all[at++] = one;
  };
  (append(parts), ...);
  return all;
}

// The kinds of parameters: a name and its bounds, what it means, an example, and the default if
// there is one.
constexpr parameter text(std::string_view name, value_format format, std::int64_t min,
                         std::int64_t max, std::string_view doc, std::string_view example,
                         std::string_view fallback = {}) {
  return {.name = name,
          .format = format,
          .min = min,
          .max = max,
          .fallback = fallback,
          .doc = doc,
          .example = example};
}

constexpr parameter whole_number(std::string_view name, std::int64_t min, std::int64_t max,
                                 std::string_view doc, std::string_view example,
                                 std::string_view fallback = {}) {
  auto one = text(name, value_format::plain, min, max, doc, example, fallback);
  one.type = value_type::integer;
  return one;
}

constexpr parameter flag(std::string_view name, std::string_view doc, std::string_view example,
                         std::string_view fallback = {}) {
  auto one = text(name, value_format::plain, 0, 0, doc, example, fallback);
  one.type = value_type::boolean;
  return one;
}

constexpr parameter list(std::string_view name, value_format format, std::int64_t max,
                         std::string_view doc, std::string_view example) {
  auto one = text(name, format, 1, max, doc, example);
  one.type = value_type::string_list;
  return one;
}

constexpr parameter json_object(std::string_view name, std::int64_t max, std::string_view doc,
                                std::string_view example) {
  auto one = text(name, value_format::plain, 2, max, doc, example);
  one.type = value_type::object;
  return one;
}

constexpr parameter choice(std::string_view name, std::span<const std::string_view> choices,
                           std::string_view doc, std::string_view example,
                           std::string_view fallback = {}) {
  auto one = text(name, value_format::plain, 1, max_choice_length, doc, example, fallback);
  one.choices = choices;
  return one;
}

/// `<number><unit>`
constexpr parameter duration(std::string_view name, std::string_view doc, std::string_view example,
                             std::string_view fallback = {}) {
  return text(name, value_format::since, 2, max_since_length, doc, example, fallback);
}

constexpr parameter required(parameter one) {
  one.required = true;
  return one;
}

// Parameters of every call.
constexpr std::array call_common{
    list("fields", value_format::name, max_fields,
         "Keys of an item to return; `object` and `id` always come; `provenance`, which says where "
         "an item comes from, only where it is named",
         "[\"url\",\"text\"]"),
    whole_number(
        "max_tokens", 1, max_token_budget,
        "A budget: whole items, or whole markdown blocks, are left out from the end until the "
        "answer fits; `page.next_cursor` goes on exactly there",
        "4000"),
    whole_number("max_credits", 0, max_credit_amount,
                 "Refuse, before anything is fetched, if the price is higher", "1"),
    flag("dry_run", "Validate and quote; nothing is fetched or charged", "true", "false"),
};

constexpr std::array paging{
    whole_number("limit", 1, 100, "Items of a page", "10", "20"),
    text("cursor", value_format::cursor, 1, max_cursor_length,
         "`page.next_cursor` of the page before; the other parameters stay the same",
         "c1.eyJ2IjoxfQ"),
};

constexpr std::array source_choice{
    list("sources", value_format::source, max_sources,
         "Restrict the call to these sources; default: all that are enabled for the platform",
         "[\"bluesky\"]"),
};

constexpr std::array answer_time{
    whole_number("deadline_ms", min_deadline_ms, max_timeout_ms,
                 "Answer within so many milliseconds with what is there by then; the sources that "
                 "are missing are named, and the next page asks them again",
                 "3000"),
};

constexpr std::array language_choice{
    text("lang", value_format::language, 2, 35, "Only items in this language, BCP 47", "en"),
};

constexpr std::array country_choice{
    text("country", value_format::country, 2, 2, "Results for this country, ISO 3166-1 alpha-2",
         "GB"),
};

constexpr std::array highlight_members{
    text("query", value_format::q, 1, max_q_length,
         "What the passages are to answer, written as `q` is; default: the call's `q`, required "
         "where there is none",
         "tide gauge"),
    whole_number("max_tokens", 1, max_highlight_tokens,
                 "A budget for the passages of one item, in cl100k tokens, rather kept than filled",
                 "200", "200"),
};

/// Of lists, whose items have a text of their own.
constexpr auto list_highlight_members = join(
    highlight_members,
    std::array{flag("instead_of_text",
                    "Whether an item whose `text` is longer than `max_tokens` has its passages "
                    "in place of it, if there are any, and one whose text is not has its text "
                    "alone: nothing is said twice",
                    "true", "false")});

constexpr parameter highlights_of(std::span<const parameter> members) {
  auto one = text("highlights", value_format::plain, 2, 4096,
                  "The sentences of each item that answer a query best (BM25), word for word, in "
                  "its `highlights`: `query`, by default that of the call, within `max_tokens` for "
                  "each item, by default 200. `{}` asks for both",
                  R"({"query":"tide gauge","max_tokens":200})");
  one.type = value_type::object;
  one.members = members;
  return one;
}
constexpr std::array passages{highlights_of(list_highlight_members)};
constexpr std::array document_passages{highlights_of(highlight_members)};

constexpr auto list_common =
    join(paging, source_choice, answer_time, language_choice, passages, call_common);
constexpr auto country_list_common = join(paging, source_choice, answer_time, language_choice,
                                          country_choice, passages, call_common);
/// Of what is popular, in whatever language.
constexpr auto trends_common =
    join(paging, source_choice, answer_time, country_choice, passages, call_common);
/// Of people, who have no language.
constexpr auto people_list_common = join(paging, source_choice, answer_time, passages, call_common);
constexpr auto lookup_common = join(source_choice, call_common);
constexpr auto account_list_common = join(paging, call_common);

/// The same parameter with another example: what the sandbox of the platform knows.
constexpr parameter like(parameter one, std::string_view example) {
  one.example = example;
  return one;
}

}  // namespace freshet::catalog
