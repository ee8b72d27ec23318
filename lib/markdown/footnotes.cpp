// Finding footnotes by how pages link them: a short link to a fragment whose target stands further
// down and is an item or a paragraph.
#include <algorithm>
#include <base/url.hpp>
#include <markdown/footnotes.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

constexpr std::size_t longest_label = 4;

bool names_note(const html::document& page, node_id link) {
  if (page.attribute_of(link, "role") == "doc-noteref") return true;
  const auto names = names_of(page, link);
  const auto target = page.attribute_of(link, "href");
  return names.find("footnote") != std::string::npos ||
         names.find("noteref") != std::string::npos || target.starts_with("#fn") ||
         target.starts_with("#cite_note") || target.starts_with("#footnote") ||
         target.starts_with("#_ftn");
}

bool is_reference(const page_tree& tree, node_id link) {
  const auto& page = tree.page();
  const auto target = page.attribute_of(link, "href");
  if (target.size() < 2 || target[0] != '#') return false;
  if (is_back_link(tree, link)) return false;
  auto text = tree.text_of(link);
  while (!text.empty() && (text.front() == '[' || text.front() == '(')) text.erase(0, 1);
  if (text.empty() || text.size() > longest_label + 2) return false;
  return names_note(page, link) ||
         (tree.has_ancestor(link, html::tag_id::sup) && text[0] >= '0' && text[0] <= '9');
}

/// The element that holds the whole note of a target.
node_id note_of(const page_tree& tree, node_id target) {
  for (node_id at = target; at != none; at = tree.at(at).parent) {
    if (!tree.is_element(at)) return none;
    const auto tag = tree.at(at).tag;
    if (tag == html::tag_id::li || tag == html::tag_id::p || tag == html::tag_id::dd ||
        tag == html::tag_id::aside)
      return at;
    if (tag == html::tag_id::div) return at;
    if (is_block(tag)) return none;
  }
  return none;
}

bool is_among(const page_tree& tree, const std::vector<node_id>& roots, node_id id) {
  const auto after = std::upper_bound(roots.begin(), roots.end(), id);
  return after != roots.begin() && tree.contains(*(after - 1), id);
}

}  // namespace

bool is_back_link(const page_tree& tree, node_id link) {
  const auto& page = tree.page();
  const auto target = page.attribute_of(link, "href");
  if (target.empty() || target[0] != '#') return false;
  if (page.attribute_of(link, "role") == "doc-backlink") return true;
  const auto names = names_of(page, link);
  if (names.find("backref") != std::string::npos || names.find("back-link") != std::string::npos) {
    return true;
  }
  const auto text = tree.text_of(link);
  return text.starts_with("\xE2\x86\xA9") || text.starts_with("\xE2\x86\x91") || text == "^";
}

footnotes find_footnotes(const page_tree& tree, const std::vector<node_id>& roots) {
  const auto& page = tree.page();
  std::unordered_map<std::string, node_id> by_id;
  std::vector<node_id> links;
  for (node_id id = 1; id < page.size(); ++id) {
    if (!tree.is_element(id) || tree.is_dropped(id)) continue;
    for (const auto attribute : {"id", "name"}) {
      const auto value = page.attribute_of(id, attribute);
      if (!value.empty()) by_id.try_emplace(std::string(value), id);
    }
    if (page.is_element(id, html::tag_id::a) && is_reference(tree, id)) links.push_back(id);
  }
  footnotes found;
  std::size_t number = 0;
  for (const auto link : links) {
    const auto fragment = base::percent_decode(page.attribute_of(link, "href").substr(1));
    const auto target = by_id.find(fragment);
    if (target == by_id.end()) continue;
    const auto note = note_of(tree, target->second);
    if (note == none || note < link || !is_among(tree, roots, note) || tree.contains(note, link)) {
      continue;
    }
    auto label = found.definitions.find(note);
    if (label == found.definitions.end()) {
      label = found.definitions.emplace(note, std::to_string(++number)).first;
    }
    found.references.emplace(link, label->second);
  }
  return found;
}

}  // namespace freshet::markdown
