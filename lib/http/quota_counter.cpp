// The file says more than was used, never less: a count is written ahead, by a hundredth of the day
// at most, which is what a crash may lose. It is written again before that is used up, so that no
// request waits for a disk but the first of a day. Lines "day used name", and behind those of a
// name "day used name<tab>owner" for what the accounts have had of it; the first is "server id".
#include <algorithm>
#include <base/digest.hpp>
#include <base/number.hpp>
#include <base/url.hpp>
#include <http/quota_counter.hpp>
#include <limits>

namespace freshet::http {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;

/// Of a day's requests, what is written ahead of what was used: from one such part to two.
constexpr std::int64_t lease_share = 200;
/// Names in the file; more than any configuration has.
constexpr std::size_t max_names = 1'024;
/// Accounts of a name in the file: those that have had the most.
constexpr std::size_t max_owners = 1'024;
constexpr std::size_t max_line = 512;
constexpr std::string_view server_word = "server ";
constexpr std::size_t server_bytes = 8;
/// How long a request waits for the disk, at most.
constexpr milliseconds patience{200};

/// How far the western United States are behind UTC: summer time lasts from the second Sunday of
/// March to the first of November, 2 o'clock each.
hours pacific_offset(time_point at) noexcept {
  using namespace std::chrono;
  const year_month_day local{floor<days>(at - hours{8})};
  const sys_days begin{local.year() / March / Sunday[2]};
  const sys_days end{local.year() / November / Sunday[1]};
  const bool summer = at >= begin + hours{2 + 8} && at < end + hours{2 + 7};
  return summer ? hours{7} : hours{8};
}

std::optional<std::int64_t> number_in(std::string_view text) noexcept {
  return base::parse_number<std::int64_t>(text, 0, std::numeric_limits<std::int64_t>::max());
}

}  // namespace

bool falls_under(const daily_limit& limit, std::string_view url) {
  if (limit.path.empty()) return true;
  const auto parsed = base::parse_url(url);
  return parsed && std::string_view(parsed->path).ends_with(limit.path);
}

day_of_quota day_of(time_point time, day_start starts) noexcept {
  const auto offset = starts == day_start::pacific_midnight ? pacific_offset(time) : hours{0};
  const auto day = std::chrono::floor<days>(time - offset);
  time_point next = day + days{1} + offset;
  // The clocks change between this midnight and the next one.
  if (starts == day_start::pacific_midnight) next = day + days{1} + pacific_offset(next);
  time_point begin = day + offset;
  if (starts == day_start::pacific_midnight) begin = day + pacific_offset(begin);
  return {day.time_since_epoch().count(), next, begin};
}

quota_counter::quota_counter(std::string path, log_function log)
    : file_(std::move(path), std::move(log)) {
  if (file_.is_kept()) read();
  if (server_.empty()) server_ = base::hex(base::random_bytes(server_bytes));
}

quota_counter::~quota_counter() {
  bool is_behind = false;
  for (auto& [name, one] : counts_) {
    is_behind = is_behind || one.text_said != 0;
    one.kept = one.used;
  }
  if (is_behind && file_.is_kept()) file_.put(text());
}

void quota_counter::read() {
  const std::string text = file_.read();
  std::string_view left = text;
  while (!left.empty() && counts_.size() < max_names) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (line.size() <= max_line) read_line(line);
  }
}

void quota_counter::read_line(std::string_view line) {
  if (line.starts_with(server_word)) {
    server_ = line.substr(server_word.size());
    return;
  }
  const auto first = line.find(' ');
  const auto second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return;
  const auto day = number_in(line.substr(0, first));
  const auto used = number_in(line.substr(first + 1, second - first - 1));
  const auto tab = line.find('\t', second);
  if (!day || !used) return;
  if (tab == std::string_view::npos) {
    counts_[std::string(line.substr(second + 1))] = {*day, *used, *used, *used, 0, {}};
    return;
  }
  const auto owner = number_in(line.substr(tab + 1));
  const auto of = counts_.find(line.substr(second + 1, tab - second - 1));
  const bool has_room = of != counts_.end() && of->second.of_owner.size() < max_owners;
  if (owner && has_room && of->second.day == *day) of->second.of_owner[*owner] = *used;
}

std::string quota_counter::text() const {
  std::string out = std::string(server_word) + server_ + '\n';
  std::vector<std::pair<base::owner_id, std::int64_t>> owners;
  for (const auto& [name, one] : counts_) {
    const std::string day = std::to_string(one.day) + ' ';
    out += day + std::to_string(one.kept) + ' ' + name + '\n';
    owners.assign(one.of_owner.begin(), one.of_owner.end());
    std::ranges::sort(owners, [](const auto& a, const auto& b) {
      return std::pair(b.second, a.first) < std::pair(a.second, b.first);
    });
    owners.resize(std::min(owners.size(), max_owners));
    for (const auto& [owner, used] : owners)
      out += day + std::to_string(used) + ' ' + name + '\t' + std::to_string(owner) + '\n';
  }
  return out;
}

void quota_counter::keep_ahead(entry& one, const daily_limit& limit) {
  const auto lease = std::max<std::int64_t>(1, limit.requests / lease_share);
  const auto is_written = [&](milliseconds within) {
    if (one.text_said == 0 || file_.has_written(one.text_said, within)) one.safe = one.kept;
    return one.used <= one.safe;
  };
  const bool is_safe = is_written({});
  if (one.kept < std::min(limit.requests, one.used + lease)) {
    one.kept = std::min(limit.requests, one.used + 2 * lease - 1);
    one.text_said = file_.put(text());
  }
  if (!is_safe) static_cast<void>(is_written(patience));
}

std::int64_t quota_counter::used(const daily_limit& limit, time_point now) const {
  const auto found = counts_.find(limit.name);
  if (found == counts_.end() || found->second.day != day_of(now, limit.starts).number) return 0;
  return found->second.used;
}

bool quota_counter::has_room(const daily_limit& limit, base::owner_id owner, time_point now) const {
  const std::int64_t left = limit.requests - used(limit, now);
  if (left <= 0 || owner == 0) return left > 0;
  const auto found = counts_.find(limit.name);
  if (found == counts_.end() || found->second.day != day_of(now, limit.starts).number) return true;
  const auto own = found->second.of_owner.find(owner);
  return own == found->second.of_owner.end() || own->second < left;
}

std::optional<milliseconds> quota_counter::take(std::span<const daily_limit> limits,
                                                question question, time_point now) {
  std::optional<milliseconds> wait;
  for (const auto& limit : limits) {
    if (!falls_under(limit, question.url) || has_room(limit, question.owner, now)) continue;
    const auto left = day_of(now, limit.starts).next - now;
    wait = std::max(wait.value_or(milliseconds{0}), std::max(left, milliseconds{1}));
  }
  if (wait) return wait;
  for (const auto& limit : limits) {
    if (!falls_under(limit, question.url)) continue;
    const auto today = day_of(now, limit.starts).number;
    if (counts_[limit.name].day > today) counts_[limit.name] = {};  // the clock was put back
    count(limit, question.owner, today);
  }
  return std::nullopt;
}

void quota_counter::count(const daily_limit& limit, base::owner_id owner, std::int64_t day) {
  entry& one = counts_[limit.name];
  if (one.day > day) return;
  if (one.day != day) one = {day};
  if (owner != 0) ++one.of_owner[owner];
  ++one.used;
  if (file_.is_kept()) keep_ahead(one, limit);
}

quota_counter::day_count quota_counter::counted(const std::string& name,
                                                base::owner_id owner) const {
  const auto found = counts_.find(name);
  if (found == counts_.end()) return {};
  const entry& one = found->second;
  const auto his = one.of_owner.find(owner);
  return {one.day, one.used, his == one.of_owner.end() ? 0 : his->second};
}

}  // namespace freshet::http
