// Fragments as sources send them (a post's HTML, a feed's summary): text and links without a tree.
// Not for pages: it knows no implied tags and no scripts beyond skipping them.
#include <algorithm>
#include <array>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <html/tag.hpp>
#include <html/tokens/entities.hpp>
#include <html/tokens/tag_scanner.hpp>

namespace freshet::html {

namespace {

/// What an element is to plain text.
enum class text_role : std::uint8_t {
  none,
  line,       ///< a line ends there
  paragraph,  ///< and an empty one follows
  block,      ///< a line ends before and after it
  silent      ///< its content is no text of the fragment
};

constexpr auto text_roles = [] {
  std::array<text_role, static_cast<std::size_t>(tag_id::count)> out{};
  const auto set = [&out](tag_id tag, text_role role) {
    out[static_cast<std::size_t>(tag)] = role;
  };
  for (const auto tag :
       {tag_id::address, tag_id::article, tag_id::aside, tag_id::blockquote, tag_id::dd,
        tag_id::div,     tag_id::dl,      tag_id::dt,    tag_id::figcaption, tag_id::figure,
        tag_id::footer,  tag_id::form,    tag_id::h1,    tag_id::h2,         tag_id::h3,
        tag_id::h4,      tag_id::h5,      tag_id::h6,    tag_id::header,     tag_id::hr,
        tag_id::li,      tag_id::main,    tag_id::nav,   tag_id::ol,         tag_id::pre,
        tag_id::section, tag_id::summary, tag_id::table, tag_id::tr,         tag_id::ul}) {
    set(tag, text_role::block);
  }
  set(tag_id::br, text_role::line);
  set(tag_id::p, text_role::paragraph);
  for (const auto tag : {tag_id::script, tag_id::style, tag_id::template_, tag_id::title}) {
    set(tag, text_role::silent);
  }
  return out;
}();

text_role role_of(std::string_view name) noexcept {
  std::array<char, longest_tag_name> padded{};
  if (name.size() > padded.size()) return text_role::none;
  std::ranges::copy(name, padded.begin());
  return text_roles[static_cast<std::size_t>(tag_of_padded(padded.data(), name.size()))];
}

/// Collects decoded text, white space collapsed, at most one empty line between two paragraphs.
class text_collector {
 public:
  void add(std::string_view decoded) {
    for (std::size_t i = 0; i < decoded.size();) {
      if (is_html_space(decoded[i])) {
        space_ = true;
        ++i;
        continue;
      }
      // Single spaces between words stay what they are: a piece is copied up to anything else.
      auto end = i + 1;
      while (end < decoded.size() &&
             (!is_html_space(decoded[end]) || (decoded[end] == ' ' && end + 1 < decoded.size() &&
                                               !is_html_space(decoded[end + 1])))) {
        ++end;
      }
      divide();
      out_.append(decoded, i, end - i);
      i = end;
    }
  }
  void line_break() { newlines_ = std::min<std::size_t>(newlines_ + 1, 2); }
  void block_break() { newlines_ = std::max<std::size_t>(newlines_, 1); }
  void paragraph_break() { newlines_ = 2; }
  [[nodiscard]] std::string take() {
    base::clean(out_);
    return std::move(out_);
  }

 private:
  /// Writes what stands between the text so far and what comes.
  void divide() {
    if (!out_.empty()) {
      if (newlines_ > 0) {
        out_.append(newlines_, '\n');
      } else if (space_) {
        out_ += ' ';
      }
    }
    newlines_ = 0;
    space_ = false;
  }

  std::string out_;
  std::size_t newlines_ = 0;
  bool space_ = false;
};

void end_lines(text_collector& collector, text_role role) {
  if (role == text_role::line) return collector.line_break();
  if (role == text_role::paragraph) return collector.paragraph_break();
  if (role == text_role::block) collector.block_break();
}

void add_target(std::string_view attributes, std::vector<std::string>& out) {
  raw_attribute attribute;
  while (next_attribute(attributes, attribute)) {
    if (!base::equals_ignoring_ascii_case(attribute.name, "href")) continue;
    std::string target;
    append_decoded(target, attribute.value, true);
    if (base::read_plain_url(target)) return out.push_back(std::move(target));
    const auto parsed = base::parse_url(target);
    if (parsed && parsed->is_http()) out.push_back(parsed->text());
    return;
  }
}

/// Reads a fragment once, for its text, its links or both.
void scan(std::string_view fragment, text_collector* text, std::vector<std::string>* links) {
  std::string decoded;
  tag_scanner scanner(fragment);
  for (markup_piece one = scanner.next(); one.type != piece_type::end; one = scanner.next()) {
    if (one.type == piece_type::text) {
      if (text == nullptr) continue;
      if (one.raw.find('&') == std::string_view::npos) {
        text->add(one.raw);
        continue;
      }
      decoded.clear();
      append_decoded(decoded, one.raw, false);
      text->add(decoded);
    } else if (one.type != piece_type::other) {
      const auto role = role_of(one.name);
      const bool opens = one.type == piece_type::start_tag;
      if (opens && role == text_role::silent) static_cast<void>(scanner.raw_text(one.name));
      if (text != nullptr) end_lines(*text, role);
      if (links != nullptr && opens && base::equals_ignoring_ascii_case(one.name, "a")) {
        add_target(one.attributes, *links);
      }
    }
  }
}

}  // namespace

std::string decode_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_decoded(out, text, false);
  return out;
}

std::string plain_text(std::string_view fragment) {
  text_collector collected;
  scan(fragment, &collected, nullptr);
  return collected.take();
}

std::vector<std::string> link_targets(std::string_view fragment) {
  std::vector<std::string> found;
  scan(fragment, nullptr, &found);
  return found;
}

text_with_links read_fragment(std::string_view fragment) {
  text_collector collected;
  text_with_links out;
  scan(fragment, &collected, &out.links);
  out.text = collected.take();
  return out;
}

}  // namespace freshet::html
