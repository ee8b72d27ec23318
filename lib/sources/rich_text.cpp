// Walks the tree of a fragment once, in document order. It fetches nothing and never recurses.
#include <algorithm>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/item_text.hpp>
#include <sources/rich_text.hpp>

namespace freshet::sources {

namespace {

/// Words in the class of an image that is no picture of its own.
constexpr std::string_view decorations[] = {"emoji", "avatar", "site-icon", "smiley"};

std::string absolute(std::string_view base_url, std::string_view reference) {
  reference = base::trim(reference);
  if (reference.empty() || reference.front() == '#') return "";
  if (base::read_plain_url(reference)) return std::string(reference);
  const auto whole = base::parse_url(reference);
  return file_url(whole ? std::string(reference) : base::resolve_url(base_url, reference));
}

bool is_decoration(const html::document& document, html::node_id id) {
  const auto names = document.attribute_of(id, "class");
  return std::ranges::any_of(decorations, [&](std::string_view word) {
    return names.find(word) != std::string_view::npos;
  });
}

}  // namespace

void add_link(std::string_view address, std::string_view base_url, item_common& common) {
  add_once(common.links, absolute(base_url, address));
}

void add_picture(std::string_view address, std::string_view base_url, media shown,
                 item_common& common) {
  if (common.media.size() >= max_pictures) return;
  shown.type = "image";
  shown.url = absolute(base_url, address);
  const bool known =
      std::ranges::any_of(common.media, [&](const media& one) { return one.url == shown.url; });
  if (!shown.url.empty() && !known) common.media.push_back(std::move(shown));
}

void read_rich_text(std::string_view html, std::string_view base_url, item_common& common) {
  common.text = clean_html(html);
  if (html.find('<') == std::string::npos) return;
  const auto tree =
      html::parse_fragment(base::is_clean(html) ? html : base::repair_utf8(html), "div");
  const auto root = html::document::root();
  for (auto id = tree.next_in_order(root, root); id != html::none;
       id = tree.next_in_order(id, root)) {
    if (tree.is_element(id, html::tag_id::a)) {
      add_link(tree.attribute_of(id, "href"), base_url, common);
    } else if (tree.is_element(id, html::tag_id::img) && !is_decoration(tree, id)) {
      media shown;
      shown.alt = clean_text(tree.attribute_of(id, "alt"));
      shown.width = count_in(tree.attribute_of(id, "width"));
      shown.height = count_in(tree.attribute_of(id, "height"));
      add_picture(tree.attribute_of(id, "src"), base_url, std::move(shown), common);
    }
  }
}

}  // namespace freshet::sources
