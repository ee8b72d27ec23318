// MathML to TeX. The nodes of a formula are converted from the last to the first, so that every
// element finds its children done; nothing recurses.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/writing/math_symbols.hpp>
#include <markdown/writing/mathml.hpp>
#include <markdown/writing/stated_tex.hpp>
#include <vector>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using html::tag_id;

/// More nodes or bytes are no formula that anyone reads.
constexpr std::size_t max_math_nodes = 20'000, max_tex_bytes = 64 * 1024;

struct piece {
  std::string tex;
  bool infix = false;     ///< wants spaces around it
  bool scripted = false;  ///< has sub- or superscripts: braces before it gets more
  bool large = false;     ///< takes limits below and above
};

/// Whether text ends in a control word, which a letter right behind it would become part of.
bool ends_in_command(std::string_view tex) noexcept {
  auto at = tex.size();
  while (at > 0 && base::is_letter(tex[at - 1])) --at;
  return at > 0 && at < tex.size() && tex[at - 1] == '\\';
}

void append(std::string& out, std::string_view tex) {
  if (!tex.empty() && base::is_letter(tex[0]) && ends_in_command(out)) out += ' ';
  out += tex;
}

std::string braced(std::string_view tex) { return "{" + std::string(tex) + "}"; }

std::string escaped_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("#$%&_{}").find(c) != std::string_view::npos) {
      out += '\\';
      out += c;
    } else if (c == '\\') {
      out += "\\backslash ";
    } else if (c == '^' || c == '~') {
      out += std::string("\\") + c + "{}";
    } else {
      out += c;
    }
  }
  return out;
}

class converter {
 public:
  converter(const html::document& page, node_id math, std::span<const node_id> unseen)
      : page_(page), math_(math), unseen_(unseen) {}
  std::string run();

 private:
  piece convert(node_id id);
  [[nodiscard]] piece& of(node_id id) { return pieces_[id - math_]; }
  [[nodiscard]] std::vector<node_id> children(node_id id) const;
  [[nodiscard]] std::string raw_text(node_id id) const;
  piece token(node_id id, tag_id tag);
  piece row(const std::vector<node_id>& parts);
  std::string fenced_table(const std::vector<node_id>& parts);
  piece scripts(tag_id tag, const std::vector<node_id>& parts);
  piece limits(tag_id tag, const std::vector<node_id>& parts);
  piece many_scripts(const std::vector<node_id>& parts);
  piece fenced(node_id id, const std::vector<node_id>& parts);
  piece enclosed(node_id id, const std::vector<node_id>& parts);
  std::string table(node_id id, std::string_view environment);
  std::string argument(node_id id) { return of(id).tex; }
  std::string base_of(node_id id) {
    const auto& one = of(id);
    return one.tex.empty() || one.scripted ? braced(one.tex) : one.tex;
  }

  [[nodiscard]] bool is_seen(node_id id) const { return !std::ranges::binary_search(unseen_, id); }

  const html::document& page_;
  node_id math_;
  std::span<const node_id> unseen_;
  std::vector<piece> pieces_;
};

std::vector<node_id> converter::children(node_id id) const {
  std::vector<node_id> found;
  for (auto at = page_.at(id).first_child; at != none; at = page_.at(at).next) {
    if (page_.at(at).type == html::node_type::element) found.push_back(at);
  }
  return found;
}

std::string converter::raw_text(node_id id) const {
  std::string out;
  for (auto at = id; at != none; at = page_.next_in_order(at, id)) {
    if (page_.at(at).type == html::node_type::text && is_seen(at)) out += page_.at(at).text;
  }
  return out;
}

bool is_function(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 32> functions = {
      "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot",  "coth", "csc",    "deg",    "det",
      "dim",    "exp",    "gcd",    "hom", "inf", "ker",  "lg",   "lim",  "liminf", "limsup", "ln",
      "log",    "max",    "min",    "Pr",  "sec", "sin",  "sinh", "sup",  "tan",    "tanh"};
  return std::ranges::find(functions, name) != functions.end();
}

bool takes_limits(std::string_view tex) noexcept {
  constexpr std::array<std::string_view, 10> names = {"\\lim", "\\max", "\\min",    "\\sup",
                                                      "\\inf", "\\det", "\\liminf", "\\limsup",
                                                      "\\gcd", "\\Pr"};
  return std::ranges::find(names, tex) != names.end();
}

piece converter::token(node_id id, tag_id tag) {
  const auto raw = raw_text(id);
  if (tag == tag_id::mtext || tag == tag_id::ms) {
    const auto text = base::collapse_spaces(raw);
    if (text.empty()) return {raw.empty() ? "" : "\\ "};
    return {"\\text{" + escaped_text(text) + "}"};
  }
  const auto text = base::collapse_spaces(raw);
  if (tag == tag_id::mi && text.size() > 1 &&
      std::ranges::all_of(text, [](char c) { return base::is_letter(c); })) {
    if (is_function(text)) {
      return {"\\" + text, false, false, takes_limits("\\" + text)};
    }
    return {"\\mathrm{" + text + "}"};
  }
  piece made;
  for (std::size_t at = 0; at < text.size();) {
    const auto from = at;
    const auto point = base::next_point(text, at);
    const auto symbol = math_symbol(point);
    if (symbol.kind == math_kind::ignored) continue;
    if (!symbol.tex.empty()) {
      append(made.tex, symbol.tex);
      made.large = symbol.kind == math_kind::large;
      made.infix = symbol.kind == math_kind::infix;
    } else if (point < 0x80) {
      append(made.tex, escaped_text(text.substr(from, at - from)));
    } else {
      append(made.tex, math_letter(point, text.substr(from, at - from)));
    }
  }
  if (tag != tag_id::mo) made.infix = false;
  const auto variant = page_.attribute_of(id, "mathvariant");
  if (tag == tag_id::mi && !made.tex.empty() && base::is_letter(made.tex[0]) &&
      made.tex.size() == 1) {
    if (variant == "bold") made.tex = "\\mathbf{" + made.tex + "}";
    if (variant == "double-struck") made.tex = "\\mathbb{" + made.tex + "}";
    if (variant == "script") made.tex = "\\mathcal{" + made.tex + "}";
    if (variant == "fraktur") made.tex = "\\mathfrak{" + made.tex + "}";
    if (variant == "normal") made.tex = "\\mathrm{" + made.tex + "}";
  }
  if (tag == tag_id::mo && made.tex.size() == 1) {
    made.infix = std::string_view("=+-<>*").find(made.tex[0]) != std::string_view::npos;
  } else if (tag == tag_id::mo && made.tex.size() == 2 && made.tex[1] == '=') {
    made.infix = true;  // :=, <=, ==
  }
  if (tag == tag_id::mo && made.tex.size() > 1 && is_function(made.tex)) {
    made.tex.insert(0, "\\");
    made.large = takes_limits(made.tex);
  }
  return made;
}

/// "(", a table and ")" is one matrix; "" if it is something else.
std::string converter::fenced_table(const std::vector<node_id>& parts) {
  if (parts.size() < 2 || parts.size() > 3) return {};
  if (page_.at(parts[1]).tag != tag_id::mtable) return {};
  const auto& open = of(parts[0]).tex;
  const std::string close = parts.size() == 3 ? of(parts[2]).tex : "";
  if (open == "(" && close == ")") return table(parts[1], "pmatrix");
  if (open == "[" && close == "]") return table(parts[1], "bmatrix");
  if (open == "|" && close == "|") return table(parts[1], "vmatrix");
  if (open == "\\|" && close == "\\|") return table(parts[1], "Vmatrix");
  if (open == "\\{" && close == "\\}") return table(parts[1], "Bmatrix");
  if (open == "\\{" && close.empty()) return table(parts[1], "cases");
  return {};
}

piece converter::row(const std::vector<node_id>& parts) {
  if (parts.size() == 1) return std::move(of(parts[0]));
  piece made;
  made.tex = fenced_table(parts);
  if (!made.tex.empty()) return made;
  bool after_operand = false, tall = false;
  for (const auto id : parts) {
    const auto& one = of(id);
    if (one.tex.empty()) continue;
    tall |= one.tex.find("\\frac") != std::string::npos ||
            one.tex.find("\\begin") != std::string::npos || one.large;
    if (one.infix && after_operand) {
      made.tex += " " + one.tex + " ";
      after_operand = false;
      continue;
    }
    append(made.tex, one.tex);
    after_operand = !one.infix && one.tex != "(" && one.tex != "[" && one.tex != ",";
    if (one.tex == "," || one.tex == ";") made.tex += ' ';
  }
  while (made.tex.ends_with(' ') && !made.tex.ends_with("\\ ")) made.tex.pop_back();
  const auto& first = of(parts.front()).tex;
  const auto& last = parts.empty() ? first : of(parts.back()).tex;
  const bool round = first == "(" && last == ")", square = first == "[" && last == "]";
  if (tall && (round || square)) {
    made.tex = "\\left" + made.tex.substr(0, made.tex.size() - 1) + "\\right" + made.tex.back();
  }
  return made;
}

piece converter::scripts(tag_id tag, const std::vector<node_id>& parts) {
  if (parts.empty()) return {};
  piece made;
  made.tex = base_of(parts[0]);
  made.scripted = true;
  const std::size_t superscript = tag == tag_id::msubsup ? 2 : 1;
  if (tag != tag_id::msup && parts.size() > 1) made.tex += "_" + braced(argument(parts[1]));
  if (tag != tag_id::msub && parts.size() > superscript) {
    const auto& power = of(parts[superscript]).tex;
    if (!power.empty() && power.find_first_not_of('\'') == std::string::npos) {
      made.tex += power;
    } else {
      made.tex += "^" + braced(power);
    }
  }
  return made;
}

/// The command for an accent over or under something; "" if it is none.
std::string_view accent_of(std::string_view mark, bool is_over, bool wide) noexcept {
  struct accent {
    std::string_view mark, above, below;
  };
  constexpr std::array<accent, 21> accents = {{{"\\hat{}", "\\hat", ""},
                                               {"\\^{}", "\\hat", ""},
                                               {"\xCB\x86", "\\hat", ""},
                                               {"\\~{}", "\\tilde", ""},
                                               {"\xCB\x9C", "\\tilde", ""},
                                               {"\\sim", "\\tilde", ""},
                                               {"\xC2\xAF", "\\bar", "\\underline"},
                                               {"\xE2\x80\xBE", "\\bar", "\\underline"},
                                               {"\xE2\x80\x93", "\\bar", "\\underline"},
                                               {"\xE2\x80\x94", "\\bar", "\\underline"},
                                               {"\xE2\x80\x95", "\\bar", "\\underline"},
                                               {"-", "\\bar", "\\underline"},
                                               {"\\_", "\\bar", "\\underline"},
                                               {"\\to", "\\vec", "\\underrightarrow"},
                                               {"\xE2\x83\x97", "\\vec", ""},
                                               {"\xCB\x99", "\\dot", ""},
                                               {".", "\\dot", ""},
                                               {"\xC2\xA8", "\\ddot", ""},
                                               {"\xCB\x87", "\\check", ""},
                                               {"\xE2\x8F\x9E", "\\overbrace", ""},
                                               {"\xE2\x8F\x9F", "", "\\underbrace"}}};
  for (const auto& one : accents) {
    if (one.mark != mark) continue;
    if (is_over && wide && one.above == "\\bar") return "\\overline";
    if (is_over && wide && one.above == "\\hat") return "\\widehat";
    return is_over ? one.above : one.below;
  }
  return {};
}

piece converter::limits(tag_id tag, const std::vector<node_id>& parts) {
  if (parts.size() < 2) return row(parts);
  const bool large = of(parts[0]).large;
  piece made;
  const std::string base = of(parts[0]).tex;
  if (tag == tag_id::munderover || large) {
    const bool both = tag == tag_id::munderover && parts.size() > 2;
    made.tex = base_of(parts[0]);
    if (tag != tag_id::mover) made.tex += "_" + braced(argument(parts[1]));
    if (tag == tag_id::mover) made.tex += "^" + braced(argument(parts[1]));
    if (both) made.tex += "^" + braced(argument(parts[2]));
    made.scripted = true;
    return made;
  }
  const bool over = tag == tag_id::mover;
  const auto& mark = of(parts[1]).tex;
  const auto accent = accent_of(mark, over, base.size() > 1 && base[0] != '\\');
  if (!accent.empty()) {
    made.tex = std::string(accent) + braced(base);
    made.large = accent.ends_with("brace");
  } else if (!over && takes_limits(base)) {
    made.tex = base + "_" + braced(mark);
  } else {
    made.tex = (over ? "\\overset" : "\\underset") + braced(mark) + braced(base);
  }
  return made;
}

piece converter::many_scripts(const std::vector<node_id>& parts) {
  if (parts.empty()) return {};
  std::string before, after;
  bool pre = false, below = true;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (page_.at(parts[i]).tag == tag_id::mprescripts) {
      pre = true;
      below = true;
      continue;
    }
    const auto& tex = of(parts[i]).tex;
    if (!tex.empty()) (pre ? before : after) += (below ? "_" : "^") + braced(tex);
    below = !below;
  }
  piece made;
  made.tex = (before.empty() ? "" : "{}" + before) + base_of(parts[0]) + after;
  made.scripted = true;
  return made;
}

piece converter::fenced(node_id id, const std::vector<node_id>& parts) {
  const auto value = [&](std::string_view name, std::string_view otherwise) {
    return page_.has_attribute(id, name) ? page_.attribute_of(id, name) : otherwise;
  };
  const auto open = escaped_text(value("open", "(")), close = escaped_text(value("close", ")"));
  const auto separator = value("separators", ",").substr(0, 1);
  if (parts.size() == 1 && page_.at(parts[0]).tag == tag_id::mtable && open == "(") {
    return {table(parts[0], "pmatrix")};
  }
  piece made;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) made.tex += std::string(separator) + " ";
    append(made.tex, of(parts[i]).tex);
  }
  made.tex =
      "\\left" + (open.empty() ? "." : open) + made.tex + "\\right" + (close.empty() ? "." : close);
  return made;
}

piece converter::enclosed(node_id id, const std::vector<node_id>& parts) {
  auto made = row(parts);
  const auto notation = page_.attribute_of(id, "notation");
  const auto has = [&](std::string_view one) {
    return notation.find(one) != std::string_view::npos;
  };
  if (notation.empty() || has("radical")) {
    made.tex = "\\sqrt" + braced(made.tex);
  } else if (has("diagonalstrike")) {
    made.tex = "\\cancel" + braced(made.tex);
  } else if (has("box")) {
    made.tex = "\\boxed" + braced(made.tex);
  } else if (has("top")) {
    made.tex = "\\overline" + braced(made.tex);
  } else if (has("bottom")) {
    made.tex = "\\underline" + braced(made.tex);
  }
  return made;
}

std::string converter::table(node_id id, std::string_view environment) {
  std::string body;
  std::size_t rows = 0, cells_in_all = 0;
  for (const auto line : children(id)) {
    auto cells = children(line);
    std::string label;
    if (page_.at(line).name == "mlabeledtr" && !cells.empty()) {
      label = of(cells.front()).tex;
      cells.erase(cells.begin());
    }
    if (rows++ > 0) body += " \\\\ ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) body += " & ";
      body += of(cells[i]).tex;
      ++cells_in_all;
    }
    if (!label.empty()) body += " \\quad " + label;
  }
  if (environment.empty()) {
    if (cells_in_all <= 1) return body;
    const auto align = page_.attribute_of(id, "columnalign");
    environment = align.find("right") != std::string_view::npos ? "aligned" : "matrix";
  }
  return "\\begin{" + std::string(environment) + "} " + body + " \\end{" +
         std::string(environment) + "}";
}

piece converter::convert(node_id id) {
  const auto tag = page_.at(id).tag;
  switch (tag) {
    case tag_id::mi:
    case tag_id::mn:
    case tag_id::mo:
    case tag_id::ms:
    case tag_id::mtext:
      return token(id, tag);
    case tag_id::annotation:
    case tag_id::annotation_xml:
      return {};
    case tag_id::mspace:
      return {page_.has_attribute(id, "width") ? "\\ " : ""};
    default:
      break;
  }
  const auto parts = children(id);
  switch (tag) {
    case tag_id::mfrac:
      if (parts.size() < 2) break;
      if (page_.attribute_of(id, "linethickness").starts_with("0")) {
        return {"\\binom" + braced(argument(parts[0])) + braced(argument(parts[1])), false, false};
      }
      return {"\\frac" + braced(argument(parts[0])) + braced(argument(parts[1]))};
    case tag_id::msqrt:
      return {"\\sqrt" + braced(parts.empty() ? std::string() : row(parts).tex)};
    case tag_id::mroot:
      if (parts.size() < 2) break;
      return {"\\sqrt[" + argument(parts[1]) + "]" + braced(argument(parts[0]))};
    case tag_id::msub:
    case tag_id::msup:
    case tag_id::msubsup:
      return scripts(tag, parts);
    case tag_id::munder:
    case tag_id::mover:
    case tag_id::munderover:
      return limits(tag, parts);
    case tag_id::mmultiscripts:
      return many_scripts(parts);
    case tag_id::mfenced:
      return fenced(id, parts);
    case tag_id::mtable:
      return {table(id, {})};
    case tag_id::mphantom: {
      // As wide as something, of which nothing is seen: a few signs, and no sentence.
      constexpr std::size_t longest = 48;
      const auto inside = parts.empty() ? std::string() : row(parts).tex;
      return {"\\phantom" + braced(inside.size() <= longest ? inside : std::string())};
    }
    case tag_id::semantics:
      return parts.empty() ? piece{} : std::move(of(parts[0]));
    default:
      break;
  }
  if (page_.at(id).name == "menclose") return enclosed(id, parts);
  return parts.empty() ? piece{} : row(parts);
}

std::string converter::run() {
  std::vector<node_id> nodes;
  for (auto at = math_; at != none; at = page_.next_in_order(at, math_)) {
    nodes.push_back(at);
    if (nodes.size() > max_math_nodes) return {};
  }
  pieces_.resize(nodes.back() - math_ + 1);
  for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
    if (page_.at(*at).type != html::node_type::element) continue;
    of(*at) = convert(*at);
    if (of(*at).tex.size() > max_tex_bytes) return {};
  }
  return std::move(of(math_).tex);
}

}  // namespace

std::string tidy_tex(std::string_view tex) {
  auto flat = base::collapse_spaces(tex);
  std::string_view inner = flat;
  // MediaWiki puts all of a formula into a group that only asks for a style.
  for (const std::string_view style : {"{\\displaystyle ", "{\\textstyle "}) {
    if (inner.starts_with(style) && inner.ends_with('}')) {
      inner = base::trim(inner.substr(style.size(), inner.size() - style.size() - 1));
    }
  }
  return std::string(inner);
}

std::string tex_of_math(const html::document& page, node_id math, std::span<const node_id> unseen) {
  // What the page says of the formula says what is unseen, too.
  const auto first = std::ranges::lower_bound(unseen, math);
  const auto end = page.next_skipping_children(math, html::document::root());
  const bool is_whole = first == unseen.end() || *first >= end;
  auto stated = is_whole ? stated_tex(page, math) : std::string();
  return stated.empty() ? converter(page, math, unseen).run() : stated;
}

}  // namespace freshet::markdown
