// Polling, politely: one feed at a time, over the engine's own transport with its pace and retries,
// and with the validators of the last answer, so that an unchanged feed costs its server nothing.
#include <algorithm>
#include <archive/feed_reader.hpp>
#include <base/work.hpp>

namespace freshet::archive {
namespace {

using steady = std::chrono::steady_clock;

constexpr int not_modified = 304;
/// A validator longer than this is not sent back.
constexpr std::size_t max_validator = 1024;

std::string validator(const http::response& response, std::string_view header) {
  const auto value = http::find_header(response.headers, header);
  const bool plain = std::ranges::all_of(value, [](char c) { return c >= ' '; });
  return plain && value.size() <= max_validator ? std::string(value) : std::string();
}

}  // namespace

collector::feed_reader::feed_reader(collector& collector, const watched_source& watched)
    : in_(collector), of_(watched), how_(sources::find_capability(*watched.of, watched.op)) {
  for (const auto& with : watched.instances) {
    feeds_.push_back({&with, steady::now(), std::string(watched.of->name) + " " + with.base_url});
  }
}

void collector::feed_reader::run() {
  while (!in_.stopping_) {
    const auto next = std::ranges::min_element(
        feeds_, [](const auto& a, const auto& b) { return a.due < b.due; });
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(next->due - steady::now());
    if (left.count() > 0 && !in_.sleep(left)) return;
    tenure_ = in_.await_tenure(of_);
    if (tenure_ == 0) return;
    next->due = steady::now() + look(*next);
  }
}

/// When to look again.
std::chrono::milliseconds collector::feed_reader::look(const feed& at) {
  sources::call asked;
  asked.op = of_.op;
  asked.now = in_.options_.clock->now();
  asked.limit = 100;
  auto planned = how_->plan(asked, *at.with, "");
  result<void> done;
  if (!planned) {
    done = planned.error();
  } else {
    planned->cacheable = false;  // the validators are our own, and outlive the process
    planned->pace_key = of_.of->name;
    sources::choose_target(*planned, *at.with);
    const auto known = of_.into->cursor(at.cursor_name);
    const auto both = known ? *known : std::string();
    const auto line = both.find('\n');
    if (line != std::string::npos) {
      if (line > 0) planned->headers.push_back({"If-None-Match", both.substr(0, line)});
      if (line + 1 < both.size())
        planned->headers.push_back({"If-Modified-Since", both.substr(line + 1)});
    }
    const auto answer = in_.fetch(std::move(*planned), feed_time);
    done = answer ? keep(at, *answer) : result<void>(answer.error());
  }
  if (done || in_.stopping_) return of_.every;
  in_.say("warning", at.cursor_name + ": " + done.error().detail());
  const auto wish = done.error().retry_after.value_or(std::chrono::seconds(0));
  return std::max<std::chrono::milliseconds>(of_.every, wish);
}

result<void> collector::feed_reader::keep(const feed& feed, const http::response& answer) {
  if (answer.status == not_modified) return {};
  sources::call asked;
  asked.op = of_.op;
  result<sources::step> read = error(errc::internal);
  try {
    read = how_->read({asked, *feed.with, answer, "", ""});
  } catch (const base::work_ended&) {
    return error(errc::source_error, "the feed holds more than is read of one");
  }
  if (!read) return read.error();
  auto* page = std::get_if<sources::listing>(&*read);
  if (page == nullptr) return error(errc::source_error, "a feed that sends us on is not followed");
  changes found;
  found.tenure = tenure_;
  for (auto& one : page->items) found.list.push_back({changes::kind::keep, std::move(one), {}});
  const auto etag = validator(answer, "etag");
  const auto modified = validator(answer, "last-modified");
  // A feed that broke off is asked for whole again.
  found.cursors = {{feed.cursor_name, page->partial ? std::string() : etag + "\n" + modified}};
  if (!in_.write(of_, found))
    return error(errc::cancelled, "the archive is closing, or another server fills it");
  return {};
}

}  // namespace freshet::archive
