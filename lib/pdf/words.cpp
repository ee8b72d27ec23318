// The two outputs, and the meeting of both: a word has the style of the piece of text in which its
// middle lies.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <map>
#include <pdf/markup.hpp>
#include <pdf/words.hpp>

namespace freshet::pdf {
namespace {

/// Pieces are found by the strip of the page that they stand on. A strip that holds more than these
/// is not searched to its end: such pages are made to waste time.
constexpr double strip_height = 8;
constexpr int most_strips = 2'000;
constexpr std::size_t most_of_a_strip = 400;
/// The most strips that one piece stands on.
constexpr int most_strips_of_one = 40;

/// A piece of text in one type, as pdftohtml has it.
struct styled_piece {
  box at;
  std::string text;
  type_style style;
};

using strips = std::vector<std::vector<std::size_t>>;

int strip_of(double y) {
  return std::clamp(static_cast<int>(y / strip_height), 0, most_strips - 1);
}

box box_of(const markup_reader& tag) {
  return {tag.number("xMin"), tag.number("yMin"), tag.number("xMax"), tag.number("yMax")};
}

bool is_web_link(std::string_view link) {
  return base::has_http_scheme(link) || link.starts_with("mailto:");
}

/// A name such as "ABCDEF+CourierNew-Bold".
bool is_mono(std::string_view family) {
  const auto name = base::to_lower_ascii(family);
  for (const std::string_view sign : {"mono", "courier", "consolas", "typewriter", "cmtt", "menlo",
                                      "inconsolata", "nimbusmonl", "sourcecode"}) {
    if (name.find(sign) != std::string::npos) return true;
  }
  return false;
}

/// A tag or a piece of text costs one, and more the longer it is.
void count(const markup_reader& tag, reading_meter& counted) {
  constexpr std::size_t bytes_per_step = 64;
  counted.spend(1 + tag.size() / bytes_per_step);
}

class style_reader {
 public:
  style_reader(text_document& document, reading_meter& counted)
      : to_(document), counted_(counted) {}

  void read(std::string_view xml) {
    for (markup_reader at(xml); at.next();) {
      count(at, counted_);
      take(at);
    }
  }

 private:
  void take(const markup_reader& at) {
    if (at.is_text()) {
      if (in_text_) add(at.text());
      return;
    }
    const auto name = at.name();
    if (name == "page") pieces_.clear();
    if (name == "/page") end_page();
    if (name == "fontspec") {
      fonts_[at.attribute("id")] = {at.number("size"), false, false,
                                    is_mono(at.attribute("family")), ""};
    } else if (name == "text") {
      begin_text(at);
    } else if (name == "/text") {
      end_text();
    } else if (name == "b" || name == "/b") {
      style_.bold = name == "b";
    } else if (name == "i" || name == "/i") {
      style_.italic = name == "i";
    } else if (name == "a") {
      const auto link = at.attribute("href");
      style_.link = is_web_link(link) ? link : "";
    } else if (name == "/a") {
      style_.link.clear();
    }
  }

  void begin_text(const markup_reader& at) {
    const double left = at.number("left"), top = at.number("top");
    at_ = {left, top, left + at.number("width"), top + at.number("height")};
    const auto font = fonts_.find(at.attribute("font"));
    style_ = font == fonts_.end() ? type_style{} : font->second;
    in_text_ = true;
    first_ = pieces_.size();
  }

  void add(std::string text) { pieces_.push_back({at_, std::move(text), style_}); }

  /// Shares the width of a text out to its pieces, by their letters.
  void end_text() {
    in_text_ = false;
    double letters = 0, before = 0;
    for (auto i = first_; i < pieces_.size(); ++i) letters += length(pieces_[i]);
    if (letters == 0) return;
    for (auto i = first_; i < pieces_.size(); ++i) {
      box& place = pieces_[i].at;
      place.left = at_.left + at_.width() * before / letters;
      before += length(pieces_[i]);
      place.right = at_.left + at_.width() * before / letters;
    }
  }

  static double length(const styled_piece& of) {
    return static_cast<double>(base::length(of.text));
  }

  void end_page() {
    if (page_ >= to_.pages.size()) return;
    constexpr std::uint64_t steps_of_page = 200;
    counted_.spend(steps_of_page + pieces_.size());
    strips by_strip(most_strips);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const int first = strip_of(pieces_[i].at.top);
      const int last = std::min(strip_of(pieces_[i].at.bottom), first + most_strips_of_one);
      for (int strip = first; strip <= last; ++strip) {
        auto& there = by_strip[static_cast<std::size_t>(strip)];
        if (there.size() < most_of_a_strip) there.push_back(i);
      }
    }
    for (text_block& each : to_.pages[page_].blocks) {
      for (text_line& row : each.lines) {
        for (word& one : row.words) give_style(one, by_strip);
      }
    }
    ++page_;
  }

  void give_style(word& word, const strips& by_strip) const {
    const double x = (word.at.left + word.at.right) / 2, y = (word.at.top + word.at.bottom) / 2;
    const auto& there = by_strip[static_cast<std::size_t>(strip_of(y))];
    constexpr std::size_t pieces_per_step = 16;
    counted_.spend(1 + there.size() / pieces_per_step);
    for (const auto i : there) {
      const styled_piece& one = pieces_[i];
      constexpr double slack = 1;  // its numbers are rounded
      if (x < one.at.left - slack || x > one.at.right + slack || y < one.at.top - slack ||
          y > one.at.bottom + slack) {
        continue;
      }
      word.style = one.style;
      return;
    }
  }

  text_document& to_;
  reading_meter& counted_;
  std::map<std::string, type_style, std::less<>> fonts_;
  std::vector<styled_piece> pieces_;
  std::size_t page_ = 0, first_ = 0;
  bool in_text_ = false;
  box at_;
  type_style style_;
};

}  // namespace

text_document read_layout(std::string_view text, reading_meter& counted) {
  text_document out;
  bool in_title = false, in_word = false;
  for (markup_reader at(text); at.next();) {
    count(at, counted);
    if (at.is_text()) {
      if (in_title) out.title += at.text();
      if (in_word) out.pages.back().blocks.back().lines.back().words.back().text += at.text();
      continue;
    }
    const auto name = at.name();
    in_title = name == "title";
    in_word = false;
    if (name == "meta") {
      const auto what = at.attribute("name");
      if (what == "Author") out.author = at.attribute("content");
      if (what == "CreationDate") out.created = at.attribute("content");
    } else if (name == "page") {
      out.pages.push_back({at.number("width"), at.number("height"), {}});
    } else if (name == "block" && !out.pages.empty()) {
      out.pages.back().blocks.emplace_back();
    } else if (name == "line" && !out.pages.empty() && !out.pages.back().blocks.empty()) {
      out.pages.back().blocks.back().lines.push_back({box_of(at), {}});
    } else if (name == "word" && !out.pages.empty() && !out.pages.back().blocks.empty() &&
               !out.pages.back().blocks.back().lines.empty()) {
      out.pages.back().blocks.back().lines.back().words.push_back({box_of(at), "", {}});
      in_word = true;
    }
  }
  return out;
}

void add_styles(text_document& document, std::string_view xml, reading_meter& counted) {
  style_reader(document, counted).read(xml);
}

}  // namespace freshet::pdf
