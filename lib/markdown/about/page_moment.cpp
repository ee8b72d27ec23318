// The order of the evidence was measured (tests/bench/scrape --metadata).
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/time_text.hpp>
#include <markdown/about/page_moment.hpp>
#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

namespace {

struct moment_place {
  moment_evidence::moment moment_evidence::*said;
  std::string_view name;
};

/// The first that says something counts.
constexpr std::array<moment_place, 16> places{{
    {&moment_evidence::linked, "json-ld"},
    {&moment_evidence::named, "meta"},
    {&moment_evidence::property, "microdata"},
    {&moment_evidence::general, "meta"},
    {&moment_evidence::alike, "meta"},
    {&moment_evidence::shown, "page"},
    {&moment_evidence::in_time, "page"},
    {&moment_evidence::in_address, "address"},
    {&moment_evidence::uploaded, "json-ld"},
    {&moment_evidence::closing, "page"},
    {&moment_evidence::boxed, "page"},
    {&moment_evidence::in_remarks, "page"},
    {&moment_evidence::shown_edit, "page"},
    {&moment_evidence::linked_edit, "json-ld"},
    {&moment_evidence::named_edit, "meta"},
    {&moment_evidence::closing_edit, "page"},
}};

const moment_place* place_of(const moment_evidence& evidence) noexcept {
  const auto found = std::ranges::find_if(
      places, [&](const moment_place& one) { return (evidence.*one.said).has_value(); });
  return found == places.end() ? nullptr : &*found;
}

constexpr std::size_t year_digits = 4;

/// The one or two digits ahead, as two; "" if there are none. Takes them.
std::string two_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && count < 2 && base::is_digit(text[count])) ++count;
  std::string out(count == 1 ? "0" : "");
  out += text.substr(0, count);
  text.remove_prefix(count);
  return out;
}

/// The day with which a text begins, and behind which something ends: slashes end with another,
/// and only between them are there days of one digit.
std::optional<time_point> day_ahead(std::string_view text, char divider) {
  if (text.size() <= year_digits || text[year_digits] != divider) return std::nullopt;
  if (text[0] != '1' && text[0] != '2') return std::nullopt;
  const bool by_slashes = divider == '/';
  const auto begin = text;
  std::string day(text.substr(0, year_digits));
  text.remove_prefix(year_digits);
  for (int part = 0; part < 2; ++part) {
    if (!text.starts_with(divider)) return std::nullopt;
    text.remove_prefix(1);
    day += '-' + two_digits(text);
  }
  const bool is_end = by_slashes ? text.starts_with('/')
                                 : text.empty() || (!base::is_digit(text[0]) && text[0] != ':');
  const bool is_whole = by_slashes || begin.size() - text.size() == day.size();
  return is_end && is_whole ? base::parse_time(day) : std::nullopt;
}

}  // namespace

std::optional<time_point> page_moment(const moment_evidence& evidence) {
  const auto* found = place_of(evidence);
  return found == nullptr ? std::nullopt : evidence.*found->said;
}

std::string_view page_moment_place(const moment_evidence& evidence) noexcept {
  const auto* found = place_of(evidence);
  return found == nullptr ? std::string_view() : found->name;
}

std::optional<time_point> page_edit(const moment_evidence& evidence) {
  const auto published = page_moment(evidence);
  const auto& edited = evidence.linked_edit ? evidence.linked_edit : evidence.named_edit;
  return edited && published && *edited > *published ? edited : std::nullopt;
}

bool is_declared(const moment_evidence& evidence) noexcept {
  return evidence.linked || evidence.named || evidence.property || evidence.general ||
         evidence.in_time || evidence.in_address;
}

std::optional<time_point> day_in_path(std::string_view path) {
  for (auto at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1)) {
    const auto rest = path.substr(at + 1);
    const bool by_slashes = rest.size() > year_digits && rest[year_digits] == '/';
    if (const auto day = day_ahead(rest, by_slashes ? '/' : '-')) return day;
  }
  return std::nullopt;
}

bool names_change(std::string_view class_names) noexcept {
  constexpr std::array<std::string_view, 2> changes = {"updated", "modified"};
  constexpr std::array<std::string_view, 2> others = {"publish", "entry-date"};
  return contains_any(class_names, changes) && !contains_any(class_names, others);
}

/// "date-pub", "cludo:date", "og:updated_time".
meta_moment meta_moment_of(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 3> changes = {"modif", "updat", "revis"};
  constexpr std::array<std::string_view, 5> publications = {"publi", "pub", "issued", "dc.date",
                                                            "release"};
  constexpr std::array<std::string_view, 6> others = {"expir", "event", "start",
                                                      "end",   "valid", "publisher"};
  const auto holds = [name](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  };
  constexpr std::array<std::string_view, 3> made = {"created", "issued", "uploaded"};
  constexpr std::array<std::string_view, 5> changed = {"modified", "last-modified", "lastmodified",
                                                       "lastmod", "revised"};
  const auto last = name.substr(name.find_last_of(".:") + 1);
  if (std::ranges::find(made, last) != made.end()) return meta_moment::published;
  if (std::ranges::find(changed, last) != changed.end()) return meta_moment::edited;
  if (contains_any(name, others)) return meta_moment::none;
  if (!holds("date") && !holds("time")) return meta_moment::none;
  if (contains_any(name, changes)) return meta_moment::edited;
  const bool is_published = contains_any(name, publications) || name.ends_with("date");
  return is_published ? meta_moment::published : meta_moment::none;
}

}  // namespace freshet::markdown
