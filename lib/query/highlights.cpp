// Passages by BM25: the text as blocks, the blocks as sentences, each sentence as what it has of
// the query, then the scores and the choice within the budget.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <base/word_views.hpp>
#include <cmath>
#include <query/highlights.hpp>
#include <set>
#include <string>
#include <unordered_map>

namespace freshet::query {
namespace {

using base::text_range;

/// So many passages that are too dear are passed over in search of cheaper ones.
constexpr std::size_t max_passed_over = 200;
constexpr std::size_t deepest_heading = 6;

/// A word or a run of words that a query asks for; its place in the list is its number.
using wanted_words = std::vector<std::string>;

/// What is asked for: each word once, and each run of several.
struct wanted_terms {
  explicit wanted_terms(const text_query& query) {
    for (const auto& term : query.terms) {
      if (term.words.empty()) continue;
      if (term.excluded) {
        excluded.push_back(term.words);
        continue;
      }
      for (const auto& word : term.words) {
        if (single.try_emplace(word, count).second) ++count;
      }
      const bool is_new = std::ranges::find(runs, term.words, &run::words) == runs.end();
      if (term.words.size() > 1 && is_new) runs.push_back({term.words, count++});
    }
  }

  struct run {
    wanted_words words;
    std::size_t number = 0;
  };
  struct view_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::size_t, view_hash, std::equal_to<>> single;
  std::vector<run> runs;
  std::vector<wanted_words> excluded;
  std::size_t count = 0;
};

std::size_t occurrences(const wanted_words& run, const std::vector<std::string_view>& words) {
  std::size_t found = 0;
  for (std::size_t at = 0; at + run.size() <= words.size(); ++at) {
    if (std::equal(run.begin(), run.end(), words.begin() + static_cast<std::ptrdiff_t>(at)))
      ++found;
  }
  return found;
}

/// The text with the addresses of markdown's links and pictures blank: they are not read.
std::string without_targets(std::string_view text) {
  std::string out(text);
  for (auto at = out.find("]("); at != std::string::npos; at = out.find("](", at)) {
    at += 2;
    while (at < out.size() && out[at] != ')') out[at++] = ' ';
  }
  return out;
}

/// How often a sentence has one of what is wanted.
struct hit {
  std::size_t term = 0;
  double times = 0;
};

struct sentence {
  text_range where;
  std::size_t words = 0;
  std::size_t first_hit = 0, hits = 0;  ///< in sentence_index::hits_, by their terms
  std::size_t below = 0;                ///< in sentence_index::below_
};

/// Reads a text once, sentence by sentence.
class sentence_index {
 public:
  sentence_index(const text_query& query, const passage_text& passage, base::meter* counted)
      : wanted_(query), of_(passage), counted_(counted) {
    headings_.resize(deepest_heading + 1);
    headings_[0] = terms_in(passage.title);
    note_headings();
  }

  void read();
  [[nodiscard]] std::vector<passage> ranked() const;

 private:
  void line(text_range where);
  void block(text_range where, bool is_running_text);
  void add(text_range where);
  [[nodiscard]] bool heading(text_range where);
  void divide(std::string_view text);
  [[nodiscard]] bool is_excluded() const;
  [[nodiscard]] std::vector<hit> terms_in(std::string_view text);
  void note_headings();
  struct term_rarities {
    std::vector<double> own, above;
  };
  [[nodiscard]] term_rarities rarity() const;
  void spend(std::size_t steps) {
    if (counted_ != nullptr) counted_->spend(steps);
  }

  wanted_terms wanted_;
  passage_text of_;
  base::meter* counted_;
  base::sentence_divider divider_;
  std::vector<std::vector<hit>> headings_;  ///< by level; the title is 0
  /// What the headings have above each stretch of the text, ascending; the last is of now.
  std::vector<std::vector<std::uint16_t>> below_;
  bool is_code_ = false;
  std::vector<sentence> sentences_;
  std::vector<hit> hits_;
  std::size_t all_words_ = 0;
  std::vector<text_range> ranges_;  ///< of one block
  std::string folded_;
  std::vector<std::string_view> words_;  ///< of folded_
};

void sentence_index::read() {
  std::size_t at = 0;
  while (at < of_.text.size() && sentences_.size() < max_sentences) {
    const auto end = std::min(of_.text.find('\n', at), of_.text.size());
    line({at, end});
    at = end + 1;
  }
}

void sentence_index::line(text_range where) {
  if (!of_.is_markdown) return block(where, true);
  const auto text = base::trim(of_.text.substr(where.begin, where.end - where.begin));
  if (text.starts_with("```") || text.starts_with("~~~")) {
    is_code_ = !is_code_;
    return;
  }
  if (is_code_) return block(where, false);
  if (heading(where)) return;
  // What stands in front of the text of a block: quotes, items of lists.
  const auto is_mark = [](char c) { return c == '>' || c == '-' || c == '*' || c == '+'; };
  auto begin = where.begin;
  while (begin < where.end && of_.text[begin] == ' ') ++begin;
  while (begin + 1 < where.end && is_mark(of_.text[begin]) && of_.text[begin + 1] == ' ') {
    begin += 2;
    while (begin < where.end && of_.text[begin] == ' ') ++begin;
  }
  auto after = begin;
  while (after < where.end && base::is_digit(of_.text[after])) ++after;
  if (after > begin && after + 1 < where.end &&
      (of_.text[after] == '.' || of_.text[after] == ')') && of_.text[after + 1] == ' ') {
    begin = after + 2;
  }
  block({begin, where.end}, !text.starts_with('|'));
}

/// Takes a heading's words for what stands below it.
bool sentence_index::heading(text_range where) {
  const auto text = of_.text.substr(where.begin, where.end - where.begin);
  const auto level = std::min(text.find_first_not_of('#'), text.size());
  if (level == 0 || level > deepest_heading || level >= text.size() || text[level] != ' ') {
    return false;
  }
  for (auto below = level; below <= deepest_heading; ++below) headings_[below].clear();
  headings_[level] = terms_in(text.substr(level));
  note_headings();
  return true;
}

void sentence_index::block(text_range where, bool is_running_text) {
  ranges_.clear();
  if (is_running_text) {
    divider_.divide(of_.text, where, ranges_);
  } else {
    base::add_divided(of_.text, where, ranges_);
  }
  for (const auto& one : ranges_) {
    if (sentences_.size() >= max_sentences) return;
    add(one);
  }
}

/// Puts the words of a text into words_.
void sentence_index::divide(std::string_view text) {
  folded_ = base::fold(of_.is_markdown ? without_targets(text) : text);
  base::divide_words(folded_, words_);
  // Folding, dividing and counting: some four looks at every sixteen bytes.
  const auto runs = wanted_.runs.size() + wanted_.excluded.size();
  spend(text.size() / 4 + 8 + runs * words_.size() / 4);
}

bool sentence_index::is_excluded() const {
  return std::ranges::any_of(
      wanted_.excluded, [this](const wanted_words& run) { return occurrences(run, words_) != 0; });
}

std::vector<hit> sentence_index::terms_in(std::string_view text) {
  std::vector<hit> found;
  divide(text);
  for (const auto word : words_) {
    const auto known = wanted_.single.find(word);
    if (known == wanted_.single.end()) continue;
    const auto same = std::ranges::find(found, known->second, &hit::term);
    if (same == found.end()) {
      found.push_back({known->second, 1});
    } else {
      ++same->times;
    }
  }
  for (const auto& run : wanted_.runs) {
    if (found.empty()) break;
    const auto times = occurrences(run.words, words_);
    if (times != 0) found.push_back({run.number, static_cast<double>(times)});
  }
  std::ranges::sort(found, {}, &hit::term);
  return found;
}

void sentence_index::note_headings() {
  std::set<std::uint16_t> terms;
  for (const auto& one : headings_) {
    for (const auto& each : one) terms.insert(static_cast<std::uint16_t>(each.term));
  }
  spend(terms.size());
  const bool is_used = !sentences_.empty() && sentences_.back().below + 1 == below_.size();
  if (is_used || below_.empty()) below_.emplace_back();
  below_.back().assign(terms.begin(), terms.end());
}

void sentence_index::add(text_range where) {
  const auto found = terms_in(of_.text.substr(where.begin, where.end - where.begin));
  if (words_.empty() || is_excluded()) return;
  spend(below_.back().size());
  sentences_.push_back({where, words_.size(), hits_.size(), found.size(), below_.size() - 1});
  hits_.insert(hits_.end(), found.begin(), found.end());
  all_words_ += words_.size();
}

/// How much each term tells: the fewer sentences have it, the more; and as a word of a heading, the
/// fewer stand below one. A title has its words above all of them, which tells none from another.
sentence_index::term_rarities sentence_index::rarity() const {
  term_rarities made{std::vector<double>(wanted_.count, 0), std::vector<double>(wanted_.count, 0)};
  for (const auto& one : sentences_) {
    for (auto at = one.first_hit; at < one.first_hit + one.hits; ++at) ++made.own[hits_[at].term];
    for (const auto term : below_[one.below]) ++made.above[term];
  }
  const auto all = static_cast<double>(sentences_.size());
  for (auto* list : {&made.own, &made.above}) {
    for (auto& one : *list) one = std::log(1 + (all - one + 0.5) / (one + 0.5));
  }
  return made;
}

std::vector<passage> sentence_index::ranked() const {
  std::vector<passage> out;
  if (sentences_.empty()) return out;
  const auto weights = rarity();
  const auto usual = static_cast<double>(all_words_) / static_cast<double>(sentences_.size());
  for (const auto& one : sentences_) {
    const auto length = 1 - bm25_b + bm25_b * static_cast<double>(one.words) / usual;
    const auto worth = [length](double weight, double times) {
      return weight * times * (bm25_k1 + 1) / (times + bm25_k1 * length);
    };
    double score = 0;
    for (auto at = one.first_hit; at < one.first_hit + one.hits; ++at)
      score += worth(weights.own[hits_[at].term], hits_[at].times);
    for (const auto term : below_[one.below]) score += worth(weights.above[term], heading_share);
    if (score > 0) out.push_back({one.where, score});
  }
  std::ranges::stable_sort(out,
                           [](const passage& a, const passage& b) { return a.score > b.score; });
  return out;
}

}  // namespace

std::vector<passage> best_passages(const text_query& query, const passage_text& source,
                                   std::int64_t budget,
                                   const std::function<std::int64_t(std::string_view)>& cost,
                                   base::meter* counted) {
  sentence_index index(query, source, counted);
  index.read();
  std::vector<passage> out;
  std::set<std::string> given;
  std::size_t passed_over = 0;
  for (const auto& one : index.ranked()) {
    if (out.size() == max_passages || budget <= 0 || passed_over == max_passed_over) break;
    const auto text = source.text.substr(one.where.begin, one.where.end - one.where.begin);
    const auto price = cost(text);
    if (price > budget) {
      ++passed_over;
      continue;
    }
    if (!given.insert(base::fold(text)).second) continue;
    budget -= price;
    out.push_back(one);
  }
  return out;
}

}  // namespace freshet::query
