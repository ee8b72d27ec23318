// The layer that answers for the archives: requests to the address of the source `archive` are
// searched for here, everything else passes through.
#pragma once

#include <archive/search_places.hpp>
#include <archive/store.hpp>
#include <http/transport.hpp>
#include <map>
#include <memory>
#include <string>

namespace freshet::archive {

/// By platform; null where nothing can be read yet.
using stores = std::map<std::string, std::shared_ptr<item_store>, std::less<>>;

/// Thread-safe. Threads of its own search: phrases and exclusions of common words take a large file
/// a tenth of a second and more, and one account can ask for many.
class archive_layer final : public http::transport {
 public:
  archive_layer(std::unique_ptr<http::transport> next, stores kept, const base::clock& clock);

  std::uint64_t submit(http::request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;

 private:
  [[nodiscard]] result<http::response> answer(const std::string& url,
                                              const search_course& course) const;

  std::unique_ptr<http::transport> next_;
  stores kept_;
  const base::clock& clock_;
  search_places places_;  ///< goes first
};

}  // namespace freshet::archive
