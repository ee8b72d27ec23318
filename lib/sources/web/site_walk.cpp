// The walk's steps and its text, which is JSON. Sitemaps are walked depth first; one that is on the
// way already, or that the site names itself, is not entered again: no circle holds a walk.
#include <algorithm>
#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <limits>
#include <sources/position.hpp>
#include <sources/read_answer.hpp>
#include <sources/web/site_walk.hpp>

namespace freshet::sources::web {
namespace {

namespace json = boost::json;

constexpr int last_sitemap = 1'000'000;
constexpr std::int64_t last_entry = 10'000'000;
constexpr std::size_t max_warnings = 5;

constexpr position_codec places{"the web",
                                '.',
                                number_field{&map_place::in_sitemaps, 0, 1},
                                number_field{&map_place::first, 0, last_sitemap},
                                number_field{&map_place::second, 0, last_sitemap},
                                number_field{&map_place::third, 0, last_sitemap},
                                number_field{&map_place::entry, std::int64_t{0}, last_entry}};

json::array texts(const std::vector<std::string>& of) {
  json::array out;
  for (const auto& one : of) out.emplace_back(json::string(one));
  return out;
}

std::vector<std::string> texts_of(const json::value& list) {
  std::vector<std::string> out;
  for (const auto& one : base::array_of(list)) out.push_back(base::text_of(one));
  return out;
}

/// Only what a read() fills; the rest is made of it when the page is given.
json::array addresses(const std::vector<site_address>& of) {
  json::array out;
  for (const auto& one : of) {
    json::array fields{json::string(one.url), json::string(one.title), json::string(one.found_in),
                       json::string(one.found_at), json::string(one.change_frequency)};
    fields.emplace_back(nullptr);
    if (one.last_modified) fields.back() = one.last_modified->time_since_epoch().count();
    fields.emplace_back(nullptr);
    if (one.priority) fields.back() = *one.priority;
    out.emplace_back(std::move(fields));
  }
  return out;
}

std::vector<site_address> addresses_of(const json::value& list) {
  constexpr std::size_t fields = 7;
  std::vector<site_address> out;
  for (const auto& each : base::array_of(list)) {
    const auto& from = base::array_of(each);
    if (from.size() != fields) continue;
    auto& one = out.emplace_back();
    one.url = base::text_of(from[0]);
    one.title = base::text_of(from[1]);
    one.found_in = base::text_of(from[2]);
    one.found_at = base::text_of(from[3]);
    one.change_frequency = base::text_of(from[4]);
    if (const auto at = base::integer_of(from[5])) {
      one.last_modified = time_point(std::chrono::milliseconds(*at));
    }
    one.priority = base::number_of(from[6]);
  }
  return out;
}

}  // namespace

std::string map_place::text() const { return places.text(*this); }

result<map_place> read_map_place(std::string_view text) { return places.read(text); }

std::string site_walk::text() const {
  json::object out;
  out["at"] = at.text();
  out["page"] = page;
  out["rules"] = rules;
  out["has_robots"] = has_robots;
  out["guessed"] = guessed;
  out["partial"] = partial;
  out["sitemaps"] = sitemaps;
  out["own"] = texts(own);
  out["path"] = texts(path);
  out["upcoming"] = json::array{texts(upcoming[0]), texts(upcoming[1])};
  out["has_more"] = json::array{has_more[0], has_more[1]};
  out["links"] = addresses(links);
  out["found"] = addresses(found);
  out["warnings"] = texts(warnings);
  return json::serialize(out);
}

std::optional<site_walk> site_walk::parse(std::string_view state, base::meter* counted) {
  const auto parsed = json_body::parse(state, counted);
  if (!parsed) return std::nullopt;
  const auto place = read_map_place(base::view_of(base::member(*parsed, "at")));
  if (!place) return std::nullopt;
  const auto at = [&](const char* name) -> const json::value& {
    return base::member(*parsed, name);
  };
  site_walk out;
  out.at = *place;
  out.page = base::text_of(at("page"));
  out.rules = base::text_of(at("rules"));
  out.has_robots = base::flag_of(at("has_robots")).value_or(false);
  out.guessed = base::flag_of(at("guessed")).value_or(false);
  out.partial = base::flag_of(at("partial")).value_or(false);
  out.sitemaps = static_cast<int>(base::integer_of(at("sitemaps")).value_or(0));
  out.own = texts_of(at("own"));
  out.path = texts_of(at("path"));
  if (out.path.size() >= max_sitemap_levels) return std::nullopt;
  const auto& upcoming = base::array_of(at("upcoming"));
  const auto& has_more = base::array_of(at("has_more"));
  for (std::size_t i = 0; i < out.upcoming.size(); ++i) {
    if (i < upcoming.size()) out.upcoming[i] = texts_of(upcoming[i]);
    if (i < has_more.size()) out.has_more[i] = base::flag_of(has_more[i]).value_or(false);
  }
  out.links = addresses_of(at("links"));
  out.found = addresses_of(at("found"));
  out.warnings = texts_of(at("warnings"));
  return out;
}

int& site_walk::index(std::size_t level) {
  return level == 0 ? at.first : level == 1 ? at.second : at.third;
}

bool site_walk::is_known(const std::string& sitemap) const {
  if (std::ranges::find(path, sitemap) != path.end()) return true;
  return level() > 0 && std::ranges::find(own, sitemap) != own.end();
}

bool site_walk::is_over() const {
  return at.in_sitemaps != 0 && level() == 0 && static_cast<std::size_t>(at.first) >= own.size();
}

std::string site_walk::next_sitemap(std::size_t wanted) {
  while (found.size() < wanted && sitemaps < max_sitemaps_of_page && !is_over()) {
    if (level() == 0) return own[static_cast<std::size_t>(at.first)];
    const auto inner = level() - 1;
    if (!upcoming[inner].empty()) {
      const auto& next = upcoming[inner].front();
      if (!next.empty() && !is_known(next)) return next;
      leave_sitemap();
    } else if (has_more[inner]) {
      break;
    } else {  // the index is done, and with it the place that it has in what lists it
      index(level()) = 0;
      path.pop_back();
      leave_sitemap();
    }
  }
  return {};
}

void site_walk::leave_sitemap() {
  at.entry = 0;
  for (std::size_t below = level() + 1; below < max_sitemap_levels; ++below) index(below) = 0;
  ++index(level());
  if (level() == 0) return;
  auto& list = upcoming[level() - 1];
  if (!list.empty()) list.erase(list.begin());
}

std::size_t site_walk::begin_of_index() const {
  return static_cast<std::size_t>(level() == 0 ? at.second : at.third);
}

void site_walk::enter_index(index_part part) {
  path.push_back(level() == 0 ? own[static_cast<std::size_t>(at.first)]
                              : upcoming[level() - 1].front());
  upcoming[level() - 1] = std::move(part.sitemaps);
  has_more[level() - 1] = part.has_more;
}

void site_walk::warn(std::string text) {
  if (warnings.size() < max_warnings) {
    warnings.push_back(std::move(text));
  } else if (warnings.size() == max_warnings) {
    warnings.emplace_back("map: and more of this kind");
  }
}

}  // namespace freshet::sources::web
