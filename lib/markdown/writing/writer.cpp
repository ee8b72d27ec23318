// The walk over the chosen parts: what each element opens and closes.
#include <algorithm>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <markdown/safety/unseen_text.hpp>
#include <markdown/tree/image.hpp>
#include <markdown/tree/patches.hpp>
#include <markdown/writing/callout.hpp>
#include <markdown/writing/code_block.hpp>
#include <markdown/writing/stated_tex.hpp>
#include <markdown/writing/walker.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using enum html::tag_id;

/// Containers deeper than this are written flat: every level costs a prefix on every line.
constexpr std::size_t max_containers = 24;
constexpr std::string_view hard_break = "  \n";

std::optional<std::int64_t> list_number(std::string_view text) {
  constexpr std::int64_t largest = 999'999'999;
  const auto number = base::take_number<std::int64_t>(text);
  return number && *number >= 0 && *number <= largest ? number : std::nullopt;
}

std::optional<span_kind> span_of(html::tag_id tag) noexcept {
  if (tag == em || tag == i) return span_kind::emphasis;
  if (tag == strong || tag == b) return span_kind::strong;
  if (tag == del || tag == s || tag == strike) return span_kind::strike;
  return std::nullopt;
}

bool is_code_name(html::tag_id tag) noexcept {
  return tag == code || tag == samp || tag == tt || tag == kbd;
}

/// An object that names nothing shows what it holds.
bool names_something(const html::document& page, node_id object) {
  return page.has_attribute(object, "data") || page.has_attribute(object, "type");
}

/// Whether an element has no blocks below it, and is no place for one.
bool is_single_line(const page_tree& tree, node_id id) {
  for (auto at = id + 1; at < tree.end_of(id); ++at) {
    tree.spend(1);
    if (tree.is_dropped(at)) continue;
    if (tree.is_element(at) && is_block(tree.tag_of(at))) return false;
  }
  return true;
}

/// Whether the first thing in an element is a line of text.
bool begins_with_text(const page_tree& tree, node_id id) {
  for (auto at = tree.at(id).first_child; at != none; at = tree.at(at).next) {
    tree.spend(1);
    if (tree.is_dropped(at)) continue;
    if (tree.is_text(at)) {
      if (!base::trim(tree.text_at(at)).empty()) return true;
    } else if (tree.is_element(at)) {
      const auto tag = tree.tag_of(at);
      if (is_code_name(tag)) return !is_block_of_code(tree, at);
      return tree.text_in(at) > 0 && (tag == p || (!is_block(tag) && is_single_line(tree, at)));
    }
  }
  return false;
}

}  // namespace

walker::walker(const page_tree& tree, const std::vector<node_id>& roots,
               const writer_options& options)
    : tree_(tree),
      page_(tree.page()),
      roots_(roots),
      options_(options),
      notes_(find_footnotes(tree, roots)),
      known_links_(0, same_link{&result_.links}, same_link{&result_.links}) {
  inline_.set_context({false, options.links == link_style::footnotes, !notes_.empty()});
  inline_.count_on(page_.counted_on());
  find_math();
}

void walker::add_block(std::string_view block) {
  if (!block.empty()) out_.add(block);
}

/// Ends the block of inline content that is being collected.
void walker::flush() {
  if (in_cell()) {
    if (!inline_.ends_with_break()) inline_.add_break();
    return;
  }
  if (inline_.empty()) {
    static_cast<void>(inline_.take({}, false));
    return;
  }
  const bool heading = heading_ > 0;
  std::string block = heading ? inline_.take(" ", false) : inline_.take(hard_break, true);
  const bool linked = !block_link_.empty() && (heading || block_link_at_ == none);
  if (linked) {
    block = "[" + block + link_end(block_link_);
    block_link_.clear();
  }
  if (heading) {
    block = std::string(static_cast<std::size_t>(heading_), '#') + " " + block;
    // A run of # at the end would be read as a closing one.
    if (block.ends_with("#")) block.insert(block.find_last_not_of('#') + 1, "\\");
  }
  add_block(block);
}

void walker::open_container(node_id id, std::string first, std::string others) {
  out_.open(std::move(first), std::move(others));
  containers_.push_back(id);
}

void walker::enter_list(node_id id, bool ordered) {
  flush();
  list fresh{id, ordered};
  if (ordered) {
    std::int64_t first = 1;
    if (page_.has_attribute(id, "reversed")) {
      fresh.step = -1;
      first = static_cast<std::int64_t>(tree_.of(id).items);
    }
    fresh.next = list_number(page_.attribute_of(id, "start")).value_or(first);
  }
  // Two lists in a row would be read as one if they were written with the same marker.
  if (last_list_.at == out_.text().size() && last_list_.at > 0 &&
      last_list_.depth == out_.depth() && last_list_.ordered == ordered) {
    fresh.other_marker = !last_list_.other_marker;
  }
  lists_.push_back(fresh);
}

void walker::enter_item(node_id id) {
  flush();
  if (in_cell()) {
    inline_.add_markdown("\xE2\x80\xA2 ");
    return;
  }
  // A note that the page has as an item is a paragraph of its note.
  if (out_.depth() >= max_containers || (writing_notes_ && id == part_)) return;
  std::string marker = "- ";
  if (!lists_.empty()) {
    auto& around = lists_.back();
    if (around.other_marker) marker = "* ";
    if (around.ordered) {
      around.next = list_number(page_.attribute_of(id, "value")).value_or(around.next);
      marker = std::to_string(around.next) + (around.other_marker ? ") " : ". ");
      around.next = std::max<std::int64_t>(0, around.next + around.step);
    }
    // Items stand close together; a list inside an item stands close to its text.
    if (!around.first || lists_.size() > 1) out_.set_tight();
    around.first = false;
  }
  const std::string indent(marker.size(), ' ');
  open_container(id, marker, indent);
}

/// "Term", and in the next line ": what it means", as Pandoc and others write it and everybody
/// reads it. What follows it in the definition is indented, once: twice would be code.
void walker::enter_definition(node_id id) {
  if (last_term_.at == 0 || last_term_.at != out_.text().size() || in_definition_) return;
  if (out_.depth() >= max_containers || !begins_with_text(tree_, id)) return;
  if (last_term_.is_line) out_.set_tight();
  open_container(id, ": ", "  ");
  in_definition_ = true;
}

void walker::leave_definition(node_id id, html::tag_id tag) {
  if (tag != dt && tag != dd) return;
  const bool opened = !containers_.empty() && containers_.back() == id;
  if (opened) in_definition_ = false;
  last_term_ = {tag == dt || opened ? out_.text().size() : 0, is_single_line(tree_, id)};
}

/// Boxes are quotes that say in their first line what they are.
bool walker::enter_callout(node_id id) {
  const auto box = callout_at(tree_, id);
  if (!box || out_.depth() >= max_containers) return false;
  open_container(id, "> ", "> ");
  inline_.add_markdown("[!" + box->type + "]" + std::string(box->fold));
  inline_.add_space();
  inline_.add_text(box->title);
  flush();
  out_.set_tight();
  if (box->title_at != none) titles_.insert(box->title_at);
  return true;
}

void walker::write_code(node_id id) {
  if (in_cell()) {
    auto text = base::collapse_spaces(code_text(tree_, id));
    if (!text.empty()) inline_.add_markdown(code_span(text, true));
    return;
  }
  flush();
  const auto text = code_text(tree_, id);
  if (!text.empty()) add_block(fenced(text, code_language(tree_, id)));
}

void walker::write_embed(node_id id) {
  const auto source = embedded_source(id);
  std::string target = video_page(source);
  if (target.empty() && tree_.tag_of(id) == video) {
    target = absolute(source, address_use::embedding);
  }
  if (target.empty() || options_.links == link_style::none) return;
  auto title = base::collapse_spaces(without_unseen(page_.attribute_of(id, "title")));
  if (title.empty()) title = "Video";
  flush();
  inline_.open(span_kind::link, link_end(target));
  inline_.add_text(title);
  inline_.close(span_kind::link);
  flush();
}

bool walker::enter_block(node_id id, html::tag_id tag) {
  if (tag == pre || tag == listing || tag == xmp) {
    write_code(id);
    return false;
  }
  if (tag == hr) {
    flush();
    if (!in_cell()) add_block("---");
    return false;
  }
  if (tag == iframe) {
    write_embed(id);
    return false;
  }
  if (tag == ul || tag == ol || tag == menu || tag == dir) {
    enter_list(id, tag == ol);
    return true;
  }
  if (tag == li) {
    enter_item(id);
    return true;
  }
  if ((tag == html::tag_id::table && is_code_table(tree_, id)) || is_patch(tree_, id)) {
    write_code(id);
    return false;
  }
  flush();
  if (enter_formula(id)) return false;
  if (in_cell()) return true;
  if (tag == dd) enter_definition(id);
  if (tag == p) enter_word_item(id);
  if (is_heading(tag)) {
    heading_ = heading_level(tag);
  } else if (enter_callout(id)) {
    return true;
  } else if (tag == blockquote && out_.depth() < max_containers) {
    open_container(id, "> ", "> ");
  }
  return true;
}

bool walker::enter_inline(node_id id, html::tag_id tag) {
  if (tag == br) {
    if (heading_ > 0 || in_cell()) {
      inline_.add_space();
    } else if (inline_.ends_with_break()) {
      flush();  // an empty line between them: two paragraphs
    } else {
      inline_.add_break();
    }
  } else if (tag == img) {
    write_image(id);
    return false;
  } else if (tag == a) {
    return enter_link(id);
  } else if (is_code_name(tag)) {
    // Code around blocks of code is only a wrapper.
    if (tree_.of(id).code > 1) return true;
    if (is_block_of_code(tree_, id)) {
      write_code(id);
    } else {
      write_inline_code(id);
    }
    return false;
  } else if (tag == math) {
    return write_math(id);
  } else if (tag == script) {
    const auto type = page_.attribute_of(id, "type");
    const auto tex = tree_.raw_text_of(id);
    const bool is_seen = raw_math_ ? !hides_words(tex) : !says_more(tex, {});
    if (is_seen) add_formula(tex, type.find("mode=display") != std::string_view::npos);
    return false;
  } else if (tag == input) {
    inline_.add_markdown(page_.has_attribute(id, "checked") ? "[x]" : "[ ]");
    inline_.add_space();
    return false;
  } else if (tag == video || tag == embed || (tag == object && names_something(page_, id))) {
    write_embed(id);
    return false;
  } else if (tag == q) {
    inline_.add_text("\xE2\x80\x9C");
  } else if (tag == rt && page_.at(id).previous != none &&
             !page_.is_element(page_.at(id).previous, rp)) {
    inline_.add_text("(");
  } else if (tag == sup || tag == sub) {
    return enter_script(id, tag);
  } else if (const auto span = span_of(tag)) {
    inline_.open(*span);
  } else {
    return !write_component(id) && !enter_formula(id);
  }
  return true;
}

bool walker::enter(node_id id) {
  const auto& one = page_.at(id);
  if (tree_.is_dropped(id)) return false;
  if (!notes_.empty()) {
    const auto reference = notes_.references.find(id);
    if (reference != notes_.references.end()) {
      inline_.add_markdown("[^" + std::to_string(reference->second) + "]");
      return false;
    }
    if (id != part_ && notes_.skipped.count(id) != 0) {
      if (is_block(one.tag)) flush();
      return false;
    }
  }
  if (one.type == html::node_type::text) {
    add_text(id);
    return false;
  }
  if (one.type != html::node_type::element) return false;
  if (!titles_.empty() && titles_.erase(id) != 0) return false;
  if (enter_table_part(id, one.tag)) return true;
  if (is_block(one.tag)) return enter_block(id, one.tag);
  return enter_inline(id, one.tag);
}

void walker::leave_block(node_id id, html::tag_id tag) {
  if (tag == td || tag == th) end_cell(id);
  flush();
  if (is_heading(tag)) heading_ = 0;
  leave_definition(id, tag);
  if (!lists_.empty() && lists_.back().id == id) {
    const auto& done = lists_.back();
    if (!done.first) {
      last_list_ = {out_.text().size(), out_.depth(), done.ordered, done.other_marker};
    }
    lists_.pop_back();
  }
  if (!containers_.empty() && containers_.back() == id) {
    containers_.pop_back();
    out_.close();
    if (word_list_.item == id) word_list_.at = out_.text().size();
  }
  if (table_.id == id) end_table();
}

void walker::leave(node_id id) {
  const auto& one = page_.at(id);
  if (one.type != html::node_type::element) return;
  if (is_block(one.tag)) return leave_block(id, one.tag);
  if (one.tag == a) return leave_link(id);
  if (one.tag == q) inline_.add_text("\xE2\x80\x9D");
  if (one.tag == sup || one.tag == sub) leave_script(id, one.tag);
  if (one.tag == rt && one.previous != none && !page_.is_element(one.previous, rp)) {
    inline_.add_text(")");
  }
  if (const auto span = span_of(one.tag)) inline_.close(*span);
}

void walker::walk(node_id root) {
  constexpr std::uint64_t steps_of_node = 4;
  tree_.spend(steps_of_node * (tree_.end_of(root) - root));
  part_ = root;
  node_id at = root;
  while (true) {
    const bool below = enter(at);
    if (below && page_.at(at).first_child != none) {
      at = page_.at(at).first_child;
      continue;
    }
    if (below) leave(at);
    while (at != root && page_.at(at).next == none) {
      at = page_.at(at).parent;
      leave(at);
    }
    if (at == root) break;
    at = page_.at(at).next;
  }
  if (notes_.empty() || is_block(page_.at(root).tag)) flush();
}

/// Footnotes stand at the end, wherever the page has them.
void walker::write_notes() {
  writing_notes_ = true;
  for (std::size_t i = 0; i < notes_.notes.size(); ++i) {
    const auto& note = notes_.notes[i];
    out_.open("[^" + std::to_string(i + 1) + "]: ", "    ");
    for (const auto part : note) walk(part);
    flush();
    out_.close();
  }
}

written_text walker::run() {
  for (const auto root : roots_) {
    walk(root);
    flush();
  }
  write_notes();
  for (std::size_t i = 0; i < reference_links_.size(); ++i) {
    if (i > 0) out_.set_tight();
    add_block("[" + std::to_string(i + 1) + "]: " + reference_links_[i]);
  }
  result_.markdown = out_.take();
  if (!result_.markdown.empty()) result_.markdown += '\n';
  result_.blocks = out_.take_starts();
  return std::move(result_);
}

written_text write_markdown(const page_tree& tree, const std::vector<node_id>& roots,
                            const writer_options& options) {
  return walker(tree, roots, options).run();
}

namespace {

/// Collects the text of the chosen parts, a line for each block.
class text_writer {
 public:
  explicit text_writer(const page_tree& tree) : tree_(tree) {}

  void write(node_id root) {
    tree_.spend_on(root);
    link_ = last_link_ = none;
    for (node_id at = root; at < tree_.end_of(root); ++at) {
      if (tree_.is_dropped(at) || is_unseen(tree_.tag_of(at))) {
        at = tree_.end_of(at) - 1;
      } else if (tree_.is_text(at)) {
        add_text(root, at);
      } else if (tree_.is_element(at)) {
        enter(at, tree_.tag_of(at));
      }
    }
    end_line();
  }
  [[nodiscard]] std::string take() { return base::nfc(out_); }

 private:
  /// What a formula says a second time, in TeX, and what is shown instead of a player.
  [[nodiscard]] static bool is_unseen(html::tag_id tag) noexcept {
    return tag == annotation || tag == annotation_xml || tag == iframe || tag == video;
  }
  void enter(node_id id, html::tag_id tag) {
    if (is_block(tag) || tag == br) {
      end_line();
    } else if (tag == a) {
      if (stands_apart(tree_, last_link_, id, line_)) line_ += ' ';
      link_ = id;
    }
  }
  void add_text(node_id root, node_id node) {
    line_ += tree_.text_at(node);
    last_link_ = link_ != none && tree_.contains(link_, node) ? link_ : none;
    // The last text of a block ends its line: what follows stands outside of it.
    for (node_id up = node; up != root && tree_.is_last(up);) {
      up = tree_.parent_of(up);
      if (is_block(tree_.tag_of(up))) return end_line();
    }
  }
  void end_line() {
    const auto text = base::collapse_spaces(line_);
    line_.clear();
    if (text.empty()) return;
    if (!out_.empty()) out_ += '\n';
    out_ += text;
  }

  const page_tree& tree_;
  std::string out_, line_;
  node_id link_ = none;       ///< the link that was entered last
  node_id last_link_ = none;  ///< the one that the text added last stands in
};

}  // namespace

std::string write_text(const page_tree& tree, const std::vector<node_id>& roots) {
  text_writer writer(tree);
  for (const auto root : roots) writer.write(root);
  return writer.take();
}

}  // namespace freshet::markdown
