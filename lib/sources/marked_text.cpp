// md4c says block by block and span by span what is marked; what is written of it is the text, and
// of links and pictures their addresses. Addresses that stand in the text as they are are looked
// for in the text of each run, as the sites do: md4c's own search takes signs of emphasis in them
// for such.
#include <md4c.h>

#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/item_text.hpp>
#include <sources/marked_text.hpp>
#include <sources/rich_text.hpp>
#include <string>
#include <vector>

namespace freshet::sources {
namespace {

constexpr std::size_t address_limit = 2048;
/// Longer than any post of the sites; md4c's time for label after label grows faster than the text.
constexpr std::size_t markdown_limit = 128 * 1024;
/// What the rows of a wide table, and the uses of a long address, may make of a text.
constexpr std::size_t growth_limit = 4;

/// Where an address in a text ends, and what does not belong to it.
constexpr std::string_view address_ends = " \t\r\n<>\"`|\\";
constexpr std::string_view after_address = ".,;:!?'*_";

/// The address at the start of `text`, which begins with its scheme.
std::string_view address_in(std::string_view text) {
  std::size_t size = 0, round = 0, square = 0;
  for (; size < text.size() && address_ends.find(text[size]) == text.npos; ++size) {
    if (text[size] == '(') ++round;
    if (text[size] == '[') ++square;
    if (text[size] == ')' && round-- == 0) break;
    if (text[size] == ']' && square-- == 0) break;
  }
  while (after_address.find(text[size - 1]) != text.npos) --size;
  return text.substr(0, size);
}

class text_maker {
 public:
  text_maker(std::string_view markdown, std::string_view base_url, item_common& common)
      : base_url_(base_url), left_(markdown.size() * growth_limit), common_(common) {}

  /// Whether all of it was read.
  bool read(std::string_view markdown) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return static_cast<text_maker*>(self)->enter(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return static_cast<text_maker*>(self)->leave(type);
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return static_cast<text_maker*>(self)->enter(type, detail);
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return static_cast<text_maker*>(self)->leave(type);
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return static_cast<text_maker*>(self)->take(type, {text, size});
    };
    return md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, this) == 0;
  }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  struct list {
    unsigned number;  ///< of the next of its parts; 0: they have none
    char mark;
    bool is_tight;
  };

  [[nodiscard]] int spend(std::size_t size) {
    if (size > left_) return 1;
    left_ -= size;
    return 0;
  }

  void end_line(std::size_t breaks) { breaks_ = std::max(breaks_, breaks); }

  int write(std::string_view text) {
    if (picture_depth_ > 0) {
      alt_ += text;
    } else {
      if (!out_.empty()) out_.append(breaks_, '\n');
      breaks_ = 0;
      out_ += text;
    }
    return spend(text.size());
  }

  int enter(MD_BLOCKTYPE type, const void* detail) {
    if (type == MD_BLOCK_UL) {
      const auto& one = *static_cast<const MD_BLOCK_UL_DETAIL*>(detail);
      return enter(list{0, one.mark, one.is_tight != 0});
    }
    if (type == MD_BLOCK_OL) {
      const auto& one = *static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
      return enter(list{one.start, one.mark_delimiter, one.is_tight != 0});
    }
    if (type == MD_BLOCK_LI) return enter_list_part();
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) return write("| ");
    return 0;
  }

  int enter(list one) {
    end_run();
    end_line(lists_.empty() ? 0 : 1);
    lists_.push_back(one);
    return 0;
  }

  int enter_list_part() {
    auto& mine = lists_.back();
    std::string sign(2 * (lists_.size() - 1), ' ');
    if (mine.number > 0) sign += std::to_string(mine.number++);
    sign += mine.mark;
    return write(sign += ' ');
  }

  int leave(MD_BLOCKTYPE type) {
    end_run();
    const bool is_tight = !lists_.empty() && lists_.back().is_tight;
    switch (type) {
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        lists_.pop_back();
        end_line(lists_.empty() ? 2 : 1);
        return 0;
      case MD_BLOCK_LI:
        end_line(1);
        return 0;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        return write(" ");
      case MD_BLOCK_TR:
        if (write("|") != 0) return 1;
        end_line(1);
        return 0;
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY:
        return 0;
      default:
        if (type == MD_BLOCK_CODE && out_.ends_with('\n')) out_.pop_back();
        end_line(is_tight ? 1 : 2);
        return 0;
    }
  }

  int enter(MD_SPANTYPE type, const void* detail) {
    end_run();
    if (type == MD_SPAN_A) {
      const auto& address = static_cast<const MD_SPAN_A_DETAIL*>(detail)->href;
      if (address.size <= address_limit) add_link(decoded(address), base_url_, common_);
      ++link_depth_;
      return spend(address.size);
    }
    if (type == MD_SPAN_IMG) {
      const auto& address = static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src;
      if (picture_depth_++ == 0) picture_ = address.size <= address_limit ? decoded(address) : "";
      return spend(address.size);
    }
    return 0;
  }

  int leave(MD_SPANTYPE type) {
    end_run();
    if (type == MD_SPAN_A) --link_depth_;
    if (type == MD_SPAN_IMG && --picture_depth_ == 0) {
      media shown;
      shown.alt = clean_text(alt_);
      alt_.clear();
      add_picture(picture_, base_url_, std::move(shown), common_);
    }
    return 0;
  }

  static std::string decoded(const MD_ATTRIBUTE& address) {
    return html::decode_entities({address.text, address.size});
  }

  int take(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
      end_run();
      return write("\n");
    }
    if (type == MD_TEXT_CODE) return write(text);
    if (type != MD_TEXT_ENTITY) {
      if (link_depth_ == 0) run_ += text;
      return write(text);
    }
    const auto meant = html::decode_entities(text);
    if (link_depth_ == 0) run_ += meant;
    return write(meant);
  }

  /// Looks for addresses in the text since the last sign.
  void end_run() {
    const std::string_view run = run_;
    for (auto at = run.find("http"); at != run.npos; at = run.find("http", at)) {
      const auto rest = run.substr(at);
      std::size_t size = 4;
      if (base::has_http_scheme(rest)) {
        const auto address = address_in(rest);
        size = address.size();
        if (size <= address_limit) add_link(address, base_url_, common_);
      }
      at += size;
    }
    run_.clear();
  }

  std::string_view base_url_;
  std::size_t left_, breaks_ = 0;
  int link_depth_ = 0, picture_depth_ = 0;
  std::string out_, run_, alt_, picture_;
  std::vector<list> lists_;
  item_common& common_;
};

/// With what the sites mark and CommonMark does not: Reddit's spoiler within a line would be a
/// quotation, and Lemmy's begins and ends by a line.
std::string without_spoilers(std::string_view text) {
  std::string out;
  bool is_open = false;
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto bare = base::trim(line);
    const auto said = bare.starts_with(":::") ? base::trim(bare.substr(3)) : bare;
    if (said.size() < bare.size() && said.starts_with("spoiler")) {
      is_open = true;
      out.append("\n").append(base::trim(said.substr(7))).append("\n");
    } else if (!is_open || bare != ":::") {
      if (line.starts_with(">!")) out += '\\';
      out += line;
    } else {
      is_open = false;
    }
    out += '\n';
  }
  return out;
}

}  // namespace

void read_marked_text(std::string_view markdown, std::string_view base_url, item_common& common) {
  const std::string clean = without_spoilers(clean_text(markdown));
  text_maker maker(clean, base_url, common);
  const bool is_read = clean.size() <= markdown_limit && maker.read(clean);
  common.text = clean_text(is_read ? maker.text() : markdown);
}

}  // namespace freshet::sources
