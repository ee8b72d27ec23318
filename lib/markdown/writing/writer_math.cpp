// Formulas: MathML, and what KaTeX, MathJax, image services and plain TeX in the text leave in a
// page. Where a page has a formula twice, once is written.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <markdown/writing/mathjax.hpp>
#include <markdown/writing/mathml.hpp>
#include <markdown/writing/stated_tex.hpp>
#include <markdown/writing/walker.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

bool contains(std::string_view text, std::string_view part) noexcept {
  return text.find(part) != std::string_view::npos;
}

bool has_name(std::string_view classes, std::string_view name) noexcept {
  for (std::size_t at = classes.find(name); at != std::string_view::npos;
       at = classes.find(name, at + 1)) {
    const bool starts = at == 0 || classes[at - 1] == ' ';
    const auto end = at + name.size();
    if (starts && (end == classes.size() || classes[end] == ' ')) return true;
  }
  return false;
}

/// The formula between two delimiters at the start of a text.
struct raw_formula {
  std::string_view tex;
  std::size_t length = 0;  ///< with its delimiters; 0: there is none
  bool display = false;
};

/// The formulas of a text, asked for from its start to its end. Each end of one is looked for once,
/// or a text of beginnings would be walked from each of them.
class formula_finder {
 public:
  explicit formula_finder(std::string_view text) : text_(text) {}

  /// That begins at `at`, which is never less than before.
  raw_formula find(std::size_t at) {
    constexpr std::size_t longest = 4000;
    for (auto& one : kinds_) {
      if (!text_.substr(at).starts_with(one.open)) continue;
      const auto from = at + one.open.size();
      if (one.end < from) one.end = text_.find(one.close, from);
      if (one.end == from || one.end == std::string_view::npos) return {};
      if (one.end + one.close.size() > at + longest) return {};
      const auto tex = text_.substr(from, one.end - from);
      const auto end = one.end + one.close.size();
      if (one.open == "$" && is_money(tex, text_.substr(end))) return {};
      return {tex, end - at, one.display};
    }
    return {};
  }

 private:
  struct delimiters {
    std::string_view open, close;
    bool display;
    std::size_t end = 0;  ///< where `close` is next, as far as it was looked for
  };

  /// A single dollar is that more often than not.
  static bool is_money(std::string_view tex, std::string_view rest) {
    const bool spaced = tex.front() == ' ' || tex.back() == ' ' || tex.back() == '\n';
    if (spaced || (!rest.empty() && rest[0] >= '0' && rest[0] <= '9')) return true;
    if (tex.size() > 3 && tex.find_first_of("\\^_=+<>()") == std::string_view::npos) return true;
    return tex[0] >= '0' && tex[0] <= '9' && !contains(tex, "\\");
  }

  std::string_view text_;
  std::array<delimiters, 4> kinds_ = {
      {{"$$", "$$", true}, {"\\[", "\\]", true}, {"\\(", "\\)", false}, {"$", "$", false}}};
};

/// TeX in the address of a picture that a service draws from it.
std::string tex_in_address(std::string_view source) {
  if (!contains(source, "latex") && !contains(source, "tex") && !contains(source, "formula") &&
      !contains(source, "math") && !contains(source, "equation") && !contains(source, "cht=tx")) {
    return {};
  }
  const auto plain = base::repair_utf8(base::percent_decode(source));
  const auto first = plain.find('\\');
  if (first == std::string::npos || first + 1 >= plain.size()) return {};
  const auto from = plain.substr(0, first).find_last_of("?/=") + 1;
  std::string tex = plain.substr(from);
  for (auto at = tex.find("&space;"); at != std::string::npos; at = tex.find("&space;", at)) {
    tex.replace(at, 7, " ");
  }
  return tex;
}

bool looks_like_tex(std::string_view text) noexcept {
  const auto at = text.find('\\');
  if (at == std::string_view::npos || at + 1 >= text.size()) return false;
  const char next = text[at + 1];
  const bool command = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
  return command && text.find_first_of("{^_", at) != std::string_view::npos;
}

/// The <math> below an element, hidden or not.
node_id math_in(const page_tree& tree, node_id id) {
  for (auto at = id; at < tree.end_of(id); ++at) {
    tree.spend(1);
    if (tree.is_element(at, html::tag_id::math)) return at;
  }
  return none;
}

/// MathJax 2 leaves the TeX in a script behind what it has drawn.
bool is_followed_by_script(const page_tree& tree, node_id id) {
  constexpr int nearby = 3;
  auto at = tree.at(id).next;
  for (int i = 0; i < nearby && at != none; ++i, at = tree.at(at).next) {
    if (tree.is_element(at, html::tag_id::script) &&
        tree.attribute_of(at, "type").starts_with("math/tex")) {
      return true;
    }
  }
  return false;
}

std::string tex_of_attribute(std::string_view mathml, base::meter* counted) {
  // Every element around it may ask for it anew.
  if (counted != nullptr) counted->spend(mathml.size());
  const auto page = html::parse(mathml, counted);
  for (node_id id = 0; id < page.size(); ++id) {
    if (page.is_element(id, html::tag_id::math)) return tex_of_math(page, id);
  }
  return {};
}

/// The whole of a text between delimiters, as Pandoc writes it.
std::string tex_of_text(const page_tree& tree, node_id id) {
  constexpr std::uint32_t longest = 2000;
  if (tree.text_in(id) > longest) return {};
  const auto text = tree.raw_text_of(id);
  const auto trimmed = base::trim(text);
  const auto formula = formula_finder(trimmed).find(0);
  return formula.length == trimmed.size() ? std::string(formula.tex) : std::string();
}

}  // namespace

/// Whether a script of the page reads formulas out of its text.
void walker::find_math() {
  tree_.spend(page_.size());
  for (node_id id = 1; id < page_.size() && !raw_math_; ++id) {
    if (!page_.is_element(id, html::tag_id::script)) continue;
    const auto source = base::to_lower_ascii(page_.attribute_of(id, "src"));
    raw_math_ = contains(source, "mathjax") || contains(source, "katex");
  }
}

void walker::add_text(node_id id) {
  const auto text = page_.at(id).text;
  if (!raw_math_ || text.find_first_of("$\\") == std::string_view::npos) {
    inline_.add_text(text);
    return;
  }
  formula_finder formulas(text);
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto sign = text.find_first_of("$\\", at);
    if (sign == std::string_view::npos) break;
    const auto formula = formulas.find(sign);
    if (formula.length == 0) {
      at = sign + 1;
      continue;
    }
    inline_.add_text(text.substr(done, sign - done));
    add_formula(formula.tex, formula.display);
    at = done = sign + formula.length;
  }
  inline_.add_text(text.substr(done));
}

void walker::add_formula(std::string_view tex, bool display) {
  const auto flat = without_markup(tidy_tex(tex));
  if (flat.empty()) return;
  if (!display || in_cell() || heading_ > 0) {
    inline_.add_markdown("$" + flat + "$");
    return;
  }
  flush();
  // On lines of its own, unless it would begin an item there.
  const bool own_line = line_start_escape(flat, true) == std::string_view::npos;
  add_block(own_line ? "$$\n" + flat + "\n$$" : "$$" + flat + "$$");
}

bool walker::write_math(node_id id) {
  const auto tex = tex_of_math(page_, id, tree_.unseen_in_formulas());
  if (tex.empty()) return true;  // its characters are better than nothing
  add_formula(tex, page_.attribute_of(id, "display") == "block");
  return false;
}

/// A formula that MathJax has only drawn. False: it cannot be read.
bool walker::write_drawing(node_id id, bool display) {
  const auto mathml = mathml_of_drawing(tree_, id);
  const auto tex = mathml.empty() ? mathml : tex_of_attribute(mathml, page_.counted_on());
  if (tex.empty()) return false;
  add_formula(tex, display);
  return true;
}

/// What renderers put around formulas. True: it has been dealt with.
bool walker::enter_formula(node_id id) {
  const auto& one = page_.at(id);
  if (one.attribute_count == 0) return false;
  const auto classes = page_.attribute_of(id, "class");
  const bool is_container = one.tag == html::tag_id::other && one.name == "mjx-container";
  const bool mathjax = is_container || contains(classes, "MathJax") || contains(classes, "mjx-");
  const bool katex = contains(classes, "katex");
  const bool named = contains(classes, "math") || contains(classes, "latex");
  if (!mathjax && !katex && !named) return false;
  const bool block = is_block(one.tag);
  bool display = block || contains(classes, "display") || contains(classes, "block") ||
                 page_.attribute_of(id, "display") == "true";
  for (const auto attribute : {"data-math", "data-tex", "data-latex", "data-formula"}) {
    const auto tex = page_.attribute_of(id, attribute);
    if (tex.empty() || says_more(tex, tree_.raw_text_of(id))) continue;
    add_formula(tex, display);
    return true;
  }
  if (mathjax && !is_container) {
    if (is_followed_by_script(tree_, id)) return true;
    for (auto at = id; at < tree_.end_of(id); ++at) {
      tree_.spend(1);
      const auto mathml = page_.attribute_of(at, "data-mathml");
      if (mathml.empty()) continue;
      const auto tex = tex_of_attribute(mathml, page_.counted_on());
      if (tex.empty()) break;
      add_formula(tex, display);
      return true;
    }
  }
  if (mathjax || has_name(classes, "katex") || has_name(classes, "katex-display")) {
    const auto math = math_in(tree_, id);
    if (math == none) return is_container && write_drawing(id, display);
    const auto tex = tex_of_math(page_, math, tree_.unseen_in_formulas());
    display |= page_.attribute_of(math, "display") == "block";
    if (tex.empty()) return false;
    add_formula(tex, display);
    return true;
  }
  if (!has_name(classes, "math")) return false;
  const auto tex = tex_of_text(tree_, id);
  if (tex.empty()) return false;
  add_formula(tex, display);
  return true;
}

/// Pictures of formulas. False: it is a picture of something else.
bool walker::write_formula_image(node_id id, const std::string& names) {
  const auto alt = base::trim(page_.attribute_of(id, "alt"));
  const bool named = contains(names, " latex ") || contains(names, "mwe-math-fallback") ||
                     contains(names, " tex ");
  // MediaWiki shows the picture or the tree, whichever the browser can.
  if (contains(names, "mwe-math-fallback") && page_.at(id).parent != none &&
      math_in(tree_, page_.at(id).parent) != none) {
    return true;
  }
  if (!alt.empty() && (named || looks_like_tex(alt))) {
    // Alone in its block it stands on lines of its own.
    const auto parent = page_.at(id).parent;
    const bool alone = !named && inline_.empty() && parent != none &&
                       is_block(page_.at(parent).tag) && tree_.text_in(parent) == 0;
    add_formula(alt, alone || contains(alt, "\\begin{"));
    return true;
  }
  const auto tex = tex_in_address(page_.attribute_of(id, "src"));
  if (tex.empty() || !alt.empty()) return false;
  add_formula(tex, false);
  return true;
}

}  // namespace freshet::markdown
