// What passages cost, and where they stand in code points: a walk of its own through the text.
#include "engine/gather/highlighting.hpp"

#include <algorithm>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/page.hpp>
#include <query/highlights.hpp>

namespace freshet::detail {
namespace {

/// Tokens of a passage's keys, about.
constexpr std::int64_t keys_of_passage = 20;

/// Tokens of a passage, rather too many: the estimate of one sentence may be a fifth too low, and
/// two fifths where it has many letters beyond ASCII. A budget is to be kept by a real tokenizer,
/// too; tests/query/test_highlights.py measures it.
std::int64_t safe_tokens(std::string_view text) {
  const auto beyond = std::ranges::count_if(text, [](char c) { return (c & 0x80) != 0; });
  const bool has_many = static_cast<std::size_t>(beyond) * 16 > text.size();
  return (markdown::estimate_tokens(text) * (has_many ? 7 : 6) + 4) / 5 + 1;
}

/// Four digits: more say nothing, and readers of JSON differ in the last of seventeen.
double rounded(double score) { return std::round(score * 1e4) / 1e4; }

}  // namespace

void add_highlights(item& item, const catalog::highlight_choice& wanted, base::meter& counted) {
  auto& shared = common(item);
  const auto* page = std::get_if<document>(&item);
  const std::string_view text = page != nullptr ? page->markdown : shared.text;
  if (wanted.instead_of_text && markdown::estimate_tokens(text) <= wanted.max_tokens) {
    return shared.highlights.clear();
  }
  const auto found = query::best_passages(wanted.query, {text, shared.title, page != nullptr},
                                          wanted.max_tokens, safe_tokens, &counted);
  std::vector<highlight> passages;
  for (const auto& one : found) {
    const auto part = text.substr(one.where.begin, one.where.end - one.where.begin);
    passages.push_back(
        {std::string(part), static_cast<std::int64_t>(one.where.begin), 0, rounded(one.score)});
  }
  // From bytes to code points, in one walk through the text.
  std::vector<highlight*> in_order;
  for (auto& one : passages) in_order.push_back(&one);
  std::ranges::sort(in_order, {}, &highlight::start);
  std::size_t bytes = 0;
  std::int64_t points = 0;
  for (auto* one : in_order) {
    const auto begin = static_cast<std::size_t>(one->start);
    points += static_cast<std::int64_t>(base::length(text.substr(bytes, begin - bytes)));
    bytes = begin;
    one->start = points;
    one->end = points + static_cast<std::int64_t>(base::length(one->text));
  }
  counted.spend(text.size() / 16);
  shared.highlights = std::move(passages);
}

std::int64_t tokens_of(const std::vector<highlight>& passages) {
  std::int64_t sum = 0;
  for (const auto& one : passages) sum += markdown::estimate_tokens(one.text) + keys_of_passage;
  return sum;
}

}  // namespace freshet::detail
