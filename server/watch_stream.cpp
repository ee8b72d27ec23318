// The engine's watch lives as long as the body that it feeds: the connection holds the body, the
// body the watch, and the watch no more than a weak hold of the body.
#include <server/http/event_reply.hpp>
#include <server/watch_stream.hpp>
#include <utility>

namespace freshet::server {
namespace {

/// Bytes that wait for a browser that does not read: an event or two.
constexpr std::size_t max_waiting = 64;

}  // namespace

deferred_reply watch_calls(const backend& behind, std::string session, request_facts facts) {
  return {[&behind, session = std::move(session),
           facts = std::move(facts)](std::function<void(reply)> give) -> std::function<void()> {
    const auto body = std::make_shared<body_stream>(max_waiting);
    auto watch = behind.watch_calls(session, [to = std::weak_ptr(body)] {
      const auto held = to.lock();
      return held && held->put(event_text("calls", "{}")) != body_stream::put_result::closed;
    });
    reply out;
    if (watch) {
      body->when_gone([held = std::move(*watch)] { static_cast<void>(held); });
      body->when_draining([to = std::weak_ptr(body)] {
        if (const auto held = to.lock()) held->finish();
      });
      // The page learns that it is heard, and does not come again at once where this ends.
      static_cast<void>(body->put("retry: 5000\n\n"));
      out = event_reply(body, facts.request_id);
    } else {
      out = reply_of(behind.problem(watch.error(), facts.request_id));
    }
    give(std::move(out));
    return nullptr;
  }};
}

}  // namespace freshet::server
