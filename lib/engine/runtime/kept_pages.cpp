// A page's name on the shelf begins with a slash, as no URL does.
#include "engine/runtime/kept_pages.hpp"

namespace freshet::detail {
namespace {

/// In the thread's own room, until it is asked for the next one.
const std::string& name_of(const catalog::endpoint& endpoint, std::string_view body) {
  thread_local std::string name;
  name.clear();
  name.append(1, '/').append(endpoint.path).append(1, '\n').append(body);
  return name;
}

std::size_t size_of(const kept_page& page) {
  // The lead may get a packed form, of half its size at most.
  std::size_t size = sizeof(kept_page) + page.frame.lead->bytes.size() * 3 / 2;
  size += page.frame.rest.size() + page.identity.size() + page.used_sources.size();
  size += page.sources.size() * sizeof(source_report);
  size += page.after.fingerprints.size() * sizeof(std::uint32_t);
  for (const auto& [branch, position] : page.after.next) size += branch.size() + position.size();
  return size;
}

}  // namespace

std::shared_ptr<const kept_page> kept_pages::find(const catalog::endpoint& endpoint,
                                                  std::string_view body, kept_page::time now) {
  if (body.size() > max_kept_question || shelf_->capacity() == 0) return nullptr;
  auto found = std::static_pointer_cast<const kept_page>(shelf_->find(name_of(endpoint, body)));
  const bool is_good = found && (!found->until || now < *found->until);
  ++(is_good ? hits_ : misses_);
  return is_good ? std::move(found) : nullptr;
}

void kept_pages::put(const catalog::endpoint& endpoint, std::string_view body, std::int64_t owner,
                     kept_page&& made) {
  if (body.size() > max_kept_question) return;
  const std::size_t size = size_of(made);
  shelf_->put(name_of(endpoint, body), owner, size,
              std::make_shared<const kept_page>(std::move(made)));
}

}  // namespace freshet::detail
