// The text around the heading is read as lines. Short ones may say who and when; long ones are the
// article, and behind a few of them nothing is a byline any more.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byline.hpp>
#include <base/unicode.hpp>
#include <markdown/about/day_labels.hpp>
#include <markdown/about/shown_names.hpp>
#include <markdown/about/visible_claims.hpp>
#include <utility>

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
                                     "sign-up", "sign_up", "logout", "lostpw", "password"});

bool has_no_text(html::tag_id tag) {
  using enum html::tag_id;
  return tag == script || tag == style || tag == noscript || tag == template_ || tag == select ||
         tag == nav || tag == svg || tag == label;
}

/// Whether an address goes on to somebody behind "/authors/" or "/profil": those alone are lists,
/// or the reader's own page.
bool goes_on(std::string_view part, std::string_view behind) {
  constexpr std::size_t longest_ending = 10;  // "/profile.php?", "/redakteure/"
  if (!base::is_letter(part.back())) {
    return !behind.empty() && std::string_view("/?#").find(behind[0]) == std::string_view::npos;
  }
  const auto at = behind.find_first_of("/?-");
  return at <= longest_ending && at + 1 < behind.size();
}

bool leads_to_person(std::string_view address) {
  for (auto at = address.find('/'); at != std::string_view::npos; at = address.find('/', at + 1)) {
    const auto rest = address.substr(at);
    if (rest.size() < 2) break;
    for (const auto part : person_paths) {
      if (part[1] == rest[1] && rest.starts_with(part) && goes_on(part, rest.substr(part.size()))) {
        return true;
      }
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
    is_around_heading_ = heading != none;
    const auto start = heading == none ? tree_.body() : tree_.end_of(heading);
    read(start, std::min<node_id>(start + nodes_behind, tree_.end_of(tree_.body())));
    if (heading != none) {
      const auto body = tree_.body() == none ? 0 : tree_.body();
      const auto from = heading > body + nodes_before ? heading - nodes_before : body;
      prose_ = 0;
      is_above_ = true;
      const auto below = found_.day;
      read(from, heading);
      if (!below || belongs_to_day_above(heading)) found_.day = day_above_;
      if (const auto own = day_in(heading)) found_.day = own;
      if (!found_.day) found_.day = dateline_;
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
        if (line_.empty()) line_begin_ = id;
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
        is_in_heading_ = is_heading(tag) || tag == html::tag_id::dt;
        if (is_closing_) is_signature_ = tag == html::tag_id::p && is_at_right(id);
      }
      const bool is_remark = is_around_heading_ && (tree_.marks_of(id) & mark::comment) != 0;
      if (has_no_text(tag) || is_remark) {
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

  /// "<h1><span>5 March 2026</span> Tides rise</h1>"
  [[nodiscard]] std::optional<time_point> day_in(node_id heading) const {
    for (auto id = heading + 1; id < tree_.end_of(heading); ++id) {
      if (!tree_.is_text(id) || tree_.parent_of(id) == heading) continue;
      const auto text = base::fold(base::trim(tree_.text_at(id)));
      tree_.spend(1 + text.size());
      if (text.size() > longest_line || text.find_first_of("0123456789") == std::string::npos)
        continue;
      const auto days = written_dates(text, order_);
      if (days.size() != 1 || days.front().begin > 0 || days.front().end < text.size()) continue;
      return days.front().day;
    }
    return std::nullopt;
  }

  /// "Karlsruhe (5.3.2026). ", "5.3.2026 – ": the day of a message before its first sentence.
  [[nodiscard]] std::optional<time_point> day_ahead_of(std::string_view prose) const {
    constexpr std::size_t longest_place = 40, longest = 80;
    const auto text = base::fold(base::prefix(prose, longest));
    const auto days = written_dates(text, order_);
    if (days.empty() || days.front().begin > longest_place) return std::nullopt;
    const auto before = std::string_view(text).substr(0, days.front().begin);
    const auto behind = std::string_view(text).substr(days.front().end);
    const bool in_brackets = before.ends_with('(') && behind.starts_with(')');
    const bool is_divided =
        before.empty() &&
        std::ranges::any_of(std::to_array({" - ", " – ", " — ", ": ", " | "}),
                            [&](std::string_view one) { return behind.starts_with(one); });
    return in_brackets || is_divided ? std::optional(days.front().day) : std::nullopt;
  }

  /// Above the title of a post stands its day, below its text that of the next one: the day in the
  /// smallest part with the heading is meant.
  [[nodiscard]] bool belongs_to_day_above(node_id heading) const {
    if (!day_above_) return false;
    for (auto at = heading; at != none; at = tree_.parent_of(at)) {
      tree_.spend(1);
      if (tree_.contains(at, place_below_)) return false;
      if (tree_.contains(at, place_above_)) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_done() const {
    if (is_above_) return false;
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
      if (++prose_ == 1 && !is_above_) dateline_ = day_ahead_of(line);
      last_line_.clear();
      return;
    }
    tree_.spend(line.size());
    take_names(line);
    const bool may_hold_day = line.find_first_of("0123456789") != std::string::npos;
    constexpr std::size_t longest_label = 30;
    if (!is_above_ && found_.beside_day.empty()) take_name_beside_day(line);
    if (may_hold_day && take_days(base::fold(line))) {
      last_line_.clear();
    } else {
      last_line_ = line.size() <= longest_label ? line : "";
    }
  }

  /// A box in a line ends it, but behind "5 March 2026 ·" more is to come.
  void take_name_beside_day(const std::string& line) {
    const auto whole = open_line_.empty() ? line : open_line_ + " " + line;
    open_line_.clear();
    if (whole.find_first_of("0123456789") == std::string::npos) return;
    found_.beside_day = name_beside_day(whole, order_);
    const bool is_open = std::ranges::any_of(std::to_array({" ·", " •", " |"}),
                                             [&](const char* one) { return line.ends_with(one); });
    if (is_open && found_.beside_day.empty()) open_line_ = line;
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
    // As they sign in: "Thread starter ada_b", which leads to them.
    if (names.empty() && !found_.linked.empty() && base::introduced_names(line) == found_.linked) {
      names = found_.linked;
    }
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
    if (is_strict_label(last_line_) || (is_below_heading_ && is_label(last_line_)) ||
        (is_signature_ && line.size() <= longest_label)) {
      found_.byline = names_below_label(line);
    }
    if (found_.byline.empty()) found_.byline = strictly_introduced(line);
    last_line_ = line.size() <= longest_label ? line : "";
    is_below_heading_ = !last_line_.empty() && is_in_heading_;
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
      if (is_above_ && !is_change) {
        day_above_ = one.day;  // of several the last: those before are of menus and teasers
        place_above_ = line_begin_;
      } else if (!into) {
        into = one.day;
        if (!is_change) place_below_ = line_begin_;
      }
    }
    return !dates.empty();
  }

  const page_tree& tree_;
  const day_order order_;
  const std::string_view host_;
  visible_claims found_;
  std::string line_, last_line_;
  std::string open_line_;           ///< the line before, if it ends with a divider
  bool is_item_ = false;            ///< the line is one of a list
  bool is_listing_ = false;         ///< so were the names before it
  bool is_in_heading_ = false;      ///< the line is a heading, or a term
  bool is_below_heading_ = false;   ///< the line before it is
  bool is_signature_ = false;       ///< the line stands at the right
  bool is_around_heading_ = false;  ///< of an article, which ends where readers speak
  bool is_above_ = false;           ///< what stands above the heading is looked at
  std::optional<time_point> day_above_, dateline_;
  node_id place_above_ = 0, place_below_ = 0;  ///< of the lines with the days
  node_id line_begin_ = 0;
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
