// convert(): from bytes to a document item, one step after the other: type, charset, tree,
// metadata, choice, markdown. Nothing is fetched and nothing is remembered.
#include <base/invalid_parameter.hpp>
#include <markdown/page.hpp>

#include <algorithm>
#include <array>
#include <base/media_type.hpp>
#include <base/part_meter.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <base/word_views.hpp>
#include <cmath>
#include <html/charset.hpp>
#include <html/queries.hpp>
#include <html/select/selector.hpp>
#include <markdown/blocks/long_blocks.hpp>
#include <markdown/blocks/report.hpp>
#include <markdown/body_kind.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/metadata.hpp>
#include <markdown/page_safety.hpp>
#include <markdown/safety/characters.hpp>
#include <markdown/safety/unseen_text.hpp>
#include <markdown/structured_content.hpp>
#include <markdown/visibility/visibility.hpp>
#include <markdown/writing/writer.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;

/// What is cut by `max_tokens` is cut between blocks.
constexpr std::size_t most_block_bytes_of_text = 2000;

/// The most steps that a page may take, and its selectors beside it. Pages that people read take
/// some 4 a byte; a step is some 10 ns.
constexpr std::uint64_t steps_of_any_page = 2'000'000, steps_per_byte = 40;
/// What is done with a text byte by byte counts as one step for so many.
constexpr std::size_t bytes_per_step = 2;
constexpr std::uint64_t steps_of_any_selection = 4'000'000, steps_of_selection_per_byte = 40;

/// Where the work on one page is counted.
struct page_meters {
  base::part_meter page, selection;
};

/// What was meant to be read, and was ended.
error ended(const base::work_ended& why) {
  switch (why.code()) {
    case errc::cancelled:
      return error(errc::cancelled, "nobody waits for the page any more");
    case errc::source_timeout:
      return error(errc::source_timeout, "the page could not be read before the deadline");
    default:
      return error(errc::unsupported_content,
                   "the page is too complex: it takes far more work than pages of its size do; "
                   "try another address of the same content (a print view or a feed)");
  }
}

error too_many_tests(std::string_view parameter) {
  return base::invalid_parameter(
      "/" + std::string(parameter), "too_long",
      "these selectors take too many tests on a page of this size; give fewer or simpler ones, "
      "such as one id or one class");
}

result<std::vector<html::selector>> compile_all(const std::vector<std::string>& texts,
                                                std::string_view parameter) {
  std::vector<html::selector> compiled;
  for (const auto& text : texts) {
    auto one = html::selector::compile(text, html::selector_functions::all);
    if (!one) {
      return base::invalid_parameter("/" + std::string(parameter), "invalid_format",
                                     one.error().detail());
    }
    compiled.push_back(std::move(*one));
  }
  return compiled;
}

bool is_all_ascii(std::string_view text) noexcept {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

/// Piece by piece, each up to a space: the work can be ended between them, and of most texts few
/// have to be folded. What stays as it is has the same words in capitals.
std::int64_t count_words(std::string_view text, base::meter& steps) {
  constexpr std::size_t bytes_of_piece = 1 << 8;
  std::vector<std::string_view> words;
  std::size_t count = 0, at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find_first_of(" \n", at + bytes_of_piece), text.size());
    steps.spend(end / bytes_per_step - at / bytes_per_step);
    const auto piece = text.substr(at, end - at);
    const bool stays = is_all_ascii(piece);
    const auto folded = stays ? std::string() : base::fold(piece);
    base::divide_words(stays ? piece : folded, words);
    count += words.size();
    at = end;
  }
  return static_cast<std::int64_t>(count);
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

void fill_counts(document& item, base::meter& steps) {
  item.word_count = count_words(item.text, steps);
  steps.spend(item.markdown.size() / bytes_per_step);
  item.token_estimate = estimate_tokens(item.markdown);
}

void fill_metadata(document& item, metadata found) {
  item.title = without_unseen(found.title);
  item.description = without_unseen(found.description);
  item.site_name = without_unseen(found.site_name);
  item.image_url = std::move(found.image_url);
  item.lang = std::move(found.lang);
  item.created_at = found.published;
  item.edited_at = found.edited;
  item.authors = std::move(found.authors);
  for (auto& one : item.authors) one.display_name = without_unseen(one.display_name);
  if (!item.authors.empty()) item.author = item.authors.front();
  item.tags = std::move(found.tags);
  if (!found.canonical_url.empty()) item.url = base::canonical_url(found.canonical_url);
}

/// What is selected, each element once, in document order. Error: the bound was reached.
result<std::vector<node_id>> select_all(const html::document& page,
                                        const std::vector<html::selector>& selectors,
                                        std::string_view parameter, base::meter& counted) {
  std::vector<node_id> found;
  try {
    for (const auto& one : selectors) {
      const auto matched = one.select(page, page.root(), counted);
      counted.spend(matched.size());
      found.insert(found.end(), matched.begin(), matched.end());
    }
  } catch (const base::work_ended& why) {
    if (why.code() != errc::unsupported_content) throw;
    return too_many_tests(parameter);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// The outermost ones of what `include` asks for.
std::vector<node_id> included_parts(const page_tree& tree, const std::vector<node_id>& found) {
  std::vector<node_id> outermost;
  for (const auto id : found) {
    if (!outermost.empty() && tree.contains(outermost.back(), id)) continue;
    if (!tree.is_dropped(id)) outermost.push_back(id);
  }
  return outermost;
}

/// As a block of code, whatever rows of backticks it has itself.
std::string fenced(std::string_view text, std::string_view language) {
  std::size_t longest = 2, row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence + std::string(language) + "\n" + std::string(base::trim(text));
  return out + "\n" + fence + "\n";
}

result<page_result> convert_text(const page_source& source, body_kind kind,
                                 const page_options& options, base::meter& steps) {
  page_result made;
  auto& item = made.document;
  item.markdown = html::to_utf8(source.body, source.content_type).text;
  std::erase(item.markdown, '\r');
  const auto spend_on_text = [&] { steps.spend(item.markdown.size() / bytes_per_step); };
  spend_on_text();
  mark_list marks;
  mark_characters(item.markdown, marks);
  if (may_hold_unseen(item.markdown)) item.markdown = without_unseen(item.markdown);
  spend_on_text();
  item.text = base::nfc(std::string(base::trim(item.markdown)));
  spend_on_text();
  const bool is_code = kind == body_kind::data && !item.text.empty();
  if (is_code) {
    item.markdown = fenced(item.markdown, language_of(source.content_type));
  }
  made.blocks = is_code ? std::vector<std::size_t>{0} : blocks_of_text(item.markdown);
  // A table of numbers or a log is one block, whatever its size.
  if (kind != body_kind::markdown)
    made.blocks = split_long_blocks(made.blocks, item.markdown, most_block_bytes_of_text);
  if (kind == body_kind::markdown && item.markdown.starts_with("# ")) {
    item.title =
        base::trim(std::string_view(item.markdown).substr(2, item.markdown.find('\n') - 2));
  }
  spend_on_text();
  if (auto refused = apply_safety(made, std::move(marks), options)) return *std::move(refused);
  fill_counts(item, steps);
  return made;
}

struct selectors {
  std::vector<html::selector> include, exclude;
};

content choose(page_tree& tree, const page_options& options,
               const std::optional<std::vector<node_id>>& included, const metadata& about,
               std::vector<std::string>& warnings) {
  if (included) {
    content chosen;
    chosen.roots = included_parts(tree, *included);
    if (chosen.roots.empty()) warnings.emplace_back("include matches nothing on this page");
    return chosen;
  }
  if (options.mode == page_mode::page) return {{tree.body()}, true, page_type::article};
  auto chosen = choose_content(tree, about, {options.model, options.report});
  if (!chosen.found) {
    warnings.emplace_back("the main content was not found; this is the whole page");
  }
  return chosen;
}

/// HTML that metadata hold, as a part of the answer.
void append_fragment(page_result& made, std::string_view fragment, const writer_options& how,
                     base::meter* counted) {
  auto parsed = html::parse(fragment, counted);
  mark_list unseen;  // of the same words that were hidden in the page's data before
  drop_unseen_characters(parsed, unseen);
  page_tree tree(parsed);
  drop_invisible(tree);
  auto added = write_markdown(tree, {tree.body()}, how);
  auto& item = made.document;
  if (!item.markdown.empty()) item.markdown += "\n\n";
  for (const auto block : added.blocks) made.blocks.push_back(item.markdown.size() + block);
  item.markdown += added.markdown;
  if (!item.text.empty()) item.text += '\n';
  item.text += write_text(tree, {tree.body()});
}

/// What a page of nothing but frames says to readers without them.
std::string_view text_without_frames(const html::document& page) {
  bool has_frames = false;
  std::string_view text;
  for (node_id id = 0; id < page.size(); ++id) {
    has_frames = has_frames || page.is_element(id, html::tag_id::frameset);
    if (!text.empty() || !page.is_element(id, html::tag_id::noframes)) continue;
    if (const auto inside = page.at(id).first_child; inside != html::none)
      text = base::trim(page.at(inside).text);
  }
  return has_frames ? text : std::string_view();
}

/// How sure it is that metadata say what the page is about: where they hold all of an article, and
/// where they only sum it up.
constexpr double confidence_of_article = 0.9, confidence_of_summary = 0.3;
/// Less is worth a warning.
constexpr double enough_confidence = 0.5;

/// What only the structured data say goes after what the page says, or stands instead of it: a
/// page may show no more than the beginning of an article.
void add_missing_text(page_result& made, const html::document& page, const metadata& about,
                      const content& chosen, const writer_options& how, choice_report* report) {
  auto& item = made.document;
  item.confidence = item.text.empty() ? 0.0 : chosen.confidence;
  const bool says_nothing = item.text.empty();
  const auto article = says_nothing ? std::string() : whole_article(page, about, item.text);
  if (!article.empty()) {
    item.markdown.clear();
    item.text.clear();
    item.links.clear();
    item.media.clear();
    made.blocks.clear();
    append_fragment(made, article, how, page.counted_on());
    item.confidence = confidence_of_article;
    made.warnings.emplace_back(
        "the page shows only a part of the article; this is the text in its structured data");
    if (report != nullptr) report->reason = "articleBody of the structured data: the page has less";
  } else if (const auto spare = says_nothing ? text_without_frames(page) : std::string_view();
             !spare.empty()) {
    append_fragment(made, spare, how, page.counted_on());
    made.is_frames = true;
    item.confidence = confidence_of_summary;
    made.warnings.emplace_back(
        "the page shows frames alone; this is what it says to readers without them");
    if (report != nullptr) report->reason = "noframes: the page shows frames alone";
  } else if (const auto fragment = missing_text(page, about, chosen.type, item.text);
             !fragment.empty()) {
    if (says_nothing) {
      item.confidence = confidence_of_summary;
      made.warnings.emplace_back(
          "the page shows no text without its scripts; this is what its metadata say");
      if (report != nullptr) report->reason = "metadata: the page shows no text";
    }
    append_fragment(made, fragment, how, page.counted_on());
  }
  if (item.confidence < enough_confidence && !says_nothing) {
    made.warnings.emplace_back(
        "it is not certain that this is the main content (`confidence` is low); mode \"page\" "
        "gives "
        "the whole page");
  }
  // Two digits are what the calibration is worth.
  constexpr double steps = 100;
  item.confidence = std::round(*item.confidence * steps) / steps;
  if (report != nullptr) report->confidence = *item.confidence;
}

result<page_result> convert_html(const page_source& source, const page_options& options,
                                 const selectors& wanted, page_meters& counted) {
  page_result made;
  std::string converted;
  const auto decoded = html::to_utf8_view(source.body, source.content_type, converted);
  auto page = html::parse(decoded.text, &counted.page.steps);
  html::encode_queries(page, decoded.charset);
  made.warnings = std::move(page.warnings);
  mark_list marks;
  drop_unseen_characters(page, marks);
  const auto base = base_of(page, source.url);
  page_tree tree(page);
  auto about = read_metadata(tree, base);
  for (const auto* text : {&about.title, &about.description}) mark_characters(*text, marks);
  mark_hidden(drop_invisible(tree), marks);
  const auto excluded = select_all(page, wanted.exclude, "exclude", counted.selection.steps);
  if (!excluded) return excluded.error();
  for (const auto id : *excluded) {
    // Below one that is dropped already there is nothing left to drop.
    if (!tree.is_dropped(id)) tree.drop(id);
  }
  tree.count();
  std::optional<std::vector<node_id>> included;
  if (!wanted.include.empty()) {
    auto found = select_all(page, wanted.include, "include", counted.selection.steps);
    if (!found) return found.error();
    included = std::move(*found);
  }
  const auto chosen = choose(tree, options, included, about, made.warnings);
  const writer_options how{options.links, options.images, base,
                           options.safety == safety_mode::strip};
  auto text = write_markdown(tree, chosen.roots, how);
  made.document.markdown = std::move(text.markdown);
  made.document.links = std::move(text.links);
  made.document.media = std::move(text.pictures);
  made.document.text = write_text(tree, chosen.roots);
  for (const auto& [rule, address] : text.data_images) {
    marks.add(mark_kind::remote_image, rule, address);
  }
  made.blocks = std::move(text.blocks);
  const bool chosen_freely = options.mode == page_mode::article && wanted.include.empty();
  if (chosen_freely) add_missing_text(made, page, about, chosen, how, options.report);
  made.places = {about.title_place, about.authors_place, about.published_place};
  fill_metadata(made.document, std::move(about));
  counted.page.steps.spend(made.document.markdown.size() / bytes_per_step);
  if (auto refused = apply_safety(made, std::move(marks), options)) return *std::move(refused);
  fill_counts(made.document, counted.page.steps);
  return made;
}

result<page_result> convert_counted(const page_source& source, const page_options& options,
                                    const selectors& wanted, page_meters& counted) {
  const auto kind = kind_of(source.body, source.content_type, source.url);
  if (kind == body_kind::unknown) {
    const auto type = base::media_type_of(source.content_type);
    return error(
        errc::unsupported_content,
        "the page is not text: " + (type.empty() ? "no content type" : base::repair_utf8(type)));
  }
  auto made = kind == body_kind::html ? convert_html(source, options, wanted, counted)
                                      : convert_text(source, kind, options, counted.page.steps);
  if (!made) return made;
  auto& item = made->document;
  item.final_url = source.url;
  if (item.url.empty() && !source.url.empty()) item.url = base::canonical_url(source.url);
  item.content_type = source.content_type;
  return made;
}

}  // namespace

std::uint64_t page_bound(std::size_t bytes) noexcept {
  return steps_of_any_page + steps_per_byte * bytes;
}

std::uint64_t selection_bound(std::size_t bytes) noexcept {
  return steps_of_any_selection + steps_of_selection_per_byte * bytes;
}

result<page_result> convert(const page_source& source, const page_options& options,
                            base::meter* meter) {
  selectors wanted;
  for (const auto& [texts, into, name] :
       {std::tuple{&options.include, &wanted.include, "include"},
        std::tuple{&options.exclude, &wanted.exclude, "exclude"}}) {
    auto compiled = compile_all(*texts, name);
    if (!compiled) return compiled.error();
    *into = std::move(*compiled);
  }
  try {
    page_meters counted{{meter, page_bound(source.body.size())},
                        {meter, selection_bound(source.body.size())}};
    return convert_counted(source, options, wanted, counted);
  } catch (const base::work_ended& why) {
    return ended(why);
  }
}

}  // namespace freshet::markdown
