// Cleaning the chosen content. Every element is judged once, from the inside out, by what is left
// in it.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/choice/cleaning.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/tree/image.hpp>
#include <markdown/tree/signals.hpp>
#include <string>
#include <utility>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using enum html::tag_id;

/// What is never read as part of a text, and what always asks for something.
bool is_never_content(html::tag_id tag) noexcept {
  return tag == object || tag == embed || tag == footer || tag == aside || tag == nav ||
         tag == select || tag == input;
}

class cleaner {
 public:
  cleaner(page_tree& tree, cleaning how) : tree_(tree), how_(how) {}
  void run(node_id root);

 private:
  [[nodiscard]] bool drops(node_id id, const measure& text);
  [[nodiscard]] bool is_conditional(node_id id) const;
  [[nodiscard]] bool looks_like_navigation(node_id id, const measure& text);
  [[nodiscard]] bool is_named_aside(node_id id, const measure& text) const;
  [[nodiscard]] bool is_protected(node_id id) const;
  [[nodiscard]] bool in_figure(node_id id) const;
  void find_data_tables(node_id root);

  page_tree& tree_;
  cleaning how_;
  std::vector<node_id> data_tables_;  ///< ascending
};

void cleaner::find_data_tables(node_id root) {
  data_tables_.clear();
  tree_.spend_on(root);
  for (auto id = root; id < tree_.end_of(root); ++id) {
    if (!tree_.is_dropped(id) && tree_.is_element(id, table) && is_data_table(tree_, id)) {
      data_tables_.push_back(id);
    }
  }
}

/// Inside a table of data or code, or around such a table.
bool cleaner::is_protected(node_id id) const {
  auto at = std::ranges::upper_bound(data_tables_, id);
  if (at != data_tables_.begin() && tree_.contains(*(at - 1), id)) return true;
  at = std::ranges::lower_bound(data_tables_, id);
  if (at != data_tables_.end() && tree_.contains(id, *at)) return true;
  return tree_.is_inside(id, inside::code | inside::pre);
}

bool cleaner::in_figure(node_id id) const { return tree_.is_inside(id, inside::figure); }

/// Names that say what it is. An id may be made from a heading's words, so it counts only where
/// there is no heading; a name alone is not enough where there is much prose.
bool cleaner::is_named_aside(node_id id, const measure& text) const {
  constexpr auto asides = mark::related | mark::request | mark::sharing | mark::comment |
                          mark::advert | mark::about | mark::passage | mark::caption;
  const auto tag = tree_.tag_of(id);
  if (is_heading(tag) || tag == main || tag == article) return false;
  const auto& names = tree_.marks_by_attribute(id);
  auto found = (names.of_class | (text.headings == 0 ? names.of_id : 0)) & asides & how_.asides;
  // A picture's box names the bar and the caption that stand on it; the picture is neither.
  if (tag == figure && text.images > 0) found &= ~(mark::sharing | mark::caption);
  if (found == 0) return false;
  if ((found & mark::comment) != 0) return true;
  return text.prose < signals::enough_prose || text.link_density() > signals::prose_link_density;
}

bool cleaner::is_conditional(node_id id) const {
  const auto tag = tree_.tag_of(id);
  return tag == div || tag == ul || tag == table || tag == form || tag == fieldset ||
         tag == section || tag == header || tag == details || tag == ol;
}

/// What is left of it when its prose is not looked at: links elsewhere, fields, bare pictures.
bool cleaner::looks_like_navigation(node_id id, const measure& text) {
  const auto tag = tree_.tag_of(id);
  if (is_protected(id)) return false;
  const bool list = tag == ul || tag == ol || text.list_text * 2 > text.text;
  const auto plain = text.text - text.link_text;
  const double links = text.link_density();
  // An id over a heading is often made of the heading's words.
  const bool titled = tag == section && text.headings > 0;
  const double weight = how_.weigh_names && !titled ? name_weight(tree_, id) : 0;
  if (text.text == 0 && text.images == 0 && text.embeds == 0 && text.tables == 0) return true;
  if (text.prose >= signals::enough_prose) return false;
  if (text.code > 0 && links < signals::prose_link_density) return false;
  if (weight < 0) return text.prose == 0 || links > signals::prose_link_density;
  if (text.inputs > 0 && text.prose == 0 && text.inputs > text.paragraphs) return true;
  if (!list && !in_figure(id) && links > signals::menu_link_density && plain < 60) return true;
  return false;
}

bool cleaner::drops(node_id id, const measure& text) {
  const auto& page = tree_.page();
  const auto tag = tree_.tag_of(id);
  if (is_never_content(tag)) return !is_task_box(page, id);
  // The switch of an accordion names what it opens.
  if (tag == button) return !tree_.is_inside(id, inside::heading) && text.headings == 0;
  if (tag == iframe || tag == video) {
    return tag == iframe && video_page(page.attribute_of(id, "src")).empty() &&
           video_page(page.attribute_of(id, "data-src")).empty();
  }
  if (how_.conditionally && is_named_aside(id, text)) return true;
  if (tag == p && text.text == 0 && text.images == 0 && text.embeds == 0) return true;
  if (!how_.conditionally || !is_conditional(id)) return false;
  return looks_like_navigation(id, text);
}

void cleaner::run(node_id root) {
  find_data_tables(root);
  tree_.count_dropping(root, [this](node_id id, const measure& text) { return drops(id, text); });
}

/// Words in one text that the other has not, as a share of the first.
double share_of_unknown_words(const page_tree& tree, const std::string& text,
                              const std::string& known) {
  tree.spend(text.size() + known.size());
  const auto words = base::words(base::fold(text));
  const auto others = base::words(base::fold(known));
  tree.spend(words.size() * others.size() / 4);
  std::size_t length = 0, unknown = 0;
  for (const auto& word : words) {
    length += word.size() + 1;
    if (std::ranges::find(others, word) == others.end()) unknown += word.size() + 1;
  }
  return length == 0 ? 1.0 : static_cast<double>(unknown) / static_cast<double>(length);
}

}  // namespace

double name_weight(const page_tree& tree, node_id id) {
  const auto& marks = tree.marks_by_attribute(id);
  double weight = 0;
  for (const auto names : {marks.of_class, marks.of_id}) {
    if ((names & mark::negative) != 0) weight += signals::negative_weight;
    if ((names & mark::positive) != 0) weight += signals::positive_weight;
  }
  return weight;
}

namespace {

/// A link of a walk through pages, by its relation or by the key that DocBook gives it.
bool is_step(const page_tree& tree, node_id id) {
  if (!tree.is_element(id, a)) return false;
  constexpr auto relations = std::to_array<std::string_view>({"prev", "next", "up", "start"});
  const auto relation = base::to_lower_ascii(tree.attribute_of(id, "rel"));
  if (std::ranges::find(relations, relation) != relations.end()) return true;
  const auto key = base::to_lower_ascii(tree.attribute_of(id, "accesskey"));
  return key.size() == 1 && std::string_view("pnuh").find(key) != std::string_view::npos;
}

bool holds_text(const page_tree& tree, node_id id) {
  constexpr std::uint32_t longest_label = 60;
  for (auto at = id; at < tree.end_of(id); ++at) {
    tree.spend(1);
    // A heading that was not chosen divides a page, too.
    const auto tag = tree.tag_of(at);
    if (tag == p && tree.text_in(at) > longest_label) return true;
    if (tag == pre || tag == dl || tag == section || tag == article || is_heading(tag)) return true;
  }
  return false;
}

/// The largest element around a step that holds little but such links.
node_id row_around(const page_tree& tree, node_id step, node_id root) {
  constexpr std::uint32_t longest = 300;
  auto row = step;
  for (auto at = tree.parent_of(step); at != none && at != root; at = tree.parent_of(at)) {
    if (tree.text_in(at) > longest || holds_text(tree, at)) break;
    row = at;
  }
  return row;
}

}  // namespace

void drop_galleries(page_tree& tree) {
  const auto whole = tree.of(tree.body()).prose;
  bool any = false;
  tree.spend_on(tree.body());
  for (node_id id = tree.body() + 1; id < tree.end_of(tree.body()); ++id) {
    if (tree.is_dropped(id) || !tree.is_element(id)) continue;
    if ((tree.marks_by_attribute(id).of_class & mark::gallery) == 0) continue;
    const auto& text = tree.of(id);
    if (text.items < signals::least_slides || text.headings < signals::least_slides) continue;
    if (whole < text.prose + signals::least_prose_beside_gallery) continue;
    tree.drop(id);
    any = true;
  }
  if (any) tree.count();
}

void drop_signatures(page_tree& tree) {
  bool any = false;
  tree.spend_on(tree.body());
  for (node_id id = tree.body() + 1; id < tree.end_of(tree.body()); ++id) {
    if (tree.is_dropped(id) || !tree.is_element(id)) continue;
    if ((tree.marks_by_attribute(id).of_class & mark::signature) == 0) continue;
    tree.drop(id);
    any = true;
  }
  if (any) tree.count();
}

void clean_content(page_tree& tree, const std::vector<node_id>& roots, cleaning how) {
  for (const auto root : roots) cleaner(tree, how).run(root);
}

void drop_steps(page_tree& tree, const std::vector<node_id>& roots) {
  constexpr int least_steps = 2;
  for (const auto root : roots) {
    tree.spend_on(root);
    node_id row = none;
    int steps = 0;
    for (auto id = root + 1; id < tree.end_of(root); ++id) {
      if (tree.is_dropped(id) || !is_step(tree, id)) continue;
      if (row == none || !tree.contains(row, id)) {
        row = row_around(tree, id, root);
        steps = 0;
      }
      if (++steps == least_steps) tree.drop(row);
    }
  }
}

void drop_repeated_title(page_tree& tree, const std::vector<node_id>& roots,
                         std::string_view title) {
  constexpr double mostly_known = 0.25;
  constexpr std::size_t longest_title = 1000;
  if (title.empty()) return;
  for (const auto root : roots) {
    tree.spend_on(root);
    for (auto id = root; id < tree.end_of(root); ++id) {
      if (tree.is_dropped(id)) continue;
      if (!tree.is_element(id, h1) && !tree.is_element(id, h2)) continue;
      const auto heading = tree.text_of(id);
      if (heading.empty() || heading.size() > longest_title) continue;
      if (share_of_unknown_words(tree, std::string(title), heading) < mostly_known) {
        tree.drop(id);
        return;
      }
    }
  }
}

bool is_data_table(const page_tree& tree, node_id table) {
  constexpr std::size_t many_rows = 10, many_columns = 4, many_cells = 10;
  if (tree.attribute_of(table, "role") == "presentation") return false;
  if (tree.attribute_of(table, "role") == "none") return false;
  if (tree.attribute_of(table, "datatable") == "0") return false;
  if (tree.has_attribute(table, "summary")) return true;
  std::size_t rows = 0, columns = 0, in_row = 0;
  bool headed = false;
  for (auto id = table + 1; id < tree.end_of(table); ++id) {
    tree.spend(1);
    if (!tree.is_element(id)) continue;
    const auto tag = tree.tag_of(id);
    if (tag == html::tag_id::table) return false;
    if (tag == tr) {
      ++rows;
      in_row = 0;
    } else if (tag == td || tag == th) {
      columns = std::max(columns, ++in_row);
    }
    headed |= tag == caption || tag == th || tag == thead || tag == tfoot;
  }
  if (headed) return true;
  if (columns == 1 || rows == 1) return false;
  return rows >= many_rows || columns > many_columns || rows * columns > many_cells;
}

}  // namespace freshet::markdown
