// The exporter against a collector on loopback that answers well, late, partly, or not at all.
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <support/eventually.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>
#include <telemetry/exporter.hpp>
#include <telemetry/tracer.hpp>

using namespace freshet;
using namespace freshet::telemetry;
using namespace std::chrono_literals;
using test::loopback_server;

namespace {

/// Keeps what it is sent, and answers as it is told, the last word again and again.
class collector {
 public:
  explicit collector(std::vector<std::string> answers) : answers_(std::move(answers)) {
    server.on("/v1/traces",
              [this](const loopback_server::seen& seen, loopback_server::connection& to) {
                std::string answer;
                {
                  const std::lock_guard lock(mutex_);
                  const auto turn = std::min(bodies_.size(), answers_.size() - 1);
                  answer = answers_[turn];
                  bodies_.push_back(seen.body);
                  heads_.push_back(seen.head);
                  arrived_.notify_all();
                }
                if (answer == "silence") {
                  while (!server.stopping()) std::this_thread::sleep_for(5ms);
                } else {
                  to.send(answer);
                }
              });
  }
  bool wait_for(std::size_t requests) {
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, test::patience, [&] { return bodies_.size() >= requests; });
  }
  std::size_t spans_in(std::size_t request) {
    const std::lock_guard lock(mutex_);
    const auto read = base::parse_json(bodies_.at(request)).value();
    const auto& of = base::array_of(base::member(read, "resourceSpans")).at(0);
    return base::array_of(
               base::member(base::array_of(base::member(of, "scopeSpans")).at(0), "spans"))
        .size();
  }
  std::string head(std::size_t request) {
    const std::lock_guard lock(mutex_);
    return heads_.at(request);
  }
  std::size_t requests() {
    const std::lock_guard lock(mutex_);
    return bodies_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::string> answers_, bodies_, heads_;

 public:
  loopback_server server;  ///< last, so that its threads end first
};

const std::string taken = loopback_server::answer(200, "{}");

exporter_options options_for(const std::string& endpoint) {
  exporter_options out;
  out.endpoint = endpoint;
  out.resource = {"0", "test"};
  out.batch_delay = 20ms;
  out.first_pause = 20ms;
  return out;
}

span_group group_of(std::size_t spans) {
  span_group out;
  out.trace[0] = 1;
  out.flags = sampled_flag;
  out.spans.resize(spans);
  return out;
}

std::unique_ptr<exporter> opened(exporter_options options) {
  return exporter::open(std::move(options)).value();
}

}  // namespace

TEST_CASE("spans go to the collector in batches of whole calls, with the operator's headers") {
  collector at({taken});
  auto options = options_for(at.server.url("/prefix/.."));
  options.headers = {{"Authorization", "Bearer secret"}};
  options.batch_delay = 60s;  // only a full batch goes at once
  auto to = opened(options);
  to->add(group_of(255));
  to->add(group_of(255));
  to->add(group_of(5));
  REQUIRE(at.wait_for(1));
  CHECK(at.spans_in(0) == 510);
  CHECK(at.head(0).find("Authorization: Bearer secret\r\n") != std::string::npos);
  CHECK(at.head(0).find("Content-Type: application/json\r\n") != std::string::npos);
  CHECK(test::eventually([&] { return to->figures().exported == 510; }));
  CHECK(to->figures().waiting == 5);
  to.reset();  // what waits goes at the end
  REQUIRE(at.requests() == 2);
  CHECK(at.spans_in(1) == 5);
}

TEST_CASE("what is refused for now is sent again, not before the collector wants it") {
  collector at({loopback_server::answer(503, "", {{"Retry-After", "1"}}),
                loopback_server::answer(429, ""), taken});
  const auto to = opened(options_for(at.server.url()));
  const auto began = std::chrono::steady_clock::now();
  to->add(group_of(3));
  REQUIRE(at.wait_for(2));
  CHECK(std::chrono::steady_clock::now() - began >= 1s);
  CHECK(test::eventually([&] { return to->figures().exported == 3; }));
  CHECK(at.requests() == 3);
  CHECK(to->figures().failed == 0);
}

TEST_CASE("what is refused for good is not sent again, and said once in a while") {
  collector at({loopback_server::answer(400, "no such thing"), taken});
  std::mutex mutex;
  std::vector<std::string> said;
  auto options = options_for(at.server.url());
  options.log = [&](std::string_view, std::string_view line) {
    const std::lock_guard lock(mutex);
    said.emplace_back(line);
  };
  const auto to = opened(options);
  to->add(group_of(3));
  REQUIRE(test::eventually([&] { return to->figures().failed == 3; }));
  to->add(group_of(4));
  REQUIRE(test::eventually([&] { return to->figures().exported == 4; }));
  CHECK(at.requests() == 2);
  const std::lock_guard lock(mutex);
  CHECK(said == std::vector<std::string>{"telemetry: 3 spans were not delivered: the collector "
                                         "answered 400: no such thing"});
}

TEST_CASE("a collector that takes a part is believed") {
  collector at({loopback_server::answer(
      200, R"({"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}})")});
  const auto to = opened(options_for(at.server.url()));
  to->add(group_of(5));
  CHECK(test::eventually([&] { return to->figures().exported == 3; }));
  CHECK(to->figures().failed == 2);
  CHECK(at.requests() == 1);
}

TEST_CASE("a collector that is gone is tried a few times, and what comes meanwhile is bounded") {
  std::string nowhere;
  {
    loopback_server gone;
    nowhere = gone.url();
  }
  auto options = options_for(nowhere);
  options.attempts = 2;
  const auto to = opened(options);
  to->add(group_of(7));
  CHECK(test::eventually([&] { return to->figures().failed == 7; }));
  CHECK(to->figures().exported == 0);
}

TEST_CASE("a collector that says nothing holds nobody up, and the queue has its bound") {
  collector at({"silence"});
  auto options = options_for(at.server.url());
  options.flush_time = 100ms;
  options.attempt_time = 2 * test::patience;
  auto to = opened(options);
  to->add(group_of(1));
  REQUIRE(at.wait_for(1));
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < max_waiting_spans / 64; ++i) to->add(group_of(64));
  CHECK(to->figures().waiting == max_waiting_spans);
  to->add(group_of(9));
  CHECK(to->figures().dropped == 9);
  to.reset();
  CHECK(std::chrono::steady_clock::now() - began < options.attempt_time);
}

TEST_CASE("the end does not wait for a collector that wants to be asked later") {
  collector at({loopback_server::answer(503, "", {{"Retry-After", "300"}})});
  auto options = options_for(at.server.url());
  options.flush_time = 200ms;
  auto to = opened(options);
  to->add(group_of(1));
  REQUIRE(at.wait_for(1));
  const auto end = std::chrono::steady_clock::now();
  to.reset();
  CHECK(std::chrono::steady_clock::now() - end < 300s);
  CHECK(at.requests() == 1);
}

TEST_CASE("an endpoint has to be an address") {
  for (const auto* one : {"127.0.0.1:4318", "ftp://127.0.0.1", "http://", "http://a/?b=c",
                          "http://user:secret@127.0.0.1:4318"}) {
    INFO(one);
    const auto refused = exporter::open(options_for(one));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == errc::invalid_configuration);
    CHECK(refused.error().detail().find("telemetry.otlp_endpoint") == 0);
    CHECK(refused.error().detail().find("secret") == std::string::npos);
  }
}

TEST_CASE("a trace goes on with its caller's, or is drawn") {
  collector at({taken});
  const std::string parent = "00-12345678901234567890123456789012-1234567890123456-0";
  const auto never =
      tracer::open({.sampling = 0, .exporting = options_for(at.server.url())}).value();
  CHECK_FALSE(never->begin("", "")->is_told());
  CHECK_FALSE(never->begin(parent + "0", "")->is_told());
  const auto told = never->begin(parent + "1", "a=b");
  CHECK(told->is_told());
  CHECK(told->root().parent == 0x1234567890123456u);
  CHECK(told->tracestate() == "a=b");
  const auto inner = told->begin(told->root().id);
  CHECK(told->traceparent(inner.id).substr(0, 36) == parent.substr(0, 36));
  CHECK(told->traceparent(inner.id).substr(36) != parent.substr(36) + "1");

  const auto half =
      tracer::open({.sampling = 0.5, .exporting = options_for(at.server.url())}).value();
  int drawn = 0;
  for (int i = 0; i < 2000; ++i) drawn += half->begin("", "")->is_told() ? 1 : 0;
  CHECK(drawn > 800);
  CHECK(drawn < 1200);
  const auto one = half->begin("", ""), other = half->begin("", "");
  CHECK(one->root().parent == 0);
  CHECK(one->traceparent(1).substr(3, 32) != other->traceparent(1).substr(3, 32));
}

TEST_CASE("spans of a call arrive together, those that end later by themselves") {
  collector at({taken});
  const auto from = tracer::open({.exporting = options_for(at.server.url())}).value();
  const auto call = from->begin("", "");
  const auto early = call->begin(call->root().id), late = call->begin(call->root().id);
  call->end(early, {"early"});
  std::this_thread::sleep_for(60ms);
  CHECK(at.requests() == 0);
  call->end_call({"call"});
  REQUIRE(at.wait_for(1));
  CHECK(at.spans_in(0) == 2);
  call->end(late, {"late"});
  REQUIRE(at.wait_for(2));
  CHECK(at.spans_in(1) == 1);
}

TEST_CASE("a call has no more spans than a batch takes") {
  collector at({taken});
  const auto from = tracer::open({.exporting = options_for(at.server.url())}).value();
  const auto call = from->begin("", "");
  for (std::size_t i = 0; i < max_call_spans + 10; ++i) call->end(call->begin(1), {"one"});
  call->end_call({"call"});
  REQUIRE(at.wait_for(1));
  CHECK(at.spans_in(0) == max_call_spans);
  CHECK(from->figures().dropped == 11);
}
