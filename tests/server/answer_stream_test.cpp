// Streamed answers over a made-up engine: what goes out, what a slow reader gets, and who is told
// that a client has left.
#include <catch2/catch.hpp>
#include <optional>
#include <server/answer_stream.hpp>
#include <string>

using namespace freshet;
using namespace freshet::server;

namespace {

/// A call that the test answers by hand.
struct made_up_engine {
  backend behind;
  request asked;
  std::function<void(response)> done;
  std::uint64_t cancelled = 0;
  std::optional<reply> given;
  std::function<void()> client_gone;

  explicit made_up_engine(stream_form form) {
    behind.submit = [this](request what, std::function<void(response)> then) {
      asked = std::move(what);
      done = std::move(then);
      return std::uint64_t{7};
    };
    behind.cancel = [this](std::uint64_t ticket) { cancelled = ticket; };
    behind.problem = [](const error& why, std::string_view) {
      response made;
      made.code = why.code();
      made.status = describe(why.code()).http_status;
      made.content_type = "application/problem+json";
      made.body = R"({"code":")" + std::string(describe(why.code()).name) + R"("})";
      return made;
    };
    request_facts facts;
    facts.request_id = "req_1";
    client_gone =
        std::make_shared<answer_stream>(behind, form, facts)->begin({}, [this](reply out) {
          REQUIRE_FALSE(given);
          given = std::move(out);
        });
  }
  ~made_up_engine() {
    if (given && given->stream) given->stream->leave();
  }
};

response success(std::string body) {
  response made;
  made.body = std::move(body);
  made.credits_used = 1;
  return made;
}

}  // namespace

TEST_CASE("a stream: an event of each source, then the answer's own bytes") {
  made_up_engine on(stream_form::events);
  on.asked.on_source({R"({"name":"a"})", false});
  REQUIRE(on.given);
  CHECK(on.given->content_type == "text/event-stream");
  CHECK(on.given->stream->take().bytes == "event: source\ndata: {\"name\":\"a\"}\n\n");
  on.asked.on_source({R"({"name":"b"})", false});
  on.done(success(R"({"data":[]})"));
  const auto last = on.given->stream->take();
  CHECK(last.bytes ==
        "event: source\ndata: {\"name\":\"b\"}\n\nevent: result\ndata: {\"data\":[]}\n\n");
  CHECK(last.is_last);
}

TEST_CASE("a stream of lines says the same") {
  made_up_engine on(stream_form::lines);
  on.asked.on_source({R"({"name":"a"})", false});
  on.done(success(R"({"data":[]})"));
  CHECK(on.given->content_type == "application/x-ndjson");
  CHECK(on.given->stream->take().bytes ==
        "{\"event\":\"source\",\"data\":{\"name\":\"a\"}}\n"
        "{\"event\":\"result\",\"data\":{\"data\":[]}}\n");
}

TEST_CASE("an answer without sources is whole, with its credits; a failure is one by its status") {
  made_up_engine on(stream_form::events);
  on.done(success(R"({"data":[]})"));
  REQUIRE(on.given);
  CHECK_FALSE(on.given->stream);
  CHECK(on.given->own_body == "event: result\ndata: {\"data\":[]}\n\n");
  CHECK(on.given->credits_used == 1);

  made_up_engine refused(stream_form::lines);
  refused.done(refused.behind.problem(error(errc::invalid_request), ""));
  REQUIRE(refused.given);
  CHECK(refused.given->status == 400);
  CHECK(refused.given->content_type == "application/problem+json");
  CHECK(refused.given->own_body == R"({"code":"invalid_request"})");
}

TEST_CASE("a failure behind the first source is an event") {
  made_up_engine on(stream_form::events);
  on.asked.on_source({"{}", false});
  static_cast<void>(on.given->stream->take());
  on.done(on.behind.problem(error(errc::cancelled), ""));
  CHECK(on.given->stream->take().bytes == "event: error\ndata: {\"code\":\"overloaded\"}\n\n");
}

TEST_CASE("who reads slowly is told less of the sources, and all of the answer") {
  made_up_engine on(stream_form::lines);
  const std::string large(body_stream::default_bytes, 'x');
  on.asked.on_source({large, false});
  for (int i = 0; i < 100; ++i) on.asked.on_source({large, false});
  const std::string answer = "{\"data\":[" + large + "]}";
  on.done(success(answer));
  const std::string result = "{\"event\":\"result\",\"data\":" + answer + "}\n";
  CHECK(on.given->stream->waiting() < 2 * large.size() + result.size());
  const auto all = on.given->stream->take();
  CHECK(all.bytes.ends_with(result));
  CHECK(all.is_last);
}

TEST_CASE("a client that leaves a stream ends its call, at whatever moment") {
  made_up_engine early(stream_form::events);
  early.client_gone();
  CHECK(early.cancelled == 7);

  made_up_engine on(stream_form::events);
  on.asked.on_source({"{}", false});
  CHECK(on.cancelled == 0);
  on.given->stream->leave();
  CHECK(on.cancelled == 7);
  on.done(success("{}"));  // nobody is there; nothing happens
}
