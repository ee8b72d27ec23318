// One card for each kind of item, by what its reader looks for first; objects that are no items
// (accounts, usage) as their keys and values.
#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <server/terminal/cards.hpp>
#include <vector>

namespace freshet::server {
namespace {

namespace json = boost::json;

constexpr std::size_t most_text_lines = 4;
constexpr std::size_t most_title_lines = 2;
constexpr std::string_view between = " · ";

const json::value* member(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

const json::object* object_in(const json::object& object, std::string_view name) {
  const json::value* found = member(object, name);
  return found != nullptr ? found->if_object() : nullptr;
}

const json::array* list_in(const json::object& object, std::string_view name) {
  const json::value* found = member(object, name);
  return found != nullptr ? found->if_array() : nullptr;
}

/// A member as harmless text; "" where it is null.
std::string text_in(const json::object& object, std::string_view name) {
  const json::value* found = member(object, name);
  if (found == nullptr) return {};
  if (const auto* text = found->if_string()) return harmless(*text);
  return harmless(json::serialize(*found));
}

void add(std::string& line, const std::string& part) {
  if (part.empty()) return;
  if (!line.empty()) line.append(between);
  line.append(part);
}

/// "30 Oct 2026 15:00" of "2026-10-30T15:00:00Z"; a midnight is a day.
std::string moment_text(const std::string& rfc3339) {
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::size_t to_minutes = 16;  // of "2026-10-30T15:00"
  if (rfc3339.size() < to_minutes) return rfc3339;
  const auto digits = [&](std::size_t at) {
    return (rfc3339[at] - '0') * 10 + (rfc3339[at + 1] - '0');
  };
  const int month = digits(5);
  if (month < 1 || month > 12) return rfc3339;
  const std::string clock = rfc3339.substr(11, 5);
  return std::to_string(digits(8)) + " " +
         std::string(months[static_cast<std::size_t>(month - 1)]) + " " + rfc3339.substr(0, 4) +
         (clock == "00:00" ? "" : " " + clock);
}

/// "12,345"
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) text.insert(at -= 3, ",");
  return text;
}

/// "1 item", "2 items"
std::string counted(std::int64_t number, std::string_view noun) {
  return grouped(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

/// "like" of "likes", "reply" of "replies".
std::string singular_of(std::string_view key) {
  if (key.ends_with("ies")) return std::string(key.substr(0, key.size() - 3)) + "y";
  return std::string(key.substr(0, key.size() - (key.ends_with('s') ? 1 : 0)));
}

/// "60 likes · 5 reposts": those that are known, in the item's order.
std::string counts_text(const json::object& item) {
  std::string line;
  const json::object* metrics = object_in(item, "metrics");
  if (metrics == nullptr) return line;
  for (const auto& [name, value] : *metrics) {
    const std::string_view key = name;
    if (const auto* number = value.if_int64()) {
      add(line, grouped(*number) + " " + (*number == 1 ? singular_of(key) : std::string(key)));
    }
  }
  return line;
}

/// "1:05": the seconds under a key as a clock; "" if there are none.
std::string clock_text(const json::object& item, std::string_view key) {
  const json::value* found = member(item, key);
  if (found == nullptr || !found->is_number()) return {};
  constexpr std::int64_t minute = 60;
  // Whole ones: JSON has halves of a second, too.
  constexpr double most = 1e9;
  const auto seconds = static_cast<std::int64_t>(std::clamp(found->to_number<double>(), 0.0, most));
  const std::string rest = std::to_string(seconds % minute);
  return std::to_string(seconds / minute) + (rest.size() < 2 ? ":0" : ":") + rest;
}

/// "@alice" or "Alice Marsh"
std::string author_text(const json::object& item) {
  const json::object* author = object_in(item, "author");
  if (author == nullptr) return {};
  const std::string handle = text_in(*author, "handle");
  return handle.empty() ? text_in(*author, "display_name") : "@" + handle;
}

/// Whom or where it is from, by what this kind of item has.
std::string origin_text(const json::object& item) {
  std::string line;
  if (const json::object* site = object_in(item, "site")) {
    const std::string name = text_in(*site, "name");
    add(line, name.empty() ? text_in(*site, "domain") : name);
  }
  add(line, text_in(item, "site_name"));
  add(line, text_in(item, "community"));
  add(line, author_text(item));
  add(line, text_in(item, "source"));
  add(line, clock_text(item, "duration_s"));
  add(line, moment_text(text_in(item, "created_at")));
  return line;
}

/// What stands first: a title, or who.
std::string heading_of(const json::object& item) {
  if (text_in(item, "object") == "user") {
    const std::string handle = text_in(item, "handle");
    const std::string name = text_in(item, "display_name");
    return "@" + handle + (name.empty() ? "" : "  " + name);
  }
  const std::string title = text_in(item, "title");
  return title.empty() ? origin_text(item) : title;
}

class card_writer {
 public:
  explicit card_writer(const screen& on) : on_(on) {}

  /// A card with its number at the left; `mark` is "" for an only one.
  void card(const json::object& item, const std::string& mark) {
    indent_ = mark.size() + (mark.empty() ? 0 : 2);
    if (const json::value* depth = member(item, "depth"); depth != nullptr && depth->is_int64()) {
      constexpr std::int64_t most_depth = 8;
      indent_ +=
          2 * static_cast<std::size_t>(std::clamp<std::int64_t>(depth->get_int64(), 0, most_depth));
    }
    std::string before = mark;
    before.resize(indent_, ' ');
    const std::string heading = heading_of(item);
    for (const std::string& line : wrap(heading, room(), most_title_lines)) {
      out_ += on_.paint(tone::faint, before) + on_.paint(tone::strong, line) + "\n";
      before.assign(indent_, ' ');
    }
    if (const std::string origin = origin_text(item); origin != heading) {
      paragraph(origin, 2, tone::faint);
    }
    if (const json::value* value = member(item, "value"); value != nullptr) {
      values(*value, indent_);
    } else if (const json::value* markdown = member(item, "markdown");
               markdown != nullptr && markdown->is_string()) {
      out_ += "\n" + harmless(markdown->get_string(), true) + "\n";
    } else if (const json::value* pieces = member(item, "segments");
               pieces != nullptr && pieces->is_array() && !pieces->get_array().empty()) {
      segments(pieces->get_array());
    } else {
      paragraph(text_in(item, "text"), most_text_lines, tone::plain);
    }
    paragraph(counts_text(item), 2, tone::faint);
    // Whole, even where it is long: it is to be opened.
    if (const std::string url = text_in(item, "url"); !url.empty()) {
      out_ += std::string(indent_, ' ') + on_.paint(tone::address, url) + "\n";
    }
  }

  /// What is said in a video, each piece behind its moment: all of it, for it is what was asked
  /// for.
  void segments(const json::array& pieces) {
    for (const json::value& one : pieces) {
      const auto* piece = one.if_object();
      if (piece == nullptr) continue;
      std::string before = clock_text(*piece, "start_s") + "  ";
      const std::size_t width = before.size();
      for (const std::string& line : wrap(text_in(*piece, "text"), room(), most_text_lines)) {
        out_ += std::string(indent_, ' ') + on_.paint(tone::faint, before) + line + "\n";
        before.assign(width, ' ');
      }
    }
  }

  /// Keys and values of what is no item, each below its own.
  void values(const json::value& item, std::size_t indent) {
    if (const auto* object = item.if_object()) {
      std::size_t widest = 0;
      for (const auto& [name, value] : *object) {
        if (!is_nested(value)) widest = std::max(widest, columns_of(harmless(name)));
      }
      for (const auto& [name, value] : *object) {
        if (value.is_null()) continue;
        std::string key = harmless(name);
        if (!is_nested(value)) key.resize(key.size() + widest - columns_of(key), ' ');
        out_ += std::string(indent, ' ') + on_.paint(tone::faint, key);
        if (is_nested(value)) {
          out_ += "\n";
          nested(value, indent + 2);
        } else {
          out_ += "  " + scalar(value) + "\n";
        }
      }
    } else if (const auto* list = item.if_array()) {
      for (const json::value& one : *list) {
        out_ += std::string(indent, ' ') + on_.paint(tone::faint, "-");
        if (is_nested(one)) {
          out_ += "\n";
          nested(one, indent + 2);
        } else {
          out_ += " " + scalar(one) + "\n";
        }
      }
    } else {
      out_ += std::string(indent, ' ') + scalar(item) + "\n";
    }
  }

  void blank() { out_ += "\n"; }
  void line(tone how, const std::string& text) {
    for (const std::string& part : wrap(text, on_.columns, most_text_lines)) {
      out_ += on_.paint(how, part) + "\n";
    }
  }
  /// As it is, for what is to be copied.
  void whole_line(tone how, const std::string& text) { out_ += on_.paint(how, text) + "\n"; }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  /// Deeper is written as JSON.
  static constexpr std::size_t deepest = 12;

  static bool is_nested(const json::value& of) {
    const auto* list = of.if_array();
    if (list == nullptr) return of.is_object();
    return std::ranges::any_of(*list, [](const json::value& one) { return one.is_structured(); });
  }

  void nested(const json::value& value, std::size_t indent) {
    if (indent < 2 * deepest) return values(value, indent);
    out_ += std::string(indent, ' ') + harmless(json::serialize(value)) + "\n";
  }

  static std::string scalar(const json::value& of) {
    if (const auto* text = of.if_string()) return harmless(*text);
    if (const auto* list = of.if_array()) {
      std::string line;
      for (const json::value& one : *list)
        line.append(line.empty() ? "" : ", ").append(scalar(one));
      return line;
    }
    return json::serialize(of);
  }

  [[nodiscard]] std::size_t room() const {
    constexpr std::size_t least = 20;
    return std::max(on_.columns - std::min(indent_, on_.columns), least);
  }

  void paragraph(const std::string& text, std::size_t most_lines, tone how) {
    for (const std::string& line : wrap(text, room(), most_lines)) {
      out_ += std::string(indent_, ' ') + on_.paint(how, line) + "\n";
    }
  }

  const screen& on_;
  std::string out_;
  std::size_t indent_ = 0;
};

/// "2 items · 0 credits · 18 ms", and after it what was missing and how it goes on.
void write_footer(card_writer& out, const json::object& envelope, const json::array* items,
                  const answer_way& way) {
  std::string line;
  if (items != nullptr) add(line, counted(static_cast<std::int64_t>(items->size()), "item"));
  const json::object* meta = object_in(envelope, "meta");
  const json::object* credits = meta != nullptr ? object_in(*meta, "credits") : nullptr;
  const json::value* used = credits != nullptr ? member(*credits, "used") : nullptr;
  if (used != nullptr && used->is_int64()) add(line, counted(used->get_int64(), "credit"));
  const json::object* quote = meta != nullptr ? object_in(*meta, "quote") : nullptr;
  const json::value* price = quote != nullptr ? member(*quote, "credits") : nullptr;
  if (price != nullptr && price->is_int64()) {
    add(line, "a dry run: it would cost " + counted(price->get_int64(), "credit"));
  }
  add(line, grouped(way.took.count()) + " ms");
  add(line, harmless(way.server));
  out.line(tone::faint, line);
  const std::string completeness = meta != nullptr ? text_in(*meta, "completeness") : "";
  const json::array* sources = meta != nullptr ? list_in(*meta, "sources") : nullptr;
  if (completeness == "partial" && sources != nullptr) {
    for (const json::value& one : *sources) {
      const json::object* source = one.if_object();
      if (source == nullptr || text_in(*source, "code").empty()) continue;
      const std::string where = text_in(*source, "instance");
      out.line(tone::wary, "partial: " + text_in(*source, "name") +
                               (where.empty() ? "" : " at " + where) + ": " +
                               text_in(*source, "code"));
    }
  }
  const json::object* page = object_in(envelope, "page");
  const std::string next = page != nullptr ? text_in(*page, "next_cursor") : "";
  if (!next.empty()) out.whole_line(tone::faint, "next: cursor=" + next);
}

bool is_item(const json::object& one) { return member(one, "source") != nullptr; }

/// What to do about a problem, where its code says so.
std::string advice_for(const json::object& problem) {
  const std::string code = text_in(problem, "code");
  if (const json::value* wait = member(problem, "retry_after_s"); wait != nullptr) {
    return "Try again in " + json::serialize(*wait) + " s.";
  }
  if (code == "missing_api_key" || code == "invalid_api_key" || code == "revoked_api_key") {
    return "Give a key with --key or FRESHET_API_KEY, or sign in: freshet login";
  }
  if (code == "unknown_endpoint") return "All of them: freshet call --help";
  if (code == "insufficient_credits")
    return "Wait for the next month, ask the operator for credits, or try it with a test key.";
  // Ours alone: whoever reads this is at the machine, and waiting does not help.
  if (code == "storage_unavailable")
    return "See that the path is right, that you may write there, and that the disk has room.";
  const json::value* retryable = member(problem, "retryable");
  if (retryable != nullptr && *retryable == json::value(true)) return "It may work later.";
  return {};
}

}  // namespace

std::string cards_text(const json::object& envelope, const answer_way& way, const screen& screen) {
  card_writer out(screen);
  const json::array* items = list_in(envelope, "data");
  if (items != nullptr) {
    std::size_t number = 0;
    for (const json::value& one : *items) {
      const json::object* item = one.if_object();
      if (item == nullptr) continue;
      if (is_item(*item)) {
        out.card(*item, std::to_string(++number));
      } else {
        out.values(one, 0);
      }
      out.blank();
    }
  } else if (const json::object* only = object_in(envelope, "data")) {
    if (is_item(*only)) {
      out.card(*only, "");
    } else {
      out.values(*only, 0);
    }
    out.blank();
  }
  write_footer(out, envelope, items, way);
  return out.take();
}

std::string problem_text(const json::object& problem, const screen& screen) {
  const json::array* parameters = list_in(problem, "errors");
  std::string out;
  const auto say = [&](tone how, const std::string& text, std::size_t indent) {
    constexpr std::size_t most_lines = 12;
    for (const std::string& line : wrap(text, screen.columns - indent, most_lines)) {
      out += std::string(indent, ' ') + screen.paint(how, line) + "\n";
    }
  };
  say(tone::bad, "freshet: " + text_in(problem, "title"), 0);
  if (parameters == nullptr || parameters->empty()) {
    say(tone::plain, text_in(problem, "detail"), 2);
  } else {
    for (const json::value& one : *parameters) {
      const json::object* parameter = one.if_object();
      if (parameter == nullptr) continue;
      std::string name = text_in(*parameter, "pointer");
      if (name.starts_with('/')) name.erase(0, 1);
      say(tone::plain, name + ": " + text_in(*parameter, "detail"), 2);
    }
  }
  say(tone::plain, advice_for(problem), 2);
  say(tone::faint, text_in(problem, "code") + std::string(between) + text_in(problem, "request_id"),
      2);
  return out;
}

}  // namespace freshet::server
