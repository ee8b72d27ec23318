// The standard copies an option whenever one that is chosen has been read; what remains is the copy
// of the one chosen last, so this is done once, when the page has been read.
#include <html/limits.hpp>
#include <html/tree/selected_content.hpp>

namespace freshet::html {

namespace {

/// One select while its subtree is walked over.
struct found_parts {
  node_id display = none;  ///< its first selectedcontent
  node_id option = none;   ///< the chosen option
  bool option_is_marked = false;
};

/// Whether the element is what closes an option off from a select further up.
bool hides_options(tag_id tag) noexcept {
  return tag == tag_id::datalist || tag == tag_id::hr || tag == tag_id::option ||
         tag == tag_id::select;
}

/// Whether `select` is the nearest select of an option, with nothing between that hides it.
bool owns_option(const document& page, node_id select, node_id option) {
  for (node_id at = page.at(option).parent; at != select; at = page.at(at).parent) {
    if (hides_options(page.at(at).tag)) return false;
  }
  return true;
}

bool stands_in_option(const document& page, node_id select, node_id display) {
  for (node_id at = page.at(display).parent; at != select; at = page.at(at).parent) {
    const tag_id tag = page.at(at).tag;
    if (tag == tag_id::option || tag == tag_id::select || tag == tag_id::selectedcontent) {
      return true;
    }
  }
  return false;
}

found_parts parts_of(const document& page, node_id select) {
  found_parts found;
  for (node_id at = page.next_in_order(select, select); at != none;
       at = page.next_in_order(at, select)) {
    const node& one = page.at(at);
    if (one.space != element_space::html) continue;
    if (one.tag == tag_id::selectedcontent && found.display == none) found.display = at;
    if (one.tag != tag_id::option || !owns_option(page, select, at)) continue;
    const bool marked = page.has_attribute(at, "selected");
    const bool first = found.option == none && !page.has_attribute(at, "disabled");
    if (!marked && (!first || found.option_is_marked)) continue;
    found.option = at;
    found.option_is_marked = found.option_is_marked || marked;
  }
  return found;
}

/// Copies what is below `source` to the place below `target`, as long as there is room for nodes.
void copy_children(document& page, node_id source, node_id target) {
  node_id parent = target;
  for (node_id at = page.at(source).first_child; at != none;) {
    if (page.size() >= max_nodes) return;
    node fresh = page.at(at);
    fresh.parent = fresh.first_child = fresh.last_child = fresh.next = fresh.previous = none;
    const node_id copy = page.create(fresh);
    page.append_child(parent, copy);
    if (page.at(at).first_child != none) {
      parent = copy;
      at = page.at(at).first_child;
      continue;
    }
    while (at != source && page.at(at).next == none) {
      at = page.at(at).parent;
      parent = page.at(parent).parent;
    }
    if (at == source) return;
    at = page.at(at).next;
  }
}

}  // namespace

void fill_selected_content(document& page) {
  node_id at = page.next_in_order(document::root(), document::root());
  while (at != none) {
    const node& one = page.at(at);
    if (one.tag != tag_id::select || one.space != element_space::html) {
      at = page.next_in_order(at, document::root());
      continue;
    }
    const node_id next = page.next_skipping_children(at, document::root());
    const found_parts found = parts_of(page, at);
    if (found.display != none && found.option != none && !page.has_attribute(at, "multiple") &&
        !stands_in_option(page, at, found.display)) {
      while (page.at(found.display).first_child != none) {
        page.unlink(page.at(found.display).first_child);
      }
      copy_children(page, found.option, found.display);
    }
    at = next;
  }
}

}  // namespace freshet::html
