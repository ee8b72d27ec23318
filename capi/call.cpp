// Calls: one that waits, and start, wait, cancel and free.
#include "call.hpp"

#include <chrono>

using freshet::errc;
using freshet::error;
using freshet::capi::call_texts;
using freshet::capi::client_state;
using freshet::capi::failure;
using freshet::capi::guard;
using freshet::capi::mailbox;
using freshet::capi::no_memory;
using freshet::capi::running_call;
using freshet::capi::take;

namespace freshet::capi {

result<request> call_texts::read(const client_state& of) const {
  const auto where = text_in(endpoint, endpoint_size, "endpoint");
  if (!where) return where.error();
  const auto what = text_in(body, body_size, "body");
  if (!what) return what.error();
  const auto how = text_in(options, options_size, "options");
  if (!how) return how.error();
  return read_request(of, *where, *what, *how);
}

}  // namespace freshet::capi

namespace {

// For want of memory: waiting for it says so.
constinit freshet_call the_call_without_memory;

error null_handle(const char* name) {
  return error(errc::invalid_request, std::string(name) + " is NULL");
}

/// Longer than any call: what is asked for beyond it is for ever.
constexpr std::int64_t most_timeout_ms = std::int64_t{7} * 24 * 3600 * 1000;

freshet::result<std::uint64_t> start(const freshet_client* client, const call_texts& texts,
                                     const std::shared_ptr<mailbox>& box) {
  if (client == nullptr) return null_handle("client");
  auto what = texts.read(*client->inside);
  if (!what) return what.error();
  return client->inside->submit(std::move(*what), box);
}

}  // namespace

extern "C" {

freshet_result* freshet_client_call(freshet_client* client, const char* endpoint,
                                    size_t endpoint_size, const char* body, size_t body_size,
                                    const char* options, size_t options_size) {
  return guard([&]() -> freshet_result* {
    const auto box = std::make_shared<mailbox>();
    const auto ticket =
        start(client, {endpoint, endpoint_size, body, body_size, options, options_size}, box);
    if (!ticket) return failure(ticket.error());
    std::unique_lock lock(box->mutex);
    box->arrived.wait(lock, [&] { return box->answer.has_value(); });
    return take(*box->answer);
  });
}

freshet_call* freshet_client_start(freshet_client* client, const char* endpoint,
                                   size_t endpoint_size, const char* body, size_t body_size,
                                   const char* options, size_t options_size) {
  try {
    auto made = std::make_unique<running_call>();
    made->is_static = false;
    if (client != nullptr) made->on = client->inside;
    const auto ticket =
        start(client, {endpoint, endpoint_size, body, body_size, options, options_size}, made->box);
    if (ticket) {
      made->ticket = *ticket;
    } else {
      made->box->put(freshet::problem_document(ticket.error(), freshet::make_request_id()));
    }
    return made.release();
  } catch (...) {
    return &the_call_without_memory;
  }
}

freshet_result* freshet_call_wait(freshet_call* call, int64_t timeout_ms) {
  return guard([&]() -> freshet_result* {
    if (call == nullptr) return failure(null_handle("call"));
    if (call->is_static) return no_memory();
    auto& waiting = static_cast<running_call&>(*call);
    if (waiting.taken) {
      return failure(error(errc::invalid_request, "the result of this call was given already"));
    }
    auto& box = *waiting.box;
    std::unique_lock lock(box.mutex);
    const auto ready = [&box] { return box.answer.has_value(); };
    if (timeout_ms < 0 || timeout_ms > most_timeout_ms) {
      box.arrived.wait(lock, ready);
    } else if (!box.arrived.wait_for(lock, std::chrono::milliseconds(timeout_ms), ready)) {
      return nullptr;
    }
    auto* made = take(*box.answer);
    waiting.taken = made != no_memory();
    return made;
  });
}

void freshet_call_cancel(freshet_call* call) {
  if (call == nullptr || call->is_static) return;
  const auto& running = static_cast<running_call&>(*call);
  if (running.ticket != 0) running.on->cancel(running.ticket);
}

void freshet_call_free(freshet_call** call) {
  if (call == nullptr || *call == nullptr) return;
  freshet_call_cancel(*call);
  if (!(*call)->is_static) delete static_cast<running_call*>(*call);
  *call = nullptr;
}

}  // extern "C"
