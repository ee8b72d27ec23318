// The script that gives a page's document as text. It runs in an isolated world: the page's own
// scripts can neither see it nor change what it uses.
#pragma once

#include <string_view>

namespace freshet::browser {

/// An expression whose value is {html, url, truncated}. Open shadow trees are flattened: a host has
/// the content of its tree, and slots have what was put into them. The arguments are the longest
/// text and the largest number of nodes.
inline constexpr std::string_view document_script = R"js(((longest, most) => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
  let shadows = false;
  for (let at = walker.currentNode; at; at = walker.nextNode()) {
    if (at.shadowRoot) { shadows = true; break; }
  }
  const give = (html) => ({
    html: html.slice(0, longest).toWellFormed(),
    url: document.location.href, truncated: html.length > longest});
  const root = document.documentElement;
  if (!root) return give('');
  if (!shadows) return give('<!DOCTYPE html>' + root.outerHTML);
  const made = document.implementation.createHTMLDocument('');
  made.removeChild(made.documentElement);
  const open = [[root, made]];
  for (let count = 0; open.length > 0 && count < most; ++count) {
    const [from, into] = open.pop();
    let target = into;
    let children = from.childNodes;
    const slotted = from.localName === 'slot' && from.getRootNode() instanceof ShadowRoot;
    if (slotted) {
      const given = from.assignedNodes();
      if (given.length > 0) children = given;
    } else {
      target = made.importNode(from, false);
      into.appendChild(target);
      if (from.shadowRoot) children = from.shadowRoot.childNodes;
    }
    for (let i = children.length - 1; i >= 0; --i) open.push([children[i], target]);
  }
  return give('<!DOCTYPE html>' + made.documentElement.outerHTML);
}))js";

}  // namespace freshet::browser
