// Which store keeps an archive.
#include "archive/store.hpp"

#include <archive/sqlite/sqlite_item_store.hpp>

namespace freshet::archive {

result<std::unique_ptr<item_store>> item_store::open(item_store_options options) {
  auto made = std::make_unique<sqlite_item_store>(std::move(options));
  if (auto ready = made->prepare(); !ready) return ready.error();
  return std::unique_ptr<item_store>(std::move(made));
}

}  // namespace freshet::archive
