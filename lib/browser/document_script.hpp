// The script that gives a page's document as text. It runs in an isolated world: the page's own
// scripts can neither see it nor change what it uses.
#pragma once

#include <string_view>

namespace freshet::browser {

/// An expression whose value is {html, url, truncated}. Open shadow trees are flattened: a host has
/// the content of its tree, and slots have what was put into them. So are the frames that may be
/// read, those of the page's own origin, as far as they are shown. The arguments are the longest
/// text and the largest number of nodes.
inline constexpr std::string_view document_script = R"js(((longest, most) => {
  const framed = (at) => {
    if (at.localName !== 'iframe' && at.localName !== 'frame') return null;
    const body = at.contentDocument?.body;
    return body?.hasChildNodes() && at.checkVisibility() && at.offsetWidth > 1 &&
           at.offsetHeight > 1 ? body : null;
  };
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
  let flat = true;
  for (let at = walker.currentNode; flat && at; at = walker.nextNode()) {
    flat = !at.shadowRoot && !framed(at);
  }
  const give = (html) => ({
    html: html.slice(0, longest).toWellFormed(),
    url: document.location.href, truncated: html.length > longest});
  const root = document.documentElement;
  if (!root) return give('');
  if (flat) return give('<!DOCTYPE html>' + root.outerHTML);
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
      const body = framed(from);
      // A frameset would hold no text.
      target = body ? made.createElement('div')
             : from.localName === 'frameset' ? made.createElement('body')
             : made.importNode(from, false);
      into.appendChild(target);
      if (body) children = body.childNodes;
      if (from.shadowRoot) children = from.shadowRoot.childNodes;
      // Addresses of a frame are told from its own.
      if (from.baseURI !== document.baseURI) {
        for (const name of ['href', 'src']) {
          if (typeof from[name] === 'string' && from.hasAttribute(name)) {
            target.setAttribute(name, from[name]);
          }
        }
      }
    }
    for (let i = children.length - 1; i >= 0; --i) open.push([children[i], target]);
  }
  return give('<!DOCTYPE html>' + made.documentElement.outerHTML);
}))js";

}  // namespace freshet::browser
