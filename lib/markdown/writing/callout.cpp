// Recognising boxes by the class names of the generators that write them: Obsidian, GitHub, Sphinx,
// MkDocs, Hugo, Docusaurus, VitePress, Quarto, Bootstrap.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <markdown/writing/callout.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// Class names that say that an element is a box; its type is another name, or follows a hyphen.
constexpr std::array<std::string_view, 7> box_names = {
    " admonition ", " theme-admonition ", " markdown-alert ", " callout ", " custom-block ",
    " alert ",      " admonitionblock "};

/// What stands in all of them.
constexpr std::array<std::string_view, 4> box_words = {"admonition", "callout", "alert",
                                                       "custom-block"};

constexpr std::array<std::string_view, 26> types = {
    "note",   "info",    "tip",        "hint",     "important", "warning",   "caution",
    "danger", "error",   "success",    "question", "faq",       "abstract",  "summary",
    "todo",   "example", "quote",      "bug",      "failure",   "attention", "seealso",
    "help",   "check",   "deprecated", "primary",  "secondary"};

/// Class names, or their beginnings, of the element that shows the title.
constexpr std::array<std::string_view, 8> title_names = {
    " callout-title",      " admonition-title", " admonitionheading", " markdown-alert-title",
    " custom-block-title", " alert-heading",    " alert-title",       " callout-header"};

constexpr std::uint32_t longest_title = 200;

std::string type_in(const std::string& names) {
  for (const auto type : types) {
    for (const std::string_view before :
         {" ", " alert-", " callout-", " admonition-", " markdown-alert-", " theme-admonition-"}) {
      const std::string name = std::string(before) + std::string(type) + " ";
      if (names.find(name) != std::string::npos) return std::string(type);
    }
  }
  return {};
}

node_id title_in(const page_tree& tree, node_id box) {
  constexpr node_id nearby = 24;  // titles stand at the beginning
  const auto end = std::min(tree.end_of(box), box + nearby);
  for (auto at = box + 1; at < end; ++at) {
    if (!tree.is_element(at) || tree.is_dropped(at)) continue;
    if (tree.text_in(at) == 0 || tree.text_in(at) > longest_title) continue;
    if (tree.is_element(at, html::tag_id::summary)) return at;
    if (contains_any(names_of(tree.page(), at), title_names)) {
      return at;
    }
  }
  return none;
}

}  // namespace

std::optional<callout> callout_at(const page_tree& tree, node_id id) {
  const auto& page = tree.page();
  const auto classes = page.attribute_of(id, "class");
  if (classes.empty() || !contains_any(classes, box_words)) return std::nullopt;
  callout found;
  const auto declared = base::trim(page.attribute_of(id, "data-callout"));
  if (!declared.empty()) {
    found.type = base::to_lower_ascii(declared);
    const auto fold = page.attribute_of(id, "data-callout-fold");
    found.fold = fold == "-" ? "-" : fold == "+" ? "+" : "";
  } else {
    const auto names = names_of(page, id);
    if (!contains_any(names, box_names)) {
      return std::nullopt;
    }
    found.type = type_in(names);
  }
  if (found.type.empty() ||
      found.type.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos) {
    return std::nullopt;
  }
  found.title_at = title_in(tree, id);
  if (found.title_at != none) {
    found.title = tree.text_of(found.title_at);
  } else {
    found.title = found.type;
    found.title[0] = static_cast<char>(found.title[0] - 'a' + 'A');
  }
  return found;
}

}  // namespace freshet::markdown
