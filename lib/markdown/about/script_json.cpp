// JSON is parsed as it is; only what fails is tidied, and parsed once more.
#include <algorithm>
#include <html/document.hpp>
#include <markdown/about/script_json.hpp>

namespace freshet::markdown {

namespace {

constexpr std::string_view white_space = " \t\r\n\f";

/// Copies the first JSON value of a text, and leaves out or escapes what is none.
class tidier {
 public:
  explicit tidier(std::string_view text) : text_(text) {}

  std::string run() {
    at_ = std::min(text_.find_first_not_of(white_space), text_.size());
    while (at_ < text_.size() && !is_whole_) {
      const auto rest = text_.substr(at_);
      if (rest.starts_with('"')) {
        copy_string();
      } else if (rest.starts_with("//") || rest.starts_with("/*")) {
        skip_comment();
      } else if (rest.starts_with("<!--")) {
        skip_markup_comment();
      } else if (const auto marker = marker_at(rest); marker > 0) {
        at_ += marker;
      } else if (rest.starts_with(',') && is_last()) {
        ++at_;
      } else {
        copy(rest.front());
      }
    }
    return std::move(out_);
  }

 private:
  /// How long a marker for old browsers is; 0: there is none.
  static std::size_t marker_at(std::string_view rest) {
    for (const std::string_view one : {"<![CDATA[", "]]>", "-->"}) {
      if (rest.starts_with(one)) return one.size();
    }
    return 0;
  }

  void copy(char c) {
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && --depth_ <= 0) is_whole_ = true;
    out_ += c;
    ++at_;
  }

  /// A comma before the end of what it stands in.
  [[nodiscard]] bool is_last() const {
    const auto after = text_.find_first_not_of(white_space, at_ + 1);
    return after == std::string_view::npos || text_[after] == '}' || text_[after] == ']';
  }

  void skip_to(std::string_view end) {
    const auto found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  /// The first of `any` at or after here, npos if there is none.
  std::size_t next_of(std::string_view any, std::size_t& known) const {
    if (known < at_) known = text_.find_first_of(any, at_);
    return known;
  }

  /// Around the JSON only its marks go.
  void skip_markup_comment() {
    if (comment_end_ < at_) comment_end_ = text_.find("-->", at_);
    const bool is_comment =
        comment_end_ != std::string_view::npos && next_of("{[", json_begin_) > comment_end_;
    if (is_comment) return skip_to("-->");
    at_ += std::string_view("<!--").size();
  }

  void skip_comment() {
    if (text_[at_ + 1] == '*') return skip_to("*/");
    const auto end = std::min(next_of("\r\n", line_end_), text_.size());
    const auto said = std::min(text_.find_first_not_of(white_space, at_ + 2), end);
    const auto rest = text_.substr(said, end - said);
    const bool hides = rest.starts_with("<![CDATA[") || rest.starts_with("<!--");
    at_ = hides ? said : end;
  }

  void copy_string() {
    out_ += text_[at_++];
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') {
        if (ends_string()) break;
        out_ += "\\\"";
      } else if (c == '\\' && at_ < text_.size()) {
        copy_escape();
      } else if (static_cast<unsigned char>(c) < 0x20) {
        append_control(c);
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  /// A quotation mark inside a string is followed by more of it.
  [[nodiscard]] bool ends_string() const {
    const auto after = text_.find_first_not_of(white_space, at_);
    if (after == std::string_view::npos) return true;
    const auto rest = text_.substr(after);
    if (rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with("<!--")) return true;
    return std::string_view(",}]:").find(rest.front()) != std::string_view::npos;
  }

  void append_control(char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    out_ += "\\u00";
    out_ += digits[byte >> 4];
    out_ += digits[byte & 15];
  }

  /// JavaScript allows more to be escaped than JSON does; other backslashes stand for themselves.
  void copy_escape() {
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    const char c = text_[at_++];
    const auto code = text_.substr(at_, 2);
    if (std::string_view("\"\\/bfnrtu").find(c) != std::string_view::npos) {
      out_ += '\\';
      out_ += c;
    } else if (c == '\'') {
      out_ += c;
    } else if (c == 'x' && code.size() == 2 && code.find_first_not_of(digits) == code.npos) {
      out_ += "\\u00";
      out_ += code;
      at_ += code.size();
    } else {
      out_ += "\\\\";
      --at_;  // read again, as any other character
    }
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
  // Where these stand next: looked for once between two of them.
  std::size_t comment_end_ = text_.find("-->");
  std::size_t json_begin_ = text_.find_first_of("{[");
  std::size_t line_end_ = text_.find_first_of("\r\n");
  int depth_ = 0;
  bool is_whole_ = false;
};

}  // namespace

std::string tidy_json(std::string_view text) { return tidier(text).run(); }

result<base::json::value> parse_script_json(std::string_view text) {
  auto parsed = base::parse_json(text);
  if (parsed) return parsed;
  const auto tidy = tidy_json(text);
  parsed = base::parse_json(tidy);
  if (parsed || tidy.find("&quot;") == std::string::npos) return parsed;
  return base::parse_json(tidy_json(html::decode_entities(text)));
}

}  // namespace freshet::markdown
