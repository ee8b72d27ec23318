// Queries, windows, domains and results.
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <server/dropin/searching.hpp>
#include <server/dropin/shapes.hpp>
#include <server/number.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::sys_days;

/// Results asked for beyond those wanted, where some may be left out; one call gives 100 at most.
constexpr std::int64_t spare_results = 10, most_results_of_engine = 100;
/// Domains that web-serp/search takes in one list.
constexpr std::size_t most_domains_of_engine = 20;
/// The largest number that `since` takes.
constexpr std::int64_t max_since_number = 9999;

constexpr std::array<std::string_view, 16> operators{
    "site",     "intitle", "allintitle", "inurl", "allinurl", "intext", "allintext", "inanchor",
    "filetype", "ext",     "related",    "cache", "before",   "after",  "imagesize", "larger"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The next word of a query, quotes and what is in them included.
std::string_view next_word(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::size_t end = 0;
  bool quoted = false;
  while (end < rest.size() && (quoted || !is_blank(rest[end]))) {
    if (rest[end] == '"') quoted = !quoted;
    ++end;
  }
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

std::optional<sys_days> day_of(std::string_view year, std::string_view month,
                               std::string_view day) {
  const auto y = parse_number(year, 1000, 9999);
  const auto m = parse_number(month, 1u, 12u), d = parse_number(day, 1u, 31u);
  if (!y || !m || !d) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*y), std::chrono::month(*m),
                                         std::chrono::day(*d)};
  if (!date.ok()) return std::nullopt;
  return sys_days(date);
}

/// "11/1/2026", as Google writes it.
std::optional<sys_days> american_day(std::string_view text) {
  const std::size_t first = text.find('/');
  const std::size_t second = first == text.npos ? first : text.find('/', first + 1);
  if (second == text.npos) return std::nullopt;
  return day_of(text.substr(second + 1), text.substr(0, first),
                text.substr(first + 1, second - first - 1));
}

/// "d2" as "2d"; a month counts 31 days and a year 366, so that nothing within is left out.
std::string since_of(std::string_view period) {
  if (period.empty()) return {};
  const auto count = period.size() == 1 ? 1 : parse_number<std::int64_t>(period.substr(1));
  if (!count || *count < 1 || *count > max_since_number) return {};
  switch (lower(period.front())) {
    case 'h':
      return std::to_string(*count) + "h";
    case 'd':
      return std::to_string(*count) + "d";
    case 'w':
      return std::to_string(*count) + "w";
    case 'm':
      return std::to_string(*count * 31) + "d";
    case 'y':
      return std::to_string(*count * 366) + "d";
    default:
      return {};
  }
}

std::string two_digits(unsigned value) { return (value < 10 ? "0" : "") + std::to_string(value); }

std::string host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const std::size_t user = url.rfind('@'); user != url.npos) url.remove_prefix(user + 1);
  return lowered(url.substr(0, url.rfind(':')));
}

bool is_within(std::string_view host, std::string_view domain) {
  if (host.size() > domain.size()) {
    return host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.';
  }
  return host == domain;
}

/// Whether web-serp/search takes it, too: no address in digits, no port.
bool is_domain(std::string_view name) {
  const bool is_empty_label =
      name.starts_with('.') || name.ends_with('.') || name.find("..") != name.npos;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !is_empty_label && name.find_first_of(":@%[]") == name.npos && !is_digit(name.back());
}

bool is_left_out(const json::object& item, const wish& wish) {
  const std::string host = host_of(text_of(item, "url"));
  const auto is_of = [&](const std::string& domain) { return is_within(host, domain); };
  const bool unwanted = std::ranges::any_of(wish.without, is_of) ||
                        (!wish.within.empty() && std::ranges::none_of(wish.within, is_of));
  // Both in UTC and from the year down: the order of the texts is that of the times.
  return unwanted || (!wish.not_before.empty() && text_of(item, "created_at") < wish.not_before);
}

}  // namespace

words read_words(const field_reader& fields, std::string_view name, bool with_or) {
  const std::string given = fields.text(name);
  words out;
  std::string_view rest = given;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const bool negated = word.starts_with('-');
    const std::string_view bare = negated ? word.substr(1) : word;
    const std::size_t colon = bare.find(':');
    const std::string before = colon == bare.npos ? "" : lowered(bare.substr(0, colon));
    const bool is_operator = colon + 1 < bare.size() && colon != bare.npos &&
                             std::ranges::find(operators, before) != operators.end();
    if (is_operator && negated && before == "site") {
      out.without.push_back(lowered(bare.substr(colon + 1)));
      continue;
    }
    if (is_operator || (with_or && (word == "OR" || word == "|"))) {
      fields.refuse(
          name, "'" + std::string(word) + "' is not understood as an operator here; leave it out");
    }
    if (!out.q.empty()) out.q += ' ';
    out.q += word;
  }
  if (out.q.empty()) fields.refuse(name, "give the words to search for");
  return out;
}

std::optional<sys_days> read_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  return day_of(text.substr(0, 4), text.substr(5, 2), text.substr(8, 2));
}

window since_day(const field_reader& fields, std::string_view name, sys_days day, instant now) {
  window out;
  if (day > now) {
    fields.refuse(name, "this day is still to come");
    return out;
  }
  const std::int64_t in_hours = std::chrono::ceil<hours>(now - instant(day)).count();
  out.since = in_hours <= max_since_number
                  ? std::to_string(std::max<std::int64_t>(1, in_hours)) + "h"
                  : std::to_string(std::chrono::ceil<days>(now - instant(day)).count()) + "d";
  const std::chrono::year_month_day date(day);
  out.not_before = std::to_string(static_cast<int>(date.year())) + "-" +
                   two_digits(static_cast<unsigned>(date.month())) + "-" +
                   two_digits(static_cast<unsigned>(date.day())) + "T00:00:00Z";
  return out;
}

window read_tbs(const field_reader& fields, std::string_view name, instant now) {
  const std::string given = fields.text(name);
  window out;
  bool sound = true;
  std::string_view rest = given;
  while (!rest.empty() && sound) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part == "cdr:1" || part == "sbd:1") continue;
    if (part.starts_with("qdr:")) {
      out = {since_of(part.substr(4)), {}};
      sound = !out.open();
    } else if (const auto day = part.size() > 7 ? american_day(part.substr(7)) : std::nullopt;
               day && part.starts_with("cd_min:")) {
      out = since_day(fields, name, *day, now);
      if (out.open()) return out;  // refused with its own reason
    } else if (day && part.starts_with("cd_max:")) {
      if (*day + days(1) > now) continue;
      fields.refuse(name, "cd_max lies in the past, but news come newest first; leave it out");
      return out;
    } else {
      sound = false;
    }
  }
  if (!sound || (out.open() && !given.empty() && given != "sbd:1")) {
    fields.refuse(name, "give qdr: with h, d, w, m or y and a number, or cdr:1,cd_min:MM/DD/YYYY");
  }
  return out;
}

std::vector<std::string> read_domains(const field_reader& fields, std::string_view name) {
  std::vector<std::string> out;
  for (const std::string& given : fields.texts(name)) {
    std::string_view domain = given;
    if (const std::size_t scheme = domain.find("://"); scheme != domain.npos) {
      domain.remove_prefix(scheme + 3);
    }
    if (domain.starts_with("*.")) domain.remove_prefix(2);
    if (domain.ends_with('/')) domain.remove_suffix(1);
    if (domain.empty() || domain.find_first_of("/*?# ") != domain.npos) {
      fields.refuse(name, "'" + given + "' is not a domain, such as example.org");
    }
    out.push_back(lowered(domain));
  }
  return out;
}

void keep_to_domains(json::object& parameters, const wish& wish) {
  const auto tell = [&](std::string_view name, const std::vector<std::string>& domains) {
    const bool takes = !domains.empty() && domains.size() <= most_domains_of_engine &&
                       std::ranges::all_of(domains, is_domain);
    if (takes) parameters[name] = json::array(domains.begin(), domains.end());
    return takes;
  };
  tell("exclude_sites", wish.without);
  // What comes is of them already.
  if (tell("sites", wish.within)) parameters["limit"] = wish.limit;
}

std::int64_t limit_of(const wish& what) {
  if (!what.within.empty()) return most_results_of_engine;
  return what.without.empty() ? what.limit
                              : std::min(most_results_of_engine, what.limit + spare_results);
}

search_findings read_results(const response& answered, const wish& wish) {
  search_findings out;
  json::object envelope = object_of(answered.body);
  if (json::value* const data = envelope.if_contains("data"); data != nullptr && data->is_array()) {
    for (json::value& one : data->get_array()) {
      if (!one.is_object() || is_left_out(one.get_object(), wish)) continue;
      if (static_cast<std::int64_t>(out.items.size()) == wish.limit) break;
      out.items.push_back(std::move(one.get_object()));
    }
  }
  const json::value* const meta = envelope.if_contains("meta");
  const json::value* const said =
      meta != nullptr && meta->is_object() ? meta->get_object().if_contains("warnings") : nullptr;
  if (said != nullptr && said->is_array()) {
    for (const json::value& one : said->get_array()) {
      if (one.is_string()) out.warnings.emplace_back(one.get_string());
    }
  }
  return out;
}

std::string_view picture_of(const json::object& item) {
  const json::value* const media = item.if_contains("media");
  if (media == nullptr || !media->is_array()) return {};
  for (const json::value& one : media->get_array()) {
    if (one.is_object() && text_of(one.get_object(), "type") == "image") {
      return text_of(one.get_object(), "url");
    }
  }
  return {};
}

std::optional<instant> read_time(std::string_view text) {
  if (text.size() < 20 || text[10] != 'T' || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  const auto day = read_date(text.substr(0, 10));
  const auto hour = parse_number<std::int64_t>(text.substr(11, 2)),
             minute = parse_number<std::int64_t>(text.substr(14, 2)),
             second = parse_number<std::int64_t>(text.substr(17, 2));
  if (!day || !hour || !minute || !second) return std::nullopt;
  return instant(*day) + hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second);
}

}  // namespace freshet::server::dropin
