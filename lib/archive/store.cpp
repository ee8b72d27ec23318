// Which store keeps an archive: an address says it, as storage.database does.
#include "archive/store.hpp"

#include <archive/postgres/postgres_item_store.hpp>
#include <archive/sqlite/sqlite_item_store.hpp>

namespace freshet::archive {
namespace {

template <class Store>
result<std::unique_ptr<item_store>> prepared(item_store_options options) {
  auto made = std::make_unique<Store>(std::move(options));
  if (auto ready = made->prepare(); !ready) return ready.error();
  return std::unique_ptr<item_store>(std::move(made));
}

}  // namespace

result<std::unique_ptr<item_store>> item_store::open(item_store_options options) {
  if (postgres::is_url(options.path)) return prepared<postgres_item_store>(std::move(options));
  return prepared<sqlite_item_store>(std::move(options));
}

}  // namespace freshet::archive
