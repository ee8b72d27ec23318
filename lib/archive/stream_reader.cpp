// Ask where the stream is, connect, read, write in batches; after an error wait longer and longer,
// and go on where the last written message was.
#include <algorithm>
#include <archive/stream_reader.hpp>
#include <base/digest.hpp>
#include <cstring>

namespace freshet::archive {
namespace {

using steady = std::chrono::steady_clock;

std::uint32_t random_seed() {
  std::uint32_t seed = 0;
  const auto bytes = base::random_bytes(sizeof seed);
  std::memcpy(&seed, bytes.data(), sizeof seed);
  return seed;
}

void append_names(changes& out, changes::kind how, std::vector<std::string>& names) {
  for (auto& name : names) out.list.push_back({how, {}, std::move(name)});
}

}  // namespace

void append_news(changes& out, sources::news&& news) {
  append_names(out, changes::kind::erase, news.deleted);
  append_names(out, changes::kind::erase_author, news.lost_authors);
  append_names(out, changes::kind::shut_author, news.shut_authors);
  append_names(out, changes::kind::reopen_author, news.reopened_authors);
  for (auto& one : news.items) out.list.push_back({changes::kind::keep, std::move(one), {}});
}

collector::stream_reader::stream_reader(collector& collector, const watched_source& watched)
    : in_(collector),
      of_(watched),
      with_(watched.instances.front()),
      cursor_name_(std::string(watched.of->name) + " " + with_.base_url),
      socket_(collector.options_.stream),
      random_(random_seed()) {}

/// Waits until this server may write, and reads where the last one who could came to.
bool collector::stream_reader::begin_tenure() {
  while (const auto number = in_.await_tenure(of_)) {
    auto known = of_.into->cursor(cursor_name_);
    if (known && of_.into->tenure() == number) {
      batch_ = {};
      written_cursor_ = cursor_ = std::move(*known);
      tenure_ = number;
      return true;
    }
    if (!known) in_.say("warning", std::string(of_.of->name) + ": " + known.error().detail());
    if (!in_.sleep(in_.options_.least_wait)) break;
  }
  return false;
}

void collector::stream_reader::run() {
  while (!in_.stopping_) {
    if ((tenure_ == 0 || is_over()) && !begin_tenure()) return;
    greeted_ = false;
    const auto why = read_until_error();
    if (!greeted_) knows_address_ = false;
    // What was read is written; what cannot be, will be read again.
    if (!flush()) {
      batch_ = {};
      cursor_ = written_cursor_;
    }
    if (in_.stopping_) return;
    if (is_over()) continue;
    const auto wait = wait_after(why);
    in_.say("warning", std::string(of_.of->name) + ": " + why.detail() + "; trying again in " +
                           std::to_string(wait.count() / 1000) + " s");
    if (!in_.sleep(wait)) return;
  }
}

/// Asks the instance where its stream is, unless it has said so. What it said before stays where it
/// does not answer; one that can not say it has its stream where plan() says.
void collector::stream_reader::look_for_address() {
  const auto& stream = *of_.of->stream;
  if (knows_address_ || stream.plan_address == nullptr) return;
  auto asked = stream.plan_address(with_);
  if (!asked) return;
  asked->cacheable = false;  // what it said before may have failed
  asked->pace_key = of_.of->name;
  sources::choose_target(*asked, with_);
  const auto answer = in_.fetch(std::move(*asked), address_time);
  if (!answer) return;
  address_ = stream.read_address(*answer);
  knows_address_ = true;
}

/// Reads one connection to its end.
error collector::stream_reader::read_until_error() {
  auto planned = of_.of->stream->plan(with_, cursor_);
  if (!planned) return planned.error();
  look_for_address();
  if (auto opened = socket_.open(planned->url, planned->headers, address_); !opened) {
    return opened.error();
  }
  in_.say("info", std::string(of_.of->name) + ": the stream is open");
  auto due = steady::now() + batch_time;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(due - steady::now());
    auto got = socket_.read(std::max(left, std::chrono::milliseconds(1)));
    if (!got) return got.error();
    if (got->has_value()) {
      greeted_ = true;
      if (auto said = of_.of->stream->read(with_, **got)) {
        if (!said->cursor.empty()) cursor_ = said->cursor;
        append_news(batch_, std::move(*said));
      } else if (++unread_ == 1 || unread_ % 1000 == 0) {
        in_.say("warning", std::string(of_.of->name) + ": " + std::to_string(unread_) +
                               " messages passed over: " + said.error().detail());
      }
    }
    if (batch_.list.size() < max_batch && steady::now() < due) continue;
    if (is_over() || !flush())
      return error(errc::cancelled, "the archive is closing, or another server fills it");
    due = steady::now() + batch_time;
  }
}

bool collector::stream_reader::flush() {
  if (batch_.list.empty() && cursor_ == written_cursor_) return true;
  if (!cursor_.empty()) batch_.cursors = {{cursor_name_, cursor_}};
  batch_.tenure = tenure_;
  if (!in_.write(of_, batch_)) return false;
  written_cursor_ = cursor_;
  batch_ = {};
  return true;
}

/// Longer after each failure, and never the same for two, so that a server that comes back is not
/// met by all at once.
std::chrono::milliseconds collector::stream_reader::wait_after(const error& why) {
  if (why.code() == errc::source_auth_required || why.code() == errc::source_blocked ||
      why.code() == errc::target_forbidden || why.code() == errc::invalid_request) {
    return refused_wait;
  }
  failures_ = greeted_ ? 0 : std::min(failures_ + 1, 16);
  const auto least = in_.options_.least_wait.count();
  const auto whole = std::min<std::int64_t>(least << failures_, in_.options_.most_wait.count());
  const auto jitter = static_cast<std::int64_t>(random_() % 1000);
  return std::chrono::milliseconds(whole / 2 + whole * jitter / 2000);
}

}  // namespace freshet::archive
