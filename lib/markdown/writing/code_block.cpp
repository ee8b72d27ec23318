// Reading code out of what highlighters make of it: tables with gutters, a span or a div a line,
// <br> for newlines, copy buttons.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <cstdlib>
#include <markdown/tree/patches.hpp>
#include <markdown/writing/code_block.hpp>
#include <markdown/writing/escape.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using enum html::tag_id;

/// Class names of line numbers and of what else is drawn around code.
constexpr std::string_view gutter_names[] = {" lineno ",
                                             " linenodiv ",
                                             " code__header ",
                                             " code-block-header ",
                                             " codeblock-header ",
                                             " code__copy-button ",
                                             " copy-code-button ",
                                             " copy-btn ",
                                             " toolbar ",
                                             " code-actions ",
                                             " code-block-extension-header ",
                                             " linenum ",
                                             " linenos ",
                                             " line-number ",
                                             " line-numbers ",
                                             " source-line-no ",
                                             " linenumber ",
                                             " gutter ",
                                             " ln ",
                                             " lnt ",
                                             " blob-num ",
                                             " rouge-gutter ",
                                             " line-numbers-rows ",
                                             " hljs-ln-numbers ",
                                             " react-syntax-highlighter-line-number ",
                                             " cm-gutters ",
                                             " codemirror-gutters ",
                                             " copy-button ",
                                             " code-copy ",
                                             " sr-only ",
                                             " crayon-nums ",
                                             " code-header "};

/// Class names of one line of code.
constexpr std::string_view line_names[] = {" line ", " code-line ", " cm-line ", " token-line ",
                                           " cl ",   " view-line ", " ec-line "};

constexpr std::array<std::string_view, 6> language_prefixes = {
    "language-", "lang-", "highlight-source-", "brush-", "highlight-text-", "highlight-"};

/// Class names that look like a language and are none.
constexpr std::array<std::string_view, 10> no_languages = {
    "none",   "default", "code",    "wrap",      "container",
    "source", "content", "wrapper", "plaintext", "plain"};

/// Languages that pages name in a class without saying that it is one. Sorted.
constexpr std::array<std::string_view, 50> known_languages = {
    "asm",        "bash",       "c",       "c++",    "clojure",  "cpp",        "cs",
    "csharp",     "css",        "dart",    "diff",   "docker",   "dockerfile", "elixir",
    "erlang",     "go",         "graphql", "groovy", "haskell",  "html",       "ini",
    "java",       "javascript", "js",      "json",   "jsx",      "julia",      "kotlin",
    "latex",      "less",       "lisp",    "lua",    "makefile", "perl",       "php",
    "powershell", "python",     "r",       "ruby",   "rust",     "scala",      "scss",
    "sh",         "shell",      "sql",     "swift",  "toml",     "typescript", "xml",
    "yaml"};

bool is_known_language(std::string_view name) {
  return std::binary_search(known_languages.begin(), known_languages.end(), name);
}

/// Nothing but numbers, and some.
bool is_numbers(const page_tree& tree, node_id id) {
  bool any = false;
  tree.spend_on(id);
  for (auto at = id; at < tree.end_of(id); ++at) {
    const auto& one = tree.at(at);
    if (one.type != html::node_type::text) continue;
    if (one.text.find_first_not_of("0123456789 \r\n\t") != std::string_view::npos) return false;
    any |= one.text.find_first_of("0123456789") != std::string_view::npos;
  }
  return any;
}

bool is_gutter(const page_tree& tree, node_id id) {
  tree.spend(1);
  const auto& page = tree.page();
  const auto tag = tree.tag_of(id);
  if (tag == button || tag == style || tag == script || tag == svg) return true;
  if (page.attribute_of(id, "aria-hidden") == "true") {
    const auto text = tree.raw_text_of(id);
    return text.find_first_not_of("0123456789 \n\t") == std::string::npos && !text.empty();
  }
  const auto style = page.attribute_of(id, "style");
  if (style.find("user-select") != std::string_view::npos &&
      style.find("none") != std::string_view::npos) {
    return true;
  }
  if (tag == td && tree.at(id).next != none && is_numbers(tree, id)) return true;
  return page.has_attribute(id, "class") && contains_any(names_of(page, id), gutter_names);
}

bool is_line(const page_tree& tree, node_id id) {
  const auto tag = tree.tag_of(id);
  if (tag == div || tag == p || tag == li || tag == tr) return true;
  return (tag == span || tag == code) && contains_any(names_of(tree.page(), id), line_names);
}

/// Without carriage returns, and with ordinary spaces instead of no-break ones.
std::string with_plain_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') continue;
    const bool no_break = text[i] == '\xC2' && i + 1 < text.size() && text[i + 1] == '\xA0';
    out += no_break ? ' ' : text[i];
    i += no_break ? 1 : 0;
  }
  return out;
}

/// The language in one element's attributes.
std::string language_at(const html::document& page, node_id id) {
  for (const auto attribute : {"data-lang", "data-language", "lang-name", "language",
                               "data-code-language", "data-code-block-lang"}) {
    const auto value = base::trim(page.attribute_of(id, attribute));
    if (!value.empty()) return base::to_lower_ascii(value);
  }
  if (!page.has_attribute(id, "class")) return {};
  auto names = names_of(page, id);
  if (const auto brush = names.find(" brush: "); brush != std::string::npos) {
    const auto from = brush + 8;
    return names.substr(from, names.find_first_of("; ", from) - from);
  }
  for (const auto prefix : language_prefixes) {
    const auto at = names.find(" " + std::string(prefix));
    if (at == std::string::npos) continue;
    const auto from = at + 1 + prefix.size();
    auto found = names.substr(from, names.find(' ', from) - from);
    if (found.empty()) continue;
    if (std::ranges::find(no_languages, found) != no_languages.end()) continue;
    return found;
  }
  const auto tag = page.at(id).tag;
  const bool is_code = tag == pre || tag == code;
  if (is_code || names.find(" highlight ") != std::string::npos) {
    for (std::size_t from = 1; from < names.size();) {
      const auto end = names.find(' ', from);
      if (end == std::string::npos) break;
      auto name = names.substr(from, end - from);
      if (is_known_language(name)) return name;
      from = end + 1;
    }
  }
  // Pandoc ("sourceCode python") and highlight.js ("hljs python") name it right behind.
  for (const std::string_view before : {" sourcecode ", " hljs ", " src src-"}) {
    const auto at = names.find(before);
    if (at == std::string::npos) continue;
    const auto from = at + before.size();
    const auto found = names.substr(from, names.find(' ', from) - from);
    if (!found.empty() && found.find("copy") == std::string::npos &&
        found.find('-') == std::string::npos) {
      return found;
    }
  }
  return {};
}

/// The part of an editor's widgets that holds the code.
node_id editor_content(const page_tree& tree, node_id id) {
  tree.spend_on(id);
  for (auto at = id + 1; at < tree.end_of(id); ++at) {
    if (tree.attribute_of(at, "class").find("cm-content") != std::string_view::npos) {
      return at;
    }
  }
  return id;
}

/// The element whose children all begin with their number: lines, each with its own gutter.
node_id numbered_lines(const page_tree& tree, node_id id) {
  constexpr std::uint32_t longest_number = 5;
  constexpr int least_lines = 2;
  tree.spend_on(id);
  for (auto at = id; at < tree.end_of(id); ++at) {
    if (!tree.is_element(at)) continue;
    int lines = 0;
    long expected = -1;
    for (auto line = tree.at(at).first_child; line != none; line = tree.at(line).next) {
      tree.spend(1);
      if (!tree.is_element(line)) continue;
      const auto first = tree.at(line).first_child;
      if (first == none || !tree.is_element(first) || tree.at(first).next == none ||
          tree.text_in(first) == 0 || tree.text_in(first) > longest_number ||
          !is_numbers(tree, first)) {
        lines = 0;
        break;
      }
      const long number = std::strtol(tree.text_of(first).c_str(), nullptr, 10);
      if (expected >= 0 && number != expected) {
        lines = 0;
        break;
      }
      expected = number + 1;
      ++lines;
    }
    if (lines >= least_lines) return at;
  }
  return none;
}

}  // namespace

bool is_code_table(const page_tree& tree, node_id table) {
  bool gutter = false, code = false;
  for (auto at = table + 1; at < tree.end_of(table); ++at) {
    tree.spend(1);
    const auto tag = tree.tag_of(at);
    if (tag == html::tag_id::table || tag == th) return false;
    if (tag != td) continue;
    const bool marked = tree.attribute_of(at, "class").find("blob-") != std::string_view::npos;
    if (tree.of(at).code == 0 && !marked && !is_gutter(tree, at)) return false;
    if (is_gutter(tree, at) || is_numbers(tree, at)) {
      gutter = true;
    } else {
      code = true;
    }
    at = tree.end_of(at) - 1;
  }
  return gutter && code;
}

bool is_block_of_code(const page_tree& tree, node_id code) {
  const auto style = tree.attribute_of(code, "style");
  if (style.find("white-space") == std::string_view::npos) return false;
  if (style.find("pre", style.find("white-space")) == std::string_view::npos) return false;
  const auto text = tree.raw_text_of(code);
  return base::trim(text).find('\n') != std::string_view::npos;
}

std::string code_text(const page_tree& tree, node_id whole) {
  const auto& page = tree.page();
  tree.spend_on(whole);
  const node_id id = editor_content(tree, whole);
  const node_id numbered = numbered_lines(tree, id);
  std::string out;
  // Lines that are elements end with a newline even where the page has none between them.
  std::vector<node_id> lines;
  const auto end_lines = [&](node_id at) {
    bool ended = false;
    while (!lines.empty() && !tree.contains(lines.back(), at)) {
      lines.pop_back();
      if (out.empty() || out.back() == '\n') continue;
      out += '\n';
      ended = true;
    }
    return ended;
  };
  for (node_id at = id; at < tree.end_of(id); ++at) {
    const auto& one = page.at(at);
    const bool text = one.type == html::node_type::text;
    // The newline that the page itself has behind a line ends it: no second one.
    if (text && !lines.empty() && !tree.contains(lines.back(), at)) {
      const bool own_newline = one.text.starts_with("\n") || one.text.starts_with("\r\n");
      const auto content = lines.back();
      lines.pop_back();
      if (!own_newline && one.next != none && (out.empty() || out.back() != '\n')) out += '\n';
      if (own_newline && !out.empty() && out.back() == '\n' && tree.tag_of(content) == span) {
        out.pop_back();
      }
    }
    const bool ended = end_lines(at);
    if (text) {
      // White space between the cells of a table is none of the code.
      const auto around = one.parent == none ? other : page.at(one.parent).tag;
      const bool between = around == table || around == tbody || around == tr || around == td;
      if (between && base::trim(one.text).empty()) continue;
      out += one.text;
      continue;
    }
    if (one.type != html::node_type::element) continue;
    const bool number = numbered != none && one.previous == none && one.parent != none &&
                        one.parent != numbered && page.at(one.parent).parent == numbered;
    if (at != id && (number || is_gutter(tree, at))) {
      at = tree.end_of(at) - 1;
    } else if (one.tag == br) {
      // Behind a line that is an element it is that line's own.
      if (!ended) out += '\n';
    } else if (at != id && is_line(tree, at)) {
      if (!out.empty() && out.back() != '\n' && one.tag != span && one.tag != code) out += '\n';
      lines.push_back(at);
    }
  }
  out = with_plain_spaces(out);
  // Without empty lines at either end.
  const auto first = out.find_first_not_of(" \n\t");
  if (first == std::string::npos) return {};
  const auto line = out.rfind('\n', first);
  const auto from = line == std::string::npos ? 0 : line + 1;
  return out.substr(from, out.find_last_not_of(" \n\t") + 1 - from);
}

std::string code_language(const page_tree& tree, node_id id) {
  constexpr int wrappers = 3;
  if (is_patch(tree, id)) return "diff";
  const auto& page = tree.page();
  std::string found;
  for (node_id at = id; at < tree.end_of(id) && found.empty(); ++at) {
    tree.spend(1);
    const auto& one = page.at(at);
    if (one.type == html::node_type::element && (at == id || one.tag == code)) {
      found = language_at(page, at);
      // The first <code> of a table may be its gutter.
      if (one.tag == code && !page.is_element(id, table)) break;
    }
  }
  node_id at = page.at(id).parent;
  for (int i = 0; i < wrappers && found.empty() && at != none; ++i, at = page.at(at).parent) {
    // A wrapper of several blocks says nothing about one of them.
    if (page.at(at).type != html::node_type::element || page.is_element(at, body)) break;
    if (tree.text_in(at) > 2 * tree.text_in(id) + 200) break;
    found = language_at(page, at);
  }
  if (const auto content = editor_content(tree, id); found.empty() && content != id) {
    // Editors show it above the code.
    for (at = id; at < content && found.empty(); ++at) {
      if (page.at(at).type != html::node_type::text) continue;
      auto label = base::to_lower_ascii(base::trim(page.at(at).text));
      if (is_known_language(label)) found = std::move(label);
    }
  }
  const auto bad = found.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+#._-");
  return bad == std::string::npos && found.size() <= 32 ? found : std::string();
}

std::string fenced(std::string_view code, std::string_view language) {
  const std::string fence = fence_for(code, '`');
  std::string out = fence;
  out += language;
  out += '\n';
  out += code;
  out += '\n';
  return out + fence;
}

}  // namespace freshet::markdown
