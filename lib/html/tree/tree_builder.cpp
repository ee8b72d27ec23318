// The tree construction dispatcher: which rules hold for a token, and in which mode the builder
// goes on after the stack has changed.
#include <algorithm>
#include <base/byte_row.hpp>
#include <base/unicode.hpp>
#include <html/tree/selected_content.hpp>
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

namespace {

/// Bytes of input a node, where markup is thin.
constexpr std::size_t bytes_per_node = 24;
/// What is read of the input to guess how many nodes there will be.
constexpr std::size_t sample_size = 16'384;
/// What a step of a meter is worth here.
constexpr std::uint64_t looks_per_step = 4;
constexpr std::size_t tokens_between_spending = 64;
/// What the form pointer holds where the form is the context of a fragment: no node of the page.
constexpr node_id outer_form = none - 1;

/// How many nodes the input makes, more or less, so that their row is seldom moved: every tag makes
/// up to two of them, with the text behind it.
std::size_t likely_nodes(std::string_view input) {
  // The rest of a row at the end is not worth a look.
  const auto sample = input.substr(0, sample_size);
  std::size_t tags = 0;
  for (std::size_t at = 0; at + base::row_size <= sample.size(); at += base::row_size) {
    const auto row = base::row_at(sample.data() + at);
    for (auto left = base::bits_of(row == '<'); left != 0; left &= left - 1) ++tags;
  }
  const auto dense = sample.empty() ? 0 : 2 * tags * (input.size() / sample.size() + 1);
  return std::min(std::max(input.size() / bytes_per_node, dense) + 16, max_nodes);
}

}  // namespace

tree_builder::tree_builder(document& document, const input_stream& input, reached_limits& limits)
    : doc_(document), limits_(limits), tokenizer_(input, document.arena(), limits) {
  doc_.reserve(likely_nodes(input.text));
}

void tree_builder::set_context(std::string_view name, element_space space) {
  using enum tag_id;
  is_fragment_ = true;
  context_.space = space;
  context_.tag = tag_of(base::to_lower_ascii(name));
  context_.has = traits_of(context_.tag, space);
  token_.tag = html;
  token_.name = name_of(html);
  push(create_element(element_space::html));
  doc_.append_child(document::root(), open_.current().id);
  if (context_.is(form)) form_ = outer_form;
  if (context_.is(template_)) template_modes_.push_back(mode::in_template);
  reset_mode();
  if (space != element_space::html) return;
  if (context_.tag == title || context_.tag == textarea) {
    tokenizer_.switch_to(tokenizer::state::rcdata);
  } else if (context_.tag == style || context_.tag == xmp || context_.tag == iframe ||
             context_.tag == noembed || context_.tag == noframes) {
    tokenizer_.switch_to(tokenizer::state::rawtext);
  } else if (context_.tag == script) {
    tokenizer_.switch_to(tokenizer::state::script_data);
  } else if (context_.tag == plaintext) {
    tokenizer_.switch_to(tokenizer::state::plaintext);
  }
}

/// Counts what was done since the last time.
void tree_builder::spend(std::uint64_t tokens) {
  const auto done =
      doc_.size() + tokens + (open_.looked_at() + formatting_.looked_at()) / looks_per_step;
  doc_.spend(done - spent_);
  spent_ = done;
}

void tree_builder::run() {
  std::uint64_t tokens = 1;
  for (; !stopped_; ++tokens) {
    if (tokens % tokens_between_spending == 0) spend(tokens);
    read_token();
    if (token_.type == token_type::text && token_.text.empty()) continue;
    if (ends_dropped_element()) continue;
    while ((by_html_rules() ? by_mode() : in_foreign()) == step::again) {
    }
    if (doc_.size() >= max_nodes) {
      limits_.note(limit::nodes);
      break;
    }
  }
  spend(tokens);
  doc_.work = open_.looked_at() + formatting_.looked_at() + doc_.size();
  if (has_selected_content_) fill_selected_content(doc_);
  if (doc_.number(max_depth)) limits_.note(limit::depth);
}

/// Whether the token is the end tag of an element that was dropped because of the depth.
bool tree_builder::ends_dropped_element() noexcept {
  if (dropped_total_ == 0 || token_.type != token_type::end_tag || mode_ == mode::text) {
    return false;
  }
  auto& waiting = dropped_[static_cast<std::size_t>(token_.tag)];
  if (waiting == 0) return false;
  --waiting;
  return true;
}

void tree_builder::read_token() {
  const bool foreign = !open_.empty() && adjusted_current().space != element_space::html;
  tokenizer_.next(token_, foreign);
  if (is_start(tag_id::noscript)) is_in_noscript_ = true;
  if (is_end(tag_id::noscript)) is_in_noscript_ = false;
  if (!skip_newline_) return;
  skip_newline_ = false;
  if (token_.type == token_type::text && token_.text.starts_with('\n')) {
    token_.text.remove_prefix(1);
  }
}

const open_element& tree_builder::adjusted_current() const noexcept {
  return is_fragment_ && open_.size() == 1 ? context_ : open_.current();
}

bool tree_builder::by_html_rules() const noexcept {
  if (open_.empty()) return true;
  const open_element& current = adjusted_current();
  if (current.space == element_space::html) return true;
  const bool is_text = token_.type == token_type::text || token_.type == token_type::nul;
  const bool is_start_tag = token_.type == token_type::start_tag;
  if (token_.type == token_type::end_of_file) return true;
  if ((current.has & text_integration) != 0) {
    if (is_text) return true;
    if (is_start_tag && token_.tag != tag_id::mglyph && token_.tag != tag_id::malignmark) {
      return true;
    }
  }
  if (current.space == element_space::math && current.tag == tag_id::annotation_xml &&
      is_start(tag_id::svg)) {
    return true;
  }
  return (current.has & html_integration) != 0 && (is_text || is_start_tag);
}

tree_builder::step tree_builder::by_mode() {
  // Alike in all modes, but the text of a table has to be put down first.
  if (mode_ != mode::in_table_text) {
    if (token_.type == token_type::doctype && mode_ != mode::initial) return step::done;
    if (token_.type == token_type::comment) {
      insert_comment(place_for_comment());
      return step::done;
    }
  }
  switch (mode_) {
#define FRESHET_MODE(name, rules) \
  case mode::name:                \
    return rules();
#include <html/tree/modes.def>
#undef FRESHET_MODE
  }
  return step::done;
}

/// Comments before the html element and behind the body stand outside of where the builder is.
tree_builder::place tree_builder::place_for_comment() const noexcept {
  switch (mode_) {
    case mode::initial:
    case mode::before_html:
    case mode::after_after_body:
    case mode::after_after_frameset:
      return {document::root(), none};
    case mode::after_body:
      return {open_[0].id, none};
    default:
      return place_for(open_.current());
  }
}

/// The mode that an open element puts the builder in; `initial` if it says nothing.
tree_builder::mode tree_builder::mode_of(const open_element& one, bool is_last) const noexcept {
  if (one.space != element_space::html) return is_last ? mode::in_body : mode::initial;
  switch (one.tag) {
    case tag_id::td:
    case tag_id::th:
      return is_last ? mode::in_body : mode::in_cell;
    case tag_id::tr:
      return mode::in_row;
    case tag_id::tbody:
    case tag_id::thead:
    case tag_id::tfoot:
      return mode::in_table_body;
    case tag_id::caption:
      return mode::in_caption;
    case tag_id::colgroup:
      return mode::in_column_group;
    case tag_id::table:
      return mode::in_table;
    case tag_id::template_:
      return template_modes_.empty() ? mode::in_body : template_modes_.back();
    case tag_id::head:
      return is_last ? mode::in_body : mode::in_head;
    case tag_id::body:
      return mode::in_body;
    case tag_id::frameset:
      return mode::in_frameset;
    case tag_id::html:
      return head_ == none ? mode::before_head : mode::after_head;
    default:
      return is_last ? mode::in_body : mode::initial;
  }
}

void tree_builder::reset_mode() {
  for (std::size_t i = open_.size(); i-- > 0;) {
    const bool is_last = i == 0;
    open_.count_looks(1);
    const mode found = mode_of(is_last && is_fragment_ ? context_ : open_[i], is_last);
    if (found == mode::initial) continue;
    mode_ = found;
    return;
  }
}

std::string_view tree_builder::split_spaces() noexcept {
  const auto spaces = token_.text.substr(0, token_.text.find_first_not_of(html_spaces));
  token_.text.remove_prefix(spaces.size());
  return spaces;
}

bool tree_builder::skip_spaces() noexcept {
  if (token_.type == token_type::text) split_spaces();
  return token_.type == token_type::text && token_.text.empty();
}

}  // namespace freshet::html
