// Two notations, one reading: a part's kind is its name behind "mjx-", or its data-mml-node. What
// has no kind only places what is in it.
#include <algorithm>
#include <array>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <charconv>
#include <markdown/writing/mathjax.hpp>
#include <vector>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

constexpr std::size_t deepest_formula = 120, longest_mathml = 64 * 1024;

constexpr std::array<std::string_view, 5> tokens = {"mi", "mn", "mo", "mtext", "ms"};
/// Those that hold their parts one after the other.
constexpr std::array<std::string_view, 12> rows = {"math",       "mrow",   "texatom",  "mstyle",
                                                   "mpadded",    "merror", "mtable",   "mtr",
                                                   "mlabeledtr", "mtd",    "menclose", "semantics"};
constexpr std::array<std::string_view, 9> shaped = {
    "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover"};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class drawing_reader {
 public:
  explicit drawing_reader(const page_tree& tree) : tree_(tree) {}
  std::string read(node_id drawing);

 private:
  using parts = std::vector<node_id>;

  [[nodiscard]] std::string_view name_of(node_id id) const;
  [[nodiscard]] std::string kind_of(node_id id) const;
  void collect(node_id id, parts& parts, std::size_t depth) const;
  [[nodiscard]] parts parts_in(node_id id) const;
  [[nodiscard]] node_id find(node_id id, std::string_view name, std::size_t depth = 0) const;
  [[nodiscard]] bool is_root_sign(node_id id) const;
  [[nodiscard]] bool is_raised(node_id id) const;
  void append_character(std::string& out, node_id id) const;
  [[nodiscard]] std::string_view variant_of(node_id id, std::string_view kind,
                                            std::string_view text) const;
  void write(node_id id);
  void write_token(node_id id, std::string_view kind);
  void write_shape(node_id id, std::string_view kind);
  void write_scripts(node_id id, std::string_view kind);
  void write_root(node_id id, std::string_view kind);
  void write_row(const parts& all);
  void write_inside(node_id id);
  void write_child(node_id id);

  const page_tree& tree_;
  std::string out_;
  std::size_t depth_ = 0;
  bool failed_ = false;
};

/// "msup" of <mjx-msup>; "" of what is no element of MathJax's.
std::string_view drawing_reader::name_of(node_id id) const {
  constexpr std::string_view prefix = "mjx-";
  if (!tree_.is_element(id)) return {};
  const std::string_view name = tree_.at(id).name;
  return name.starts_with(prefix) ? name.substr(prefix.size()) : std::string_view();
}

std::string drawing_reader::kind_of(node_id id) const {
  auto name = std::string(name_of(id));
  if (name.empty() && tree_.is_element(id)) {
    name = base::to_lower_ascii(tree_.attribute_of(id, "data-mml-node"));
  }
  const bool known = is_one_of(tokens, name) || is_one_of(rows, name) || is_one_of(shaped, name);
  return known ? name : std::string();
}

/// What has a kind below `id`, without what is below that.
void drawing_reader::collect(node_id id, parts& parts, std::size_t depth) const {
  if (depth > deepest_formula) return;
  for (auto at = tree_.at(id).first_child; at != none; at = tree_.at(at).next) {
    tree_.spend(1);
    if (!tree_.is_element(at) || name_of(at) == "surd") continue;
    if (kind_of(at).empty()) {
      collect(at, parts, depth + 1);
    } else {
      parts.push_back(at);
    }
  }
}

drawing_reader::parts drawing_reader::parts_in(node_id id) const {
  parts found;
  if (id != none) collect(id, found, 0);
  return found;
}

/// The first element of a name below `id` that is not a part of another formula. A <mjx-munder>
/// inside of a box belongs to the <mjx-munderover> around it.
node_id drawing_reader::find(node_id id, std::string_view name, std::size_t depth) const {
  constexpr std::size_t deepest_frame = 8;
  if (depth > deepest_frame) return none;
  for (auto at = tree_.at(id).first_child; at != none; at = tree_.at(at).next) {
    tree_.spend(1);
    const auto own = name_of(at);
    if (own == name) return at;
    const bool frames = own == "munder" && name_of(id) == "box";
    if (own.empty() || own == "base" || own == "over" || own == "under" ||
        (!frames && !kind_of(at).empty())) {
      continue;
    }
    if (const auto found = find(at, name, depth + 1); found != none) return found;
  }
  return none;
}

bool drawing_reader::is_root_sign(node_id id) const {
  if (kind_of(id) != "mo") return false;
  const auto sign = tree_.at(id).first_child;
  return sign != none && tree_.is_element(sign) && tree_.attribute_of(sign, "data-c") == "221A";
}

/// Of a part of a picture: moved up, "translate(605,363) scale(0.7)".
bool drawing_reader::is_raised(node_id id) const {
  const auto moved = tree_.attribute_of(id, "transform");
  const auto comma = moved.find_first_of(", ", moved.find('('));
  if (comma == std::string_view::npos) return true;
  auto up = moved.substr(comma);
  up.remove_prefix(std::min(up.find_first_not_of(", "), up.size()));
  return base::take_number<double>(up).value_or(0) >= 0;
}

/// "1D465" of class "mjx-c1D465 TEX-I", or of data-c.
void drawing_reader::append_character(std::string& out, node_id id) const {
  constexpr std::string_view prefix = "mjx-c";
  constexpr int hexadecimal = 16;
  constexpr char32_t last_point = 0x10FFFF;
  auto code = tree_.attribute_of(id, "data-c");
  if (code.empty()) {
    const auto classes = tree_.attribute_of(id, "class");
    const auto at = classes.find(prefix);
    if (at == std::string_view::npos) return;
    code = classes.substr(at + prefix.size());
    code = code.substr(0, code.find(' '));
  }
  std::uint32_t point = 0;
  std::from_chars(code.data(), code.data() + code.size(), point, hexadecimal);
  if (point > 0 && point <= last_point) base::append_utf8(out, point);
}

/// What a letter of the text's own alphabet says by its class.
std::string_view drawing_reader::variant_of(node_id id, std::string_view kind,
                                            std::string_view text) const {
  if (kind != "mi" || text.size() != 1) return {};
  for (auto at = id; at < tree_.end_of(id); ++at) {
    tree_.spend(1);
    if (!tree_.is_element(at)) continue;
    // Of a picture, the name of the shape: "#MJX-1-TEX-A-52".
    const std::string of = std::string(tree_.attribute_of(at, "class")) + " " +
                           std::string(tree_.attribute_of(at, "xlink:href")) +
                           std::string(tree_.attribute_of(at, "href")) + " ";
    const auto has = [&](std::string_view name) {
      const auto found = of.find(name);
      return found != std::string::npos &&
             (of[found + name.size()] == ' ' || of[found + name.size()] == '-');
    };
    if (has("TEX-A")) return "double-struck";
    if (has("TEX-C") || has("TEX-SC")) return "script";
    if (has("TEX-FR")) return "fraktur";
    if (has("TEX-B")) return "bold";
  }
  return "normal";
}

/// A bracket that is drawn as its ends and what is between them; otherwise the text itself.
std::string whole_bracket(const std::string& text) {
  struct bracket {
    std::string_view sign, pieces;
  };
  constexpr std::array<bracket, 6> brackets = {
      {{"(", "⎛⎜⎝"}, {")", "⎞⎟⎠"}, {"[", "⎡⎢⎣"}, {"]", "⎤⎥⎦"}, {"{", "⎧⎨⎩"}, {"}", "⎫⎬⎭"}}};
  constexpr std::size_t bytes_of_piece = 3;
  if (text.size() < 2 * bytes_of_piece) return text;
  for (const auto& one : brackets) {
    const auto first = std::string_view(text).substr(0, bytes_of_piece);
    if (one.pieces.find(first) != one.pieces.npos) return std::string(one.sign);
  }
  return text;
}

void drawing_reader::write_token(node_id id, std::string_view kind) {
  std::string text;
  for (auto at = id; at < tree_.end_of(id); ++at) {
    tree_.spend(1);
    if (tree_.is_text(at)) {
      text += tree_.text_at(at);
    } else if (tree_.is_element(at) && at != id) {
      append_character(text, at);
    }
  }
  if (kind == "mo") text = whole_bracket(text);
  out_.append("<").append(kind);
  const auto variant = variant_of(id, kind, text);
  if (!variant.empty()) out_.append(" mathvariant=").append(variant);
  out_ += '>';
  for (const char c : text) {
    if (c == '<') {
      out_ += "&lt;";
    } else if (c == '&') {
      out_ += "&amp;";
    } else {
      out_ += c;
    }
  }
  out_.append("</").append(kind).append(">");
}

void drawing_reader::write_row(const parts& all) {
  if (all.size() == 1) return write(all[0]);
  out_ += "<mrow>";
  for (const auto id : all) write(id);
  out_ += "</mrow>";
}

void drawing_reader::write_inside(node_id id) { write_row(parts_in(id)); }

/// One that may be a frame around parts, or a part itself.
void drawing_reader::write_child(node_id id) {
  if (kind_of(id).empty()) return write_inside(id);
  write(id);
}

void drawing_reader::write_root(node_id id, std::string_view kind) {
  parts inside, index;
  if (const auto box = find(id, "box"); box != none) {
    inside = parts_in(box);
    if (const auto root = find(id, "root"); root != none) index = parts_in(root);
  } else {
    for (auto at = tree_.at(id).first_child; at != none; at = tree_.at(at).next) {
      if (!tree_.is_element(at) || is_root_sign(at)) continue;
      if (kind_of(at).empty()) {
        collect(at, inside, 0);
      } else {
        index.push_back(at);
      }
    }
  }
  out_.append("<").append(kind).append(">");
  write_row(inside);
  if (kind == "mroot") write_row(index);
  out_.append("</").append(kind).append(">");
}

/// Base, lower and upper; those of CommonHTML stand in frames of a name, or in a column with the
/// upper one first.
void drawing_reader::write_scripts(node_id id, std::string_view kind) {
  const auto script = find(id, "script"), framed = find(id, "base");
  const bool wants_low = kind.find("sub") != kind.npos || kind.find("under") != kind.npos;
  const bool wants_high = kind.find("sup") != kind.npos || kind.find("over") != kind.npos;
  parts body, low, high;
  if (framed != none) {
    body = parts_in(framed);
    if (wants_low) low = parts_in(find(id, "under"));
    if (wants_high) high = parts_in(find(id, "over"));
  } else if (script != none) {
    for (const auto one : parts_in(id)) {
      if (!tree_.contains(script, one)) body.push_back(one);
    }
    const auto column = parts_in(script);
    for (std::size_t i = 0; i < column.size(); ++i) {
      (wants_high && (i == 0 || !wants_low) ? high : low).push_back(column[i]);
    }
  } else {
    const auto all = parts_in(id);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_high = wants_high && (!wants_low || is_raised(all[i]));
      (i == 0 ? body : is_high ? high : low).push_back(all[i]);
    }
  }
  out_.append("<").append(kind).append(">");
  write_row(body);
  if (wants_low) write_row(low);
  if (wants_high) write_row(high);
  out_.append("</").append(kind).append(">");
}

void drawing_reader::write_shape(node_id id, std::string_view kind) {
  if (kind == "msqrt" || kind == "mroot") return write_root(id, kind);
  if (kind != "mfrac") return write_scripts(id, kind);
  const auto above = find(id, "num"), below = find(id, "den");
  const auto all = parts_in(id);
  out_ += "<mfrac>";
  if (above != none && below != none) {
    write_inside(above);
    write_inside(below);
  } else {
    for (const auto one : all) write_child(one);
  }
  out_ += "</mfrac>";
}

void drawing_reader::write(node_id id) {
  tree_.spend(1);
  failed_ = failed_ || depth_ >= deepest_formula || out_.size() > longest_mathml;
  if (failed_) return;
  ++depth_;
  const auto kind = kind_of(id);
  if (is_one_of(tokens, kind)) {
    write_token(id, kind);
  } else if (is_one_of(shaped, kind)) {
    write_shape(id, kind);
  } else {
    const std::string name = kind == "mtable" || kind == "mtr" || kind == "mtd" ? kind : "mrow";
    out_.append("<").append(name).append(">");
    for (const auto one : parts_in(id)) write(one);
    out_.append("</").append(name).append(">");
  }
  --depth_;
}

std::string drawing_reader::read(node_id drawing) {
  const auto all = parts_in(drawing);
  if (all.empty()) return {};
  out_ = "<math>";
  for (const auto one : all) write(one);
  out_ += "</math>";
  return failed_ ? std::string() : std::move(out_);
}

}  // namespace

std::string mathml_of_drawing(const page_tree& tree, node_id drawing) {
  return drawing_reader(tree).read(drawing);
}

}  // namespace freshet::markdown
