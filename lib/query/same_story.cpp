// Prints of items: addresses, and runs of three words as hashes, so that a pair is compared in one
// pass over two sorted lists. The bounds below were chosen on the pairs of tests/query.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <chrono>
#include <functional>
#include <query/same_story.hpp>
#include <query/text_query.hpp>

namespace freshet::query {
namespace {

constexpr std::size_t run_length = 3;
/// Words of an item that are looked at: a story says what it is at its beginning.
constexpr std::size_t max_words = 80;
/// Shorter ones are equal by chance: "Weather forecast", "Laravel News".
constexpr std::size_t least_title = 6, least_text = 14;
/// Of the runs of both, how many are shared.
constexpr double same_title = 0.6, same_text = 0.5;
constexpr std::chrono::hours window{72};

/// The key of an address that is one page; of a whole site only where the item stands for it.
void add_page(std::vector<std::string>& out, const std::string& address, bool with_sites = false) {
  const auto url = base::parse_url(address);
  if (!url || !url->is_http()) return;
  const bool is_root = (url->path.empty() || url->path == "/") && url->query.empty();
  if (with_sites || !is_root) out.push_back(base::same_page_key(address));
}

void sort_once(std::vector<std::uint64_t>& list) {
  std::ranges::sort(list);
  // Not its namesake of ranges, which clang 14 cannot read.
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::vector<std::uint64_t> runs_of(const std::vector<std::string>& words) {
  std::vector<std::uint64_t> runs;
  for (std::size_t at = 0; at + run_length <= words.size(); ++at) {
    std::string run;
    for (std::size_t i = at; i < at + run_length; ++i) run.append(words[i]).append(1, ' ');
    runs.push_back(std::hash<std::string>()(run));
  }
  sort_once(runs);
  return runs;
}

std::vector<std::string> first_words(std::string_view text, std::size_t most) {
  // A word has seldom more than a dozen bytes: what is cut is behind the last one wanted.
  auto words = base::words(base::fold(base::prefix(text, most * 12)));
  if (words.size() > most) words.resize(most);
  return words;
}

/// Of the runs of both together, the part that both have.
double shared_part(const std::vector<std::uint64_t>& one, const std::vector<std::uint64_t>& other,
                   std::uint64_t& steps) {
  std::size_t a = 0, b = 0, both = 0;
  while (a < one.size() && b < other.size()) {
    ++steps;
    if (one[a] == other[b]) {
      ++both;
      ++a;
      ++b;
    } else {
      one[a] < other[b] ? ++a : ++b;
    }
  }
  const auto all = one.size() + other.size() - both;
  return all == 0 ? 0 : static_cast<double>(both) / static_cast<double>(all);
}

/// Whether two of one site say other numbers of a page to which both point.
bool tells_apart(const std::string& page, const story_print& one, const story_print& other) {
  return page != one.own_page && page != other.own_page && one.site == other.site &&
         !one.numbers.empty() && !other.numbers.empty() && one.numbers != other.numbers;
}

/// Whether an item stands for the page at its address, be that a whole site's.
bool is_of_web(const item& what) {
  return std::holds_alternative<web_result>(what) || std::holds_alternative<web_image>(what);
}

}  // namespace

story_print print_of(const item& what) {
  const auto& shared = common(what);
  story_print made;
  add_page(made.pages, shared.url, is_of_web(what));
  if (!made.pages.empty()) made.own_page = made.pages.front();
  if (const auto* post = std::get_if<forum_post>(&what)) add_page(made.pages, post->link_url);
  // A post that shows one page is about it.
  const bool is_post = std::holds_alternative<post>(what);
  if (is_post && shared.links.size() == 1) add_page(made.pages, shared.links.front());
  std::ranges::sort(made.pages);
  made.site = base::host_of(shared.url);
  made.at = shared.created_at;

  auto words = first_words(shared.title, max_words);
  const auto title_size = words.size();
  if (title_size >= least_title) made.title = runs_of(words);
  for (auto& word : first_words(shared.text, max_words)) words.push_back(std::move(word));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool counts = title_size == 0 || i < title_size;
    if (counts && words[i].find_first_of("0123456789") != std::string::npos)
      made.numbers.push_back(std::hash<std::string>()(words[i]));
  }
  sort_once(made.numbers);
  if (words.size() >= least_text) made.text = runs_of(words);
  return made;
}

bool is_same_story(const story_print& one, const story_print& other, std::uint64_t& steps) {
  for (const auto& page : one.pages) {
    ++steps;
    if (std::ranges::binary_search(other.pages, page) && !tells_apart(page, one, other))
      return true;
  }
  if (!one.at || !other.at || one.site.empty()) return false;
  const auto apart = *one.at > *other.at ? *one.at - *other.at : *other.at - *one.at;
  if (apart > window || one.numbers != other.numbers) return false;
  // One site says much in the same words: there it is what somebody has passed on whole.
  if (one.site == other.site) return !one.text.empty() && one.text == other.text;
  return shared_part(one.title, other.title, steps) >= same_title ||
         shared_part(one.text, other.text, steps) >= same_text;
}

}  // namespace freshet::query
