// One page of one call, out of one or many sources: asks them in parallel (or one after another,
// when any one will do), refills them until the page is full or a bound is reached, and says where
// each goes on.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <base/work.hpp>
#include <catalog/endpoint.hpp>
#include <catalog/validate.hpp>
#include <engine/gather/clusters.hpp>
#include <engine/gather/cursor.hpp>
#include <engine/gather/merge.hpp>
#include <engine/runtime/call_spans.hpp>
#include <engine/runtime/environment.hpp>
#include <engine/runtime/gate.hpp>
#include <engine/runtime/workers.hpp>
#include <freshet/response.hpp>
#include <functional>
#include <markdown/page.hpp>
#include <memory>
#include <model/json.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace freshet::detail {

/// How many of a source's pages one call may read. Beyond it the page is short, the call partial,
/// and the cursor goes on.
inline constexpr int max_upstream_pages = 5;

/// How many branches (sources times instances) a part of a call may ask.
inline constexpr std::size_t max_branches = 64;

using catalog::ask_mode;

/// What is asked of the sources of one operation, and how what they answer becomes one list.
struct gather_part {
  std::string name;    ///< of its platform, where a page has several parts; "" of an only one
  sources::call what;  ///< `limit` is the size of upstream pages
  merge_order order = merge_order::in_turn;
};

struct gather_request {
  /// At least one. Items of several come in turn.
  std::vector<gather_part> parts = std::vector<gather_part>(1);
  ask_mode mode = ask_mode::all;
  std::size_t wanted = 20;
  bool clusters = false;            ///< what tells the same stands in the page once
  bool provenance = false;          ///< each item says where it comes from
  std::string request_id;           ///< that it says then
  std::int64_t max_tokens = 0;      ///< 0: no budget
  std::size_t max_bytes = 0;        ///< of the items as JSON; 0: no bound
  std::vector<std::string> fields;  ///< those that count against the budget
  std::optional<catalog::highlight_choice> highlights;  ///< null: none
  std::string identity;  ///< of the question; "": no reading of it is kept
  cursor_state from;
  http::transport::deadline by;
  /// What a source has, at least, to answer while others have answered; then the page is made
  /// without it. 0: until `by`.
  std::chrono::milliseconds fair_time{0};
  owner_id owner = 0;                 ///< whose turn it takes
  std::shared_ptr<gates::pass> pass;  ///< what it uses is booked there; null: nowhere
  span_place spans;                   ///< of what it asks and reads
  std::chrono::days moved{0};         ///< by which times are moved where items are written
  /// Told of each source as it answers or fails, as request::on_source says; null: nobody is.
  std::function<void(std::string event)> on_source;
};

/// One source at one instance.
struct branch {
  /// The source's name, with the instance's hash where there are several, and behind the part's
  /// name where there are several of those.
  std::string key;
  std::size_t part = 0;  ///< of gather_request::parts
  const configured_source* source = nullptr;
  const sources::settings* where = nullptr;
  const sources::capability* how = nullptr;

  merge_queue queue;
  std::string position;  ///< of the page being read, or read last
  std::string next;      ///< of the page after it
  int pages = 0;         ///< read in this call
  /// Of each page of this call with nothing but what was given before, by its first item.
  std::vector<std::uint32_t> repeated;
  std::vector<std::string> asked_for;  ///< positions in this call, in their order
  int follows = 0;                     ///< steps within the page
  std::string asked_url;               ///< of the request under way, or of the last one
  std::string purpose;       ///< for what its answer is read; "": that depends on the time
  std::int64_t read = 0;     ///< items read in this call
  std::int64_t given = 0;    ///< those that stand in the page
  std::int64_t dropped = 0;  ///< those that do not keep the call's promises
  bool asked = false;        ///< in this call
  bool is_at_source = true;  ///< asked_url is one of the source's own
  bool rendered = false;     ///< a browser ran what was answered
  bool waiting = false;      ///< an answer is under way
  bool exhausted = false;    ///< the source has no further page
  bool partial = false;
  std::optional<error> failure;
  std::vector<std::string> warnings;
  bool skipped = false;  ///< it cannot have such a thing
  std::uint64_t ticket = 0;
  std::chrono::steady_clock::time_point asked_at;  ///< the page being read
  /// Set by who is first: the answer under way, or the page that is made without it.
  std::shared_ptr<std::atomic<bool>> decided;
  exchange_span span;  ///< of the request under way, or of the last one
  http::cache_state cache = http::cache_state::miss;
  std::optional<time_point> fetched_at;
  /// Until when all of its answers are fresh; null: one of them is not, or was not kept.
  std::optional<std::chrono::steady_clock::time_point> fresh_until =
      std::chrono::steady_clock::time_point::max();
  std::chrono::milliseconds elapsed{0};
};

/// What an answer was read as: a page, or a further request.
struct reading {
  std::shared_ptr<const sources::listing> page;
  bool sole = false;  ///< it is of this call alone
  std::optional<sources::follow> follow;
};

struct page_outcome {
  std::vector<shared_item> items;
  std::string written;              ///< the items of a list as JSON, with commas between them
  std::vector<std::size_t> blocks;  ///< of a document
  cursor_state after;
  bool more = false;
  bool partial = false;
  bool truncated = false;
  bool too_large = false;          ///< something was found that no answer may hold
  bool rendered = false;           ///< a browser was needed: it costs more
  std::vector<std::size_t> given;  ///< items of each part
  std::vector<item_cluster> clusters;
  model::item_provenance provenance;  ///< of the last item, where it was asked for
  std::vector<source_report> sources;
  std::vector<std::string> warnings;
  /// Until when all answers that it was made of are fresh; null: not even now.
  std::optional<std::chrono::steady_clock::time_point> fresh_until;
};

/// Runs once. Shared by the answers it waits for; thread-safe.
class gatherer : public std::enable_shared_from_this<gatherer> {
 public:
  using done_handler = std::function<void(result<page_outcome>)>;

  gatherer(const environment& environment, workers& workers, gather_request plan,
           std::vector<branch> branches, done_handler done);

  /// Neither this nor what follows throws: where no memory is left, `done` is told so.
  void start() noexcept;
  /// Ends it with `cancelled` as soon as what is under way has come back.
  void cancel() noexcept;
  /// What the sources did, once it is done: also where none of them gave anything.
  [[nodiscard]] std::vector<source_report> asked();
  /// Items of each part that were told, once it is done.
  [[nodiscard]] std::vector<std::size_t> told();

 private:
  void advance();
  void give_up() noexcept;
  void deliver();
  void ask(branch& one);
  [[nodiscard]] bool leads_back(const branch& one) const;
  void end_circle(branch& one);
  void pass_pages(const branch& one, page_outcome& out) const;
  void send(std::size_t index, http::request request, std::string state);
  [[nodiscard]] static result<std::shared_ptr<const void>> room_for(gates::pass* pass,
                                                                    std::size_t bytes);
  void hand_over(std::size_t index, std::string state, result<http::response> answer,
                 std::shared_ptr<gates::pass> pass);
  void set_alarm();
  void ring() noexcept;
  void leave_late() noexcept;
  [[nodiscard]] std::chrono::steady_clock::time_point fair_end(const branch& one) const;
  [[nodiscard]] bool is_dispensable(const branch& one) const;
  [[nodiscard]] bool was_ended_here(const result<http::response>& answer) const;
  void note_late(const branch& one, const result<http::response>& answer) const;
  void on_answer(std::size_t index, const std::string& state, result<http::response> answer);
  [[nodiscard]] std::string purpose_of(const branch& one, const http::request& request,
                                       const std::string& state) const;
  [[nodiscard]] bool can_do_without(const branch& one, const std::string& state,
                                    const error& why) const;
  [[nodiscard]] result<reading> read_answer(const branch& one, result<http::response>& got,
                                            const std::string& state) const;
  [[nodiscard]] reading keep_reading(const branch& one, const http::response& answer,
                                     sources::step read, base::meter& counted) const;
  void note(const branch& one, const result<http::response>& answer,
            const result<reading>& read) const;
  void note_answer(branch& one, const http::response& answer) const;
  void take(branch& one, const reading& read);
  void enqueue(branch& one, const reading& read);
  void tell(const branch& one, std::size_t first);
  [[nodiscard]] const item& dated(const item& shown, item& room) const;
  void write_item(std::string& out, const item& whole) const;
  void fail(branch& one, error why);
  bool refill();
  void collect();
  void keep(candidate& one);
  void note_given(const candidate& one);
  [[nodiscard]] model::item_provenance provenance_of(const candidate& one) const;
  [[nodiscard]] bool joins(candidate& one);
  std::size_t collect_once();
  enum class fit : std::uint8_t { now, later, never };
  fit try_to_fit(candidate& one);
  [[nodiscard]] bool try_next_choice();
  [[nodiscard]] std::vector<std::size_t> live() const;
  [[nodiscard]] const gather_part& part_of(const branch& one) const {
    return plan_.parts[one.part];
  }
  [[nodiscard]] const sources::call& asked_of(const branch& one) const { return part_of(one).what; }
  void finish();
  [[nodiscard]] error overall_failure() const;
  void report(page_outcome& out) const;
  void settle_positions(page_outcome& out) const;

  const environment& environment_;
  workers& workers_;
  gather_request plan_;
  std::vector<branch> branches_;
  done_handler done_;

  /// Recursive, since an answer may come, and fail for want of memory, before its request returns.
  std::recursive_mutex mutex_;
  std::size_t outstanding_ = 0;
  std::size_t choice_ = 0;                        ///< the branch being tried, in any_one
  std::size_t turn_ = 0;                          ///< the part that comes next
  const std::shared_ptr<base::stop_token> work_;  ///< stopped when nobody wants the page any more
  bool cancelled_ = false, finished_ = false;
  bool is_alarm_set_ = false;
  std::chrono::milliseconds quickest_{0};  ///< what the first answer took; 0: there is none
  std::mutex end_mutex_;                   ///< held for a moment only; may be taken with the other
  bool is_over_ = false;                   ///< the workers may be gone; guarded by end_mutex_
  bool bounded_ = false;                   ///< a source's page bound was reached
  page_outcome out_;
  result<page_outcome> outcome_ = error(errc::cancelled);  ///< once finished
  std::set<std::string> given_;
  page_clusters clusters_;
  markdown::taken_from places_;  ///< of a document, where it was asked for
  std::set<std::uint32_t> given_before_;
  std::int64_t tokens_ = 0;
  std::string item_json_;  ///< of the item that is being looked at
  std::size_t told_bytes_ = 0;
  std::vector<std::size_t> told_;  ///< items of each part
};

/// An item keeps the page alive that it stands in: where much of that is not kept, what is kept is
/// copied, so that a call holds what it may give, and not what its sources have sent beside it.
void let_go_of_rest(const sources::listing& page, std::vector<candidate>& kept);

/// Which branches are made: those that serve an operation, for a part of a page.
struct branch_rule {
  catalog::operation op;
  ask_mode mode = ask_mode::all;
  std::string_view native_id{};  ///< may name the one instance that is asked
  std::size_t part = 0;          ///< of gather_request::parts
  std::string_view part_name{};  ///< gather_part::name
};

/// Adds the branches of a part, at most max_branches. Sources that are not configured are reported
/// in `unready`.
void add_branches(const std::vector<const configured_source*>& sources, const branch_rule& rule,
                  std::vector<branch>& out, std::vector<source_report>& unready);

}  // namespace freshet::detail
