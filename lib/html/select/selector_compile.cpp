// Reading CSS selectors, level 3 without pseudo-elements and what there is of 4. Says where and
// what it does not understand; it never guesses.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <html/select/selector.hpp>
#include <html/select/selector_names.hpp>
#include <html/select/selector_program.hpp>
#include <html/tokens/tag_scanner.hpp>
#include <optional>
#include <utility>

namespace freshet::html {

namespace {

bool is_name_start(char c) noexcept {
  return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_char(char c) noexcept { return is_name_start(c) || base::is_digit(c) || c == '-'; }

constexpr std::string_view not_begin = ":not(";

/// Reads one selector list. After a failure problem_ says why and nothing more is read.
class compiler {
 public:
  compiler(std::string_view text, selector_functions functions)
      : text_(text), functions_(functions) {}

  bool run(std::vector<compound>& into);
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  bool fail(std::string_view what);
  [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_spaces() {
    while (at_ < text_.size() && is_html_space(text_[at_])) ++at_;
  }
  bool read_name(std::string& into);
  void read_escape(std::string& into);
  bool read_string(std::string& into);
  bool read_alternative(std::vector<compound>& into);
  bool read_compound(compound& into);
  bool read_simple(compound& compound, bool negated);
  bool read_element(simple& into);
  bool read_attribute(simple& into);
  bool read_attribute_operation(simple& into);
  bool read_pseudo_class(compound& compound, bool negated);
  bool read_function(compound& compound, const std::string& name, bool negated);
  bool read_not(compound& into);
  bool read_formula(nth& into);
  bool read_among(simple& into);
  bool read_list(simple& into);
  bool read_has(simple& into);
  bool read_inner(simple& function, combinator relation);
  bool read_number(std::int64_t& into);
  std::optional<combinator> read_sign();
  std::optional<combinator> read_combinator();

  std::string_view text_;
  selector_functions functions_;
  std::size_t at_ = 0, choosing_ = 0, inner_ = 0;
  int depth_ = 0;
  bool is_in_has_ = false;
  std::string problem_;
};

bool compiler::fail(std::string_view what) {
  if (problem_.empty()) {
    problem_ = "a CSS selector: " + std::string(what) + " at position " + std::to_string(at_ + 1);
  }
  return false;
}

void compiler::read_escape(std::string& into) {
  ++at_;
  if (base::hex_value(peek()) < 0) {
    if (at_ < text_.size()) into += text_[at_++];
    return;
  }
  constexpr int longest = 6;
  char32_t point = 0;
  for (int i = 0; i < longest && base::hex_value(peek()) >= 0; ++i) {
    point = point * 16 + static_cast<char32_t>(base::hex_value(text_[at_++]));
  }
  if (is_html_space(peek())) ++at_;
  base::append_utf8(into, point == 0 ? char32_t{0xFFFD} : point);
}

bool compiler::read_name(std::string& into) {
  const bool starts = is_name_start(peek()) || peek() == '\\' ||
                      (peek() == '-' && (is_name_start(peek(1)) || peek(1) == '-'));
  if (!starts) return fail("a name is missing");
  while (at_ < text_.size()) {
    if (text_[at_] == '\\') {
      read_escape(into);
    } else if (is_name_char(text_[at_])) {
      into += text_[at_++];
    } else {
      break;
    }
  }
  return true;
}

bool compiler::read_string(std::string& into) {
  const char quote = text_[at_++];
  while (at_ < text_.size() && text_[at_] != quote) {
    if (text_[at_] == '\\') {
      read_escape(into);
    } else {
      into += text_[at_++];
    }
  }
  if (at_ >= text_.size()) return fail("a string does not end");
  ++at_;
  return true;
}

bool compiler::read_attribute_operation(simple& into) {
  /// In the order of attribute_operation; all but the first stand before a '='.
  constexpr std::string_view signs = "=~|^$*";
  const auto sign = signs.find(peek());
  if (sign == std::string_view::npos || (sign > 0 && peek(1) != '=')) {
    return fail("an attribute test is not understood");
  }
  into.operation = static_cast<attribute_operation>(
      static_cast<std::size_t>(attribute_operation::equals) + sign);
  at_ += sign == 0 ? 1 : 2;
  return true;
}

bool compiler::read_attribute(simple& into) {
  into.type = simple_type::attribute;
  ++at_;
  skip_spaces();
  if (!read_name(into.name)) return false;
  into.name = base::to_lower_ascii(into.name);
  into.ignore_case = std::ranges::binary_search(any_case_attributes, std::string_view(into.name));
  skip_spaces();
  if (peek() != ']') {
    if (!read_attribute_operation(into)) return false;
    skip_spaces();
    const bool quoted = peek() == '"' || peek() == '\'';
    if (quoted ? !read_string(into.value) : !read_name(into.value)) return false;
    skip_spaces();
    const char flag = base::lower(peek());
    // Browsers do not know the second, and drop a rule that has it.
    if (flag == 'i' || (flag == 's' && functions_ == selector_functions::all)) {
      into.ignore_case = flag == 'i';
      ++at_;
      skip_spaces();
    }
  }
  if (peek() != ']') return fail("a ] is missing");
  ++at_;
  return true;
}

bool compiler::read_number(std::int64_t& into) {
  constexpr std::int64_t beyond = 1'000'000'000;
  if (!base::is_digit(peek())) return fail("a number is missing");
  into = 0;
  while (base::is_digit(peek())) into = std::min(into * 10 + (text_[at_++] - '0'), beyond);
  return true;
}

bool compiler::read_formula(nth& into) {
  for (const auto& [word, a, b] : {std::tuple{"even", 2, 0}, std::tuple{"odd", 2, 1}}) {
    const std::string_view keyword = word;
    if (!base::equals_ignoring_ascii_case(text_.substr(at_, keyword.size()), keyword)) continue;
    at_ += keyword.size();
    into = {a, b};
    return true;
  }
  std::int64_t sign = 1;
  if (peek() == '+' || peek() == '-') sign = text_[at_++] == '-' ? -1 : 1;
  std::int64_t number = 1;
  const bool has_number = base::is_digit(peek());
  if (has_number && !read_number(number)) return false;
  if (peek() != 'n' && peek() != 'N') {
    if (!has_number) return fail("a formula like 2n+1 is missing");
    into.b = sign * number;
    return true;
  }
  ++at_;
  into.a = sign * number;
  skip_spaces();
  if (peek() != '+' && peek() != '-') return true;
  sign = text_[at_++] == '-' ? -1 : 1;
  skip_spaces();
  if (!read_number(into.b)) return false;
  into.b *= sign;
  return true;
}

/// ":nth-child(2 of .a, b)": compounds, of which none counts so itself.
bool compiler::read_among(simple& into) {
  skip_spaces();
  if (!base::equals_ignoring_ascii_case(text_.substr(at_, 2), "of")) return true;
  at_ += 2;
  if (++choosing_ > max_choosing_formulas) return fail("too many formulas that choose");
  do {
    at_ += peek() == ',' ? 1 : 0;
    skip_spaces();
    if (into.among.size() == max_tests_per_compound) return fail("too many selectors");
    compound one;
    if (!read_compound(one)) return false;
    if (std::ranges::any_of(one.tests, [](const simple& each) { return !each.among.empty(); })) {
      return fail("a formula inside a formula");
    }
    into.among.push_back(std::move(one));
    skip_spaces();
  } while (peek() == ',');
  return true;
}

bool compiler::read_not(compound& into) {
  // A single test is negated by itself, more of them, or what negates itself, as a whole.
  const auto before = at_;
  const bool negates =
      base::equals_ignoring_ascii_case(text_.substr(at_, not_begin.size()), not_begin);
  if (!negates || functions_ == selector_functions::none) {
    compound inner;
    if (!read_simple(inner, true)) return false;
    const bool is_whole = peek() == ',' || peek() == ')' || is_html_space(peek());
    if (is_whole || functions_ == selector_functions::none) {
      if (inner.tests.size() != 1) return fail(":not takes one simple selector");
      into.tests.push_back(std::move(inner.tests.front()));
      return true;
    }
    at_ = before;
  }
  simple made;
  made.type = simple_type::one_of;
  made.negated = true;
  if (!read_inner(made, combinator::first)) return false;
  into.tests.push_back(std::move(made));
  return true;
}

bool compiler::read_inner(simple& function, combinator relation) {
  if (depth_ == max_function_depth) return fail("too many selectors inside of each other");
  if (++inner_ > max_function_compounds) return fail("too many selectors");
  compound one;
  one.relation = relation;
  ++depth_;
  if (!read_compound(one)) return false;
  --depth_;
  skip_spaces();
  if (peek() != ',' && peek() != ')') return fail("only tests of one element may stand here");
  function.among.push_back(std::move(one));
  return true;
}

/// Of :is() and :where() "a, .b", of :has() "> a, + .b". None is empty: CSS has it select nothing.
bool compiler::read_list(simple& into) {
  do {
    at_ += peek() == ',' ? 1 : 0;
    skip_spaces();
    auto relation = combinator::first;
    if (into.type == simple_type::has) relation = read_sign().value_or(combinator::descendant);
    if (!read_inner(into, relation)) return false;
  } while (peek() == ',');
  return true;
}

bool compiler::read_has(simple& into) {
  into.type = simple_type::has;
  if (std::exchange(is_in_has_, true)) return fail(":has inside :has");
  if (!read_list(into)) return false;
  is_in_has_ = false;
  return true;
}

bool compiler::read_function(compound& compound, const std::string& name, bool negated) {
  ++at_;
  skip_spaces();
  simple made;
  made.negated = negated;
  if (name == "not") {
    if (negated) return fail(":not inside :not");
    if (!read_not(compound)) return false;
    skip_spaces();
    // :not(a, b) is :not(a):not(b).
    while (peek() == ',') {
      ++at_;
      skip_spaces();
      if (!read_not(compound)) return false;
      skip_spaces();
    }
  } else if (functions_ == selector_functions::all && (name == "is" || name == "where")) {
    made.type = simple_type::one_of;
    if (!read_list(made)) return false;
    compound.tests.push_back(std::move(made));
  } else if (functions_ == selector_functions::all && name == "has") {
    if (!read_has(made)) return false;
    compound.tests.push_back(std::move(made));
  } else if (is_in_has_ && (name == "lang" || name == "dir")) {
    return fail(":" + name + " inside :has");
  } else if (name == "lang") {
    made.type = simple_type::lang;
    if (!read_name(made.value)) return false;
    compound.tests.push_back(std::move(made));
  } else if (name == "dir") {
    made.type = simple_type::direction;
    if (!read_name(made.value)) return false;
    compound.tests.push_back(std::move(made));
  } else if (name == "state") {
    made.type = simple_type::never;
    if (!read_name(made.value)) return false;
    compound.tests.push_back(std::move(made));
  } else if (const auto type = find_state(counting_classes, name)) {
    made.type = *type;
    if (!read_formula(made.formula)) return false;
    const bool may_choose = *type == simple_type::nth_child || *type == simple_type::nth_last_child;
    if (may_choose && !read_among(made)) return false;
    compound.tests.push_back(std::move(made));
  } else {
    return fail("unknown pseudo-class :" + name + "()");
  }
  skip_spaces();
  if (peek() != ')') return fail("a ) is missing");
  ++at_;
  return true;
}

bool compiler::read_pseudo_class(compound& compound, bool negated) {
  ++at_;
  if (peek() == ':') return fail("pseudo-elements match nothing here");
  std::string name;
  if (!read_name(name)) return false;
  name = base::to_lower_ascii(name);
  if (peek() == '(') return read_function(compound, name, negated);
  simple made;
  made.negated = negated;
  if (const auto state = find_state(known_states, name)) {
    made.type = *state;
    // Nothing is undefined for good: a page may define it as it is read.
    if (negated && *state == simple_type::defined) {
      made.type = simple_type::never;
      made.negated = false;
    }
  } else if (name == "read-only") {
    made.type = simple_type::read_write;
    made.negated = !negated;
  } else if (const auto place = find_state(place_classes, name)) {
    made.type = *place;
    made.formula = {0, 1};
  } else {
    return fail("unknown pseudo-class :" + name);
  }
  compound.tests.push_back(std::move(made));
  return true;
}

bool compiler::read_element(simple& into) {
  into.type = simple_type::element;
  if (!read_name(into.name)) return false;
  into.name = base::to_lower_ascii(into.name);
  into.tag = tag_of(into.name);
  return true;
}

bool compiler::read_simple(compound& compound, bool negated) {
  simple made;
  made.negated = negated;
  switch (peek()) {
    case '*':
      ++at_;
      // *|name: a name in any namespace, as every name here.
      if (peek() != '|' || peek(1) == '|') break;
      ++at_;
      if (peek() != '*') {
        if (!read_element(made)) return false;
      } else {
        ++at_;
      }
      break;
    case '#':
    case '.':
      made.type = text_[at_++] == '#' ? simple_type::id : simple_type::class_name;
      if (!read_name(made.value)) return false;
      break;
    case '[':
      if (!read_attribute(made)) return false;
      break;
    case ':':
      return read_pseudo_class(compound, negated);
    default:
      if (!read_element(made)) return false;
  }
  compound.tests.push_back(std::move(made));
  return true;
}

bool compiler::read_compound(compound& into) {
  bool first = true;
  while (at_ < text_.size()) {
    const char c = peek();
    const bool continues = c == '#' || c == '.' || c == '[' || c == ':';
    if (!first && !continues) break;
    if (!read_simple(into, false)) return false;
    if (into.tests.size() > max_tests_per_compound) return fail("too many tests of one element");
    first = false;
  }
  return first ? fail("a selector is missing") : true;
}

/// ">", "+" or "~".
std::optional<combinator> compiler::read_sign() {
  /// In the order of combinator, behind `descendant`.
  constexpr std::string_view signs = ">+~";
  const auto sign = signs.find(peek());
  if (sign == std::string_view::npos) return std::nullopt;
  ++at_;
  skip_spaces();
  return static_cast<combinator>(static_cast<std::size_t>(combinator::child) + sign);
}

std::optional<combinator> compiler::read_combinator() {
  const std::size_t before = at_;
  skip_spaces();
  if (const auto sign = read_sign()) return sign;
  if (peek() == ',' || peek() == '\0' || at_ == before) return std::nullopt;
  return combinator::descendant;
}

bool compiler::read_alternative(std::vector<compound>& into) {
  combinator relation = combinator::first;
  while (true) {
    if (into.size() >= max_compounds) return fail("too many selectors");
    compound one;
    one.relation = relation;
    if (!read_compound(one)) return false;
    into.push_back(std::move(one));
    const auto next = read_combinator();
    if (!next) break;
    relation = *next;
  }
  into.back().is_last = true;
  return true;
}

bool compiler::run(std::vector<compound>& into) {
  if (text_.size() > max_selector_bytes) return fail("too long");
  if (text_.find('\0') != std::string_view::npos) return fail("a NUL");
  skip_spaces();
  while (true) {
    if (!read_alternative(into)) return false;
    skip_spaces();
    if (at_ >= text_.size()) return true;
    if (peek() != ',') return fail("unexpected text");
    ++at_;
    skip_spaces();
  }
}

/// Whether it, or what stands in its functions, has such a test.
bool asks(const compound& one, simple_type type) {
  return std::ranges::any_of(one.tests, [type](const simple& test) {
    return test.type == type || std::ranges::any_of(test.among, [type](const compound& inner) {
             return asks(inner, type);
           });
  });
}

}  // namespace

result<selector> selector::compile(std::string_view text, selector_functions functions) {
  auto made = std::make_shared<program>();
  compiler reader(text, functions);
  if (!reader.run(made->compounds)) return error(errc::invalid_request, reader.problem());
  for (const auto& one : made->compounds) {
    made->has_siblings |=
        one.relation == combinator::next_sibling || one.relation == combinator::later_sibling;
    made->has_languages |= asks(one, simple_type::lang);
    made->has_directions |= asks(one, simple_type::direction);
  }
  selector compiled;
  compiled.program_ = std::move(made);
  return compiled;
}

}  // namespace freshet::html
