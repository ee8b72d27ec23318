// A status is decided by the first thing that is said: after it, a stream is 200 whatever comes.
#include <boost/json/serialize.hpp>
#include <server/http/event_reply.hpp>
#include <server/mcp/http_sinks.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

int status_of(verdict how) {
  switch (how.what) {
    case verdict::kind::refused:
      return 400;
    case verdict::kind::unknown_method:
      return 404;
    default:
      return 200;
  }
}

}  // namespace

reply message_reply(int status, std::string text, const std::string& request_id) {
  reply out;
  out.status = status;
  out.request_id = request_id;
  out.own_body = std::move(text);
  return out;
}

void event_sink::answer(std::string text, verdict how) {
  log_->answer(stream_, text, boost::json::serialize(how.id));
  withdraw();
}

void message_feed::go_on() {
  while (next_ < said_.size()) {
    // From here on it may be under way on another thread.
    if (log_->wait_for_room(stream_, [self = shared_from_this()] { self->go_on(); })) return;
    talk_->receive(said_[next_++], to_);
  }
}

direct_sink::direct_sink(std::function<void(reply)> give, std::string request_id,
                         std::function<void()> on_client_gone)
    : give_(std::move(give)),
      request_id_(std::move(request_id)),
      on_client_gone_(std::move(on_client_gone)) {}

void direct_sink::put(const std::string& text) {
  if (body_->put("event: message\ndata: " + text + "\n\n") != body_stream::put_result::full) return;
  // Nothing of it can be had later, so what is left out would be missed without a sign.
  body_->cut();
}

void direct_sink::tell(std::string text) {
  const std::lock_guard guard(mutex_);
  if (!body_) {
    body_ = std::make_shared<body_stream>();
    body_->when_gone(on_client_gone_);
    give_(event_reply(body_, request_id_));
  }
  put(text);
}

void direct_sink::answer(std::string text, verdict how) {
  const std::lock_guard guard(mutex_);
  if (body_) {
    put(text);
    return body_->finish();
  }
  reply out = message_reply(status_of(how), std::move(text), request_id_);
  out.credits_used = how.credits_used;
  give_(std::move(out));
}

bool direct_sink::has_room() {
  const std::lock_guard guard(mutex_);
  return !body_ || body_->has_room();
}

void direct_sink::withdraw() {
  const std::lock_guard guard(mutex_);
  if (body_) body_->finish();
}

}  // namespace freshet::server::mcp
