// Numbers, times and the keeping of spans. A time is that of the call's beginning by the machine's
// clock and what has passed since: spans of a call agree with each other whatever that clock does.
#include "telemetry/call_trace.hpp"

#include <utility>

namespace freshet::telemetry {
namespace {

using std::chrono::duration_cast;
using std::chrono::nanoseconds;

/// The finalizer of splitmix64: numbers that look random, each another.
std::uint64_t mixed(std::uint64_t of) {
  of = (of ^ of >> 30) * 0xbf58476d1ce4e5b9u;
  of = (of ^ of >> 27) * 0x94d049bb133111ebu;
  return of ^ of >> 31;
}

std::int64_t unix_now_ns() {
  return duration_cast<nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

call_trace::call_trace(trace_context context, std::uint64_t seed, exporter& exporter)
    : context_(std::move(context)), exporter_(exporter), began_ns_(unix_now_ns()), seed_(seed) {
  root_ = begin(context_.parent);
}

span_start call_trace::begin(span_id parent) noexcept {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  span_id id = 0;
  while (id == 0) id = mixed(seed_ += step);
  return {id, parent, now};
}

std::int64_t call_trace::unix_ns(std::chrono::steady_clock::time_point at) const noexcept {
  return began_ns_ + duration_cast<nanoseconds>(at - root_.began).count();
}

span_record call_trace::record(const span_start& which, span_end&& how) const {
  span_record out;
  out.id = which.id;
  out.parent = which.parent;
  out.name = std::move(how.name);
  out.role = how.role;
  out.began_ns = unix_ns(which.began);
  out.ended_ns = unix_ns(std::chrono::steady_clock::now());
  out.attributes = std::move(how.attributes);
  out.failed = how.failed;
  out.has_remote_parent = which.parent != 0 && which.parent == context_.parent;
  return out;
}

void call_trace::end(const span_start& which, span_end how) noexcept {
  if (!is_told()) return;
  try {
    auto made = record(which, std::move(how));
    std::unique_lock lock(mutex_);
    if (is_over_) {
      lock.unlock();
      std::vector<span_record> one;
      one.push_back(std::move(made));
      return give(std::move(one));
    }
    if (ended_.size() + 1 < max_call_spans) {  // the call's own has its place
      ended_.push_back(std::move(made));
      return;
    }
  } catch (const std::bad_alloc&) {
    // Told of as dropped.
  }
  exporter_.count_dropped(1);
}

void call_trace::end_call(span_end how) noexcept {
  if (!is_told()) return;
  std::vector<span_record> all;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    all.swap(ended_);
  }
  const auto size = all.size() + 1;
  try {
    all.push_back(record(root_, std::move(how)));
    give(std::move(all));
  } catch (const std::bad_alloc&) {
    exporter_.count_dropped(size);
  }
}

void call_trace::give(std::vector<span_record> spans) {
  exporter_.add({context_.trace, context_.flags, context_.state, std::move(spans)});
}

std::string call_trace::traceparent(span_id span) const {
  return write_traceparent(context_.trace, span, context_.flags);
}

}  // namespace freshet::telemetry
