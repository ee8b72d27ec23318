// Finding footnotes by how pages make them: a short link to a place further down, a bare raised
// number with a paragraph that begins with the same one, a note in the margin behind its number.
#include <algorithm>
#include <array>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <markdown/writing/footnotes.hpp>
#include <optional>
#include <string>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using enum html::tag_id;

constexpr std::size_t longest_label = 6, longest_number = 3;
/// A note that is longer than this is a chapter.
constexpr std::uint32_t longest_note = 8000;

/// Headings that say nothing but that notes follow.
constexpr std::array<std::string_view, 7> note_headings = {
    "footnotes", "footnote", "notes", "endnotes", "references", "sidenotes", "footnotes:"};

/// Parts of fragments that name notes.
constexpr std::array<std::string_view, 6> note_fragments = {"fn",   "footnote", "ftn",
                                                            "_edn", "endnote",  "easy-footnote"};

/// The number of a text like "1", "[1]", "1." or "(1)".
std::optional<std::size_t> number_in(std::string_view text) {
  text = base::trim(text);
  while (!text.empty() && (text.front() == '[' || text.front() == '(')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ']' || text.back() == ')' || text.back() == '.')) {
    text.remove_suffix(1);
  }
  if (text.empty() || text.size() > longest_number) return std::nullopt;
  std::size_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + static_cast<std::size_t>(c - '0');
  }
  return number == 0 ? std::nullopt : std::optional(number);
}

std::string_view fragment_of(const html::document& page, node_id link) {
  const auto target = page.attribute_of(link, "href");
  return target.size() > 1 && target[0] == '#' ? target.substr(1) : std::string_view();
}

/// The text of something short; "" if it is long.
std::string short_text(const page_tree& tree, node_id id) {
  if (tree.text_in(id) > 2 * longest_label) return {};
  return tree.text_of(id);
}

bool names_note(const html::document& page, node_id link, std::string_view fragment) {
  const auto role = page.attribute_of(link, "role");
  if (role == "doc-noteref") return true;
  for (const auto part : note_fragments) {
    if (fragment.size() < part.size()) continue;
    if (base::equals_ignoring_ascii_case(fragment.substr(0, part.size()), part)) return true;
  }
  const auto names = names_of(page, link);
  return names.find("footnote") != std::string::npos || names.find("noteref") != std::string::npos;
}

bool holds(const page_tree& tree, node_id id, html::tag_id tag) {
  tree.spend_on(id);
  for (auto at = id + 1; at < tree.end_of(id); ++at) {
    if (tree.is_element(at, tag)) return true;
  }
  return false;
}

/// Where a reference list is numbered by the page itself (MediaWiki), its items keep their place.
bool is_reference_list(const page_tree& tree, node_id item) {
  const auto list = tree.parent_of(item);
  return tree.is_element(list, ol) &&
         names_of(tree.page(), list).find(" references ") != std::string::npos;
}

/// Whether one of `sorted` is inside `id`.
bool holds_any(const page_tree& tree, const std::vector<node_id>& sorted, node_id id) {
  const auto at = std::ranges::lower_bound(sorted, id);
  return at != sorted.end() && *at < tree.end_of(id);
}

class footnote_finder {
 public:
  footnote_finder(const page_tree& tree, const std::vector<node_id>& roots)
      : tree_(tree), page_(tree.page()), roots_(roots) {}
  footnotes run();

 private:
  struct link {
    node_id id;
    std::string fragment;
    node_id target = none;
  };
  using targets = std::unordered_map<std::string, node_id, base::text_hash>;
  void collect();
  void resolve_word_link(node_id id, targets& wanted) const;
  void collect_link(node_id id);
  void resolve();
  void find_linked();
  void find_loose();
  void find_margin_notes();
  [[nodiscard]] footnotes::note note_at(node_id target, node_id node) const;
  [[nodiscard]] bool holds_other_target(node_id block, node_id target) const;
  [[nodiscard]] std::optional<std::size_t> loose_number(node_id block) const;
  [[nodiscard]] bool begins_block(node_id id) const;
  void add_reference(node_id id, std::size_t note) { found_.references.emplace(id, note); }
  void extend_notes();
  void skip_markers(footnotes::note& note);
  void skip_above(node_id first);
  [[nodiscard]] bool is_among(node_id id) const;

  const page_tree& tree_;
  const html::document& page_;
  const std::vector<node_id>& roots_;
  std::vector<link> links_;
  std::vector<node_id> raised_;   ///< <sup> with a number and no link
  std::vector<node_id> margins_;  ///< notes beside the text
  std::vector<node_id> targets_;  ///< of links_, ascending
  bool loose_under_rule_ = false;
  footnotes found_;
};

bool footnote_finder::is_among(node_id id) const {
  const auto after = std::ranges::upper_bound(roots_, id);
  return after != roots_.begin() && tree_.contains(*(after - 1), id) && !tree_.is_dropped(id);
}

void footnote_finder::collect_link(node_id id) {
  const auto fragment = fragment_of(page_, id);
  if (fragment.empty() || is_back_link(tree_, id)) return;
  const auto text = short_text(tree_, id);
  if (text.empty() || text.size() > longest_label) return;
  const bool bracketed = text.front() == '[' && number_in(text).has_value();
  const bool raised = tree_.has_ancestor(id, sup) || holds(tree_, id, sup);
  if (!bracketed && !(raised && number_in(text)) && !names_note(page_, id, fragment)) return;
  links_.push_back({id, base::percent_decode(fragment), none});
}

void footnote_finder::collect() {
  for (const auto root : roots_) {
    tree_.spend_on(root);
    for (auto id = root; id < tree_.end_of(root); ++id) {
      const auto tag = tree_.tag_of(id);
      if (tag != a && tag != sup && tag != span) continue;
      if (tree_.is_dropped(id)) continue;
      if (tag == a) {
        collect_link(id);
      } else if (tag == sup) {
        if (tree_.text_in(id) > longest_number || tree_.of(id).links > 0) continue;
        if (number_in(short_text(tree_, id)) && !tree_.has_ancestor(id, a)) {
          raised_.push_back(id);
        }
      } else if (page_.attribute_of(id, "class").find("sidenote") != std::string_view::npos &&
                 names_of(page_, id).find(" sidenote ") != std::string::npos) {
        margins_.push_back(id);
      }
    }
  }
}

/// Word writes no ids: "#_ftn1" means the note with a link to "#_ftnref1".
void footnote_finder::resolve_word_link(node_id id, targets& wanted) const {
  constexpr std::string_view back = "#_ftnref";
  const auto target = page_.attribute_of(id, "href");
  const auto at = target.find(back);
  if (at == std::string_view::npos) return;
  const auto known = wanted.find("_ftn" + std::string(target.substr(at + back.size())));
  if (known != wanted.end() && known->second == none) known->second = id;
}

/// Finds the elements that the links name: one pass, only where there are such links.
void footnote_finder::resolve() {
  targets wanted;
  tree_.spend(page_.size());
  for (const auto& one : links_) wanted.emplace(one.fragment, none);
  for (node_id id = 1; id < page_.size(); ++id) {
    const auto& one = page_.at(id);
    if (one.attribute_count == 0) continue;
    const auto* attributes = page_.attributes_begin(id);
    if (one.tag == a) resolve_word_link(id, wanted);
    for (std::uint32_t i = 0; i < one.attribute_count; ++i) {
      const auto& name = attributes[i].name;
      if (name != "id" && !(name == "name" && one.tag == a)) continue;
      tree_.spend(1 + attributes[i].value.size() / 16);
      const auto known = wanted.find(std::string(attributes[i].value));
      if (known != wanted.end() && known->second == none && one.tag != input) {
        known->second = id;
      }
    }
  }
  for (auto& one : links_) {
    one.target = wanted[one.fragment];
    if (one.target != none) targets_.push_back(one.target);
  }
  std::ranges::sort(targets_);
  targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
}

bool footnote_finder::holds_other_target(node_id block, node_id target) const {
  for (auto at = std::ranges::lower_bound(targets_, block);
       at != targets_.end() && *at < tree_.end_of(block); ++at) {
    tree_.spend(1);
    if (*at != target) return true;
  }
  return false;
}

/// The elements of the note at `target`; none if it is no note.
footnotes::note footnote_finder::note_at(node_id target, node_id node) const {
  node_id block = target;
  while (block != none && tree_.is_element(block) && !is_block(tree_.tag_of(block))) {
    block = tree_.parent_of(block);
  }
  if (block == none || !tree_.is_element(block) || tree_.contains(block, node)) return {};
  const auto tag = tree_.tag_of(block);
  if (is_heading(tag) || tag == body || tag == hr) return {};
  if (tree_.of(block).headings > 0 || tree_.text_in(block) > longest_note) return {};
  if (tag == li && is_reference_list(tree_, block)) return {};
  if (tag == td) block = tree_.parent_of(block);
  if (tag == dt) {
    auto next = tree_.at(block).next;
    while (next != none && !tree_.is_element(next)) next = tree_.at(next).next;
    return page_.is_element(next, dd) ? footnotes::note{next} : footnotes::note{};
  }
  if (!holds_other_target(block, target)) return {block};
  if (block == target) return {};
  // Several notes in one paragraph: this one ends where the next begins.
  node_id part = target;
  while (tree_.parent_of(part) != block) part = tree_.parent_of(part);
  footnotes::note parts;
  for (; part != none; part = tree_.at(part).next) {
    tree_.spend(1);
    if (!parts.empty() && holds_any(tree_, targets_, part)) break;
    parts.push_back(part);
  }
  return parts;
}

void footnote_finder::find_linked() {
  std::unordered_map<node_id, std::size_t> by_note;
  for (const auto& one : links_) {
    if (one.target == none || one.target < one.id || !is_among(one.target)) continue;
    const auto known = by_note.find(one.target);
    if (known != by_note.end()) {
      if (known->second != 0) add_reference(one.id, known->second);
      continue;
    }
    auto note = note_at(one.target, one.id);
    const bool is_note = !note.empty() && is_among(note.front());
    std::size_t number = 0;
    if (is_note) {
      found_.notes.push_back(std::move(note));
      number = found_.notes.size();
      add_reference(one.id, number);
    }
    by_note.emplace(one.target, number);
  }
}

/// Nothing but white space stands before it in its block.
bool footnote_finder::begins_block(node_id id) const {
  for (auto at = id; at != none && !is_block(tree_.tag_of(at)); at = tree_.parent_of(at)) {
    for (auto before = tree_.at(at).previous; before != none; before = tree_.at(before).previous) {
      tree_.spend(1);
      const auto& one = tree_.at(before);
      if (one.type == html::node_type::element && is_block(one.tag)) return true;
      if (tree_.text_in(before) > 0 && !tree_.is_dropped(before)) return false;
    }
  }
  return true;
}

/// The number that a paragraph begins with, raised or bold.
std::optional<std::size_t> footnote_finder::loose_number(node_id block) const {
  auto at = tree_.at(block).first_child;
  while (at != none && tree_.text_in(at) == 0) at = tree_.at(at).next;
  if (at == none || !tree_.is_element(at)) return std::nullopt;
  const auto tag = tree_.tag_of(at);
  if (tag != sup && tag != strong && tag != b) {
    return std::nullopt;
  }
  if (const auto number = number_in(short_text(tree_, at))) return number;
  const auto inner = tree_.at(at).first_child;
  if (!page_.is_element(inner, sup)) return std::nullopt;
  return number_in(short_text(tree_, inner));
}

/// Notes without links: raised numbers, and the paragraphs that begin with them.
void footnote_finder::find_loose() {
  std::unordered_map<std::size_t, node_id> by_number;
  std::vector<node_id> marks;
  for (const auto one : raised_) {
    if (begins_block(one) || tree_.has_ancestor(one, pre)) continue;
    marks.push_back(one);
    by_number.emplace(*number_in(short_text(tree_, one)), none);
  }
  if (marks.empty() || by_number.find(1) == by_number.end()) return;
  std::size_t next = 1;
  std::vector<node_id> notes;
  for (const auto root : roots_) {
    tree_.spend_on(root);
    for (auto id = root; id < tree_.end_of(root); ++id) {
      if (!page_.is_element(id, p) || tree_.is_dropped(id)) continue;
      if (loose_number(id) != next || id < marks.front()) continue;
      if (by_number.find(next) == by_number.end()) return;
      by_number[next++] = id;
      notes.push_back(id);
    }
  }
  if (notes.empty()) return;
  for (const auto note : notes) found_.notes.push_back({note});
  auto above = tree_.at(notes.front()).previous;
  while (above != none && !tree_.is_element(above)) above = tree_.at(above).previous;
  loose_under_rule_ = page_.is_element(above, hr);
  for (const auto one : marks) {
    const auto number = *number_in(short_text(tree_, one));
    if (number < next) add_reference(one, number);
  }
}

/// Notes in the margin stand behind their number; where the note is at the end too, once is enough.
void footnote_finder::find_margin_notes() {
  constexpr int nearby = 4;
  for (const auto one : margins_) {
    node_id mark = none;
    bool known = false;
    auto at = tree_.at(one).previous;
    for (int i = 0; i < nearby && at != none; ++i, at = tree_.at(at).previous) {
      if (!tree_.is_element(at)) {
        if (tree_.text_in(at) > 0) break;
        continue;
      }
      constexpr std::uint64_t steps_to_find = 4;
      tree_.spend(steps_to_find * (tree_.end_of(at) - at));
      for (auto in = at; in < tree_.end_of(at); ++in) known |= found_.references.count(in) != 0;
      if (known) break;
      if (number_in(short_text(tree_, at))) {
        mark = at;
        break;
      }
    }
    if (known) {
      found_.skipped.insert(one);
    } else if (mark != none) {
      found_.notes.push_back({one});
      add_reference(mark, found_.notes.size());
    }
  }
}

/// What stands between two notes belongs to the first, unless it begins something new.
void footnote_finder::extend_notes() {
  std::unordered_set<node_id> begins;
  std::vector<node_id> references;
  for (const auto& one : found_.references) references.push_back(one.first);
  std::ranges::sort(references);
  for (const auto& note : found_.notes) begins.insert(note.front());
  for (auto& note : found_.notes) {
    if (!page_.is_element(note.back(), p)) continue;
    footnotes::note more;
    for (auto at = tree_.at(note.back()).next; at != none; at = tree_.at(at).next) {
      tree_.spend(1);
      if (!tree_.is_element(at) || tree_.is_dropped(at)) continue;
      if (begins.count(at) != 0) {
        note.insert(note.end(), more.begin(), more.end());
        break;
      }
      const auto tag = tree_.tag_of(at);
      const bool goes_on = tag == p || tag == ul || tag == ol || tag == pre || tag == blockquote;
      constexpr std::size_t most = 8;
      if (!goes_on || more.size() >= most) break;
      // A paragraph with a reference in it is text again.
      if (holds_any(tree_, references, at)) break;
      more.push_back(at);
    }
    // Behind the last one only what is the end of everything, under a rule.
    const bool last = &note == &found_.notes.back();
    if (last && loose_under_rule_ &&
        std::ranges::none_of(more, [&](node_id one) { return begins.count(one) != 0; })) {
      auto after = more.empty() ? none : tree_.at(more.back()).next;
      while (after != none && !tree_.is_element(after)) after = tree_.at(after).next;
      if (after == none) note.insert(note.end(), more.begin(), more.end());
    }
  }
}

/// The number at the beginning of a note, and the links back at its end.
void footnote_finder::skip_markers(footnotes::note& note) {
  bool at_start = true;
  // A note may consist of inline elements, of which one is the way back.
  std::erase_if(note,
                [&](node_id part) { return tree_.tag_of(part) == a && is_back_link(tree_, part); });
  for (const auto part : note) {
    tree_.spend_on(part);
    for (auto id = part; id < tree_.end_of(part); ++id) {
      if (tree_.is_dropped(id)) continue;
      const auto& one = tree_.at(id);
      if (one.type == html::node_type::text) {
        at_start &= base::trim(one.text).empty();
        continue;
      }
      if (one.type != html::node_type::element) continue;
      const auto text = short_text(tree_, id);
      const bool small = tree_.text_in(id) <= longest_label && !text.empty();
      const bool numbered = at_start && small && number_in(text) && id != part;
      const bool back =
          one.tag == a && (is_back_link(tree_, id) || (small && !fragment_of(page_, id).empty()) ||
                           (numbered && page_.has_attribute(id, "href")));
      if (!numbered && !back) continue;
      found_.skipped.insert(id);
      id = tree_.end_of(id) - 1;
    }
  }
}

/// A rule and a heading that only announce the notes.
void footnote_finder::skip_above(node_id first) {
  auto at = first;
  for (int steps = 0; steps < 6 && at != none; ++steps) {
    auto before = tree_.at(at).previous;
    while (before != none && (tree_.is_dropped(before) ||
                              (!tree_.is_element(before) && tree_.text_in(before) == 0))) {
      tree_.spend(1);
      before = tree_.at(before).previous;
    }
    if (before == none) {
      at = tree_.parent_of(at);
      if (at == none || !tree_.is_element(at) || std::ranges::find(roots_, at) != roots_.end()) {
        return;
      }
      continue;
    }
    const auto tag = tree_.tag_of(before);
    const bool announces = is_heading(tag) && [&] {
      const auto text =
          base::to_lower_ascii(tree_.text_in(before) < 20 ? tree_.text_of(before) : std::string());
      return std::ranges::find(note_headings, text) != note_headings.end();
    }();
    if (tag != hr && !announces) return;
    found_.skipped.insert(before);
    at = before;
  }
}

footnotes footnote_finder::run() {
  collect();
  if (links_.empty() && raised_.empty() && margins_.empty()) return {};
  if (!links_.empty()) resolve();
  find_linked();
  if (found_.notes.empty() && !raised_.empty()) find_loose();
  if (!margins_.empty()) find_margin_notes();
  extend_notes();
  for (auto& note : found_.notes) {
    for (const auto part : note) found_.skipped.insert(part);
    skip_markers(note);
  }
  if (!found_.notes.empty()) skip_above(found_.notes.front().front());
  return std::move(found_);
}

}  // namespace

bool is_back_link(const page_tree& tree, node_id link) {
  const auto& page = tree.page();
  const auto target = page.attribute_of(link, "href");
  const auto hash = target.find('#');
  if (hash == std::string_view::npos || tree.text_in(link) > 2 * longest_label) return false;
  if (page.attribute_of(link, "role") == "doc-backlink") return true;
  if (target.substr(hash).starts_with("#_ftnref") || target.substr(hash).starts_with("#ftnt_ref"))
    return true;
  if (hash != 0) return false;
  const auto names = names_of(page, link);
  if (names.find("backref") != std::string::npos || names.find("back-link") != std::string::npos) {
    return true;
  }
  const auto text = short_text(tree, link);
  return text.starts_with("\xE2\x86\xA9") || text.starts_with("\xE2\x86\x91") ||
         text.starts_with("\xE2\xA4\xB4");
}

footnotes find_footnotes(const page_tree& tree, const std::vector<node_id>& roots) {
  return footnote_finder(tree, roots).run();
}

}  // namespace freshet::markdown
