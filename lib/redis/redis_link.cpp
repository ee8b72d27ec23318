// One thread polls the connection and a file by which others wake it. A connection counts as one
// once it has made the scripts known: a Redis that stands still accepts, and answers nothing.
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <redis/redis_link.hpp>

namespace freshet::redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds connect_timeout{1};
constexpr milliseconds first_pause{50}, longest_pause{1000};
/// A connection that served so long was a good one: the next is tried at once.
constexpr std::chrono::seconds good_for{10};
constexpr std::size_t most_queued = 65'536, most_under_way = 4'096;
constexpr std::size_t longest_reason = 200;

/// Whole milliseconds, so that poll does not return too early.
int until(steady_clock::time_point end) {
  if (end == steady_clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

std::string reason(std::string_view text) {
  return std::string(text.substr(0, std::min(text.find_first_of("\r\n"), longest_reason)));
}

/// hiredis writes to sockets whose other end may be gone, and a program that embeds the library
/// need not ignore that signal.
void block_signals() noexcept {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

void add(const redisReply& given, redis_reply& all) {
  if (given.type == REDIS_REPLY_INTEGER) all.numbers.push_back(given.integer);
  if (given.type == REDIS_REPLY_STRING) all.texts.emplace_back(given.str, given.len);
}

struct answer_closer {
  void operator()(void* answer) const noexcept { freeReplyObject(answer); }
};

}  // namespace

void redis_link::closer::operator()(redisContext* context) const noexcept { redisFree(context); }

redis_link::redis_link(link_options options) : options_(std::move(options)) {}

redis_link::~redis_link() { stop(); }

void redis_link::start() {
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_ < 0) return show(false, std::string("eventfd: ") + std::strerror(errno));
  thread_ = std::thread([this] { loop(); });
  std::unique_lock guard(mutex_);
  tried_.wait_for(guard, 2 * connect_timeout, [this] { return has_tried_; });
}

void redis_link::stop() {
  is_ending_ = true;
  wake();
  if (thread_.joinable()) thread_.join();
  if (wake_ >= 0) ::close(wake_);
  wake_ = -1;
}

void redis_link::wake() const noexcept {
  if (wake_ >= 0) static_cast<void>(::eventfd_write(wake_, 1));
}

void redis_link::clear_wake() const noexcept {
  eventfd_t count = 0;
  static_cast<void>(::eventfd_read(wake_, &count));
}

std::string redis_link::too_late() const {
  return "no answer within " + std::to_string(options_.timeout.count()) + " ms";
}

redis_link::figures redis_link::count() const {
  const std::lock_guard guard(mutex_);
  return {is_here_, runs_, losses_, why_};
}

bool redis_link::run(std::size_t script, std::vector<std::string> words, handler done) {
  bool is_first = false;
  {
    const std::lock_guard guard(mutex_);
    if (!is_here_ || queue_.size() >= most_queued) return false;
    words.insert(words.begin(), {"EVALSHA", hashes_[script], "1"});
    is_first = queue_.empty();
    queue_.push_back({std::move(words), std::move(done), steady_clock::now() + options_.timeout});
  }
  if (is_first) wake();
  return true;
}

void redis_link::loop() {
  block_signals();
  milliseconds wait = first_pause;
  while (!is_ending_) {
    const auto began = steady_clock::now();
    std::string why;
    try {
      why = serve();
    } catch (const std::bad_alloc&) {
      // Nobody knows whose answers were read: the connection is made anew.
    }
    show(false, std::move(why));
    drop_all();
    context_.reset();
    if (is_ending_) return;
    if (steady_clock::now() - began > good_for) wait = first_pause;
    if (pause(wait)) return;
    wait = std::min(2 * wait, longest_pause);
  }
}

bool redis_link::pause(milliseconds wait) const {
  const auto end = steady_clock::now() + wait;
  while (!is_ending_ && steady_clock::now() < end) {
    pollfd file{wake_, POLLIN, 0};
    if (::poll(&file, 1, until(end)) > 0) clear_wake();
  }
  return is_ending_;
}

void redis_link::show(bool is_here, std::string why) noexcept {
  bool is_new = false;
  {
    const std::lock_guard guard(mutex_);
    is_new = is_here_ != is_here || !has_tried_;
    if (is_here_ && !is_here) ++losses_;
    is_here_ = is_here;
    why_ = std::move(why);
    has_tried_ = true;
    tried_.notify_all();
  }
  if (!is_new || is_ending_ || !options_.changed) return;
  options_.changed(is_here, why_);  // which this thread alone changes
}

void redis_link::drop_all() noexcept {
  for (; !under_way_.empty(); under_way_.pop_front())
    if (under_way_.front().done) under_way_.front().done(nullptr);
  for (;;) {
    handler done;
    {
      const std::lock_guard guard(mutex_);
      if (queue_.empty()) break;
      done = std::move(queue_.front().done);
      queue_.pop_front();
    }
    if (done) done(nullptr);
  }
  tick_at_ = moment::max();
}

std::string redis_link::connect() {
  context_.reset(redisConnectNonBlock(options_.where.host.c_str(), options_.where.port));
  if (!context_) return "no memory";
  if (context_->err != 0) return reason(context_->errstr);
  const auto end = steady_clock::now() + connect_timeout;
  while (!is_ending_) {
    pollfd files[] = {{context_->fd, POLLOUT, 0}, {wake_, POLLIN, 0}};
    if (steady_clock::now() >= end) return "it cannot be reached";
    if (::poll(files, 2, until(end)) < 0 || files[0].revents == 0) continue;
    int failure = 0;
    socklen_t size = sizeof failure;
    ::getsockopt(context_->fd, SOL_SOCKET, SO_ERROR, &failure, &size);
    if (failure != 0) return reason(std::strerror(failure));
    const int on = 1;
    ::setsockopt(context_->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return "";
  }
  return "it ends";
}

/// What every connection begins with.
void redis_link::greet() {
  hashes_.clear();
  std::vector<std::vector<std::string>> all;
  const redis_address& where = options_.where;
  if (!where.user.empty()) {
    all.push_back({"AUTH", where.user, where.password});
  } else if (!where.password.empty()) {
    all.push_back({"AUTH", where.password});
  }
  if (where.database != 0) all.push_back({"SELECT", std::to_string(where.database)});
  for (const std::string& script : options_.scripts) all.push_back({"SCRIPT", "LOAD", script});
  if (options_.scripts.empty()) all.push_back({"PING"});
  greetings_ = all.size();
  const std::lock_guard guard(mutex_);
  for (auto& words : all)
    queue_.push_back({std::move(words), nullptr, steady_clock::now() + options_.timeout});
}

std::string redis_link::serve() {
  if (auto why = connect(); !why.empty()) return why;
  greet();
  while (!is_ending_) {
    take_queued();
    if (auto why = await(); !why.empty()) return why;
    if (auto why = read(); !why.empty()) return why;
    run_tick();
  }
  return "it ends";
}

void redis_link::take_queued() {
  const std::size_t known = under_way_.size();
  {
    const std::lock_guard guard(mutex_);
    while (!queue_.empty() && under_way_.size() < most_under_way) {
      under_way_.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
  }
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  for (std::size_t i = known; i < under_way_.size(); ++i) {
    texts.clear();
    sizes.clear();
    for (const std::string& word : under_way_[i].words) {
      texts.push_back(word.data());
      sizes.push_back(word.size());
    }
    if (redisAppendCommandArgv(context_.get(), static_cast<int>(texts.size()), texts.data(),
                               sizes.data()) != REDIS_OK)
      throw std::bad_alloc();
    under_way_[i].words.clear();
  }
}

/// Writes what there is to write, and waits for an answer, for more to send, or for too long.
std::string redis_link::await() {
  int is_written = 0;
  if (redisBufferWrite(context_.get(), &is_written) != REDIS_OK) return reason(context_->errstr);
  const moment late = under_way_.empty() ? moment::max() : under_way_.front().until;
  const auto wanted = static_cast<short>(is_written != 0 ? POLLIN : POLLIN | POLLOUT);
  pollfd files[] = {{context_->fd, wanted, 0}, {wake_, POLLIN, 0}};
  if (::poll(files, 2, until(std::min(late, tick_at_))) < 0) return "";
  if (files[1].revents != 0) clear_wake();
  // What has come in time is taken, however late this thread runs.
  if (files[0].revents == 0 && late <= steady_clock::now()) return too_late();
  if ((files[0].revents & (POLLIN | POLLERR | POLLHUP)) != 0 &&
      redisBufferRead(context_.get()) != REDIS_OK)
    return reason(context_->errstr);
  return "";
}

std::string redis_link::read() {
  for (;;) {
    void* next = nullptr;
    if (redisGetReplyFromReader(context_.get(), &next) != REDIS_OK) return reason(context_->errstr);
    if (next == nullptr) break;
    const std::unique_ptr<void, answer_closer> answer(next);
    if (auto why = take(next); !why.empty()) return why;
  }
  // Bytes of an answer keep coming, and its end does not.
  if (!under_way_.empty() && under_way_.front().until + options_.timeout <= steady_clock::now())
    return too_late();
  return "";
}

std::string redis_link::take(void* answer) {
  const auto& given = *static_cast<const redisReply*>(answer);
  if (under_way_.empty()) return "it answers what nobody asked";
  if (given.type == REDIS_REPLY_ERROR) return reason({given.str, given.len});
  if (greetings_ > 0) {
    const std::size_t made_known = options_.scripts.size();
    if (greetings_ <= made_known) hashes_.emplace_back(given.str, given.len);
    under_way_.pop_front();
    if (--greetings_ == 0) show(true, "");
    return "";
  }
  redis_reply got;
  add(given, got);
  if (given.type == REDIS_REPLY_ARRAY)
    for (std::size_t i = 0; i < given.elements; ++i) add(*given.element[i], got);
  {
    const std::lock_guard guard(mutex_);
    ++runs_;
  }
  const handler done = std::move(under_way_.front().done);
  under_way_.pop_front();
  if (done) done(&got);
  if (options_.tick && tick_at_ == moment::max())
    tick_at_ = steady_clock::now() + options_.tick_pause;
  return "";
}

void redis_link::run_tick() {
  if (steady_clock::now() < tick_at_) return;
  tick_at_ = options_.tick() ? steady_clock::now() + options_.tick_pause : moment::max();
}

}  // namespace freshet::redis
