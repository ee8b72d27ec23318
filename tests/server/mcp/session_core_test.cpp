// A session core whose calls are answered on other threads while the client cancels, asks and
// leaves: each request is answered once, withdrawn once, and nothing comes after either.
#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <server/mcp/event_log.hpp>
#include <server/mcp/session_core.hpp>
#include <thread>
#include <vector>

#include "support/eventually.hpp"
#include "talk.hpp"

using namespace freshet;
using namespace freshet::server;
using namespace freshet::server::mcp;

namespace {

/// Answers calls on a thread of its own, in the order in which they came.
class busy_client : public client {
 public:
  busy_client() : thread_([this] { work(); }) {}
  ~busy_client() override { finish(); }
  /// Answers what waits, and returns when the last answer has been given.
  void finish() {
    {
      const std::lock_guard guard(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  std::uint64_t submit(request, std::function<void(response)> done) override {
    const std::lock_guard guard(mutex_);
    waiting_.push_back(std::move(done));
    changed_.notify_all();
    return ++last_;
  }
  void cancel(std::uint64_t) override { ++cancelled; }
  std::atomic<int> cancelled{0};

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const auto done = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      response answered;
      answered.body = R"({"data":[],"meta":{"warnings":["w"]}})";
      done(std::move(answered));
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void(response)>> waiting_;
  std::uint64_t last_ = 0;
  bool ended_ = false;
  std::thread thread_;
};

struct counting_sink : response_sink {
  std::atomic<int> told{0}, answers{0}, withdrawn{0}, late{0};
  void tell(std::string) override {
    ++told;
    if (answers + withdrawn > 0) ++late;
  }
  void answer(std::string, verdict) override { ++answers; }
  void withdraw() override { ++withdrawn; }
};

std::shared_ptr<const offers> one_tool() {
  return std::make_shared<const offers>(make_offers(
      R"([{"name":"t","inputSchema":{"properties":{"max_tokens":{"default":8000}}},
          "annotations":{"openWorldHint":true},
          "_meta":{"freshet/endpoint":"a/b","freshet/credits":1}}])",
      "", nullptr));
}

}  // namespace

TEST_CASE("requests of several threads are each answered or withdrawn, once") {
  busy_client behind;
  const auto offered = one_tool();
  const auto talk = std::make_shared<session_core>(offered, behind, caller{"k", false});
  talk->receive(asked(0, "initialize"), std::make_shared<counting_sink>());
  constexpr int threads = 4, calls = 200;
  std::vector<std::shared_ptr<counting_sink>> sinks;
  for (int i = 0; i < threads * calls; ++i) sinks.push_back(std::make_shared<counting_sink>());
  std::vector<std::thread> clients;
  for (int who = 0; who < threads; ++who) {
    clients.emplace_back([&, who] {
      for (int i = 0; i < calls; ++i) {
        const int id = who * calls + i;
        talk->receive(asked(id, "tools/call",
                            {{"name", "t"}, {"_meta", boost::json::object{{"progressToken", id}}}}),
                      sinks[static_cast<std::size_t>(id)]);
        message note = asked(0, "notifications/cancelled", {{"requestId", id}});
        note.what = message::kind::notification;
        if (i % 3 == 0) talk->receive(note, nullptr);
        if (who == 0 && i == calls - 10) talk->close();
      }
    });
  }
  for (std::thread& one : clients) one.join();
  talk->close();
  behind.finish();  // a call that ended before close() may still be on its way to its sink
  for (const auto& one : sinks) {
    CHECK(one->answers + one->withdrawn == 1);
    CHECK(one->late == 0);
  }
}

TEST_CASE("a log is written, read, left and closed by several threads") {
  const auto all = std::make_shared<event_space>(event_limits{});
  const auto log = std::make_shared<event_log>(true, std::make_shared<account_space>(all));
  std::atomic<bool> done{false};
  std::thread reader([&] {
    std::shared_ptr<body_stream> body = std::make_shared<body_stream>();
    log->listen(body);
    while (!done) {
      body = std::make_shared<body_stream>(64);
      if (!log->resume("1-0", body)) log->listen(body);
      (void)body->take();
      body->leave();
    }
  });
  std::vector<std::thread> writers;
  for (int who = 0; who < 3; ++who) {
    writers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const auto body = std::make_shared<body_stream>();
        body->attach([] {});
        const std::uint64_t id = log->open(body);
        log->append(id, "x");
        if (i % 5 == 0) log->interrupt(id);
        log->finish(id);
        (void)log->is_busy();
      }
    });
  }
  for (std::thread& one : writers) one.join();
  log->close();
  done = true;
  reader.join();
  CHECK(!log->is_busy());
}

TEST_CASE("the description is made on a thread of its own, once, while others are answered") {
  std::mutex mutex;
  std::condition_variable changed;
  bool may_go_on = false;
  std::atomic<int> made{0};
  const auto slowly = [&]() -> std::string {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return may_go_on; });
    ++made;
    return R"({"openapi":"3.1.0"})";
  };
  nobody behind;
  const auto offered = std::make_shared<const offers>(make_offers("[]", "", slowly));
  const auto core = std::make_shared<session_core>(offered, behind, caller{"k", false});
  core->receive(asked(0, "initialize"), std::make_shared<counting_sink>());
  const auto ask = [&](std::int64_t id, const char* method, boost::json::object params) {
    auto sink = std::make_shared<counting_sink>();
    core->receive(asked(id, method, std::move(params)), sink);
    return sink;
  };
  const auto first = ask(1, "resources/read", {{"uri", "freshet://openapi.json"}});
  const auto second = ask(2, "resources/read", {{"uri", "freshet://openapi.json"}});
  const auto third = ask(3, "ping", {});
  CHECK(third->answers == 1);
  CHECK(first->answers + second->answers == 0);
  {
    const std::lock_guard lock(mutex);
    may_go_on = true;
  }
  changed.notify_all();
  CHECK(test::eventually([&] { return first->answers == 1 && second->answers == 1; }));
  const auto later = ask(4, "resources/read", {{"uri", "freshet://openapi.json"}});
  CHECK(later->answers == 1);
  CHECK(made == 1);
}
