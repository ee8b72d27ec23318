// Counts what a reader would see and looks for the marks of pages that scripts build. A page with
// something to read is never a shell, whatever its scripts add: rendering costs five times as much.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <html/charset.hpp>
#include <html/document.hpp>
#include <sources/read_answer.hpp>
#include <sources/web/shell.hpp>

namespace freshet::sources::web {

namespace {

using html::tag_id;

/// What the pass over a page finds.
struct findings {
  std::size_t words = 0;  ///< that a reader would see
  bool runs_script = false;
  bool empty_mount = false;
  bool wants_script = false;
  /// The first text behind the last mount: mounts stand in mounts, and none is walked through
  /// twice.
  html::node_id text = html::none;
};

/// The signs, each with the most words that a page with it may have and still be a shell. A sign
/// that is certain allows for a header or a footer around the hole; no sign but a script, for
/// "Loading".
struct shell_sign {
  bool findings::*found;
  std::size_t most_words;
  std::string_view why;
};

constexpr std::array<shell_sign, 3> shell_signs = {{
    {&findings::empty_mount, 60, "the element that its scripts fill is empty"},
    {&findings::wants_script, 60, "it asks for JavaScript to be switched on"},
    {&findings::runs_script, 5, "it has scripts and no text"},
}};

/// Ids under which frameworks put a page: React, Vue, Angular, Next, Nuxt, Gatsby, Svelte, Ember
/// and those who follow them.
constexpr std::array<std::string_view, 16> mount_ids = {
    "root",       "app",         "__next",      "__nuxt",    "___gatsby", "app-root",
    "react-root", "main-app",    "svelte",      "ember-app", "q-app",     "app-mount",
    "mount",      "application", "wrapper-app", "reactroot"};

/// What a <noscript> says that stands in for the page.
constexpr std::array<std::string_view, 2> script_words = {"javascript", "scripting"};

/// More words than any sign allows: no need to count on.
constexpr std::size_t enough_words = 100;

bool is_unseen(tag_id tag) {
  switch (tag) {
    case tag_id::head:
    case tag_id::script:
    case tag_id::style:
    case tag_id::template_:
    case tag_id::svg:
    case tag_id::iframe:
      return true;
    default:
      return false;
  }
}

/// A script that is run: not data.
bool is_run(const html::document& page, html::node_id script) {
  const auto type = base::to_lower_ascii(page.attribute_of(script, "type"));
  return type.empty() || type == "module" || type.find("javascript") != std::string::npos;
}

bool is_mount(const html::document& page, html::node_id element) {
  const auto id = page.attribute_of(element, "id");
  // <app-root></app-root>: a component in the page's own markup.
  const auto name = id.empty() ? page.at(element).name : id;
  return std::ranges::find(mount_ids, name) != mount_ids.end();
}

std::string text_within(const html::document& page, html::node_id element) {
  std::string text;
  for (auto at = page.next_in_order(element, element); at != html::none;) {
    page.spend(1);
    const auto& node = page.at(at);
    if (node.type == html::node_type::text) text += std::string(node.text) + ' ';
    at = is_unseen(node.tag) ? page.next_skipping_children(at, element)
                             : page.next_in_order(at, element);
    if (text.size() > enough_words * 8) break;
  }
  return text;
}

/// The first text with something to see behind an element; beyond all nodes where there is none.
html::node_id text_behind(const html::document& page, html::node_id element) {
  const auto root = html::document::root();
  for (auto at = page.next_in_order(element, root); at != html::none;) {
    const auto& node = page.at(at);
    page.spend(1 + node.text.size() / 16);
    if (node.type == html::node_type::text && !base::trim(node.text).empty()) return at;
    at = is_unseen(node.tag) ? page.next_skipping_children(at, root) : page.next_in_order(at, root);
  }
  return static_cast<html::node_id>(page.size());
}

bool is_empty(const html::document& page, html::node_id element, findings& found) {
  if (found.text == html::none || found.text <= element) found.text = text_behind(page, element);
  const auto end = page.next_skipping_children(element, html::document::root());
  return found.text >= (end == html::none ? page.size() : end);
}

void look_at(const html::document& page, html::node_id element, findings& found) {
  const auto& node = page.at(element);
  if (node.tag == tag_id::noscript) {
    const auto text = base::to_lower_ascii(text_within(page, element));
    found.wants_script |= std::ranges::any_of(
        script_words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
  } else if (is_mount(page, element)) {
    found.empty_mount |= is_empty(page, element, found);
  }
}

findings survey(const html::document& page) {
  findings found;
  const auto root = html::document::root();
  for (auto at = root; at != html::none && found.words < enough_words;) {
    const auto& node = page.at(at);
    page.spend(1 + node.text.size() / 16);
    if (node.tag == tag_id::script && is_run(page, at)) found.runs_script = true;
    if (node.type == html::node_type::text)
      found.words += base::words(base::fold(node.text)).size();
    if (node.type == html::node_type::element) look_at(page, at, found);
    // The scripts in the head count, its title does not.
    const bool skipped = node.tag == tag_id::noscript || node.tag == tag_id::title ||
                         (node.tag != tag_id::head && is_unseen(node.tag));
    at = skipped ? page.next_skipping_children(at, root) : page.next_in_order(at, root);
  }
  return found;
}

}  // namespace

std::string_view sign_of_empty_shell(const http::response& answer, base::meter* counted) {
  if (!is_html(answer)) return {};
  std::string converted;
  const auto type = http::find_header(answer.headers, "content-type");
  const auto found =
      survey(html::parse(html::to_utf8_view(answer.body, type, converted).text, counted));
  if (!found.runs_script) return {};
  for (const auto& sign : shell_signs) {
    if (found.*sign.found && found.words <= sign.most_words) return sign.why;
  }
  return {};
}

}  // namespace freshet::sources::web
