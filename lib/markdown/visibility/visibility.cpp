// What is invisible: elements without text of their own first, then what attributes, styles and a
// few class names that have one meaning everywhere hide, and the page's own style sheets. Linked
// ones are not read.
#include <algorithm>
#include <array>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/image.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/visibility/hidden_parts.hpp>
#include <markdown/visibility/visibility.hpp>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace freshet::markdown {

namespace {

/// Elements that show no text of the page.
constexpr auto silent_by_tag = [] {
  using enum html::tag_id;
  std::array<bool, static_cast<std::size_t>(html::tag_id::count)> made{};
  for (const auto tag :
       {applet, area,     audio,  base,   basefont, canvas,    col,      colgroup, datalist,
        frame,  frameset, head,   input,  link,     meta,      meter,    noembed,  noframes,
        param,  progress, script, source, style,    template_, textarea, title,    track}) {
    made[static_cast<std::size_t>(tag)] = true;
  }
  return made;
}();

bool is_silent(const page_tree& tree, html::node_id id, html::tag_id tag) {
  const auto& page = tree.page();
  // What stands around a reading where none is shown: a parenthesis.
  constexpr std::uint32_t longest_parenthesis = 2;
  if (tag == html::tag_id::rp) return tree.text_in(id) > longest_parenthesis;
  return silent_by_tag[static_cast<std::size_t>(tag)] ||
         (tag == html::tag_id::svg && page.at(id).space == html::element_space::svg);
}

/// <meta name=color-scheme content=dark>
bool is_for_the_dark(const page_tree& tree, html::node_id id) {
  return base::equals_ignoring_ascii_case(tree.attribute_of(id, "name"), "color-scheme") &&
         base::equals_ignoring_ascii_case(base::trim(tree.attribute_of(id, "content")), "dark");
}

/// Whether a sheet is in the language that is read, as far as its element says.
bool is_css(const page_tree& tree, html::node_id id) {
  const auto type = base::trim(tree.attribute_of(id, "type"));
  return type.empty() || base::equals_ignoring_ascii_case(type, "text/css");
}

/// What the page's own style sheets say, and those of its shadow trees of what is in them.
style_rules rules_of(const page_tree& tree) {
  style_rules rules(tree);
  std::string_view set;
  tree.spend_on(tree.page().root());
  for (html::node_id id = 0; id < tree.page().size(); ++id) {
    if (tree.is_element(id, html::tag_id::template_)) {
      rules.add_tree(id);
      if (tree.is_dropped(id)) id = tree.end_of(id) - 1;
      continue;
    }
    if (tree.is_element(id, html::tag_id::link)) {
      const auto rel = base::to_lower_ascii(tree.attribute_of(id, "rel"));
      const bool is_sheet = rel.find("stylesheet") != std::string::npos &&
                            rel.find("alternate") == std::string::npos &&
                            !tree.has_attribute(id, "disabled") && is_css(tree, id);
      if (is_sheet &&
          !rules.read_address(tree.attribute_of(id, "href"), tree.attribute_of(id, "media"), id)) {
        rules.has_others();
      }
    }
    if (tree.is_element(id, html::tag_id::meta) && is_for_the_dark(tree, id)) rules.is_dark();
    if (!tree.is_element(id, html::tag_id::style)) continue;
    // For readers without scripts.
    if (tree.has_ancestor(id, html::tag_id::noscript) || !is_css(tree, id)) continue;
    // Sheets with another name than the first one are there to be chosen.
    if (const auto name = tree.attribute_of(id, "title"); !name.empty()) {
      if (set.empty()) set = name;
      if (name != set) continue;
    }
    for (auto at = tree.at(id).first_child; at != html::none; at = tree.at(at).next) {
      if (tree.is_text(at)) rules.read(tree.text_at(at), tree.attribute_of(id, "media"), id);
    }
  }
  rules.finish();
  return rules;
}

/// A noscript is what readers without scripts see: it is kept for the images in it.
bool noscript_has_image_only(const page_tree& tree, html::node_id id) {
  bool image = false;
  tree.spend_on(id);
  for (auto at = id; at < tree.end_of(id); ++at) {
    const auto& one = tree.at(at);
    if (one.type == html::node_type::text && !base::trim(one.text).empty()) return false;
    image |= tree.is_element(at, html::tag_id::img) && !is_tracking_pixel(tree.page(), at);
  }
  return image;
}

html::node_id only_image_in(const page_tree& tree, html::node_id id) {
  html::node_id found = html::none;
  tree.spend_on(id);
  for (auto at = id; at < tree.end_of(id); ++at) {
    if (tree.is_dropped(at)) continue;
    if (tree.is_text(at) && !base::trim(tree.text_at(at)).empty()) {
      return html::none;
    }
    if (!tree.is_element(at, html::tag_id::img)) continue;
    if (found != html::none) return html::none;
    found = at;
  }
  return found;
}

/// The lazy placeholder right before or after a noscript gives way to the image inside it.
void drop_placeholder_of(page_tree& tree, html::node_id noscript) {
  auto at = tree.at(noscript).previous;
  while (at != html::none && !tree.is_element(at)) {
    tree.spend(1);
    at = tree.at(at).previous;
  }
  if (at == html::none || tree.is_dropped(at)) return;
  const auto image = only_image_in(tree, at);
  if (image == html::none) return;
  tree.drop(image);
}

/// What a browser lets have such a tree: these, and elements of a page's own.
bool can_have_shadow(const page_tree& tree, html::node_id id) {
  using enum html::tag_id;
  constexpr std::array hosts = {article, aside, blockquote, body, div, footer, h1,      h2,  h3, h4,
                                h5,      h6,    header,     main, nav, p,      section, span};
  return tree.is_element(id) && (std::ranges::find(hosts, tree.tag_of(id)) != hosts.end() ||
                                 tree.page().at(id).name.find('-') != std::string_view::npos);
}

/// A template that is the tree which a browser shows instead of what its element holds: the first
/// one there.
bool is_shadow_tree(const page_tree& tree, html::node_id id,
                    std::unordered_set<html::node_id>& hosts) {
  if (!tree.is_element(id, html::tag_id::template_)) return false;
  const auto mode = tree.attribute_of(id, "shadowrootmode");
  const bool is_one = base::equals_ignoring_ascii_case(mode, "open") ||
                      base::equals_ignoring_ascii_case(mode, "closed");
  const auto host = tree.parent_of(id);
  return is_one && can_have_shadow(tree, host) && hosts.insert(host).second;
}

/// What a slot takes of what stands beside its tree.
struct slot_filling {
  html::node_id slot = html::none, node = html::none;
};

/// What stands beside it is shown where a slot takes it, and a slot that takes something shows
/// nothing of its own.
void fill_slots(page_tree& tree, html::node_id shadow, std::vector<slot_filling>& fillings) {
  struct slot_use {
    html::node_id first = html::none;
    bool filled = false;
  };
  std::vector<html::node_id> slots;
  std::unordered_map<std::string_view, slot_use, base::text_hash> uses;  // by the slot's name
  for (auto id = shadow + 1; id < tree.end_of(shadow); ++id) {
    tree.spend(1);
    if (tree.is_element(id, html::tag_id::template_)) {
      id = tree.end_of(id) - 1;
    } else if (tree.is_element(id, html::tag_id::slot)) {
      slots.push_back(id);
      uses.try_emplace(tree.attribute_of(id, "name"), slot_use{id, false});
    }
  }
  const auto host = tree.parent_of(shadow);
  for (auto at = tree.at(host).first_child; at != html::none; at = tree.at(at).next) {
    tree.spend(1);
    const bool is_text = tree.is_text(at);
    if (at == shadow || (!is_text && !tree.is_element(at))) continue;
    const auto slot = uses.find(is_text ? std::string_view() : tree.attribute_of(at, "slot"));
    if (slot == uses.end()) {
      tree.drop(at);
    } else {
      slot->second.filled = true;
      fillings.push_back({slot->second.first, at});
    }
  }
  for (const auto slot : slots) {
    if (!uses.at(tree.attribute_of(slot, "name")).filled) continue;
    for (auto at = tree.at(slot).first_child; at != html::none; at = tree.at(at).next)
      tree.drop(at);
  }
}

/// A tree that hides a slot, or what is around it, hides what the slot takes.
void drop_fillings(page_tree& tree, const std::vector<slot_filling>& fillings) {
  for (const auto& [slot, node] : fillings) {
    if (tree.is_dropped(slot)) tree.drop(node);
  }
}

/// Answers the noscript with the most text among what it drops.
html::node_id drop_silent(page_tree& tree, html::node_id first, html::node_id end,
                          std::vector<slot_filling>& fillings) {
  const auto& page = tree.page();
  tree.spend(end - first);
  html::node_id largest = html::none;
  std::unordered_set<html::node_id> hosts;  // of trees that are shown in their stead
  for (html::node_id id = first; id < end; ++id) {
    if (tree.is_dropped(id) || tree.is_text(id)) continue;
    if (!tree.is_element(id)) {
      tree.drop(id);
      continue;
    }
    const auto tag = tree.tag_of(id);
    if (tag == html::tag_id::script && tree.attribute_of(id, "type").starts_with("math/tex"))
      continue;
    if (is_shadow_tree(tree, id, hosts)) {
      fill_slots(tree, id, fillings);
    } else if (is_silent(tree, id, tag) && !is_task_box(page, id)) {
      tree.drop(id);
    } else if (tag == html::tag_id::noscript) {
      if (noscript_has_image_only(tree, id)) {
        drop_placeholder_of(tree, id);
      } else {
        if (largest == html::none || tree.text_in(id) > tree.text_in(largest)) largest = id;
        tree.drop(id);
      }
    } else if (tag == html::tag_id::img && is_tracking_pixel(page, id)) {
      tree.drop(id);
    }
  }
  return largest;
}

/// What a page says without scripts is its content where they would fill all of it.
void keep_filled_by_scripts(page_tree& tree, html::node_id noscript, std::uint32_t text,
                            std::vector<slot_filling>& fillings) {
  constexpr std::uint32_t times_the_rest = 3;
  if (text < signals::least_content || text < tree.text_in(tree.body()) * times_the_rest) return;
  tree.restore(noscript);
  drop_silent(tree, noscript + 1, tree.end_of(noscript), fillings);
  tree.count();
}

}  // namespace

std::string drop_invisible(page_tree& tree) {
  std::vector<slot_filling> fillings;
  const auto noscript =
      drop_silent(tree, 1, static_cast<html::node_id>(tree.page().size()), fillings);
  const auto text = noscript == html::none ? 0 : tree.text_in(noscript);
  tree.count();
  if (text > 0) keep_filled_by_scripts(tree, noscript, text, fillings);
  const auto before = tree.dropped();
  const auto whole = tree.text_in(tree.body());
  auto rules = rules_of(tree);
  hidden_parts parts(tree, rules);
  auto hidden = parts.drop(hiding::until_shown);
  drop_fillings(tree, fillings);
  tree.count();
  // Part by part hidden, and nearly all of it: scripts show these parts, too.
  if (whole < signals::least_content ||
      tree.text_in(tree.body()) > whole * signals::left_by_scripts)
    return hidden;
  tree.set_dropped(before);
  tree.count();
  hidden = parts.drop(hiding::for_good);
  drop_fillings(tree, fillings);
  tree.count();
  return hidden;
}

}  // namespace freshet::markdown
