// The linear pass before the parser. It follows the standard's rules for what closes what only as
// far as needed to count open elements; where it is unsure it counts too many, never too few.
#include <algorithm>
#include <base/unicode.hpp>
#include <cstdint>
#include <html/bounds.hpp>
#include <html/document.hpp>
#include <html/element_traits.hpp>
#include <html/tag_scanner.hpp>

namespace freshet::html {

namespace {

/// FNV-1a of a lower-case name: names are compared by it, a collision only miscounts.
constexpr std::uint32_t hash_of(std::string_view name) noexcept {
  std::uint32_t value = 2166136261u;
  for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 16777619u;
  return value;
}

enum class space : std::uint8_t { html, svg, math };

struct open_element {
  std::uint32_t name = 0;
  std::uint16_t traits = 0;
  space in = space::html;
};

struct open_formatting {
  std::uint32_t name = 0;  ///< 0: a marker
  bool on_stack = true;
};

/// Levels that the parser adds by itself: html, body, tbody, tr.
constexpr std::size_t reserved_depth = 4;
/// An end tag's attributes mean nothing; more of them than this are not handed on.
constexpr std::size_t max_end_tag_attributes = 64;

class bounder {
 public:
  bounder(std::string_view input, bounded_input& into) : input_(input), into_(into) {}
  void run();

 private:
  void on_start(const token& one);
  void start_html(const token& one, std::uint32_t name, std::uint16_t traits);
  void on_foreign_start(const token& one, std::uint32_t name, std::uint16_t traits);
  void on_end(const token& one);
  bool fits(const token& one);
  void open(std::uint32_t name, std::uint16_t traits, space in);
  void pop();
  void pop_to(std::size_t size);
  void close_p();
  void close_implied(std::uint32_t name, std::uint16_t traits);
  void close_to_table(std::uint32_t name);
  void close_table_without_cell();
  bool close_formatting(std::uint32_t name);
  void reopen_formatting();
  [[nodiscard]] std::size_t open_formatting_here() const noexcept;
  void drop(std::string_view raw, std::string_view instead = {});
  void warn(const char* text, bool& once);
  void limit_attributes(const token& one);
  [[nodiscard]] bool is_html_annotation(const token& one) const;

  [[nodiscard]] bool in_foreign() const noexcept {
    return !stack_.empty() && stack_.back().in != space::html;
  }
  [[nodiscard]] bool foreign_rules() const noexcept {
    return in_foreign() && (stack_.back().traits & (svg_html | math_html)) == 0;
  }

  std::string_view input_;
  bounded_input& into_;
  std::vector<open_element> stack_;
  std::vector<open_formatting> formatting_;
  std::string name_;        ///< of the tag at hand, lower case
  std::string raw_name_;    ///< of the raw text element that has just begun
  std::size_t copied_ = 0;  ///< how much of the input is dealt with in storage
  std::size_t nodes_ = 0;   ///< that the tree will have, about
  std::size_t root_tags_ = 0;
  std::size_t open_tables_ = 0, open_p_ = 0, open_selects_ = 0;
  std::size_t dropped_open_ = 0, dropped_formatting_ = 0;  ///< whose end tags are still to come
  bool plaintext_ = false;
  bool warned_depth_ = false, warned_formatting_ = false, warned_attributes_ = false;
};

constexpr std::uint32_t name_a = hash_of("a");
constexpr std::uint32_t name_address = hash_of("address");
constexpr std::uint32_t name_annotation = hash_of("annotation-xml");
constexpr std::uint32_t name_dd = hash_of("dd");
constexpr std::uint32_t name_div = hash_of("div");
constexpr std::uint32_t name_dt = hash_of("dt");
constexpr std::uint32_t name_li = hash_of("li");
constexpr std::uint32_t name_nobr = hash_of("nobr");
constexpr std::uint32_t name_optgroup = hash_of("optgroup");
constexpr std::uint32_t name_p = hash_of("p");
constexpr std::uint32_t name_plaintext = hash_of("plaintext");
constexpr std::uint32_t name_script = hash_of("script");
constexpr std::uint32_t name_select = hash_of("select");
constexpr std::uint32_t name_table = hash_of("table");
constexpr std::uint32_t name_td = hash_of("td");
constexpr std::uint32_t name_template = hash_of("template");
constexpr std::uint32_t name_textarea = hash_of("textarea");
constexpr std::uint32_t name_th = hash_of("th");
constexpr std::uint32_t name_tr = hash_of("tr");

bool is_blank(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), is_html_space);
}

void bounder::warn(const char* text, bool& once) {
  if (!once) into_.warnings.emplace_back(text);
  once = true;
}

void bounder::drop(std::string_view raw, std::string_view instead) {
  const auto at = static_cast<std::size_t>(raw.data() - input_.data());
  into_.storage += input_.substr(copied_, at - copied_);
  into_.storage += instead;
  copied_ = at + raw.size();
}

void bounder::open(std::uint32_t name, std::uint16_t traits, space in) {
  stack_.push_back({name, traits, in});
  if (name == name_table) ++open_tables_;
  if (name == name_p) ++open_p_;
  if (name == name_select) ++open_selects_;
  // Inside these, formatting starts afresh: the standard's markers.
  if ((traits & scope) != 0 && name != name_table && name != name_select) {
    formatting_.push_back({0, true});
  }
}

void bounder::pop() {
  const open_element gone = stack_.back();
  stack_.pop_back();
  if (gone.name == name_table) --open_tables_;
  if (gone.name == name_p) --open_p_;
  if (gone.name == name_select) --open_selects_;
  if ((gone.traits & formatting) != 0 && gone.in == space::html) {
    for (auto it = formatting_.rbegin(); it != formatting_.rend() && it->name != 0; ++it) {
      if (it->name != gone.name || !it->on_stack) continue;
      it->on_stack = false;
      break;
    }
  } else if ((gone.traits & scope) != 0 && gone.name != name_table && gone.name != name_select) {
    while (!formatting_.empty()) {
      const bool marker = formatting_.back().name == 0;
      formatting_.pop_back();
      if (marker) break;
    }
  }
}

void bounder::pop_to(std::size_t size) {
  while (stack_.size() > size) pop();
}

void bounder::reopen_formatting() {
  std::size_t first = formatting_.size();
  while (first > 0 && formatting_[first - 1].name != 0) --first;
  for (; first < formatting_.size(); ++first) {
    if (formatting_[first].on_stack) continue;
    formatting_[first].on_stack = true;
    stack_.push_back({formatting_[first].name, formatting, space::html});
    ++nodes_;
  }
}

/// Takes a formatting element off the stack and the list, as its end tag does.
bool bounder::close_formatting(std::uint32_t name) {
  std::size_t listed = formatting_.size();
  while (listed > 0 && formatting_[listed - 1].name != 0 && formatting_[listed - 1].name != name) {
    --listed;
  }
  if (listed == 0 || formatting_[listed - 1].name != name) return false;
  formatting_.erase(formatting_.begin() + static_cast<std::ptrdiff_t>(listed - 1));
  for (std::size_t at = stack_.size(); at > 0; --at) {
    const auto& one = stack_[at - 1];
    if ((one.traits & scope) != 0) break;
    if (one.name != name) continue;
    const bool blocks_above =
        std::any_of(stack_.begin() + static_cast<std::ptrdiff_t>(at), stack_.end(),
                    [](const open_element& above) {
                      return (above.traits & (block | scope | table_part)) != 0;
                    });
    if (blocks_above) {
      stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(at - 1));
    } else {
      pop_to(at);
      stack_.pop_back();
    }
    break;
  }
  return true;
}

void bounder::close_p() {
  if (open_p_ == 0) return;
  for (std::size_t at = stack_.size(); at > 0; --at) {
    if (stack_[at - 1].name == name_p) return pop_to(at - 1);
    if ((stack_[at - 1].traits & scope) != 0) return;
  }
}

void bounder::close_implied(std::uint32_t name, std::uint16_t traits) {
  const bool item = name == name_li;
  const bool term = name == name_dd || name == name_dt;
  if (item || term) {
    for (std::size_t at = stack_.size(); at > 0; --at) {
      const auto& one = stack_[at - 1];
      if (item ? one.name == name_li : one.name == name_dd || one.name == name_dt) {
        pop_to(at - 1);
        break;
      }
      const bool special = (one.traits & (block | scope | table_part)) != 0;
      if (special && one.name != name_address && one.name != name_div && one.name != name_p) break;
    }
  }
  if ((traits & block) != 0) close_p();
  if ((traits & implied_end) == 0 || (traits & block) != 0 || stack_.empty()) return;
  // option, optgroup and the parts of ruby close one of their kind right before them.
  if ((stack_.back().traits & implied_end) != 0 && (stack_.back().traits & block) == 0) pop();
  if (name == name_optgroup && !stack_.empty() && stack_.back().name == name_optgroup) pop();
}

void bounder::close_to_table(std::uint32_t name) {
  for (std::size_t at = stack_.size(); at > 0; --at) {
    const auto& one = stack_[at - 1];
    const bool cell = name == name_td || name == name_th;
    if (one.name == name_table || one.name == name_template) return pop_to(at);
    if (cell && one.name == name_tr) return pop_to(at);
    const bool section = (one.traits & table_part) != 0 && (one.traits & scope) == 0;
    if (name == name_tr && section && one.name != name_tr) return pop_to(at);
  }
}

/// A table inside a table but outside its cells ends the outer one.
void bounder::close_table_without_cell() {
  for (std::size_t at = stack_.size(); at > 0; --at) {
    const auto& one = stack_[at - 1];
    if (one.name == name_table) return pop_to(at - 1);
    if ((one.traits & scope) != 0) return;
  }
}

void bounder::limit_attributes(const token& one) {
  // Shorter than two bytes each, so there cannot be too many.
  if (one.attributes.size() < 2 * max_attributes_per_element) return;
  std::string_view rest = one.attributes;
  raw_attribute attribute;
  std::size_t found = 0;
  while (found < max_attributes_per_element && next_attribute(rest, attribute)) ++found;
  if (next_attribute(rest, attribute)) {
    const auto kept = static_cast<std::size_t>(attribute.name.data() - one.raw.data());
    drop(one.raw, std::string(one.raw.substr(0, kept)) + (one.self_closing ? "/>" : ">"));
    warn("an element has too many attributes; the rest of them was dropped", warned_attributes_);
  }
}

bool bounder::is_html_annotation(const token& one) const {
  std::string_view rest = one.attributes;
  raw_attribute attribute;
  while (next_attribute(rest, attribute)) {
    if (!base::equals_ignoring_ascii_case(attribute.name, "encoding")) continue;
    return base::equals_ignoring_ascii_case(attribute.value, "text/html") ||
           base::equals_ignoring_ascii_case(attribute.value, "application/xhtml+xml");
  }
  return false;
}

void bounder::on_foreign_start(const token& one, std::uint32_t name, std::uint16_t traits) {
  ++nodes_;
  if (one.self_closing) return;
  const space in = stack_.back().in;
  std::uint16_t kept = 0;
  if (in == space::svg) kept = traits & svg_html;
  if (in == space::math) kept = traits & math_html;
  if (name == name_annotation && is_html_annotation(one)) kept = math_html;
  open(name, kept, in);
}

bool bounder::fits(const token& one) {
  if (stack_.size() < max_depth - reserved_depth) return true;
  ++dropped_open_;
  drop(one.raw);
  warn("the page nests too deeply; the deepest elements were flattened", warned_depth_);
  return false;
}

void bounder::on_start(const token& one) {
  name_ = base::to_lower_ascii(one.name);
  const std::uint32_t name = hash_of(name_);
  std::uint16_t traits = traits_of(name_);
  if (foreign_rules() && (traits & breakout) != 0) {
    while (foreign_rules()) pop();
  }
  const bool foreign = foreign_rules();
  if ((traits & root_tag) != 0 && !foreign) {
    if (++root_tags_ > max_root_tags) return drop(one.raw);
    return limit_attributes(one);
  }
  if (foreign) {
    if (!one.self_closing && !fits(one)) return;
    limit_attributes(one);
    return on_foreign_start(one, name, traits);
  }
  start_html(one, name, traits);
}

void bounder::start_html(const token& one, std::uint32_t name, std::uint16_t traits) {
  const bool in_select = open_selects_ > 0;
  if ((traits & table_part) != 0) {
    if (open_tables_ == 0) return limit_attributes(one);  // ignored by the standard
    close_to_table(name);
  } else if (name == name_table) {
    close_p();
    close_table_without_cell();
  } else if (!in_select || name == name_optgroup || (traits & implied_end) != 0) {
    close_implied(name, traits);
  }
  if (name == name_a || name == name_nobr) close_formatting(name);
  if ((traits & (block | table_part)) == 0) reopen_formatting();
  ++nodes_;
  if ((traits & void_element) != 0) return limit_attributes(one);
  if ((traits & formatting) != 0 && open_formatting_here() >= max_open_formatting) {
    ++dropped_formatting_;
    drop(one.raw);
    return warn("too many formatting elements are open; some were dropped", warned_formatting_);
  }
  if (!fits(one)) return;
  limit_attributes(one);
  if (name == name_plaintext && !in_select) {
    plaintext_ = true;
    return;
  }
  // In a select most tags are ignored, and do not turn what follows into text.
  if ((traits & raw_text) != 0 && (!in_select || name == name_script || name == name_textarea)) {
    raw_name_ = name_;
    return;
  }
  if (in_select && (traits & foreign_root) != 0) return;
  if ((traits & foreign_root) != 0) {
    if (!one.self_closing) open(name, 0, name_ == "svg" ? space::svg : space::math);
    return;
  }
  if ((traits & formatting) != 0) formatting_.push_back({name, true});
  open(name, traits & ~(svg_html | math_html), space::html);
}

std::size_t bounder::open_formatting_here() const noexcept {
  std::size_t open_ones = 0;
  for (auto it = formatting_.rbegin(); it != formatting_.rend() && it->name != 0; ++it) ++open_ones;
  return open_ones;
}

void bounder::on_end(const token& one) {
  name_ = base::to_lower_ascii(one.name);
  const std::uint32_t name = hash_of(name_);
  const std::uint16_t traits = traits_of(name_);
  if (dropped_open_ > 0) {
    --dropped_open_;
    return drop(one.raw);
  }
  if ((traits & formatting) != 0 && dropped_formatting_ > 0) {
    --dropped_formatting_;
    return drop(one.raw);
  }
  if (one.attributes.size() > max_end_tag_attributes) drop(one.raw, "</" + name_ + ">");
  if (!in_foreign() && (traits & formatting) != 0 && close_formatting(name)) return;
  const bool through_scopes = (traits & (table_part | scope)) != 0;
  for (std::size_t at = stack_.size(); at > 0; --at) {
    const auto& open_one = stack_[at - 1];
    if (open_one.name == name) return pop_to(at - 1);
    if ((open_one.traits & scope) != 0 && (!through_scopes || open_one.name == name_table)) break;
  }
  if (name == name_p) ++nodes_;  // it stands for an empty paragraph
}

void bounder::run() {
  tag_scanner scanner(input_);
  while (true) {
    const token one = scanner.next(in_foreign());
    if (one.type == token_type::end) break;
    if (nodes_ > max_nodes) {
      drop(input_.substr(static_cast<std::size_t>(one.raw.data() - input_.data())));
      into_.warnings.emplace_back("the page has too many elements; its end was dropped");
      break;
    }
    if (one.type == token_type::text) {
      if (!is_blank(one.raw)) reopen_formatting();
      ++nodes_;
    } else if (one.type == token_type::start_tag) {
      on_start(one);
    } else if (one.type == token_type::end_tag) {
      on_end(one);
    } else if (one.raw.size() > 1 && one.raw[1] != '!' && one.raw[1] != '?' &&
               one.raw.back() != '>') {
      drop(one.raw);  // a tag that never ends: the standard drops it too
    } else {
      ++nodes_;
    }
    if (plaintext_) break;
    if (raw_name_.empty()) continue;
    static_cast<void>(scanner.raw_text(raw_name_));
    if (const token end_tag = scanner.next(); end_tag.attributes.size() > max_end_tag_attributes) {
      drop(end_tag.raw, "</" + raw_name_ + ">");
    }
    raw_name_.clear();
  }
  if (copied_ == 0 && into_.storage.empty()) {
    into_.text = input_;
    return;
  }
  into_.storage += input_.substr(copied_);
  into_.text = into_.storage;
}

}  // namespace

void bound_input(std::string_view utf8, bounded_input& into) {
  constexpr std::string_view cut = "the page is too large; its end was dropped";
  if (utf8.size() > max_input_bytes) {
    utf8 = utf8.substr(0, max_input_bytes);
    into.warnings.emplace_back(cut);
  }
  bounder(utf8, into).run();
}

}  // namespace freshet::html
