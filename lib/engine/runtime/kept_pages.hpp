// What calls were answered, for those that ask the same again: the bytes of `data`, and what stands
// around them, as long as every answer of a source that they were made of is fresh. They stand on
// the shelf of those answers, under the same bound. What is charged, counted and written for a call
// is not kept: a call that is answered from here is a call like any other.
#pragma once

#include <base/clock.hpp>
#include <base/shelf.hpp>
#include <catalog/endpoint.hpp>
#include <engine/gather/cursor.hpp>
#include <model/json.hpp>

namespace freshet::detail {

/// A longer body is looked up nowhere: a question is short.
inline constexpr std::size_t max_kept_question = 4096;

/// One answer. Immutable.
struct kept_page {
  using time = std::chrono::steady_clock::time_point;

  model::envelope_frame frame;
  std::vector<source_report> sources;  ///< as they stand in the frame
  std::string used_sources;            ///< those that gave something, joined by commas
  std::optional<page_info> page;       ///< of a list, or a document that was cut
  cursor_state after;                  ///< where the page's cursor goes on
  std::string identity;                ///< of the question, for its cursor
  std::int64_t items = 0;
  bool is_partial = false;
  std::int64_t price = 0;
  bool is_charged = false;    ///< whether there is something to charge for
  std::optional<time> until;  ///< null: always good
};

/// Thread-safe.
class kept_pages {
 public:
  explicit kept_pages(std::shared_ptr<base::shelf> on) : shelf_(std::move(on)) {}

  /// What the endpoint answers to a body, byte by byte the same; null if it has to be asked anew.
  [[nodiscard]] std::shared_ptr<const kept_page> find(const catalog::endpoint& endpoint,
                                                      std::string_view body, kept_page::time now);
  /// `owner` crowds out himself.
  void put(const catalog::endpoint& endpoint, std::string_view body, std::int64_t owner,
           kept_page&& made);

  struct figures {
    std::uint64_t hits = 0, misses = 0;
  };
  [[nodiscard]] figures count() const noexcept { return {hits_, misses_}; }

 private:
  const std::shared_ptr<base::shelf> shelf_;
  std::atomic<std::uint64_t> hits_ = 0, misses_ = 0;
};

}  // namespace freshet::detail
