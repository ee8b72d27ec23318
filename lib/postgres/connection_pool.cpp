// Where nobody answers, one caller at a time finds that out; the others are told at once.
#include <new>
#include <postgres/connection_pool.hpp>

namespace freshet::postgres {
namespace {

/// Between two tries to reach a server that does not answer.
constexpr std::chrono::milliseconds retry_after{250};

}  // namespace

result<void> connection_pool::open(pg_connection& one) {
  bool looks = false;  // whether somebody answers again
  {
    const std::lock_guard guard(mutex_);
    if (is_away_ && (is_looking_ || std::chrono::steady_clock::now() < not_before_)) return away();
    looks = is_away_;
    is_looking_ = is_looking_ || looks;
  }
  auto opened = result<void>(error(errc::storage_unavailable, "no memory"));
  try {
    opened = one.open(options_);
  } catch (const std::bad_alloc&) {  // whoever comes next tries again
  }
  const std::lock_guard guard(mutex_);
  if (looks) is_looking_ = false;
  is_away_ = !opened;
  if (opened) return opened;
  not_before_ = std::chrono::steady_clock::now() + retry_after;
  why_ = opened.error().detail();
  freed_.notify_all();
  return opened;
}

result<connection_pool::held> connection_pool::take(bool wants_new) {
  held one;
  {
    std::unique_lock guard(mutex_);
    freed_.wait(guard, [this] { return taken_ < most_ || is_away_; });
    if (taken_ >= most_) return away();
    ++taken_;
    // Where one was lost the others were, too.
    if (wants_new) free_.clear();
    if (!free_.empty()) {
      one = std::move(free_.back());
      free_.pop_back();
      return one;
    }
  }
  one = std::make_unique<pg_connection>();
  if (auto opened = open(*one); !opened) {
    give_back(nullptr);
    return opened.error();
  }
  return one;
}

void connection_pool::give_back(held one) noexcept {
  {
    const std::lock_guard guard(mutex_);
    --taken_;
    if (one != nullptr && one->is_open() && !one->in_transaction()) free_.push_back(std::move(one));
  }
  freed_.notify_one();
}

result<pg_outcome> connection_pool::read(const std::function<pg_outcome(pg_connection&)>& reading) {
  for (const bool is_last : {false, true}) {
    auto taken = take(is_last);
    if (!taken) return taken.error();
    pg_outcome became = pg_outcome::lost;
    try {
      became = reading(**taken);
    } catch (...) {  // no memory for what was read
      give_back(nullptr);
      throw;
    }
    give_back(std::move(*taken));
    if (became != pg_outcome::lost || is_last) return became;
  }
  return pg_outcome::lost;
}

}  // namespace freshet::postgres
