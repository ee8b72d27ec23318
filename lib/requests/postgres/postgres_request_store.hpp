// The request log in a database of PostgreSQL that several servers share: one connection writes,
// some read. The book has its own connections, in lib/account: nobody waits for both.
#pragma once

#include <atomic>
#include <limits>
#include <postgres/connection_pool.hpp>
#include <postgres/read_replica.hpp>
#include <requests/postgres/request_tables.hpp>
#include <requests/request_store.hpp>

namespace freshet::requests {

class postgres_request_store final : public request_store {
 public:
  postgres_request_store(std::string url, store_limits limits,
                         std::shared_ptr<postgres::read_replica> replica);

  [[nodiscard]] write_outcome open() override;
  void close() noexcept override { writer_.close(); }
  [[nodiscard]] write_outcome write(const batch& batch, time_point now) override;
  [[nodiscard]] result<bool> purge(time_point now) override;
  [[nodiscard]] result<bool> forget(std::string_view account) override;
  /// A database is never put aside.
  [[nodiscard]] std::string put_aside() override { return {}; }
  [[nodiscard]] bool is_shared() const noexcept override { return true; }
  [[nodiscard]] bool is_lost() const noexcept override { return !writer_.is_open(); }
  [[nodiscard]] result<newest_numbers> newest_of(const std::vector<std::string>& accounts) override;
  [[nodiscard]] result<std::vector<call_record>> list(const call_query& query) const override;
  [[nodiscard]] result<shown_call> show(std::string_view account,
                                        std::string_view id) const override;

 private:
  using outcome = postgres::pg_outcome;
  /// What a transaction has been given: numbers up to `last`, and a name by which the database
  /// knows it.
  struct turn {
    std::int64_t last = 0, calls_end = 0, bodies_end = 0;
    std::string transaction;
  };
  /// The oldest rows of an account, until so many bytes are free.
  struct doomed_rows {
    part_kind kind = part_kind::calls;
    std::string_view account;
    std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
  };
  /// Numbers for so many calls, from `first` on.
  [[nodiscard]] outcome begin(std::int64_t first, std::int64_t calls, turn& taken);
  [[nodiscard]] outcome insert(const batch& batch, std::int64_t first, turn& taken, bool names_all);
  [[nodiscard]] outcome drop_oldest(const doomed_rows& which, bool& removed);
  [[nodiscard]] outcome drop_all_of(std::string_view account, bool& removed);
  [[nodiscard]] outcome drop_excess(bool& removed);
  [[nodiscard]] outcome drop_forgotten(bool& removed);
  /// What has become of the transaction whose commit nobody answered.
  [[nodiscard]] write_outcome resolve();
  void roll_back() noexcept;
  /// Commits what `steps` do, beside whom no server writes: what they tell.
  [[nodiscard]] result<bool> remove(std::string_view doing,
                                    const std::function<outcome(bool& removed)>& steps);
  /// `may_be_old`: by some seconds.
  [[nodiscard]] result<void> read(
      bool may_be_old,
      const std::function<outcome(postgres::pg_connection&, error&)>& reading) const;

  postgres::connection_options where_;
  const store_limits limits_;
  postgres::pg_connection writer_;
  mutable postgres::connection_pool readers_;
  const std::shared_ptr<postgres::read_replica> replica_;  ///< null: there is none
  turn doubtful_;  ///< of a commit that nobody answered; without a name: there is none
  /// What is older is not shown any more, though the rest of its part is.
  std::atomic<std::int64_t> calls_from_{0}, bodies_from_{0};
};

}  // namespace freshet::requests
