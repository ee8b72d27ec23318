// The text around the heading is read as lines. Short ones may say who and when; long ones are the
// article, and behind a few of them nothing is a byline any more.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byline.hpp>
#include <base/unicode.hpp>
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

/// Folded: what stands beside the day of a change.
constexpr auto words_for_changes = std::to_array<std::string_view>(
    {"updated",      "modified",  "last edit",  "edited",   "reviewed",  "revised",
     "aktualisiert", "geändert",  "stand:",     "actualiz", "modific",   "mis à jour",
     "mise à jour",  "maj",       "modifié",    "aggiorna", "atualiza",  "bijgewerkt",
     "gewijzigd",    "oppdatert", "uppdaterad", "ändrad",   "opdateret", "päivitetty",
     "muokattu",     "zaktualiz", "aktualiz",   "upraveno", "frissít",   "actualizat",
     "güncelle",     "обновл",    "изменен",    "оновлено", "ενημ",      "diperbarui",
     "cập nhật",     "更新",      "업데이트",   "수정",     "تحديث",     "עודכן",
     "अपडेट",         "अद्यतन"});

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
    {"de", "del", "da", "di",  "do",  "dos", "van", "von", "der", "den",
     "la", "le",  "el", "al",  "bin", "ibn", "of",  "and", "und", "et",
     "y",  "e",   "og", "och", "en",  "the", "zu",  "ten"});

bool says_change(std::string_view folded) {
  return std::ranges::any_of(words_for_changes, [&](std::string_view word) {
    return folded.find(word) != std::string_view::npos;
  });
}

bool has_no_text(html::tag_id tag) {
  using enum html::tag_id;
  return tag == script || tag == style || tag == noscript || tag == template_ || tag == select ||
         tag == nav || tag == svg;
}

/// A name begins with a capital, or in a script without them; a sentence goes on too long.
bool looks_like_names(std::string_view text) {
  constexpr std::size_t longest = 100;
  constexpr std::ptrdiff_t most_spaces = 5;
  if (text.empty() || text.size() > longest) return false;
  const auto names = base::byline_names(text);
  return !names.empty() && std::ranges::all_of(names, [](const std::string& name) {
    return !base::is_letter(name[0]) || name[0] < 'a' ? std::ranges::count(name, ' ') <= most_spaces
                                                      : false;
  });
}

/// "Ada Byron on Tuesday" is Ada Byron.
std::string_view without_weekday(std::string_view text) {
  const auto last = text.rfind(' ');
  if (last == std::string_view::npos || last == 0) return text;
  const auto before = text.rfind(' ', last - 1);
  if (before == std::string_view::npos) return text;
  const auto word = text.substr(before + 1, last - before - 1);
  const bool is_small = !word.empty() && word[0] >= 'a' && word[0] <= 'z';
  if (!is_small || std::ranges::find(particles, word) != particles.end()) return text;
  return text.substr(0, before);
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
  return without_weekday(text);
}

/// The first piece of a line; `line` keeps the others.
std::string_view next_piece(std::string_view& line) {
  constexpr auto dividers = std::to_array<std::string_view>(
      {" | ", " • ", " · ", " - ", " – ", " — ", " » ", " ⋅ ", " / "});
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

/// The name at the beginning of a line of a box that is named for an author; one word may be that
/// of a user, with digits and without a capital.
std::string name_in_line(std::string_view line) {
  const auto clean = base::collapse_spaces(line);
  if (is_label(clean)) return {};
  std::string_view rest = clean;
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

 private:
  void read(node_id begin, node_id end) {
    tree_.spend(end > begin ? end - begin : 0);
    for (node_id id = begin; id < end && prose_ < most_prose;) {
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
      if (is_block(tag)) block_ends_.push_back(tree_.end_of(id));
      if (has_no_text(tag)) {
        id = tree_.end_of(id);
        continue;
      }
      look_at(id);
      ++id;
    }
    end_line();
  }

  void close_blocks(node_id id) {
    while (!block_ends_.empty() && id >= block_ends_.back()) {
      block_ends_.pop_back();
      end_line();
    }
  }

  /// Links to people, and elements that are named for them.
  void look_at(node_id id) {
    if (!found_.linked.empty() || !tree_.is_element(id, html::tag_id::a)) return;
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
    constexpr std::size_t longest = 60;
    if (name.empty() || name.size() > longest) return;
    found_.linked = std::move(name);
  }

  void end_line() {
    const auto line = base::collapse_spaces(line_);
    line_.clear();
    if (line.empty()) return;
    if (line.size() > longest_line) {
      ++prose_;
      return;
    }
    tree_.spend(line.size());
    if (found_.byline.empty()) found_.byline = byline_in(line, order_);
    const bool may_hold_day = line.find_first_of("0123456789") != std::string::npos;
    constexpr std::size_t longest_label = 30;
    if (may_hold_day && take_days(base::fold(line))) {
      last_line_.clear();
    } else {
      last_line_ = line.size() <= longest_label ? line : "";
    }
  }

  /// Whether there are some.
  bool take_days(const std::string& line) {
    std::size_t from = 0;
    const auto dates = written_dates(line, order_);
    for (const auto& one : dates) {
      const auto before = std::string_view(line).substr(from, one.begin - from);
      const bool is_change =
          says_change(before) || (from == 0 && says_change(base::fold(last_line_)));
      auto& into = is_change ? found_.edit : found_.day;
      if (!into) into = one.day;
      from = one.begin;
    }
    return !dates.empty();
  }

  const page_tree& tree_;
  const day_order order_;
  const std::string_view host_;
  visible_claims found_;
  std::string line_, last_line_;
  std::vector<node_id> block_ends_;  ///< of the blocks that are open
  int prose_ = 0;
};

}  // namespace

visible_claims visible_claims_of(const page_tree& tree, node_id heading, day_order order,
                                 std::string_view host) {
  if (host.starts_with("www.")) host.remove_prefix(4);
  return claim_reader(tree, order, host).run(heading);
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
