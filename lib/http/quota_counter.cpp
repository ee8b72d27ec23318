// The file says more than was used, never less: a count is written ahead by a hundredth of the
// day, so that most requests cost no write, and a crash loses a hundredth of the day at most.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <base/number.hpp>
#include <base/url.hpp>
#include <cstdio>
#include <fstream>
#include <http/quota_counter.hpp>
#include <limits>

namespace freshet::http {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;

/// Of a day's requests, what one write covers.
constexpr std::int64_t lease_share = 100;
/// Names in the file; more than any configuration has.
constexpr std::size_t max_names = 1'024;
constexpr std::size_t max_line = 512;

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

bool falls_under(const daily_limit& limit, std::string_view url) {
  if (limit.path.empty()) return true;
  const auto parsed = base::parse_url(url);
  return parsed && std::string_view(parsed->path).ends_with(limit.path);
}

bool write_durably(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return false;
  bool good = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  good = good && ::fsync(file) == 0;
  good = ::close(file) == 0 && good;
  return good && std::rename(fresh.c_str(), path.c_str()) == 0;
}

std::optional<std::int64_t> number_in(std::string_view text) noexcept {
  return base::parse_number<std::int64_t>(text, 0, std::numeric_limits<std::int64_t>::max());
}

}  // namespace

day_of_quota day_of(time_point time, day_start starts) noexcept {
  const auto offset = starts == day_start::pacific_midnight ? pacific_offset(time) : hours{0};
  const auto day = std::chrono::floor<days>(time - offset);
  time_point next = day + days{1} + offset;
  // The clocks change between this midnight and the next one.
  if (starts == day_start::pacific_midnight) next = day + days{1} + pacific_offset(next);
  return {day.time_since_epoch().count(), next};
}

quota_counter::quota_counter(std::string path, log_function log)
    : path_(std::move(path)), log_(std::move(log)) {
  if (!path_.empty()) read();
}

quota_counter::~quota_counter() {
  bool is_ahead = false;
  for (auto& [name, one] : counts_) {
    is_ahead = is_ahead || one.kept != one.used;
    one.kept = one.used;
  }
  if (is_ahead && !path_.empty()) write();
}

/// Lines "day used name".
void quota_counter::read() {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  while (counts_.size() < max_names && std::getline(in, line)) {
    const auto first = line.find(' ');
    const auto second = first == std::string::npos ? first : line.find(' ', first + 1);
    if (line.size() > max_line || second == std::string::npos) continue;
    const auto day = number_in(std::string_view(line).substr(0, first));
    const auto used = number_in(std::string_view(line).substr(first + 1, second - first - 1));
    if (!day || !used) continue;
    counts_[line.substr(second + 1)] = {*day, *used, *used, {}};
  }
}

void quota_counter::write() {
  std::string text;
  for (const auto& [name, one] : counts_) {
    text += std::to_string(one.day) + ' ' + std::to_string(one.kept) + ' ' + name + '\n';
  }
  const bool good = write_durably(path_, text);
  if (!good && !is_failing_ && log_) {
    log_("warning", path_ + " cannot be written: daily quotas are not kept over a restart");
  }
  is_failing_ = !good;
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

std::optional<milliseconds> quota_counter::take(std::span<const daily_limit> limits, asked what,
                                                time_point now) {
  std::optional<milliseconds> wait;
  for (const auto& limit : limits) {
    if (!falls_under(limit, what.url) || has_room(limit, what.owner, now)) continue;
    const auto left = day_of(now, limit.starts).next - now;
    wait = std::max(wait.value_or(milliseconds{0}), std::max(left, milliseconds{1}));
  }
  if (wait) return wait;
  bool must_write = false;
  for (const auto& limit : limits) {
    if (!falls_under(limit, what.url)) continue;
    auto& one = counts_[limit.name];
    const auto today = day_of(now, limit.starts).number;
    if (one.day != today) one = {today};
    if (what.owner != 0) ++one.of_owner[what.owner];
    if (++one.used <= one.kept) continue;
    const auto lease = std::max<std::int64_t>(1, limit.requests / lease_share);
    one.kept = std::min(limit.requests, one.used + lease - 1);
    must_write = true;
  }
  if (must_write && !path_.empty()) write();
  return std::nullopt;
}

}  // namespace freshet::http
