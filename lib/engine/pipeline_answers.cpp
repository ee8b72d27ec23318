// What becomes of a call when what it asked for is there, gathered or kept: the page with its
// cursor, what is kept of it, the settlement and the envelope. It fetches nothing.
#include <algorithm>
#include <engine/alerts/alerts.hpp>
#include <engine/gather/budget.hpp>
#include <engine/gather/highlighting.hpp>
#include <model/json.hpp>
#include <query/text_query.hpp>

#include "engine/pipeline.hpp"

namespace freshet::detail {
namespace {

/// The sources that gave something, joined by commas.
std::string names_of_used(const std::vector<source_report>& asked) {
  std::string names;
  for (const auto& source : asked) {
    const bool is_named = ("," + names + ",").find("," + source.name + ",") != std::string::npos;
    if (source.status == "ok" && !is_named) names += (names.empty() ? "" : ",") + source.name;
  }
  return names;
}

/// Whether nothing of what the sandbox gave has the words that were asked for: some of it answers
/// every query, with what it has.
bool is_beside(const std::vector<shared_item>& items, std::string_view q) {
  const auto asked = query::parse_text_query(q);
  constexpr query::match_rules words_alone{true, false, false};
  return asked && std::ranges::none_of(items, [&](const shared_item& one) {
           return query::matches(*asked, one.get(), words_alone);
         });
}

constexpr const char* beside_the_query =
    "the sandbox has nothing recorded of what was asked for: try climate";

}  // namespace

void pipeline::page(result<page_outcome> outcome) {
  std::shared_ptr<gatherer> made;
  {
    const std::lock_guard lock(mutex_);
    made.swap(gatherer_);
  }
  spans_.leave();
  const auto told = made ? made->told() : std::vector<std::size_t>();
  told_ = std::ranges::any_of(told, [](std::size_t items) { return items != 0; });
  if (!outcome) {
    if (made && (core_.requests != nullptr || core_.watch || told_))
      failed_sources_ = made->asked();
    return owes_for(told) ? charge_told(outcome.error()) : refuse(outcome.error());
  }
  made.reset();
  meta_.sources = std::move(outcome->sources);
  move_times(meta_.sources, moved_);
  meta_.sources.insert(meta_.sources.end(), unready_.begin(), unready_.end());
  meta_.warnings = std::move(outcome->warnings);
  if (is_sandboxed() && !arguments_->given("cursor") &&
      is_beside(outcome->items, arguments_->text("q")))
    meta_.warnings.emplace_back(beside_the_query);
  if (arguments_->flag("cluster")) meta_.clusters = std::move(outcome->clusters);
  meta_.warnings.insert(meta_.warnings.begin(), absent_.begin(), absent_.end());
  if (outcome->partial || !unready_.empty() || !absent_.empty()) meta_.completeness = "partial";
  if (!outcome->rendered) {
    price_ -= render_surcharge_;
    unused_ = render_surcharge_;
  }
  // Of several platforms those are paid that gave something.
  for (std::size_t i = 0; i < parts_.size() && !endpoint_->parts.empty(); ++i) {
    if (outcome->given[i] != 0) continue;
    price_ -= core_.price(*parts_[i]);
    unused_ += core_.price(*parts_[i]);
  }
  const bool found = !outcome->items.empty();
  given_ = static_cast<std::int64_t>(outcome->items.size());
  is_partial_ = meta_.completeness == "partial";
  if (endpoint_->shape == catalog::answer_shape::list) return settle_list(*outcome, told);
  if (!found && outcome->too_large) return refuse(too_large());
  if (!found) return refuse(error(errc::not_found, "no source has it"));
  std::optional<page_info> cut;
  if (std::holds_alternative<document>(outcome->items.front().get())) {
    auto* const page_of = &std::get<document>(outcome->items.front().change());
    // They are of the whole page, and stand on the first one of a walk.
    if (from_.block != 0) page_of->highlights.clear();
    auto budget = arguments_->integer("max_tokens");
    if (budget != 0) budget = std::max<std::int64_t>(1, budget - tokens_of(page_of->highlights));
    const auto done = cut_document(*page_of, std::move(outcome->blocks), from_.block,
                                   {budget, core_.max_answer_bytes()});
    if (done.shortened_lists) {
      meta_.warnings.emplace_back("the page has more links and media than an answer may hold");
    }
    outcome->truncated = done.truncated;
    outcome->more = done.truncated;
    outcome->after = {};  // the same page is read again, from another block on
    outcome->after.block = done.next_block;
    if (done.truncated || from_.block != 0) cut = page_after(*outcome);
  }
  if (moved_ != std::chrono::days(0)) move_times(outcome->items.front().change(), moved_);
  std::string data;
  model::append_item(data, outcome->items.front(), arguments_->list("fields"));
  if (wants_provenance()) model::append_provenance(data, outcome->provenance);
  keep_page(data, *outcome, true);
  settle(std::move(data), cut, true);
}

/// An empty page costs nothing where it is the first: behind a cursor sources were asked for it as
/// for any other, and whoever walks on would have that done for nothing, without end.
void pipeline::settle_list(page_outcome& outcome, const std::vector<std::size_t>& told) {
  const auto next = page_after(outcome);
  std::string data = "[" + outcome.written + "]";
  const bool costs = !outcome.items.empty() || arguments_->given("cursor");
  keep_page(data, outcome, costs);
  add_price_of(told, outcome.given);
  settle(std::move(data), next, costs || told_);
}

/// Platforms whose items a stream was told, and which have no place on its page, are paid as well:
/// whoever keeps pages small would have the others for nothing. A page that is kept tells no items,
/// and costs what stands on it.
void pipeline::add_price_of(const std::vector<std::size_t>& told,
                            const std::vector<std::size_t>& given) {
  for (std::size_t i = 0; i < parts_.size() && !endpoint_->parts.empty(); ++i) {
    if (told[i] == 0 || given[i] != 0) continue;
    price_ += core_.price(*parts_[i]);
    unused_ -= core_.price(*parts_[i]);
  }
}

/// Of a lookup, which has no part that could be left for another page.
error pipeline::too_large() const {
  const bool by_schema = endpoint_->op == catalog::operation::scrape_extract;
  return error(errc::unsupported_content,
               std::string(by_schema ? "schema: the page has more of what it asks for than"
                                     : "what was found is larger than") +
                   " an answer may hold (" + std::to_string(core_.max_answer_bytes()) +
                   " bytes); " +
                   (by_schema ? "leave properties out, or bound its lists by `maxItems`"
                              : "ask for fewer keys by `fields`"));
}

page_info pipeline::page_after(page_outcome& outcome) {
  meta_.truncated = outcome.truncated;
  if (!outcome.more) return {};
  return page_at(outcome.after, identity_);
}

page_info pipeline::page_at(const cursor_state& after, std::string_view identity) const {
  return {write_cursor(after, identity, core_.cursor_secret, base::system_clock().now()), true};
}

/// Until when the same words will be answered the same, as long as what was fetched is fresh: a
/// walk goes on, and what is asked since some time ago moves, but in the sandbox, whose time
/// stands for a day.
time_point pipeline::stands_until(const gather_request& asked) const {
  const auto now = asked.parts.front().what.now;
  if (arguments_->given("cursor")) return now;
  if (is_sandboxed()) {
    const auto at = base::system_clock().now();
    const auto end = environment_->recorded.stand_until(at);
    return end == time_point::max() ? end : now + (end - at);
  }
  if (arguments_->since) return now;
  auto until = time_point::max();
  for (const auto& one : branches_) {
    if (one.how->stands_until == nullptr) continue;
    until = std::min(until, one.how->stands_until(asked.parts[one.part].what));
  }
  return until;
}

void pipeline::keep_until(time_point end, time_point now) {
  keeps_until_.reset();
  if (end == time_point::max())
    keeps_until_ = kept_page::time::max();
  else if (end > now)
    keeps_until_ = environment_->clock->steady() + (end - now);
}

/// Keeps what is about to be answered, as it will be answered from memory: what answers are short
/// of they are short of for as long as they are fresh, but a source that failed may come back.
void pipeline::keep_page(std::string_view data, const page_outcome& made, bool charged) {
  const bool is_fresh = is_sandboxed() || made.fresh_until;
  const bool failed =
      std::ranges::find(meta_.sources, "error", &source_report::status) != meta_.sources.end();
  // Items that name their call are that call's.
  if (wants_provenance()) return;
  if (!is_fresh || failed || made.rendered || !unready_.empty() || !keeps_until_) return;
  response_meta meta = meta_;
  for (auto& one : meta.sources) {
    if (one.status != "ok" || is_sandboxed()) continue;
    one.cache = "hit";
    one.elapsed_ms = 0;
  }
  kept_page page;
  page.frame = model::make_frame(data, meta);
  page.used_sources = names_of_used(meta.sources);
  page.sources = std::move(meta.sources);
  const bool is_list = endpoint_->shape == catalog::answer_shape::list;
  if (is_list || made.more) page.page = page_info{"", made.more};
  if (made.more) {
    page.after = made.after;
    page.identity = identity_;
  }
  page.items = given_.value_or(0);
  page.is_partial = is_partial_;
  page.price = price_;
  page.is_charged = charged;
  if (!is_sandboxed()) {
    page.until = std::min(*made.fresh_until, *keeps_until_);
  } else if (*keeps_until_ != kept_page::time::max()) {
    page.until = *keeps_until_;
  }
  environment_->pages->put(*endpoint_, request_.body, owner(), std::move(page));
}

void pipeline::give_kept_page() {
  if (!is_wanted()) return refuse(error(errc::cancelled, "the call was cancelled"));
  tell_kept_sources();
  given_ = kept_->items;
  is_partial_ = kept_->is_partial;
  std::optional<page_info> page = kept_->page;
  if (page && page->has_more) page = page_at(kept_->after, kept_->identity);
  const bool charged = kept_->is_charged && reservation_;
  if (!charged) reservation_.release();
  const credits_info credits{charged ? price_ : 0, remaining()};
  auto made = model::fill_frame(kept_->frame, page ? &*page : nullptr, meta_.request_id, credits);
  if (!request_.takes_lead || marked_) model::join_lead(made);
  meta_.credits = credits;
  charged ? charge(std::move(made)) : give_uncharged(std::move(made));
}

/// Of what was asked for this call, or for the one whose page it is given.
std::span<const source_report> pipeline::sources_asked() const {
  return kept_ ? kept_->sources : meta_.sources;
}

/// The same, also of a call that failed.
std::span<const source_report> pipeline::sources_tried() const {
  return failed_sources_.empty() ? sources_asked() : failed_sources_;
}

/// Charges a success, durably, before it is answered; voids what was held otherwise.
void pipeline::settle(std::string data, std::optional<page_info> page, bool charged) {
  if (!told_ && !is_wanted()) return refuse(error(errc::cancelled, "the call was cancelled"));
  if (data.size() > core_.max_answer_bytes()) {
    return refuse(error(errc::source_error, "the answer is larger than server.max_answer_bytes"));
  }
  const bool is_charged = charged && reservation_;
  if (!is_charged) reservation_.release();
  meta_.credits = {is_charged ? price_ : 0, remaining()};
  if (is_charged && meta_.credits.remaining)
    *meta_.credits.remaining += unused_;  // goes back with the settlement
  auto made = model::make_envelope(data, page ? &*page : nullptr, meta_);
  is_charged ? charge(std::move(made)) : give_uncharged(std::move(made));
}

void pipeline::charge(response&& made) {
  account::usage used;
  used.sources = kept_ ? kept_->used_sources : names_of_used(meta_.sources);
  if (marked_) {
    used.idempotency_key = request_.idempotency_key;
    used.answer = kept_form(made);
    marked_ = false;  // the settlement ends the mark, whatever becomes of it
  }
  answer_settled(std::move(made), std::move(used));
}

/// Waits for the commit with the answer at hand. What is left to do then is done where the caller
/// wants it: others wait for the ledger's thread.
void pipeline::answer_settled(response&& made, account::usage used) {
  used.endpoint = endpoint_->path;
  used.request_id = meta_.request_id;
  spans_.enter("settle");
  answered_ = std::move(made);
  core_.accounts->settle(
      std::move(reservation_), {price_}, std::move(used),
      [self = shared_from_this()](const result<account::balance>& after) {
        self->on_settled(after);
      },
      request_.answered_on);
}

void pipeline::on_settled(const result<account::balance>& after) noexcept {
  guarded([&] {
    spans_.leave();
    after ? answer(response(std::move(*answered_))) : refuse(after.error());
  });
}

/// Who hears of the sources of this call; null: nobody.
std::function<void(std::string)> pipeline::teller() {
  if (!request_.on_source || endpoint_->shape != catalog::answer_shape::list) return nullptr;
  return [to = request_.on_source, allowed = is_origin_allowed()](std::string event) {
    to({std::move(event), allowed});
  };
}

/// Of a page that was kept each source has a row, as its answer has.
void pipeline::tell_kept_sources() {
  const auto tell = teller();
  if (!tell) return;
  for (const auto& row : kept_->sources) {
    std::string event;
    model::begin_source_event(event, row);
    model::end_source_event(event);
    tell(std::move(event));
  }
}

/// Whether a call that came to no answer has given items all the same, as a stream whose reader
/// leaves: they are paid for. The price becomes that of the platforms that gave some.
bool pipeline::owes_for(const std::vector<std::size_t>& told) {
  if (!told_ || !reservation_) return false;
  price_ -= render_surcharge_;
  for (std::size_t i = 0; i < parts_.size() && !endpoint_->parts.empty(); ++i) {
    if (told[i] == 0) price_ -= core_.price(*parts_[i]);
  }
  return true;
}

void pipeline::charge_told(const error& why) {
  account::usage used;
  used.sources = names_of_used(failed_sources_);
  auto made = model::make_problem(why, meta_.request_id, {price_, remaining()});
  made.code = why.code();
  made.credits_used = price_;
  answer_settled(std::move(made), std::move(used));
}

account::stored_answer pipeline::kept_form(const response& made) const {
  return {fingerprint_,       made.status,      made.content_type, made.body,
          meta_.credits.used, made.data_offset, made.data_size};
}

/// A success that costs nothing: an account call, an empty page, a test key's. Where its answer
/// cannot be stored it is given all the same: what it tells of, a new key, has been made.
void pipeline::give_uncharged(response&& made) {
  made.idempotency_replayed = repeats_;
  if (!marked_ || repeats_) return answer(std::move(made));
  marked_ = false;  // keeping it ends the mark, whatever becomes of it
  auto kept = kept_form(made);
  spans_.enter("settle");
  auto self = shared_from_this();
  core_.accounts->keep(*who_, request_.idempotency_key, std::move(kept),
                       [self, made = std::move(made)](const result<void>&) mutable {
                         self->guarded([&] { self->answer(std::move(made)); });
                       });
}

/// Leaves the call in the request log, with a key or from the dashboard. What the dashboard asks to
/// fill its own pages, and the price while somebody types, are none of the account's calls.
void pipeline::remember(const response& made) noexcept {
  if (core_.requests == nullptr || !who_) return;
  constexpr std::string_view quote_mark = R"("dry_run":true)";
  const bool is_of_pages =
      !request_.session.empty() &&
      (endpoint_->platform == "account" || request_.body.find(quote_mark) != std::string::npos);
  if (is_of_pages) return;
  const auto took = std::chrono::steady_clock::now() - began_;
  requests::call_facts facts;
  facts.account = who_->account.public_id;
  facts.request_id = made.request_id;
  facts.elapsed_ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  facts.at = base::system_clock().now() - std::chrono::milliseconds(facts.elapsed_ms);
  facts.endpoint = endpoint_->path;
  facts.key_id = who_->key.public_id;
  facts.is_test = who_->key.mode == account::key_mode::test;
  facts.status = made.status;
  if (!made.ok()) facts.code = describe(made.code).name;
  facts.credits = made.idempotency_replayed ? 0 : made.credits_used;
  facts.is_replayed = made.idempotency_replayed;
  if (made.ok() && given_) {
    facts.items = given_;
    facts.completeness =
        is_partial_ ? requests::completeness::partial : requests::completeness::complete;
  }
  facts.sources = sources_tried();
  // What an account call answers may show a key.
  const bool is_secret = endpoint_->platform == "account" && made.ok();
  const std::string_view lead = made.lead ? std::string_view(made.lead->bytes) : "";
  core_.requests->add(facts, {request_.body, is_secret ? "" : lead,
                              is_secret ? std::string_view() : std::string_view(made.body)});
}

/// What the account's owner may want to be told of: found here, told by a thread that may wait.
/// What comes from memory says nothing of its sources, and a page that fails is no source's
/// failure.
void pipeline::note_alerts(const response& made) noexcept {
  const bool is_live = core_.watch && who_ && who_->key.mode == account::key_mode::live;
  if (!is_live || endpoint_->platform == "account") return;
  try {
    const noted_at now{std::chrono::steady_clock::now(), base::system_clock().now()};
    if (!made.ok() && made.code == errc::key_budget_exceeded &&
        core_.watch->is_new(owner(), who_->key.public_id, now.steady)) {
      core_.pool->post([&shared = core_, who = *who_] { tell_of_budget(shared, who); }, owner());
    }
    if (kept_ || endpoint_->platform == "scrape") return;
    for (auto& failing : core_.watch->note(owner(), sources_tried(), now)) {
      core_.pool->post([&shared = core_, whose = who_->account,
                        what = std::move(failing)] { tell_of_source(shared, whose, what); },
                       owner());
    }
  } catch (const std::bad_alloc&) {
    // Nobody is told; the next call notes it again.
  }
}

void pipeline::envelope(std::string_view data, const std::optional<page_info>& page) {
  meta_.credits = {0, remaining()};
  answer(model::make_envelope(data, page ? &*page : nullptr, meta_));
}

}  // namespace freshet::detail
