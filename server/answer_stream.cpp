// What is put into the body's queue is bounded there: an event of a source that finds no room is
// left out. The answer goes in all the same: it waits nowhere else, so that it is counted.
#include <server/answer_stream.hpp>
#include <server/http/event_reply.hpp>
#include <utility>

namespace freshet::server {

deferred_reply stream_call(const backend& behind, stream_form form, request_facts facts,
                           request call) {
  return {[&behind, form, facts = std::move(facts),
           call = std::move(call)](std::function<void(reply)> give) {
    return std::make_shared<answer_stream>(behind, form, facts)->begin(call, std::move(give));
  }};
}

std::function<void()> answer_stream::begin(request call, std::function<void(reply)> give) {
  give_ = std::move(give);
  call.on_source = [self = shared_from_this()](source_event told) { self->tell(std::move(told)); };
  const std::uint64_t ticket = backend_.submit(
      std::move(call),
      [self = shared_from_this()](response answered) { self->finish(std::move(answered)); });
  bool left = false;
  {
    const std::lock_guard guard(mutex_);
    ticket_ = ticket;
    left = left_;
  }
  if (left) backend_.cancel(ticket);  // it left before there was a ticket
  return [self = shared_from_this()] { self->cancel(); };
}

void answer_stream::cancel() {
  std::uint64_t ticket = 0;
  {
    const std::lock_guard guard(mutex_);
    left_ = true;
    ticket = ticket_;
  }
  if (ticket != 0) backend_.cancel(ticket);
}

std::string answer_stream::event(std::string_view name, std::string_view data) const {
  if (form_ == stream_form::events) return event_text(name, data);
  std::string text;
  text.reserve(name.size() + data.size() + 32);
  text.append(R"({"event":")").append(name).append(R"(","data":)").append(data).append("}\n");
  return text;
}

reply answer_stream::head(const std::shared_ptr<body_stream>& body, bool origin_allowed) const {
  reply out = event_reply(body, facts_.request_id);
  if (form_ != stream_form::events) {
    out.content_type = "application/x-ndjson";
    out.heartbeat = "\n";
  }
  out.varies_by_accept = true;
  if (origin_allowed) let_read(out, facts_.origin);
  return out;
}

void answer_stream::tell(source_event told) {
  std::function<void(reply)> give;
  std::shared_ptr<body_stream> body;
  {
    const std::lock_guard guard(mutex_);
    if (!body_) {
      body_ = std::make_shared<body_stream>();
      body_->when_gone([self = shared_from_this()] { self->cancel(); });
      give = std::exchange(give_, nullptr);
    }
    body = body_;
  }
  static_cast<void>(body->put(event("source", told.body)));
  if (!give) return;
  give(head(body, told.origin_allowed));
}

void answer_stream::finish(response answered) {
  const bool ok = answered.ok();
  if (answered.code == errc::cancelled) {
    // The client may still be here: then it was our shutdown that cancelled the call.
    error why(errc::overloaded, "the server is shutting down");
    why.retry_after = std::chrono::seconds(1);
    answered = backend_.problem(why, facts_.request_id);
  }
  std::string last = event(ok ? "result" : "error", answered.body);
  std::function<void(reply)> give;
  std::shared_ptr<body_stream> body;
  {
    const std::lock_guard guard(mutex_);
    give = std::exchange(give_, nullptr);
    body = body_;
  }
  if (!give) return body->finish(std::move(last));
  // Nothing was told: what failed is a failure like any other, by its status.
  const bool may_read = answered.origin_allowed;
  reply out = reply_of(std::move(answered));
  if (may_read) let_read(out, facts_.origin);
  if (ok) {
    reply as = head(nullptr, false);
    out.content_type = std::move(as.content_type);
    out.cache_control = as.cache_control;
    out.own_body = std::move(last);
  }
  out.varies_by_accept = true;
  give(std::move(out));
}

}  // namespace freshet::server
