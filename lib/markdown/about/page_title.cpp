// A heading is what people see, but pages have headings that are no titles, and titles with the
// site's name. Where a heading agrees with what is said elsewhere, whole or up to a divider, it is
// the title. The order of the rules was measured (tests/bench/scrape --metadata).
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <markdown/about/page_title.hpp>
#include <markdown/about/site_name.hpp>
#include <unordered_set>

namespace freshet::markdown {

namespace {

/// What stands between a title and a site's name, or between a section and a title.
constexpr auto dividers =
    std::to_array<std::string_view>({" | ", " - ", " – ", " — ", " » ", " · ", " • ", " / ", ": ",
                                     " : ", " :: ", " « ", " ‹ ", " > ", " ~ ", "｜", "--", "－"});
/// Site names that one title may carry at its ends.
constexpr int most_cuts = 3;
/// Of the words of a heading that share none of their evidence: below it is something else.
constexpr double least_likeness = 0.6;
/// The same of an article: its <title> is often worded for search engines, its heading for readers;
/// other pages have slogans above them.
constexpr double least_likeness_of_article = 0.3;
/// A later heading that has fewer than one in so many words of what is said has them by chance.
constexpr std::size_t most_shortened = 3;

/// How many bytes of dividers a text begins with.
std::size_t front_divider(std::string_view text) {
  std::size_t width = 0;
  for (const std::string_view mark : {"| ", "/ ", "» ", "· ", "• ", "– ", "— ", "- ", ": "}) {
    if (text.substr(width).starts_with(mark)) width += mark.size();
  }
  return width;
}

/// "Tides rise (harbour.example) 139" without the source and the count that sites of links add.
std::string_view without_source(std::string_view text) {
  auto front = text.substr(0, text.find_last_not_of("0123456789 ") + 1);
  const auto open = front.rfind(" (");
  if (!front.ends_with(')') || open == std::string_view::npos) return text;
  const auto source = front.substr(open + 2, front.size() - open - 3);
  const auto dot = source.rfind('.');
  const bool is_host = source.find(' ') == std::string_view::npos &&
                       dot != std::string_view::npos && dot > 0 && base::is_letter(source.back());
  return is_host ? front.substr(0, open) : text;
}

/// "2. Simple queries": of several such headings each is that of a section.
bool is_numbered(std::string_view heading) {
  const auto digits = heading.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && heading.substr(digits).starts_with(". ");
}

/// The two sides of each divider.
struct halves {
  std::string_view front, back;
};

std::vector<halves> cuts_of(std::string_view text) {
  constexpr std::size_t most = 24;
  std::vector<halves> out;
  for (const auto divider : dividers) {
    for (auto at = text.find(divider); at != std::string_view::npos;
         at = text.find(divider, at + 1)) {
      if (at == 0 || out.size() >= most) continue;
      out.push_back({text.substr(0, at), text.substr(at + divider.size())});
    }
  }
  return out;
}

using word_set = std::unordered_set<std::string_view, base::text_hash>;

word_set set_of(std::string_view compared) {
  const auto words = words_in(compared);
  return {words.begin(), words.end()};
}

std::size_t shared_by(const word_set& one, const word_set& other) {
  return static_cast<std::size_t>(
      std::ranges::count_if(one, [&](std::string_view word) { return other.contains(word); }));
}

/// The words by which an address names its page: "/tides/how-tides-rise.html" does by three.
std::string words_of_address(std::string_view path) {
  constexpr std::size_t longest_ending = 6;
  while (path.ends_with('/')) path.remove_suffix(1);
  path = path.substr(path.rfind('/') + 1);
  const auto dot = path.rfind('.');
  if (dot != std::string_view::npos && path.size() - dot <= longest_ending) {
    path = path.substr(0, dot);
  }
  return comparable(base::percent_decode(path, true));
}

class title_choice {
 public:
  explicit title_choice(const title_evidence& evidence)
      : evidence_(evidence),
        site_(evidence.sites, evidence.host),
        is_home_(evidence.path.empty() || evidence.path == "/") {}

  std::string run();

 private:
  struct compared_text {
    std::string text, compared;
  };

  /// Where a text stands in a list, or its end.
  static auto place_in(const std::vector<compared_text>& list, std::string_view compared) {
    return std::ranges::find(list, compared, &compared_text::compared);
  }
  [[nodiscard]] bool is_named(std::string_view compared) const {
    return place_in(named_, compared) != named_.end();
  }
  [[nodiscard]] bool is_said(std::string_view compared) const {
    return place_in(said_, compared) != said_.end();
  }
  [[nodiscard]] std::string without_site(std::string_view text) const;
  [[nodiscard]] std::vector<compared_text> title_headings() const;
  [[nodiscard]] bool is_front_of(const std::string& heading, const std::string& said) const;
  [[nodiscard]] std::string confirmed(const std::vector<compared_text>& headings) const;
  [[nodiscard]] std::string lower(bool in_part) const;
  [[nodiscard]] std::string likely(const std::vector<compared_text>& headings) const;
  [[nodiscard]] std::string addressed(const std::vector<compared_text>& headings,
                                      std::string_view found) const;
  [[nodiscard]] std::string said_best() const;
  void collect();

  const title_evidence& evidence_;
  const site_name site_;
  const bool is_home_;
  std::vector<compared_text> named_;  ///< without the site's name
  std::vector<compared_text> said_;   ///< the same and <title>
};

/// "The article - The site" is "The article", and so is "The site: The article"; but of a home page
/// the site's name is the title.
std::string title_choice::without_site(std::string_view text) const {
  for (int cut = 0; cut < most_cuts; ++cut) {
    std::string_view rest;
    for (const auto divider : dividers) {
      const auto first = text.find(divider);
      if (first == std::string_view::npos) continue;
      const auto last = text.rfind(divider);
      if (last == 0) continue;
      if (site_.is(text.substr(last + divider.size()))) {
        rest = text.substr(0, last);
        break;
      }
      if (first > 0 && !is_home_ && site_.is(text.substr(0, first))) {
        rest = text.substr(first + divider.size());
        break;
      }
    }
    if (comparable(rest).empty()) break;
    text = rest;
  }
  return std::string(base::trim(text));
}

void title_choice::collect() {
  const auto add = [this](std::vector<compared_text>& to, const std::string& text) {
    // "| The site": nothing was filled in before it.
    if (front_divider(text) > 0) return;
    auto cut = without_site(text);
    auto compared = comparable(cut);
    if (!compared.empty()) to.push_back({std::move(cut), std::move(compared)});
  };
  for (const auto& one : evidence_.named) add(named_, one);
  said_ = named_;
  add(said_, evidence_.title);
  // Some have the site's name there on all of their pages; where something else is said, that is
  // no title.
  const auto is_site = [this](const compared_text& one) { return site_.is(one.text); };
  if (is_home_ || std::ranges::all_of(said_, is_site)) return;
  std::erase_if(named_, is_site);
  std::erase_if(said_, is_site);
}

/// The headings that may be the title: not the site's name, and not what stands behind a divider
/// in the title, which is the name of a site or a section.
std::vector<title_choice::compared_text> title_choice::title_headings() const {
  std::unordered_set<std::string, base::text_hash> tails, fronts;
  const auto take = [&](const std::string& text, bool is_title) {
    for (const auto& [front, back] : cuts_of(text)) {
      auto rest = comparable(back);
      // "Engora Data Blog: Small adventures", where the second half is named alone.
      if (is_title && is_named(rest)) fronts.insert(comparable(front));
      tails.insert(std::move(rest));
    }
  };
  for (const auto& one : evidence_.named) take(one, false);
  take(evidence_.title, true);
  std::vector<compared_text> out;
  for (const std::string_view one : evidence_.headings) {
    auto heading = without_source(one.substr(front_divider(one)));
    // Some pages have the site's name in their heading, too.
    for (const auto& [front, back] : cuts_of(heading)) {
      if (!is_home_ && site_.is_named(back)) heading = front;
    }
    auto compared = comparable(heading);
    if (compared.empty() || heading.size() > longest_heading || site_.is(heading)) continue;
    if (!is_said(compared) && tails.contains(compared)) continue;
    if (!is_named(compared) && fronts.contains(compared)) continue;
    out.push_back({std::string(heading), std::move(compared)});
  }
  return out;
}

/// Whether what is said begins with the heading and a divider.
bool title_choice::is_front_of(const std::string& heading, const std::string& said) const {
  return std::ranges::any_of(cuts_of(said),
                             [&](const halves& cut) { return comparable(cut.front) == heading; });
}

/// A heading that other evidence says, too; "" without one.
std::string title_choice::confirmed(const std::vector<compared_text>& headings) const {
  // "Sea levels: Tides rise" above an article that is named "Tides rise": a kicker goes.
  for (const auto& heading : headings) {
    for (const auto& [front, back] : cuts_of(heading.text)) {
      const auto rest = comparable(back);
      const auto named = place_in(named_, rest);
      if (named != named_.end()) return named->text;
    }
  }
  // So does a label in an element of its own, and a tagline.
  for (const auto& core : evidence_.cores) {
    if (is_named(comparable(core))) return core;
  }
  for (const auto& heading : headings) {
    if (!is_said(heading.compared)) continue;
    // "Tides rise - Sea talk" and below it "Tides rise": a thread and where it stands.
    const auto shorter = std::ranges::find_if(
        headings, [&](const auto& one) { return is_front_of(one.compared, heading.text); });
    return shorter == headings.end() ? heading.text : shorter->text;
  }
  const auto is_front = [this](const std::string& compared) {
    return is_front_of(compared, evidence_.title) ||
           std::ranges::any_of(evidence_.named,
                               [&](const auto& one) { return is_front_of(compared, one); });
  };
  for (const auto& heading : headings) {
    if (is_front(heading.compared)) return heading.text;
  }
  for (const auto& core : evidence_.cores) {
    if (is_front(comparable(core)) && !site_.is(core)) return core;
  }
  return {};
}

/// A lower heading that is what is said, whole or (`in_part`) up to a divider: the longest, since
/// sections and menus are called by parts of it, too. "" without one.
std::string title_choice::lower(bool in_part) const {
  constexpr std::size_t least_bytes = 12;
  std::unordered_set<std::string, base::text_hash> halves_of_said;
  for (const auto& one : said_) {
    halves_of_said.insert(one.compared);
    if (!in_part) continue;
    for (const auto& [front, back] : cuts_of(one.text)) {
      halves_of_said.insert(comparable(front));
      halves_of_said.insert(comparable(back));
    }
  }
  std::string_view best;
  for (const std::string_view one : evidence_.lower_headings) {
    const auto heading = one.substr(front_divider(one));
    if (heading.size() <= std::max(best.size(), least_bytes) || site_.is(heading)) continue;
    if (!halves_of_said.contains(comparable(heading))) continue;
    best = heading;
    // A kicker goes.
    for (const auto& [front, back] : cuts_of(heading)) {
      if (is_named(comparable(back))) best = back;
    }
  }
  return std::string(best);
}

/// The heading that has most words in common with what is said, if it has enough; "" otherwise.
std::string title_choice::likely(const std::vector<compared_text>& headings) const {
  if (said_.empty()) return headings.empty() ? std::string() : headings.front().text;
  const bool are_sections = std::ranges::count_if(evidence_.headings, is_numbered) > 1;
  std::string best;
  double most = 0;
  for (const auto& heading : headings) {
    if (are_sections && is_numbered(heading.text)) continue;
    const bool is_first = &heading == &headings.front();
    const double least =
        is_first && evidence_.is_article ? least_likeness_of_article : least_likeness;
    const auto own = set_of(heading.compared);
    for (const auto& one : said_) {
      const auto other = set_of(one.compared);
      if (!is_first && own.size() * most_shortened < other.size()) continue;
      const auto likeness = static_cast<double>(shared_by(own, other)) /
                            static_cast<double>(std::min(own.size(), other.size()));
      if (likeness < least || likeness <= most) continue;
      most = likeness;
      best = heading.text;
    }
  }
  return best;
}

/// The first heading where the address says it more than what is said; "" otherwise.
std::string title_choice::addressed(const std::vector<compared_text>& headings,
                                    std::string_view found) const {
  constexpr double least = 0.5, least_ahead = 0.05;
  const auto address = words_of_address(evidence_.path);
  const auto named = set_of(address);
  if (headings.empty() || named.size() < 2) return {};
  const auto likeness = [&named](std::string_view compared) {
    const auto own = set_of(compared);
    return 2 * static_cast<double>(shared_by(own, named)) /
           static_cast<double>(own.size() + named.size());
  };
  double most = likeness(comparable(found));
  for (const auto& one : said_) most = std::max(most, likeness(one.compared));
  const auto own = likeness(headings.front().compared);
  return own >= least && own > most + least_ahead ? headings.front().text : std::string();
}

/// Where no heading is the title.
std::string title_choice::said_best() const {
  const auto& best = said_.front().text;
  // What follows a bar is of the site, whatever it is; other dividers may stand in titles, but
  // where there are two of them they part a thread, its forum and the site.
  for (const std::string_view divider : {" / ", " :: ", " » ", " › ", " > ", " « ", " ‹ "}) {
    const auto first = best.find(divider);
    if (first != std::string::npos &&
        evidence_.title.find(divider) != evidence_.title.rfind(divider)) {
      return best.substr(0, first);
    }
  }
  return best.substr(0, std::min(best.find(" | "), best.size()));
}

std::string title_choice::run() {
  collect();
  const auto headings = title_headings();
  if (auto found = confirmed(headings); !found.empty()) return found;
  if (auto found = lower(false); !found.empty()) return found;
  if (auto found = likely(headings); !found.empty()) return found;
  if (said_.empty()) return evidence_.headings.empty() ? "" : evidence_.headings.front();
  auto found = lower(true);
  if (found.empty()) found = said_best();
  auto heading = addressed(headings, found);
  return heading.empty() ? found : heading;
}

}  // namespace

std::string page_title(const title_evidence& evidence) {
  auto title = title_choice(evidence).run();
  title.erase(0, front_divider(title));
  // The mark of a link to the heading itself, and a divider with nothing behind it.
  for (const std::string_view mark : {"¶", " #", " |", " -", " –", " —", " •", " ·"}) {
    if (title.ends_with(mark)) title.erase(title.size() - mark.size());
  }
  return std::string(base::trim(title));
}

}  // namespace freshet::markdown
