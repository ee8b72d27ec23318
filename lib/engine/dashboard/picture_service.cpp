// Kept, or fetched and kept; of the sandbox drawn.
#include "engine/dashboard/picture_service.hpp"

#include <future>
#include <pictures/picture.hpp>

#include "engine/settings/book_settings.hpp"

namespace freshet::detail {
namespace {

constexpr std::chrono::seconds longest_fetch{10};
constexpr std::chrono::hours kept_for{24 * 7};
constexpr std::int64_t usual_bytes = 256 << 20;

error no_picture() { return error(errc::unsupported_content, "what is there is no picture"); }

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

result<picture_service::shown_picture> picture_service::show(
    const picture_addresses::picture& picture, const account::account_record& who) {
  if (picture.is_sandboxed) return shown_picture{pictures::draw_picture(picture.url), "image/png"};
  const auto now = core_.live.clock->now();
  auto* const store = kept();
  std::optional<std::string> bytes;
  if (store != nullptr) bytes = store->find(who.public_id, picture.url, now);
  const bool is_new = !bytes;
  if (is_new) {
    auto fetched = fetch(picture.url, who.id);
    if (!fetched) return fetched.error();
    bytes = std::move(*fetched);
  }
  const auto type = pictures::media_type_of(*bytes);
  if (type.empty()) return no_picture();
  if (is_new && store != nullptr) store->put(who.public_id, picture.url, *bytes, now);
  return shown_picture{std::move(*bytes), type};
}

result<std::string> picture_service::fetch(const std::string& url, std::int64_t owner) {
  http::request what;
  what.url = url;
  what.body_limit = pictures::max_picture_bytes;
  what.headers = {{"Accept", "image/avif,image/webp,image/png,image/jpeg,image/gif"}};
  what.cacheable = false;  // it would take the place of answers
  what.owner = owner;
  auto told = std::make_shared<std::promise<result<http::response>>>();
  auto answer = told->get_future();
  std::uint64_t ticket = 0;
  {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return error(errc::cancelled);
    ticket = core_.live.transport->submit(
        std::move(what), std::chrono::steady_clock::now() + longest_fetch,
        [told](result<http::response> got) { told->set_value(std::move(got)); });
    under_way_.insert(ticket);
  }
  auto got = answer.get();
  {
    const std::lock_guard lock(mutex_);
    under_way_.erase(ticket);
  }
  if (!got) return got.error();
  if (got->status != 200) {
    return error(errc::source_error, "the picture's server answers " + std::to_string(got->status));
  }
  return std::move(got->body);
}

void picture_service::forget(std::string_view account) {
  if (auto* const store = kept(); store != nullptr) store->forget(account);
}

void picture_service::stop() noexcept {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (const auto ticket : under_way_) core_.live.transport->cancel(ticket);
}

}  // namespace freshet::detail
