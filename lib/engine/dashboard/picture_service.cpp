// Kept, or fetched and kept; of the sandbox drawn and kept.
#include "engine/dashboard/picture_service.hpp"

#include <pictures/picture.hpp>

#include "engine/settings/book_settings.hpp"

namespace freshet::detail {
namespace {

constexpr std::chrono::seconds longest_fetch{10};
constexpr std::chrono::hours kept_for{24 * 7};
constexpr std::int64_t usual_bytes = 256 << 20;

/// In front of the names of those that the sandbox draws; no address begins so.
const std::string drawn_prefix = "drawn ";

result<picture_service::shown_picture> picture_of(std::string bytes) {
  const auto type = pictures::media_type_of(bytes);
  if (type.empty()) return error(errc::unsupported_content, "what is there is no picture");
  return picture_service::shown_picture{std::move(bytes), type};
}

}  // namespace

pictures::picture_store* picture_service::kept() {
  std::call_once(opened_, [this] {
    const auto bytes = core_.settings.integer("pictures.bytes").value_or(usual_bytes);
    const auto book = configured_book(core_.settings);
    if (bytes <= 0 || !book || book->database == ":memory:") return;
    auto opened = pictures::picture_store::open({file_of(*book) + ".pictures", bytes, kept_for});
    if (!opened) return core_.log("warning", "no picture is kept: " + opened.error().detail());
    kept_ = std::move(*opened);
  });
  return kept_.get();
}

struct picture_service::fetching {
  std::string url, account;
  owner_id owner = 0;
  dashboard_lane& lane;
  taker give;
  std::uint64_t number = 0;
};

void picture_service::show(const picture_addresses::picture& picture,
                           const account::account_record& who, dashboard_lane& lane, taker give) {
  auto* const store = kept();
  const std::string name = picture.is_sandboxed ? drawn_prefix + picture.url : picture.url;
  std::optional<std::string> bytes;
  if (store != nullptr) bytes = store->find(who.public_id, name, core_.live.clock->now());
  if (!bytes && !picture.is_sandboxed) {
    return fetch(std::make_shared<fetching>(
        fetching{picture.url, who.public_id, who.id, lane, std::move(give)}));
  }
  if (!bytes) {
    bytes = pictures::draw_picture(picture.url);
    keep(who.public_id, name, *bytes);
  }
  give(picture_of(std::move(*bytes)));
}

result<picture_service::shown_picture> picture_service::draw(
    const picture_addresses::picture& picture) {
  return picture_of(pictures::draw_picture(picture.url));
}

void picture_service::keep(std::string_view account, const std::string& name,
                           std::string_view bytes) {
  auto* const store = kept();
  if (store != nullptr) store->put(account, name, bytes, core_.live.clock->now());
}

bool picture_service::enter(std::uint64_t fetch) {
  const std::lock_guard lock(mutex_);
  if (!is_stopped_) under_way_.emplace(fetch, 0);
  return !is_stopped_;
}

void picture_service::leave(std::uint64_t fetch) noexcept {
  const std::lock_guard lock(mutex_);
  if (under_way_.erase(fetch) > 0 && under_way_.empty()) none_left_.notify_all();
}

void picture_service::fetch(std::shared_ptr<fetching> wanted) {
  wanted->number = ++last_fetch_;
  if (!enter(wanted->number)) return wanted->give(error(errc::cancelled));
  http::request asked;
  asked.url = wanted->url;
  asked.body_limit = pictures::max_picture_bytes;
  asked.headers = {{"Accept", "image/avif,image/webp,image/png,image/jpeg,image/gif"}};
  asked.cacheable = false;  // it would take the place of answers
  asked.owner = wanted->owner;
  const auto number = wanted->number;
  try {
    const auto ticket = core_.live.transport->submit(
        std::move(asked), std::chrono::steady_clock::now() + longest_fetch,
        [this, ended = std::move(wanted)](result<http::response> got) mutable {
          const auto fetch = ended->number;
          take(std::move(ended), std::move(got));
          leave(fetch);
        });
    const std::lock_guard lock(mutex_);
    const auto found = under_way_.find(number);
    if (found == under_way_.end()) return;
    found->second = ticket;
    if (is_stopped_) core_.live.transport->cancel(ticket);
  } catch (const std::bad_alloc&) {
    leave(number);
    throw;
  }
}

/// On the network's thread: what is done with a picture is done on one of the lane's. Its place
/// goes before it is said that it has left, for then the lane may go.
void picture_service::take(std::shared_ptr<fetching> ended, result<http::response>&& got) {
  try {
    if (!got) {
      ended->give(got.error());
    } else if (got->status != 200) {
      ended->give(
          error(errc::source_error, "the picture's server answers " + std::to_string(got->status)));
    } else {
      ended->lane.go_on(ended->owner, [this, ended, bytes = std::move(got->body)] {
        auto made = picture_of(bytes);
        if (made) keep(ended->account, ended->url, bytes);
        ended->give(std::move(made));
      });
    }
  } catch (const std::bad_alloc&) {
    // Whoever waits is told so when the place goes.
  }
}

void picture_service::forget(std::string_view account) {
  if (auto* const store = kept(); store != nullptr) store->forget(account);
}

void picture_service::stop() noexcept {
  std::unique_lock lock(mutex_);
  is_stopped_ = true;
  for (const auto& [fetch, ticket] : under_way_) {
    if (ticket != 0) core_.live.transport->cancel(ticket);
  }
  none_left_.wait(lock, [this] { return under_way_.empty(); });
}

}  // namespace freshet::detail
