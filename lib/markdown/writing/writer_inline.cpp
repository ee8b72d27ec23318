// Links, pictures and inline code, and how addresses become absolute.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <markdown/safety/addresses.hpp>
#include <markdown/safety/marks.hpp>
#include <markdown/safety/unseen_text.hpp>
#include <markdown/tree/image.hpp>
#include <markdown/writing/code_block.hpp>
#include <markdown/writing/walker.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// Symbols that pages hang on their headings as links to themselves.
bool is_anchor_symbol(std::string_view text) noexcept {
  return text == "#" || text == "\xC2\xB6" || text == "\xF0\x9F\x94\x97" || text == "\xC2\xA7" ||
         text == "\xE2\x88\x9E";
}

/// Whether a character is one of a word, by its first byte: signs are not, and neither are those of
/// the scripts that put no space between words.
bool is_of_word(unsigned char first) noexcept {
  constexpr unsigned char first_letter = 0xC3, last_letter = 0xE1;
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
         (first >= '0' && first <= '9') || (first >= first_letter && first <= last_letter);
}

bool begins_with_word(const page_tree& tree, node_id id) {
  // Links that hold links would be read again and again; wrappers around a word are few.
  constexpr node_id farthest = 50;
  const auto end = std::min(tree.end_of(id), id + farthest);
  for (auto at = id; at < end; ++at) {
    const auto& one = tree.at(at);
    if (one.type == html::node_type::text && !one.text.empty() && !tree.is_dropped(at)) {
      return is_of_word(static_cast<unsigned char>(one.text.front()));
    }
  }
  return false;
}

}  // namespace

bool stands_apart(const page_tree& tree, node_id before, node_id link, std::string_view text) {
  if (before == none || text.empty()) return false;
  auto last = text.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  const auto& page = tree.page();
  return is_of_word(static_cast<unsigned char>(text[last])) && begins_with_word(tree, link) &&
         page.attribute_of(before, "href") != page.attribute_of(link, "href");
}

/// "" where it may not be written.
std::string walker::absolute(std::string_view reference, address_use use) const {
  // A short reference becomes as long as what it is relative to, in every link.
  constexpr std::uint64_t steps_to_resolve = 32;
  tree_.spend(steps_to_resolve + reference.size());
  auto target = allowed_address(options_.base, reference, use);
  tree_.spend(target.size());
  return target;
}

void walker::remember_link(const std::string& target) {
  if (!base::has_http_scheme(target)) return;
  result_.links.push_back(target);
  if (!known_links_.insert(result_.links.size() - 1).second) result_.links.pop_back();
}

std::string walker::title_beside(node_id id, std::string_view text) const {
  constexpr std::size_t longest = 300;
  const auto said = page_.attribute_of(id, "title");
  if (said.empty() || said.size() > longest) return {};
  auto title = base::collapse_spaces(without_unseen(said));
  const bool is_known = base::collapse_spaces(text).find(title) != std::string::npos;
  return is_known ? std::string() : title;
}

std::string walker::link_end(const std::string& target, std::string_view title) {
  remember_link(target);
  const auto destination = link_destination(target, in_cell());
  if (options_.links == link_style::inline_links) {
    return "](" + destination + link_title(title, in_cell()) + ")";
  }
  const auto [at, is_new] =
      reference_numbers_.try_emplace(destination, reference_links_.size() + 1);
  if (is_new) reference_links_.push_back(destination);
  return "][" + std::to_string(at->second) + "]";
}

/// False: nothing of the link is written, or all of it has been.
bool walker::enter_link(node_id id) {
  const auto& inside = tree_.of(id);
  if (stands_apart(tree_, last_link_, id, inline_.linked_end())) inline_.add_space();
  if (heading_ > 0 && inside.text <= 2 && is_anchor_symbol(tree_.text_of(id))) return false;
  const auto reference = base::trim(page_.attribute_of(id, "href"));
  if (reference.empty() || reference == "#" || options_.links == link_style::none) return true;
  if (inside.text == 0 && inside.images == 0) return true;
  // A heading's link into its own page leads to the heading itself.
  if (heading_ > 0 && reference[0] == '#') return true;
  // A place in this page stays what it is: resolved, it would look like another page.
  const std::string target =
      reference[0] == '#' ? std::string(reference) : absolute(reference, address_use::link);
  if (target.empty()) return true;
  if (inside.blocks == 0 || in_cell()) {
    const bool has_title = page_.has_attribute(id, "title");
    inline_.open(span_kind::link,
                 link_end(target, has_title ? title_beside(id, tree_.text_of(id)) : ""));
    ++open_links_;
    return true;
  }
  // A link around blocks: markdown has none, so the heading in it takes it, or the first block.
  flush();
  block_link_ = target;
  block_link_at_ = inside.headings > 0 ? id : none;
  return true;
}

void walker::leave_link(node_id id) {
  const auto& inside = tree_.of(id);
  last_link_ = id;
  inline_.end_linked();
  if (inside.blocks == 0 || in_cell()) {
    if (open_links_ > 0) {
      inline_.close(span_kind::link);
      --open_links_;
    }
    return;
  }
  flush();
  block_link_.clear();
}

/// Raised and lowered text keeps its tags where its place is its meaning: numbers, signs, single
/// letters. Markdown has no way of its own, and "1st" needs none.
bool walker::is_written_script(node_id id) const {
  constexpr std::uint32_t longest = 12;
  const auto& inside = tree_.of(id);
  if (inside.text == 0 || inside.text > longest || inside.links > 0 || inside.blocks > 0) {
    return false;
  }
  if (!notes_.empty()) {
    tree_.spend_on(id);
    for (auto at = id; at < tree_.end_of(id); ++at) {
      if (notes_.references.count(at) != 0) return false;
    }
  }
  if (open_links_ > 0) return false;
  const auto text = tree_.text_of(id);
  const bool word = text.size() > 1 && std::ranges::all_of(text, [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             static_cast<unsigned char>(c) > 0x7F;
                    });
  return !word;
}

bool walker::enter_script(node_id id, html::tag_id tag) {
  if (is_written_script(id)) inline_.add_markdown(tag == html::tag_id::sup ? "<sup>" : "<sub>");
  return true;
}

void walker::leave_script(node_id id, html::tag_id tag) {
  if (is_written_script(id)) inline_.add_markdown(tag == html::tag_id::sup ? "</sup>" : "</sub>");
}

void walker::write_inline_code(node_id id) {
  // Newlines in a page's inline code are spaces; several spaces are what its author wrote.
  std::string text = code_text(tree_, id);
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  const auto from = text.find_first_not_of(' ');
  if (from == std::string::npos) return;
  const auto to = text.find_last_not_of(' ');
  const auto raw = tree_.raw_text_of(id);
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  if (from > 0 || (!raw.empty() && is_space(raw.front()))) inline_.add_space();
  // Code that is a link as a whole is linked from outside: nothing is a link in a code span.
  const auto& inside = tree_.of(id);
  node_id link = none;
  if (inside.links == 1 && inside.link_text == inside.text && open_links_ == 0) {
    for (auto at = id + 1; at < tree_.end_of(id) && link == none; ++at) {
      tree_.spend(1);
      if (page_.is_element(at, html::tag_id::a)) link = at;
    }
  }
  const bool linked = link != none && enter_link(link) && open_links_ > 0;
  inline_.add_markdown(code_span(text.substr(from, to + 1 - from), in_cell()));
  if (linked) leave_link(link);
  if (!raw.empty() && is_space(raw.back())) inline_.add_space();
}

/// A small copy that is shown until the picture behind it in the same figure has loaded.
bool walker::is_preview(node_id id, std::string_view source) const {
  constexpr int wrappers = 8;
  constexpr node_id nearby = 40;
  constexpr std::size_t least_name = 8;
  const auto name_in = [](std::string_view address) {
    address = address.substr(0, address.find('?'));
    return address.substr(address.rfind('/') + 1);
  };
  const auto name = name_in(source);
  if (name.size() < least_name) return false;
  node_id figure = page_.at(id).parent;
  for (int i = 0; i < wrappers && figure != none; ++i, figure = page_.at(figure).parent) {
    if (page_.is_element(figure, html::tag_id::figure)) break;
  }
  if (!page_.is_element(figure, html::tag_id::figure)) return false;
  const auto end = std::min(tree_.end_of(figure), id + nearby);
  for (auto at = id + 1; at < end; ++at) {
    if (!page_.is_element(at, html::tag_id::img) || tree_.is_dropped(at)) continue;
    const auto other = image_source(page_, at);
    if (other != source && name_in(other) == name) return true;
  }
  return false;
}

/// Where what an element plays is from; of AMP's players some have the name of the film alone.
std::string walker::embedded_source(node_id id) const {
  const auto film = page_.attribute_of(id, "data-videoid");
  const auto name = page_.at(id).name;
  if (!film.empty() && name == "amp-youtube") {
    return "https://www.youtube.com/embed/" + std::string(film);
  }
  if (!film.empty() && name == "amp-vimeo") {
    return "https://player.vimeo.com/video/" + std::string(film);
  }
  const auto source = page_.attribute_of(id, "src");
  const bool is_lazy = source.empty() || source == "about:blank";
  return std::string(is_lazy ? page_.attribute_of(id, "data-src") : source);
}

/// An element of an AMP page of which its script makes a picture or a player.
bool walker::write_component(node_id id) {
  const auto name = page_.at(id).name;
  if (name == "amp-img" || name == "amp-anim") {
    write_image(id);
  } else if (name == "amp-youtube" || name == "amp-vimeo" || name == "amp-iframe") {
    write_embed(id);
  } else {
    return false;
  }
  return true;
}

void walker::write_image(node_id id) {
  const auto names = names_of(page_, id);
  const auto alt = without_unseen(page_.attribute_of(id, "alt"));
  // Pictures of characters and of formulas are text.
  if (names.find("emoji") != std::string::npos && !alt.empty()) {
    inline_.add_text(alt);
    return;
  }
  if (write_formula_image(id, names)) return;
  const auto source = image_source(page_, id);
  if (source.empty()) return;
  if (is_preview(id, source)) return;
  const auto target = absolute(source, address_use::embedding);
  if (target.empty()) return;
  if (const auto rule = rule_of_image(target); !rule.empty()) {
    if (result_.data_images.size() < most_marks) result_.data_images.push_back({rule, target});
    if (options_.without_data_images) return;
  }
  media picture;
  picture.type = "image";
  picture.url = target;
  picture.alt = base::nfc(base::collapse_spaces(alt));
  const bool on_the_web = base::has_http_scheme(target);
  if (on_the_web) result_.pictures.push_back(std::move(picture));
  if (!options_.images) return;
  inline_.add_markdown("![" + image_text(alt, {in_cell(), false, false}) + "](" +
                       link_destination(target, in_cell()) +
                       link_title(title_beside(id, alt), in_cell()) + ")");
}

}  // namespace freshet::markdown
