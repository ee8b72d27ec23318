// Walks over pages: the cursor of each page asks for the next, within the limits that were given.
// It repeats nothing by itself; after a retryable error the next call asks for the same page again.
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>

#include "call.hpp"

/// What a freshet_pages handle points to. The one for which there was no memory is of this very
/// type and static.
struct freshet_pages {
  bool is_static = true;
};

namespace freshet::capi {
namespace {

namespace json = boost::json;

/// Errors in a row after which a walk ends.
constexpr int max_failures = 5;
/// What a list takes if `limit` is not given, and at most: the contract's section 2.
constexpr std::int64_t default_limit = 20, max_limit = 100;

/// The limit that a caller asks for; 0 if that is none, which the engine then says.
std::int64_t limit_in(const json::object& parameters) {
  const auto* given = parameters.if_contains("limit");
  if (given == nullptr) return default_limit;
  std::int64_t value = 0;
  if (given->is_int64()) {
    value = given->get_int64();
  } else if (given->is_string()) {
    const std::string_view text = given->get_string();
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc{} || end != text.data() + text.size()) return 0;
  }
  return value >= 1 && value <= max_limit ? value : 0;
}

std::int64_t count_items(std::string_view data) {
  boost::system::error_code ec;
  const auto read = json::parse({data.data(), data.size()}, ec);
  return ec || !read.is_array() ? 1 : static_cast<std::int64_t>(read.get_array().size());
}

}  // namespace

/// Used by one thread at a time, but for cancel().
struct page_walk final : freshet_pages {
  page_walk(std::shared_ptr<client_state> through, request first, std::int64_t pages,
            std::int64_t items)
      : on(std::move(through)), what(std::move(first)), pages_left(pages), items_left(items) {
    is_static = false;
  }

  freshet_result* next();
  void cancel() noexcept;

  std::optional<error> refused;  ///< what was wrong from the beginning

 private:
  [[nodiscard]] std::string body_of_next() const;
  void ask();
  void account_for(const freshet_result& given, std::int64_t items, std::string after) noexcept;

  std::shared_ptr<client_state> on;
  request what;                         ///< as the caller has said it
  std::int64_t pages_left, items_left;  ///< 0: no limit
  std::string cursor;                   ///< of the next page; "" for the first
  std::int64_t given = 0;               ///< pages so far
  int failures = 0;                     ///< in a row
  bool ended = false;

  std::mutex mutex;  ///< guards what cancel() touches
  bool cancelled = false;
  std::uint64_t ticket = 0;
  /// The answer under way, kept until there is memory to give it.
  std::shared_ptr<mailbox> box;
};

std::string page_walk::body_of_next() const {
  // As it came where nothing is to be changed, so that the engine judges what the caller wrote.
  if (cursor.empty() && items_left == 0) return what.body;
  boost::system::error_code ec;
  auto read = what.body.empty() ? json::value(json::object()) : json::parse(what.body, ec);
  if (ec || !read.is_object()) return what.body;
  auto& parameters = read.get_object();
  if (!cursor.empty()) parameters["cursor"] = cursor;
  if (items_left > 0 && items_left < limit_in(parameters)) parameters["limit"] = items_left;
  return json::serialize(parameters);
}

void page_walk::ask() {
  auto page = what;
  page.body = body_of_next();
  if (!page.idempotency_key.empty()) page.idempotency_key += "." + std::to_string(given + 1);
  auto fresh = std::make_shared<mailbox>();
  const std::lock_guard lock(mutex);
  const auto started = on->submit(std::move(page), fresh);
  if (!started) {
    fresh->put(problem_document(started.error(), make_request_id()));
  } else if (cancelled) {
    on->cancel(*started);
  }
  ticket = started ? *started : 0;
  box = std::move(fresh);
}

freshet_result* page_walk::next() {
  if (ended) return nullptr;
  if (refused) {
    ended = true;
    return failure(*refused);
  }
  if (box == nullptr) {
    {
      const std::lock_guard lock(mutex);
      ended = cancelled;
    }
    if (ended) return failure(error(errc::cancelled, "the walk was cancelled"));
    ask();
  }
  std::unique_lock lock(box->mutex);
  box->arrived.wait(lock, [this] { return box->answer.has_value(); });
  // What can fail comes first: then the answer is still there, to be given the next time.
  const auto items = items_left > 0 ? count_items(box->answer->data()) : 0;
  std::string after;
  auto* made = take(*box->answer, &after);
  lock.unlock();
  if (made == no_memory()) return made;
  account_for(*made, items, std::move(after));
  return made;
}

/// Moves on behind what is given to the caller now.
void page_walk::account_for(const freshet_result& page, std::int64_t items,
                            std::string after) noexcept {
  {
    const std::lock_guard lock(mutex);
    box.reset();
    ticket = 0;
  }
  if (page.error != 0) {
    const auto code = static_cast<errc>(page.error);
    ended = !describe(code).retryable || code == errc::cancelled || ++failures >= max_failures;
    return;
  }
  failures = 0;
  ++given;
  cursor = std::move(after);
  ended = cursor.empty();
  if (pages_left > 0 && --pages_left == 0) ended = true;
  if (items_left > 0) {
    items_left -= items;
    if (items_left <= 0) ended = true;
  }
}

void page_walk::cancel() noexcept {
  const std::lock_guard lock(mutex);
  cancelled = true;
  if (ticket != 0) on->cancel(ticket);
}

}  // namespace freshet::capi

using freshet::errc;
using freshet::error;
using freshet::capi::call_texts;
using freshet::capi::failure;
using freshet::capi::guard;
using freshet::capi::no_memory;
using freshet::capi::page_walk;

namespace {

// For want of memory: asking it says so.
constinit freshet_pages the_pages_without_memory;

std::unique_ptr<page_walk> begin(const freshet_client* client, const call_texts& texts,
                                 std::int64_t pages, std::int64_t items) {
  freshet::result<freshet::request> what = error(errc::invalid_request, "client is NULL");
  if (client != nullptr) what = texts.read(*client->inside);
  if (pages < 0 || items < 0) {
    what = error(errc::invalid_request,
                 "max_pages and max_items are not negative; 0 stands for no limit");
  }
  auto made = std::make_unique<page_walk>(client == nullptr ? nullptr : client->inside,
                                          what ? *what : freshet::request(), pages, items);
  if (!what) made->refused = what.error();
  return made;
}

}  // namespace

extern "C" {

freshet_pages* freshet_client_pages(freshet_client* client, const char* endpoint,
                                    size_t endpoint_size, const char* body, size_t body_size,
                                    const char* options, size_t options_size, int64_t max_pages,
                                    int64_t max_items) {
  try {
    return begin(client, {endpoint, endpoint_size, body, body_size, options, options_size},
                 max_pages, max_items)
        .release();
  } catch (...) {
    return &the_pages_without_memory;
  }
}

freshet_result* freshet_pages_next(freshet_pages* pages) {
  return guard([&]() -> freshet_result* {
    if (pages == nullptr) return failure(error(errc::invalid_request, "pages is NULL"));
    return pages->is_static ? no_memory() : static_cast<page_walk*>(pages)->next();
  });
}

void freshet_pages_cancel(freshet_pages* pages) {
  if (pages != nullptr && !pages->is_static) static_cast<page_walk*>(pages)->cancel();
}

void freshet_pages_free(freshet_pages** pages) {
  if (pages == nullptr || *pages == nullptr) return;
  if (!(*pages)->is_static) {
    freshet_pages_cancel(*pages);
    delete static_cast<page_walk*>(*pages);
  }
  *pages = nullptr;
}

}  // extern "C"
