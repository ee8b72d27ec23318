// The text around the heading is read as lines. Short ones may say who and when; long ones are the
// article, and behind a few of them nothing is a byline any more.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byline.hpp>
#include <base/unicode.hpp>
#include <markdown/about/day_labels.hpp>
#include <markdown/about/visible_claims.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// Nodes that are looked at before and behind the heading.
constexpr node_id nodes_before = 60, nodes_behind = 400;
/// A line with more bytes is prose; so many of them end the look.
constexpr std::size_t longest_line = 160;
constexpr int most_prose = 2;

/// What stands in the address of a person's page.
constexpr auto person_paths = std::to_array<std::string_view>(
    {"/author/",  "/authors/",   "/autor/",   "/autore/",   "/autores/",    "/auteur/",
     "/auteurs/", "/autoren/",   "/writer/",  "/writers/",  "/contributor", "/staff/",
     "/people/",  "/person/",    "/profile/", "/profil",    "/by/",         "/members/",
     "/member/",  "/member.php", "/user/",    "/users/",    "/u/",          "/journalist",
     "/reporter", "/redakt",     "/@",        "/columnist", "/team/",       "/bio/",
     "/penulis/", "/yazar",      "/~"});
constexpr auto no_person_paths =
    std::to_array<std::string_view>({"login", "signin", "sign-in", "sign_in", "register", "signup",
                                     "sign-up", "logout", "lostpw", "password"});
/// Small words that stand inside of names.
constexpr auto particles = std::to_array<std::string_view>(
    {"de",  "del",   "da",  "di",  "do",  "dos", "van", "von", "der",  "den",  "la",  "le",
     "el",  "al",    "bin", "ibn", "of",  "and", "und", "et",  "y",    "e",    "og",  "och",
     "en",  "the",   "zu",  "ten", "vom", "zum", "zur", "ter", "te",   "op",   "af",  "av",
     "dei", "della", "du",  "des", "i",   "ja",  "ve",  "dan", "oraz", "with", "mit", "a"});

bool has_no_text(html::tag_id tag) {
  using enum html::tag_id;
  return tag == script || tag == style || tag == noscript || tag == template_ || tag == select ||
         tag == nav || tag == svg || tag == label;
}

bool is_capital(std::string_view word) {
  return !word.empty() &&
         (static_cast<unsigned char>(word[0]) >= 0x80 || (word[0] >= 'A' && word[0] <= 'Z'));
}

/// A name begins with a capital, or in a script without them; a sentence goes on too long. "the
/// Harbour Team" is one, too.
bool looks_like_names(std::string_view text) {
  constexpr std::size_t longest = 100;
  constexpr std::ptrdiff_t most_spaces = 5;
  if (text.empty() || text.size() > longest) return false;
  if (text.starts_with("the ")) text.remove_prefix(4);
  const auto names = base::byline_names(text);
  return !names.empty() && std::ranges::all_of(names, [](const std::string& name) {
    return !base::is_letter(name[0]) || name[0] < 'a' ? std::ranges::count(name, ' ') <= most_spaces
                                                      : false;
  });
}

/// Names in scripts without spaces: some letters, none of them of ASCII.
bool is_unspaced_name(std::string_view text) {
  constexpr std::size_t least = 6, longest = 24;
  return text.size() >= least && text.size() <= longest &&
         std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

/// Whether each word of a text begins with a capital, and there are a few of them.
bool is_full_name(std::string_view text) {
  constexpr int most_words = 5;
  if (is_unspaced_name(text)) return true;
  int words = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++words;
    const bool is_small = std::ranges::find(particles, word) != particles.end();
    if (!is_capital(word) && !is_small) return false;
  }
  return words > 1 && words <= most_words;
}

/// "Ada Byron on Tuesday", "Ada Byron for The Harbour": a small word that stands in no name ends
/// it.
std::string_view without_tail(std::string_view text) {
  std::size_t at = 0;
  for (int words = 0; at < text.size(); ++words) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, end - at);
    const bool is_small = !word.empty() && word[0] >= 'a' && word[0] <= 'z' &&
                          std::ranges::find(particles, word) == particles.end();
    if (is_small && words > 0) {
      // One word may be that of a user: "ada7 on Friday". "Ada has been here" is a sentence.
      if (words == 1 && std::ranges::count(text, ' ') != 2) return text;
      return text.substr(0, text.find_last_not_of(" ,;", at - 1) + 1);
    }
    at = end + 1;
  }
  return text;
}

/// "Ada Byron on March 5" is Ada Byron: the day goes, or what begins with a digit, and the small
/// words before it.
std::string_view without_day(std::string_view text, day_order order) {
  const auto folded = base::fold(text);
  const auto days = written_dates(folded, order);
  if (!days.empty() && folded.size() == text.size()) text = text.substr(0, days.front().begin);
  text = text.substr(0, std::min(text.find_first_of("0123456789|("), text.size()));
  constexpr int most_words = 3;
  for (int dropped = 0; dropped < most_words; ++dropped) {
    text = base::trim(text);
    const auto space = text.rfind(' ');
    if (space == std::string_view::npos) break;
    const auto word = text.substr(space + 1);
    const auto lower = base::to_lower_ascii(word);
    const bool is_small = word[0] >= 'a' && word[0] <= 'z';
    const bool is_sign = !base::is_letter(word[0]) && static_cast<unsigned char>(word[0]) < 0x80;
    if (!is_small && !is_sign && !says_change(lower) && !lower.starts_with("publi") &&
        !lower.starts_with("posted")) {
      break;
    }
    text = text.substr(0, space);
  }
  text = base::trim(text);
  return without_tail(text.substr(0, text.find_last_not_of(" ,;") + 1));
}

/// The first piece of a line; `line` keeps the others.
std::string_view next_piece(std::string_view& line) {
  constexpr auto dividers = std::to_array<std::string_view>(
      {" | ", " . ", " • ", " · ", " - ", " – ", " — ", " » ", " ⋅ ", " / "});
  std::size_t end = line.size(), next = line.size();
  for (const auto divider : dividers) {
    const auto at = line.find(divider);
    if (at >= end) continue;
    end = at;
    next = at + divider.size();
  }
  const auto piece = base::trim(line.substr(0, end));
  line.remove_prefix(next);
  return piece;
}

/// The names that a line introduces; "" if it introduces none.
std::string byline_in(std::string_view line, day_order order) {
  while (!line.empty()) {
    const auto names = without_day(base::introduced_names(next_piece(line)), order);
    if (looks_like_names(names)) return std::string(names);
  }
  return {};
}

/// Whether a line is empty or no more than "Written by".
bool is_label(std::string_view line) {
  const auto clean = base::collapse_spaces(line);
  return clean.empty() ||
         base::introduced_names(clean + (clean.ends_with(':') ? " x" : ": x")) == "x";
}

/// The names behind words that say more than "by": below an article others are told of, too.
std::string strictly_introduced(std::string_view line) {
  for (const std::string_view bracket : {"(", "（", "[", "【"}) {
    if (!line.starts_with(bracket)) continue;
    line.remove_prefix(bracket.size());
    line = line.substr(0, std::min({line.find(')'), line.find("）"), line.find(']'),
                                    line.find("】"), line.size()}));
  }
  const auto names = base::introduced_names(line);
  if (names.empty()) return {};
  const auto before = base::fold(base::trim(line.substr(0, line.size() - names.size())));
  const bool is_labelled = before.ends_with(':') || before.ends_with("：");
  const bool is_sentence = before.find(' ') != std::string::npos && !before.starts_with("posted") &&
                           !before.starts_with("published") && !before.starts_with("started");
  if (!is_labelled && !is_sentence) return {};
  constexpr std::size_t longest = 100;
  const auto text = without_day(names.substr(0, longest), day_order::day_first);
  std::string out;
  // What people are follows behind a comma.
  for (const auto& name : base::byline_names(text)) {
    if (!is_full_name(name)) break;
    out.append(out.empty() ? "" : "; ").append(name);
  }
  return out;
}

/// The same of a line alone.
bool is_strict_label(std::string_view line) {
  if (line.empty() || !is_label(line)) return false;
  const auto folded = base::fold(line);
  return !folded.empty() && folded.find(' ') != std::string::npos && !folded.starts_with("posted");
}

/// "Tue, 5 March 2026 · Ada Byron" without the day.
std::string_view without_first_day(std::string_view line) {
  constexpr std::size_t longest_weekday = 5;
  const auto folded = base::fold(line);
  if (folded.size() != line.size()) return line;
  const auto days = written_dates(folded, day_order::day_first);
  if (days.empty() || days.front().begin > longest_weekday) return line;
  line.remove_prefix(days.front().end);
  const auto next = line.find_first_not_of(" ,.|-\xC2\xB7");
  return next == std::string_view::npos ? std::string_view() : line.substr(next);
}

/// The name at the beginning of a line of a box that is named for an author; one word may be that
/// of a user, with digits and without a capital.
std::string name_in_line(std::string_view line) {
  const auto clean = base::collapse_spaces(line);
  if (is_label(clean)) return {};
  auto rest = without_first_day(clean);
  auto piece = next_piece(rest);
  const auto introduced = base::introduced_names(piece);
  if (!introduced.empty()) piece = introduced;
  constexpr std::size_t longest_user = 40;
  if (piece.find(' ') == std::string_view::npos && piece.size() <= longest_user) {
    return base::byline_names(piece).empty() ? std::string() : std::string(piece);
  }
  piece = without_day(piece, day_order::day_first);
  return looks_like_names(piece) ? std::string(piece) : std::string();
}

bool leads_to_person(std::string_view address) {
  for (auto at = address.find('/'); at != std::string_view::npos; at = address.find('/', at + 1)) {
    const auto rest = address.substr(at);
    if (rest.size() < 2) break;
    for (const auto part : person_paths) {
      if (part[1] == rest[1] && rest.starts_with(part)) return true;
    }
  }
  return address.find("viewprofile") != std::string_view::npos ||
         address.find("action=profile") != std::string_view::npos;
}

class claim_reader {
 public:
  claim_reader(const page_tree& tree, day_order order, std::string_view host)
      : tree_(tree), order_(order), host_(host) {}

  visible_claims run(node_id heading) {
    const auto start = heading == none ? tree_.body() : tree_.end_of(heading);
    read(start, std::min<node_id>(start + nodes_behind, tree_.end_of(tree_.body())));
    if (heading != none && (!found_.day || found_.byline.empty())) {
      const auto body = tree_.body() == none ? 0 : tree_.body();
      const auto from = heading > body + nodes_before ? heading - nodes_before : body;
      prose_ = 0;
      read(from, heading);
    }
    return std::move(found_);
  }

  /// Between the post before, or the heading, and a post.
  std::optional<time_point> day_before(node_id post) {
    const auto from = post > tree_.body() + nodes_before ? post - nodes_before : tree_.body();
    read(from, post);
    return found_.day;
  }

  /// Below the first paragraphs.
  std::string closing(node_id heading) {
    is_closing_ = true;
    read(tree_.end_of(heading), tree_.end_of(tree_.body()));
    return std::move(found_.byline);
  }

 private:
  void read(node_id begin, node_id end) {
    tree_.spend(end > begin ? end - begin : 0);
    for (node_id id = begin; id < end && !is_done();) {
      if (tree_.is_text(id)) {
        close_blocks(id);
        // Pages part names and days by boxes, not by spaces.
        line_.append(" ").append(tree_.text_at(id));
        ++id;
        continue;
      }
      if (!tree_.is_element(id)) {
        ++id;
        continue;
      }
      const auto tag = tree_.tag_of(id);
      close_blocks(id);
      if (is_block(tag) || tag == html::tag_id::br) end_line();
      if (is_block(tag)) {
        block_ends_.push_back(tree_.end_of(id));
        is_item_ = tag == html::tag_id::li;
        if (is_closing_) is_signature_ = tag == html::tag_id::p && is_at_right(id);
      }
      if (has_no_text(tag)) {
        id = tree_.end_of(id);
        continue;
      }
      look_at(id);
      ++id;
    }
    end_line();
  }

  /// Where those who signed an article stand.
  [[nodiscard]] bool is_at_right(node_id id) const {
    const auto style = tree_.attribute_of(id, "style");
    const auto at = style.find("text-align:");
    return at != std::string_view::npos && base::trim(style.substr(at + 11)).starts_with("right");
  }

  [[nodiscard]] bool is_done() const {
    return is_closing_ ? !found_.byline.empty() : prose_ >= most_prose;
  }

  void close_blocks(node_id id) {
    while (!block_ends_.empty() && id >= block_ends_.back()) {
      block_ends_.pop_back();
      end_line();
    }
  }

  /// Links to people, and elements that are named for them.
  void look_at(node_id id) {
    if (is_closing_ || !found_.linked.empty() || !tree_.is_element(id, html::tag_id::a)) return;
    const auto address = base::to_lower_ascii(tree_.attribute_of(id, "href").substr(0, 300));
    const bool is_person = leads_to_person(address);
    const bool elsewhere = address.find("//") != std::string::npos &&
                           (host_.empty() || address.find(host_) == std::string::npos);
    if (!is_person || elsewhere || std::ranges::any_of(no_person_paths, [&](std::string_view part) {
          return address.find(part) != std::string::npos;
        })) {
      return;
    }
    auto name = base::collapse_spaces(tree_.raw_text_of(id));
    // Two letters stand in place of a portrait.
    constexpr std::size_t least = 3, longest = 60;
    if (name.size() < least || name.size() > longest) return;
    if (const auto introduced = base::introduced_names(name); !introduced.empty()) {
      name = std::string(introduced);
    }
    found_.linked = std::move(name);
  }

  void end_line() {
    const auto line = base::collapse_spaces(line_);
    line_.clear();
    if (line.empty()) return;
    if (is_closing_) return end_closing_line(line);
    if (line.size() > longest_line) {
      ++prose_;
      last_line_.clear();
      return;
    }
    tree_.spend(line.size());
    take_names(line);
    const bool may_hold_day = line.find_first_of("0123456789") != std::string::npos;
    constexpr std::size_t longest_label = 30;
    if (may_hold_day && take_days(base::fold(line))) {
      last_line_.clear();
    } else {
      last_line_ = line.size() <= longest_label ? line : "";
    }
  }

  void take_names(const std::string& line) {
    if (!found_.byline.empty() && !is_listing_) return;
    const bool is_labelled = !last_line_.empty() && is_label(last_line_);
    auto names = is_labelled || (is_listing_ && is_item_) ? names_below_label(line) : std::string();
    // "Authors", and below it each on a line of their own.
    is_listing_ = !names.empty() && is_item_;
    if (!names.empty() && !found_.byline.empty()) {
      found_.byline.append("; ").append(names);
      return;
    }
    if (names.empty()) names = byline_in(line, order_);
    if (names.empty()) names = strictly_introduced(line);
    if (found_.byline.empty()) found_.byline = std::move(names);
  }

  /// Names that stand alone, below "Written by".
  [[nodiscard]] std::string names_below_label(std::string_view line) const {
    const auto piece = next_piece(line);
    const auto names = without_day(piece, order_);
    return is_full_name(names) && looks_like_names(names) ? std::string(names) : std::string();
  }

  void end_closing_line(const std::string& line) {
    tree_.spend(1);
    if (line.size() > longest_line) ++prose_;
    if (prose_ < most_prose) return;
    constexpr std::size_t longest_label = 40;
    if (is_strict_label(last_line_) || (is_signature_ && line.size() <= longest_label)) {
      found_.byline = names_below_label(line);
    }
    if (found_.byline.empty()) found_.byline = strictly_introduced(line);
    last_line_ = line.size() <= longest_label ? line : "";
  }

  /// Whether there are some.
  bool take_days(const std::string& line) {
    std::size_t from = 0;
    const auto dates = written_dates(line, order_);
    for (const auto& one : dates) {
      const auto before = std::string_view(line).substr(from, one.begin - from);
      const auto label = from == 0 ? base::fold(last_line_) : std::string();
      from = one.begin;
      if (says_joining(before) || says_joining(label)) continue;
      const bool is_change = says_change(before) || says_change(label);
      auto& into = is_change ? found_.edit : found_.day;
      if (!into) into = one.day;
    }
    return !dates.empty();
  }

  const page_tree& tree_;
  const day_order order_;
  const std::string_view host_;
  visible_claims found_;
  std::string line_, last_line_;
  bool is_item_ = false;             ///< the line is one of a list
  bool is_listing_ = false;          ///< so were the names before it
  bool is_signature_ = false;        ///< the line stands at the right
  bool is_closing_ = false;          ///< what stands below the article is looked at
  std::vector<node_id> block_ends_;  ///< of the blocks that are open
  int prose_ = 0;
};

}  // namespace

visible_claims visible_claims_of(const page_tree& tree, node_id heading, day_order order,
                                 std::string_view host) {
  if (host.starts_with("www.")) host.remove_prefix(4);
  return claim_reader(tree, order, host).run(heading);
}

std::optional<time_point> day_of_post(const page_tree& tree, node_id post, day_order order) {
  return claim_reader(tree, order, "").day_before(post);
}

std::string closing_byline(const page_tree& tree, node_id heading) {
  return claim_reader(tree, day_order::day_first, "").closing(heading);
}

std::string names_in_box(const page_tree& tree, node_id id) {
  constexpr node_id most_nodes = 40;
  const auto end = std::min<node_id>(tree.end_of(id), id + most_nodes);
  tree.spend(end - id);
  std::string line;
  for (node_id at = id; at < end;) {
    if (has_no_text(tree.tag_of(at))) {
      at = tree.end_of(at);
      continue;
    }
    if (tree.is_text(at)) line.append(" ").append(tree.text_at(at).substr(0, 2 * longest_line));
    const bool parts = is_block(tree.tag_of(at)) || tree.is_element(at, html::tag_id::br);
    if (parts && !is_label(line)) break;
    // A role may stand behind the name, without anything between them.
    if (tree.is_element(at, html::tag_id::a) && is_label(line)) {
      if (auto name = name_in_line(tree.raw_text_of(at)); !name.empty()) return name;
    }
    if (line.size() > 2 * longest_line) return {};
    ++at;
  }
  return name_in_line(line);
}

}  // namespace freshet::markdown
