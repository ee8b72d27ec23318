// The order of the evidence was measured (tests/bench/scrape --metadata).
#include <algorithm>
#include <array>
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
constexpr std::array<moment_place, 12> places{{
    {&moment_evidence::linked, "json-ld"},
    {&moment_evidence::named, "meta"},
    {&moment_evidence::property, "microdata"},
    {&moment_evidence::alike, "meta"},
    {&moment_evidence::shown, "page"},
    {&moment_evidence::in_time, "page"},
    {&moment_evidence::in_address, "address"},
    {&moment_evidence::closing, "page"},
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
  return evidence.linked || evidence.named || evidence.property || evidence.in_time ||
         evidence.in_address;
}

std::optional<time_point> day_in_path(std::string_view path) {
  constexpr std::size_t length = std::string_view("/2019/11/20/").size();
  for (std::size_t at = path.find('/'); at != std::string_view::npos && at + length <= path.size();
       at = path.find('/', at + 1)) {
    const auto part = path.substr(at, length);
    if (part[5] != '/' || part[8] != '/' || part[11] != '/') continue;
    if (part[1] != '1' && part[1] != '2') continue;
    std::string day(part.substr(1, length - 2));
    std::ranges::replace(day, '/', '-');
    if (const auto read = base::parse_time(day)) return read;
  }
  return std::nullopt;
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
  if (contains_any(name, others)) return meta_moment::none;
  if (!holds("date") && !holds("time")) return meta_moment::none;
  if (contains_any(name, changes)) return meta_moment::edited;
  const bool is_published = contains_any(name, publications) || name.ends_with("date");
  return is_published ? meta_moment::published : meta_moment::none;
}

}  // namespace freshet::markdown
