// cgit has a table of one cell, gitweb a <div class=patch>; both a <div> for each line, which
// begins with its sign. Diffs side by side are tables and stay so.
#include <markdown/tree/patches.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace freshet::markdown {

namespace {

using html::node_id;

constexpr std::string_view patch_beginning = "diff --git ";

/// How lines of a diff begin.
constexpr std::array<std::string_view, 14> patch_line_beginnings = {
    " ",    "+",        "-",     "\\",      "@@ ",         "index ",  "new ",
    "old ", "deleted ", "copy ", "rename ", "similarity ", "Binary ", "\xC2\xA0"};

/// The first text below an element that is not white space alone; "" if there is none.
std::string_view first_text_below(const page_tree& tree, node_id id) {
  for (auto at = id + 1; at < tree.end_of(id); ++at) {
    tree.spend(1);
    if (tree.is_text(at) && tree.text_in(at) > 0) return tree.text_at(at);
  }
  return {};
}

bool is_patch_line(std::string_view text) {
  return text.empty() || text.starts_with(patch_beginning) ||
         std::ranges::any_of(patch_line_beginnings,
                             [&](auto one) { return text.starts_with(one); });
}

}  // namespace

bool is_patch(const page_tree& tree, node_id id) {
  const bool is_named = tree.tag_of(id) == html::tag_id::div &&
                        tree.attribute_of(id, "class").find("patch") != std::string_view::npos;
  if (!is_named && tree.tag_of(id) != html::tag_id::table) return false;
  if (!first_text_below(tree, id).starts_with(patch_beginning)) return false;
  bool has_place = false;
  for (auto at = id + 1; at < tree.end_of(id); ++at) {
    tree.spend(1);
    if (!tree.is_element(at, html::tag_id::div)) continue;
    const auto text = first_text_below(tree, at);
    if (!is_patch_line(text)) return false;
    has_place = has_place || text.starts_with("@@ ");
    at = tree.end_of(at) - 1;
  }
  return has_place;
}

}  // namespace freshet::markdown
