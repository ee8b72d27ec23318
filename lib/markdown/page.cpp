// convert(): from bytes to a document item, one step after the other: type, charset, tree,
// metadata, choice, markdown. Nothing is fetched and nothing is remembered.
#include <base/invalid_parameter.hpp>
#include <markdown/page.hpp>

#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/charset.hpp>
#include <html/select/selector.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/metadata.hpp>
#include <markdown/structured_content.hpp>
#include <markdown/tree/visibility.hpp>
#include <markdown/writing/writer.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;

enum class body_kind { html, markdown, plain, unknown };

/// How much is looked at when nothing says what a body is.
constexpr std::size_t sniffed_bytes = 1024;

std::string media_type_of(std::string_view content_type) {
  return base::to_lower_ascii(base::trim(content_type.substr(0, content_type.find(';'))));
}

bool looks_binary(std::string_view body) {
  const auto head = body.substr(0, sniffed_bytes);
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return false;
  if (head.starts_with("%PDF-") || head.starts_with("PK\x03\x04")) return true;
  return head.find('\0') != std::string_view::npos;
}

bool looks_like_html(std::string_view body) {
  const auto head = base::to_lower_ascii(body.substr(0, sniffed_bytes));
  constexpr std::array<std::string_view, 10> beginnings = {
      "<!doctype html", "<html", "<head", "<body", "<title", "<div", "<p>", "<p ", "<h1", "<meta"};
  return contains_any(head, beginnings);
}

body_kind kind_of(const page_source& source) {
  const auto type = media_type_of(source.content_type);
  if (looks_binary(source.body)) return body_kind::unknown;
  if (type == "text/html" || type == "application/xhtml+xml") return body_kind::html;
  if (type == "text/markdown" || type == "text/x-markdown") return body_kind::markdown;
  if (type.empty() || type == "application/octet-stream" || type == "text/plain") {
    if (type != "text/plain" && looks_like_html(source.body)) return body_kind::html;
    if (type == "text/plain" &&
        (source.url.ends_with(".md") || source.url.ends_with(".markdown"))) {
      return body_kind::markdown;
    }
    return body_kind::plain;
  }
  return type.starts_with("text/") ? body_kind::plain : body_kind::unknown;
}

result<std::vector<html::selector>> compile_all(const std::vector<std::string>& texts,
                                                std::string_view parameter) {
  std::vector<html::selector> compiled;
  for (const auto& text : texts) {
    auto one = html::selector::compile(text);
    if (!one) {
      return base::invalid_parameter("/" + std::string(parameter), "invalid_format",
                                     one.error().detail());
    }
    compiled.push_back(std::move(*one));
  }
  return compiled;
}

std::int64_t count_words(std::string_view text) {
  return static_cast<std::int64_t>(base::words(base::fold(text)).size());
}

/// Byte offsets at which the blocks of text that is already markdown begin.
std::vector<std::size_t> blocks_of_text(std::string_view text) {
  std::vector<std::size_t> starts;
  bool blank = true, fenced = false;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = base::trim(text.substr(at, end - at));
    if (line.empty() && !fenced) {
      blank = true;
    } else {
      if (blank && !fenced) starts.push_back(at);
      blank = false;
      if (line.starts_with("```") || line.starts_with("~~~")) fenced = !fenced;
    }
    at = end + 1;
  }
  return starts;
}

void fill_counts(document& item) {
  item.word_count = count_words(item.text);
  item.token_estimate = estimate_tokens(item.markdown);
}

void fill_metadata(document& item, metadata found) {
  item.title = std::move(found.title);
  item.description = std::move(found.description);
  item.site_name = std::move(found.site_name);
  item.image_url = std::move(found.image_url);
  item.lang = std::move(found.lang);
  item.created_at = found.published;
  item.author.display_name = std::move(found.author);
  item.author.url = std::move(found.author_url);
  item.tags = std::move(found.tags);
  if (!found.canonical_url.empty()) item.url = base::canonical_url(found.canonical_url);
}

/// What `include` asks for, each part once, in document order.
std::vector<node_id> included_parts(const page_tree& tree,
                                    const std::vector<html::selector>& include) {
  std::vector<node_id> found;
  for (const auto& one : include) {
    const auto matched = one.select(tree.page(), tree.page().root());
    found.insert(found.end(), matched.begin(), matched.end());
  }
  std::sort(found.begin(), found.end());
  std::vector<node_id> outermost;
  for (const auto id : found) {
    if (!outermost.empty() && tree.contains(outermost.back(), id)) continue;
    if (!tree.is_dropped(id)) outermost.push_back(id);
  }
  return outermost;
}

page_result convert_text(const page_source& source, body_kind kind) {
  page_result made;
  auto& item = made.document;
  item.markdown = html::to_utf8(source.body, source.content_type).text;
  std::erase(item.markdown, '\r');
  made.blocks = blocks_of_text(item.markdown);
  item.text = base::nfc(std::string(base::trim(item.markdown)));
  if (kind == body_kind::markdown && item.markdown.starts_with("# ")) {
    item.title =
        base::trim(std::string_view(item.markdown).substr(2, item.markdown.find('\n') - 2));
  }
  fill_counts(item);
  return made;
}

struct selectors {
  std::vector<html::selector> include, exclude;
};

content choose(page_tree& tree, const page_options& options, const selectors& wanted,
               const metadata& about, std::vector<std::string>& warnings) {
  if (!wanted.include.empty()) {
    content chosen;
    chosen.roots = included_parts(tree, wanted.include);
    if (chosen.roots.empty()) warnings.emplace_back("include matches nothing on this page");
    return chosen;
  }
  if (options.mode == page_mode::page) return {{tree.body()}, true, page_type::article};
  auto chosen = choose_content(tree, about);
  if (!chosen.found) {
    warnings.emplace_back("the main content was not found; this is the whole page");
  }
  return chosen;
}

/// What only the structured data says goes after what the page says.
void add_missing_text(page_result& made, const html::document& page, const metadata& about,
                      page_type type, const writer_options& how) {
  const auto fragment = missing_text(page, about, type, made.document.text);
  if (fragment.empty()) return;
  if (made.document.text.empty()) {
    made.warnings.emplace_back(
        "the page shows no text without its scripts; this is what its metadata say");
  }
  const auto parsed = html::parse(fragment);
  page_tree tree(parsed);
  drop_invisible(tree);
  const auto added = write_markdown(tree, {tree.body()}, how);
  auto& item = made.document;
  if (!item.markdown.empty()) item.markdown += "\n\n";
  for (const auto block : added.blocks) made.blocks.push_back(item.markdown.size() + block);
  item.markdown += added.markdown;
  if (!item.text.empty()) item.text += '\n';
  item.text += write_text(tree, {tree.body()});
}

page_result convert_html(const page_source& source, const page_options& options,
                         const selectors& wanted) {
  page_result made;
  std::string converted;
  auto page = html::parse(html::to_utf8_view(source.body, source.content_type, converted).text);
  made.warnings = std::move(page.warnings);
  const auto base = base_of(page, source.url);
  page_tree tree(page);
  auto about = read_metadata(tree, base);
  drop_invisible(tree);
  for (const auto& one : wanted.exclude) {
    for (const auto id : one.select(page, page.root())) tree.drop(id);
  }
  tree.count();
  const auto chosen = choose(tree, options, wanted, about, made.warnings);
  const writer_options how{options.links, options.images, base};
  auto text = write_markdown(tree, chosen.roots, how);
  made.document.markdown = std::move(text.markdown);
  made.document.links = std::move(text.links);
  made.document.media = std::move(text.pictures);
  made.document.text = write_text(tree, chosen.roots);
  made.blocks = std::move(text.blocks);
  const bool chosen_freely = options.mode == page_mode::article && wanted.include.empty();
  if (chosen_freely) add_missing_text(made, page, about, chosen.type, how);
  fill_metadata(made.document, std::move(about));
  fill_counts(made.document);
  return made;
}

}  // namespace

result<page_result> convert(const page_source& source, const page_options& options) {
  selectors wanted;
  for (const auto& [texts, into, name] :
       {std::tuple{&options.include, &wanted.include, "include"},
        std::tuple{&options.exclude, &wanted.exclude, "exclude"}}) {
    auto compiled = compile_all(*texts, name);
    if (!compiled) return compiled.error();
    *into = std::move(*compiled);
  }
  const auto kind = kind_of(source);
  if (kind == body_kind::unknown) {
    return error(errc::unsupported_content,
                 "the page is not text: " + std::string(media_type_of(source.content_type).empty()
                                                            ? "no content type"
                                                            : media_type_of(source.content_type)));
  }
  page_result made =
      kind == body_kind::html ? convert_html(source, options, wanted) : convert_text(source, kind);
  auto& item = made.document;
  item.final_url = source.url;
  if (item.url.empty() && !source.url.empty()) item.url = base::canonical_url(source.url);
  item.content_type = source.content_type;
  return made;
}

}  // namespace freshet::markdown
