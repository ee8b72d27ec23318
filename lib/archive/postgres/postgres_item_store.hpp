// One platform's archive in a database of PostgreSQL that several servers share: all search it, one
// at a time writes, under a tenure that the database's clock ends.
#pragma once

#include <archive/pending.hpp>
#include <archive/postgres/archive_tables.hpp>
#include <archive/postgres/array_text.hpp>
#include <archive/store.hpp>
#include <atomic>
#include <map>
#include <mutex>
#include <postgres/connection_pool.hpp>
#include <set>
#include <unordered_set>

namespace freshet::archive {

/// Of one statement of a search, where the search has more.
inline constexpr std::chrono::milliseconds read_timeout{10'000};

class postgres_item_store final : public item_store {
 public:
  explicit postgres_item_store(item_store_options options);
  [[nodiscard]] result<void> prepare();

  [[nodiscard]] result<void> write(const changes& what) override;
  [[nodiscard]] result<bool> expire() override;
  [[nodiscard]] result<page> find(const search& what) override;
  [[nodiscard]] result<std::string> cursor(std::string_view name) override;
  [[nodiscard]] result<statistics> measure() override;
  [[nodiscard]] bool writes() const noexcept override { return options_.writes; }
  [[nodiscard]] bool is_shared() const noexcept override { return true; }
  [[nodiscard]] result<std::int64_t> hold() override;
  [[nodiscard]] std::int64_t tenure() const noexcept override { return tenure_; }
  void let_go() noexcept override;

 private:
  using outcome = postgres::pg_outcome;
  /// The rows that a batch comes to, by their final positions.
  using placed_rows = std::map<std::int64_t, const item_row*>;

  [[nodiscard]] result<void> open_if_lost(postgres::pg_connection& one);
  /// Commits what `steps` do, if the tenure of that number lasts, which is renewed.
  [[nodiscard]] result<void> commit(std::string_view doing, std::int64_t number,
                                    const std::function<outcome()>& steps);
  /// Renews the tenure of that number; once done, `is_ours` tells whether it lasts.
  [[nodiscard]] outcome renew(postgres::pg_connection& connection, std::string_view stage,
                              std::int64_t number, bool& is_ours) const;
  [[nodiscard]] outcome apply(const changes& changes, const pending& batch, std::int64_t now);
  [[nodiscard]] outcome read_shut(const pending& batch, std::unordered_set<std::int64_t>& shut);
  [[nodiscard]] outcome change_shut(const pending& batch);
  [[nodiscard]] outcome remove(const pending& batch, std::unordered_set<std::int64_t>& unchanged);
  [[nodiscard]] outcome place(const std::vector<const item_row*>& rows, placed_rows& placed);
  [[nodiscard]] outcome insert(const placed_rows& placed);
  [[nodiscard]] outcome put_cursors(const changes& what);
  [[nodiscard]] outcome expire_some(std::int64_t now, bool& removed);
  [[nodiscard]] outcome read_page(postgres::pg_connection& connection, const search& search,
                                  const word_wishes& wishes, page& found) const;
  [[nodiscard]] result<void> read(const std::function<outcome(postgres::pg_connection&)>& reading,
                                  const search_course* course = nullptr);
  /// What is older is not shown any more, though the rest of its part is.
  [[nodiscard]] std::int64_t oldest() const {
    return oldest_position(options_.clock->now() - options_.age);
  }
  [[nodiscard]] std::string_view platform() const noexcept { return options_.platform; }

  item_store_options options_;
  archive_parts parts_;
  postgres::connection_options where_;
  std::mutex write_mutex_, tenure_mutex_;
  postgres::pg_connection writer_, keeper_;
  postgres::connection_pool readers_;
  std::string holder_;
  std::atomic<std::int64_t> tenure_ = 0;  ///< its number; 0: another's
};

}  // namespace freshet::archive
